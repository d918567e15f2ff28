"""How to answer: what every mechanism is.

A mechanism is a frozen value that says what it costs, answers, and can be read a second time: the
law of what `release` tells, exactly.  `loss` is a function of how far the exact answer moves
between neighbours, in the one norm that its theorem is about; nothing else of the table enters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Generic, TypeVar

from discreet.distances import Distance
from discreet.entropy import Entropy
from discreet.loss import ZCDP, AnyLoss
from discreet.loss.divergence import Law
from discreet.numbers import Number
from discreet.units import Replace, Rows

Exact = TypeVar("Exact")
Told = TypeVar("Told")
Moved = TypeVar("Moved", bound=Distance | Rows | Replace)


class Mechanism(ABC, Generic[Exact, Told, Moved]):
    """From an exact answer of type `Exact` to what may be told, for distances of type `Moved`."""

    __slots__ = ()

    @abstractmethod
    def loss(self, distance: Moved) -> AnyLoss:
        """What one answer costs if neighbours move the exact one by no more than `distance`: the
        tightest that is proven."""

    def zcdp(self, distance: Moved) -> ZCDP:
        """The same in the currency that adds up best over many answers."""
        return self.loss(distance).to(ZCDP)

    @abstractmethod
    def release(self, x: Exact, *, entropy: Entropy | None = None) -> Told:
        """An answer that may be told, drawn from the operating system's randomness."""

    @abstractmethod
    def law(self, x: Exact) -> Law:
        """The exact law of what `release` tells of `x`, with a stated tail."""

    @abstractmethod
    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """How far off `count` answers are at most, all at once, with probability `confidence`: a
        proven bound, and the least one where the mechanism says so."""
