"""A choice among finitely many candidates by integer scores: what all such mechanisms share.

Only differences of scores count, so what neighbours move by enters through its span: how much the
score that rises most gains on the one that falls most.  Claim: selection.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

import flint
import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.distances import LInf, Monotone, require
from discreet.errors import MechanismError
from discreet.loss import Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.lattice import not_a_step
from discreet.mechanisms.search import confidence_in
from discreet.noise.race import Integers, candidates
from discreet.numbers import MISSING, Number, ball, up, whole

Scores: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]
Shift: TypeAlias = LInf | Monotone
"""How far scores move: each by so much, or each by so much and all in one direction."""
Chosen = TypeVar("Chosen")

BITS: Final = 256


class Selection(Mechanism[Scores, Chosen, Shift], ABC):
    """Candidates are numbered from zero, and larger scores are better."""

    nearest: ClassVar = LInf(1)

    __slots__ = ()
    scale: Fraction

    def loss(self, distance: Shift) -> Pure:
        """The span over the scale."""
        return Pure(self._span(distance) / self.scale)

    @abstractmethod
    def accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """By how much the chosen one of `count` candidates falls short of the best at most, with
        probability `confidence`, whatever the scores."""

    def _span(self, distance: Shift) -> Fraction:
        return span(distance, type(self).__name__)


def span(distance: Shift, what: str) -> Fraction:
    """max v − min v at most, for a move v that keeps the distance."""
    up_or_down = isinstance(distance, Monotone)
    checked = require(Monotone if up_or_down else LInf, distance, what)
    if checked.by.denominator != 1:
        raise not_a_step(str(distance), "count the scores in smaller steps: `dp.LInf(3)`")
    return checked.by if up_or_down else 2 * checked.by


def scores_in(x: Scores) -> Integers:
    """The scores as int64, in one dimension, one at least."""
    return candidates(x, "scores", dimensions=1)


def count_in(count: Number) -> int:
    """How many candidates there are."""
    return whole(count, "the number of candidates", least=1)


def textbook(scale: Fraction, odds: Fraction, confidence: Number) -> Fraction:
    """scale·ln(odds/β): the utility theorem as it is usually stated, with odds = count."""
    failure = 1 - confidence_in(confidence)
    return up(lambda: ball(odds / failure).log() * ball(scale))


def law_of(weights: Callable[[], dict[int, arb]]) -> Law:
    """The law with these probabilities of indices, computed with many bits."""
    with flint.ctx.workprec(BITS):
        return Law(weights())


def too_many_outcomes() -> MechanismError:
    """For a law that nobody could write down."""
    return MechanismError(
        "the law has more outcomes than can be listed, or scores too far apart",
        cure="ask it for few candidates whose scores are near: `dp.TopK(2, 10).law([3, 1, 2])`",
        code="M52",
    )
