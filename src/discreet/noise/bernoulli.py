"""Coins with P(True) = p for a rational p, exp(-x) for a rational x ≥ 0, and 1/(1 + n·exp(-ε)) for
a whole n and a rational ε ≥ 0.

A first word of eight bits decides nearly every coin: entropy is what costs time.  Where it does
not, 64 further bits are appended, and where those do not either (once in 2^72), ever more, until
the coin is decided.  Thresholds are integers made from rationals and balls.  Claim: bernoulli.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Final, final, overload

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy
from discreet.noise.reveal import Revealed
from discreet.noise.shape import Size, count_of, shape_of
from discreet.noise.words import word, words
from discreet.numbers import (
    MISSING,
    Number,
    Real,
    at,
    ball,
    floor_of,
    nonnegative,
    probability,
    whole,
)

_LANES: Final = 2**16
_FIRST: Final = 8
_MORE: Final = 64


class Coin(ABC):
    """A truth value that is True when a uniform U lies below `edge`."""

    __slots__ = ()

    @property
    @abstractmethod
    def edge(self) -> Fraction | Real:
        """P(True): a rational, or a recipe for an irrational number."""

    def law(self) -> dict[bool, Fraction] | dict[bool, arb]:
        """The exact law, as rationals or as balls at the present precision."""
        edge = self.edge
        if isinstance(edge, Fraction):
            return {False: 1 - edge, True: edge}
        return {False: 1 - edge(), True: edge()}

    @overload
    def sample(self, size: None = None, *, entropy: Entropy | None = None) -> bool: ...

    @overload
    def sample(self, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.bool_]: ...

    def sample(
        self, size: Size | None = None, *, entropy: Entropy | None = None
    ) -> bool | NDArray[np.bool_]:
        """One truth value, or an array of this size."""
        source = SYSTEM if entropy is None else entropy
        if size is None:
            return _one(self, source)
        shape = shape_of(size)
        drawn = np.empty(count_of(shape), np.bool_)
        for start in range(0, len(drawn), _LANES):
            part = drawn[start : start + _LANES]
            part[:] = flips(self, len(part), source)
        return drawn.reshape(shape)


@final
@dataclass(frozen=True, slots=True)
class Bernoulli(Coin):
    """True with probability p.

    >>> Bernoulli("1/3").sample(size=1000).dtype
    dtype('bool')
    """

    p: Fraction

    def __init__(self, p: Number = MISSING) -> None:
        object.__setattr__(self, "p", probability(p, "p"))

    @property
    def edge(self) -> Fraction:
        return self.p


@final
@dataclass(frozen=True, slots=True)
class BernoulliExp(Coin):
    """True with probability exp(-x).

    >>> BernoulliExp(0).sample()
    True
    """

    x: Fraction

    def __init__(self, x: Number = MISSING) -> None:
        object.__setattr__(self, "x", nonnegative(x, "x"))

    @property
    def edge(self) -> Fraction | Real:
        def chance() -> arb:
            return (-ball(self.x)).exp()

        # It is irrational for every rational x but 0 (Lindemann 1882), so no word's end is it.
        return chance if self.x else Fraction(1)


@final
@dataclass(frozen=True, slots=True)
class BernoulliOdds(Coin):
    """True with probability 1/(1 + others·exp(-epsilon)): exp(epsilon) times likelier than each of
    `others` other things that can happen.

    >>> BernoulliOdds(0, others=2).edge
    Fraction(1, 3)
    """

    epsilon: Fraction
    others: int

    def __init__(self, epsilon: Number = MISSING, others: Number = 1) -> None:
        object.__setattr__(self, "epsilon", nonnegative(epsilon, "epsilon"))
        object.__setattr__(self, "others", whole(others, "others", least=1))

    @property
    def edge(self) -> Fraction | Real:
        def chance() -> arb:
            return 1 / (1 + self.others * (-ball(self.epsilon)).exp())

        # If it were rational, exp(-epsilon) would be, too, and that is so for 0 only.
        return chance if self.epsilon else Fraction(1, 1 + self.others)


@lru_cache(maxsize=256)
def threshold(coin: Coin, bits: int) -> int:
    """The floor of P(True)·2^bits: words of `bits` bits below it are True, those above it False."""
    edge = coin.edge
    if isinstance(edge, Fraction):
        return (edge.numerator << bits) // edge.denominator
    if at(_MORE, edge) < arb((1, -bits)):
        return 0
    if at(_MORE + bits, lambda: 1 - edge()) < arb((1, -bits)):
        # An irrational edge is less than one, however near.
        return (1 << bits) - 1
    return floor_of(lambda: edge() * (1 << bits))


def _one(coin: Coin, entropy: Entropy) -> bool:
    # 64 bits at once, so that the time of a single secret coin tells nothing of it.
    known = word(entropy, _MORE)
    between = threshold(coin, _MORE)
    if known == between:
        return Revealed(entropy, _MORE, known).below(coin.edge)
    return known < between


def flips(
    coin: Coin, count: int, entropy: Entropy, *, first: int = _FIRST, more: int = _MORE
) -> NDArray[np.bool_]:
    """`count` coins: a word of `first` bits each, and one of `more` for those it leaves open."""
    whole = threshold(coin, first + more)
    high, low = whole >> more, whole % (1 << more)
    opening = words(entropy, count, first)
    heads = np.less(opening, high)
    unsure = np.flatnonzero(opening == high)
    spare = words(entropy, max(len(unsure), _room(count, first)), more)
    closing = spare[: len(unsure)]
    heads[unsure] = closing < low
    for i in unsure[closing == low]:
        heads[i] = Revealed(entropy, first + more, whole, step=more).below(coin.edge)
    return heads


def _room(count: int, first: int) -> int:
    """So many further words are read, whether needed or not, that time does not tell how many
    coins were left open.  More are needed less than once in 10^12 times."""
    mean = count >> first
    return min(count, mean + 8 * isqrt(mean) + 16)
