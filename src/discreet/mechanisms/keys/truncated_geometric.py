"""Keys alone, each told as often as (ε, δ) allows.  Claim: truncated_geometric.md"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import ceil, prod
from typing import ClassVar, Final, Self, final

import numpy as np
from numpy.typing import NDArray

from discreet.distances import L0, require
from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, AnyLoss, Approx
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.keys.coins import law_of_coins
from discreet.mechanisms.keys.people import Key, People, in_order, present
from discreet.mechanisms.keys.share import apart, concentrated, shared, together
from discreet.mechanisms.search import confidence_in
from discreet.noise.reveal import Revealed
from discreet.noise.words import words
from discreet.numbers import MISSING, Number, ball, down, positive, probability, whole

LONGEST: Final = 2**20
"""So many people at most are told apart: steps of the stairs."""
_WORD: Final = 64
_SPARE: Final = 64


@final
@dataclass(frozen=True, slots=True, init=False)
class TruncatedGeometric(Mechanism[People, tuple[Key, ...], L0]):
    """Each key by itself with a probability that grows with its number of people as fast as
    (epsilon, delta) for one key allows.

    >>> keys = TruncatedGeometric.within(L0(1), Approx(1, "1e-6"))
    >>> keys.loss(L0(1)), keys.accuracy("1/2"), keys.accuracy("0.95")
    (loss('epsilon=1, delta=1e-6'), Fraction(14, 1), Fraction(16, 1))
    >>> keys.release({"B": 40, "A": 50, "C": 0})
    ('A', 'B')
    """

    nearest: ClassVar = L0(1)

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Number = MISSING, delta: Number = MISSING) -> None:
        object.__setattr__(self, "epsilon", positive(epsilon, "epsilon"))
        object.__setattr__(self, "delta", positive(probability(delta, "delta"), "delta"))

    @classmethod
    def within(cls, distance: L0, budget: AnyLoss) -> Self:
        """The one that `budget` pays for, if one person can move so many keys."""
        keys = max(1, require(L0, distance, "TruncatedGeometric").by.numerator)
        epsilon, delta = shared(budget, keys)
        return cls(epsilon, apart(delta, keys))

    @staticmethod
    def weight(_: int) -> int:
        """What a person with so many keys adds to each of them: one."""
        return 1

    def loss(self, distance: L0) -> Approx:
        keys = require(L0, distance, "TruncatedGeometric").by.numerator
        return Approx(keys * self.epsilon, together(self.delta, keys))

    def zcdp(self, distance: L0) -> ZCDP:
        """ρ = g·ε·tanh(ε/2) with the ε of one key."""
        keys = require(L0, distance, "TruncatedGeometric").by.numerator
        return ZCDP(concentrated(self.epsilon, keys), together(self.delta, keys))

    def chance(self, people: Number) -> Fraction:
        """The probability with which a key of so many people is told, exactly."""
        steps = whole(people, "people")
        if steps == 0:
            return Fraction(0)
        *_, last = islice(_climb(self.epsilon, self.delta), steps)
        return Fraction(last, 1 << _bits(self.epsilon, self.delta))

    def release(self, x: People, *, entropy: Entropy | None = None) -> tuple[Key, ...]:
        """The keys that may be told, in their own order."""
        there = present(x)
        stairs = _stairs(self.epsilon, self.delta)
        source = SYSTEM if entropy is None else entropy
        known = words(source, len(there.keys), _WORD)
        step = np.minimum(there.counts, len(stairs.heights)) - 1
        edge = stairs.edges[step]
        told = known < edge
        for i in np.flatnonzero(known == edge):
            # As many bits as are known do not tell: the same word, with further ones below it.
            height = Fraction(stairs.heights[step[i]], stairs.whole)
            told[i] = Revealed(source, _WORD, int(known[i])).below(height)
        return tuple(in_order(there.keys[i] for i in np.flatnonzero(told)))

    def law(self, x: People) -> Law:
        """Of what is told, as a tuple of keys."""
        there, stairs = present(x), _stairs(self.epsilon, self.delta)
        step = (np.minimum(there.counts, len(stairs.heights)) - 1).tolist()
        told = [Fraction(stairs.heights[i], stairs.whole) for i in step]
        coins = {key: (p, 1 - p) for key, p in zip(there.keys, told, strict=True)}
        return law_of_coins(coins, lambda parts: prod(parts, start=Fraction(1)))

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least number of people with which a key, or all of `count` keys with so many people
        each, are told with this probability."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        stairs = _stairs(self.epsilon, self.delta)

        def enough(height: int) -> bool:
            return down(lambda: ball(Fraction(height, stairs.whole)) ** times) >= sure

        return Fraction(bisect_left(stairs.heights, 1, key=enough) + 1)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Stairs:
    """The chances of 1, 2, 3, … people up to certainty, in parts of `whole`; and the words of 64
    bits below which a key is told for certain."""

    whole: int
    heights: tuple[int, ...]
    edges: NDArray[np.uint64]


@lru_cache(maxsize=8)
def _stairs(epsilon: Fraction, delta: Fraction) -> _Stairs:
    heights = tuple(islice(_climb(epsilon, delta), LONGEST + 1))
    if len(heights) > LONGEST:
        raise MechanismError(
            "so small a budget for each key has too many steps to be climbed one by one",
            cure="take noise and a threshold: `from discreet.mechanisms.keys import choose; "
            'choose(1, dp.Approx("1e-6", "1e-9"))`',
            code="M84",
        )
    bits = _bits(epsilon, delta)
    last = (1 << _WORD) - 1
    edges = np.array([min(height << _WORD >> bits, last) for height in heights], np.uint64)
    return _Stairs(1 << bits, heights, edges)


def _climb(epsilon: Fraction, delta: Fraction) -> Iterator[int]:
    """π(1), π(2), … in parts of 2^bits, up to the first that is all; every rounding is down."""
    bits = _bits(epsilon, delta)
    rise = _rise(epsilon)
    over, under, full = rise.numerator, rise.denominator, 1 << bits
    push = (delta.numerator << bits) // delta.denominator
    height = 0
    while height < full:
        by_the_told = height * over // under + push
        by_the_others = full + (height + push - full) * under // over
        height = min(by_the_told, by_the_others, full)
        yield height


def _rise(epsilon: Fraction) -> Fraction:
    """A rational barely below e^epsilon."""
    return down(lambda: ball(epsilon).exp())


def _bits(epsilon: Fraction, delta: Fraction) -> int:
    """So fine a grid that rounding costs less than a part in 2^64 of each step."""
    return _SPARE + ceil(_rise(epsilon) / delta).bit_length()
