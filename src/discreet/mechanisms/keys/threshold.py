"""Keys with noisy counts, told where the noisy count is large.  Claim: threshold.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar, Final, Self, final

import numpy as np
from flint import arb

from discreet.distances import L0, require
from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, AnyLoss, Approx
from discreet.loss.divergence import Law
from discreet.mechanisms.additive import MOST_OUTCOMES, UNLISTED
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.keys.people import Key, People, in_order, present, threshold_of
from discreet.mechanisms.keys.share import at_or_above, concentrated, shared, together
from discreet.mechanisms.search import confidence_in, least
from discreet.noise import DiscreteLaplace
from discreet.noise.law import IntegerLaw
from discreet.numbers import MISSING, Number, at, ball, down, positive, up, whole

_BITS: Final = 256


@final
@dataclass(frozen=True, slots=True, init=False)
class ThresholdedRelease(Mechanism[People, dict[Key, int], L0]):
    """Each key with its number of people plus discrete Laplace noise, if that is at least
    `threshold`.

    >>> keys = ThresholdedRelease.within(L0(1), Approx(1, "1e-6"))
    >>> keys.threshold, keys.accuracy("1/2"), keys.loss(L0(1)) <= Approx(1, "1e-6")
    (15, Fraction(15, 1), True)
    >>> list(keys.release({"A": 1_000, "B": 0}))
    ['A']
    """

    nearest: ClassVar = L0(1)

    scale: Fraction
    threshold: int

    def __init__(self, scale: Number = MISSING, threshold: Number = MISSING) -> None:
        object.__setattr__(self, "scale", positive(scale, "scale"))
        object.__setattr__(self, "threshold", threshold_of(threshold))
        self.noise  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @classmethod
    def within(cls, distance: L0, budget: AnyLoss) -> Self:
        """The one with the least threshold that `budget` pays for."""
        keys = max(1, require(L0, distance, "ThresholdedRelease").by.numerator)
        epsilon, delta = shared(budget, keys)

        def enough(steps: int) -> bool:
            return cls(1 / epsilon, steps + 1).loss(L0(keys)).delta <= delta

        return cls(1 / epsilon, least(enough) + 1)

    @property
    def noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(self.scale)

    @staticmethod
    def weight(_: int) -> int:
        """What a person with so many keys adds to each of them: one."""
        return 1

    def loss(self, distance: L0) -> Approx:
        keys = self._keys(distance)
        return Approx(keys / self.scale, self._delta(keys))

    def zcdp(self, distance: L0) -> ZCDP:
        """ρ = g·t·tanh(t/2) with t = 1/scale, and a purse for keys that only one table has."""
        keys = self._keys(distance)
        return ZCDP(concentrated(1 / self.scale, keys), self._delta(keys))

    def release(self, x: People, *, entropy: Entropy | None = None) -> dict[Key, int]:
        """The keys that may be told, in their own order, with noisy numbers of people."""
        there = present(x)
        source = SYSTEM if entropy is None else entropy
        noisy = there.counts + self.noise.sample(len(there.keys), entropy=source)
        told = {there.keys[i]: int(noisy[i]) for i in np.flatnonzero(noisy >= self.threshold)}
        return {key: told[key] for key in in_order(told)}

    def law(self, x: People) -> Law:
        """Of what is told as a tuple of pairs (key, noisy number)."""
        there, law = present(x), self.noise.law()
        counts = dict(zip(there.keys, there.counts.tolist(), strict=True))
        each = [self._told(law, key, counts[key]) for key in in_order(counts)]
        if prod(map(len, each)) > MOST_OUTCOMES:
            raise MechanismError(
                "the law has more outcomes than can be listed",
                cure="ask of fewer keys at a time, such as `from discreet.mechanisms.keys import "
                'ThresholdedRelease; ThresholdedRelease(1, 20).law({"A": 40})`; keys are '
                "independent",
                code="M84",
            )
        joint: dict[tuple[tuple[Key, int], ...], arb] = {}
        for parts in product(*(one.items() for one in each)):
            told = tuple(pair for pairs, _ in parts for pair in pairs)
            joint[told] = at(_BITS, lambda: prod((chance for _, chance in parts), start=arb(1)))  # noqa: B023
        return Law(joint, len(each) * UNLISTED)

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least number of people with which a key, or all of `count` keys with so many people
        each, are told with this probability."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        law = self.noise.law()

        def enough(people: int) -> bool:
            return down(lambda: at_or_above(law, self.threshold - people) ** times) >= sure

        return Fraction(max(1, least(enough)))

    def _keys(self, distance: L0) -> int:
        return require(L0, distance, "ThresholdedRelease").by.numerator

    def _delta(self, keys: int) -> Fraction:
        """That any of `keys` keys is told that one person has alone: noise of threshold − 1."""
        law = self.noise.law()
        return together(min(Fraction(1), up(lambda: at_or_above(law, self.threshold - 1))), keys)

    def _told(
        self, law: IntegerLaw, key: Key, people: int
    ) -> dict[tuple[tuple[Key, int], ...], arb]:
        """The chances of one key: to be told with each number, and not to be told."""
        reach = least(lambda t: at(_BITS, lambda: law.at_least(t + 1)) < ball(UNLISTED))
        told: dict[tuple[tuple[Key, int], ...], arb] = {
            (): at(_BITS, lambda: at_or_above(law, people - self.threshold + 1))
        }
        for noisy in range(max(self.threshold, people - reach), people + reach + 1):
            told[((key, noisy),)] = at(_BITS, lambda: law.probability(noisy - people))  # noqa: B023
        return told
