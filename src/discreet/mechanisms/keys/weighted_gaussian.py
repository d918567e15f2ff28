"""Keys by weight: each person spreads one unit over their keys.  Claim: weighted_gaussian.md"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod
from typing import ClassVar, Final, Self, assert_never, final

import numpy as np
from flint import arb

from discreet.distances import L2, require
from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.keys.coins import law_of_coins
from discreet.mechanisms.keys.people import Key, People, in_order, present, threshold_of
from discreet.mechanisms.keys.share import at_or_above, together, without_delta
from discreet.mechanisms.search import confidence_in, least
from discreet.noise import DiscreteGaussian
from discreet.noise.integer import LARGEST_SCALE
from discreet.numbers import MISSING, Number, at, down, positive, up, whole

RESOLUTION: Final = 2**20
_BITS: Final = 256
_STEPS: Final = 24


@final
@dataclass(frozen=True, slots=True, init=False)
class WeightedGaussian(Mechanism[People, tuple[Key, ...], L2]):
    """A person with t keys adds weight(t), which is resolution/√t rounded down, to each of them;
    told are the keys whose sum plus discrete Gaussian noise is at least `threshold`.

    `groups` is the most keys that one person has.  Variance and threshold are in steps, of which
    `resolution` make one person's whole weight.  The distance is L2(1) where a person enters or
    leaves, and L2.root(2) where one person takes the place of another.

    >>> keys = WeightedGaussian.within(100, ZCDP("1/50", "1e-6"))
    >>> keys.loss(L2(1)) <= ZCDP("1/50", "1e-6"), keys.weight(1), keys.weight(4)
    (True, 1048576, 524288)
    >>> keys.release({"A": 1_000 * keys.weight(100), "B": 0})
    ('A',)
    """

    nearest: ClassVar = L2(1)

    groups: int
    variance: Fraction
    threshold: int
    resolution: int

    def __init__(
        self,
        groups: Number = MISSING,
        *,
        variance: Number = MISSING,
        threshold: Number = MISSING,
        resolution: Number = RESOLUTION,
    ) -> None:
        most = whole(groups, "groups", least=1)
        object.__setattr__(self, "groups", most)
        object.__setattr__(self, "variance", positive(variance, "variance"))
        object.__setattr__(self, "threshold", threshold_of(threshold))
        # The smallest weight must be a step at least: a person must count.
        finest = whole(resolution, "resolution", least=isqrt(most - 1) + 1)
        object.__setattr__(self, "resolution", finest)
        self.noise  # noqa: B018 - a variance that no sampler has is refused here, not at a release

    @classmethod
    def within(cls, groups: Number, budget: AnyLoss, *, moves: Number = 1) -> Self:
        """The one with the least threshold that `budget` pays for; `moves` is one where a person
        enters or leaves, two where one takes the place of another."""
        most, moving = whole(groups, "groups", least=1), whole(moves, "moves", least=1)
        rho, delta = _core(budget)
        variance, resolution = _of_one(L2.root(moving)) / (2 * rho), RESOLUTION
        while variance * resolution**2 > LARGEST_SCALE**2:
            resolution //= 2

        def made(steps: int) -> Self:
            spread = variance * resolution**2
            return cls(most, variance=spread, threshold=steps + 1, resolution=resolution)

        return made(least(lambda steps: made(steps).loss(L2(1)).delta <= delta))

    @property
    def noise(self) -> DiscreteGaussian:
        return DiscreteGaussian(variance=self.variance)

    def weight(self, keys: int) -> int:
        """What a person with so many keys adds to each of them: resolution/√keys, rounded down."""
        return isqrt(self.resolution**2 // whole(keys, "keys", least=1))

    def loss(self, distance: L2) -> ZCDP:
        """ρ = L2² / 2σ² with σ in people, and a purse for keys that only one table has."""
        square = _of_one(require(L2, distance, "WeightedGaussian"))
        if square == 0:
            return ZCDP(0)
        return ZCDP(square * self.resolution**2 / (2 * self.variance), self._purse())

    def release(self, x: People, *, entropy: Entropy | None = None) -> tuple[Key, ...]:
        """The keys that may be told, in their own order."""
        there = present(x)
        source = SYSTEM if entropy is None else entropy
        noisy = there.counts + self.noise.sample(len(there.keys), entropy=source)
        told = np.flatnonzero(noisy >= self.threshold)
        return tuple(in_order(there.keys[i] for i in told))

    def law(self, x: People) -> Law:
        """Of what is told, as a tuple of keys."""
        there, law = present(x), self.noise.law()
        coins = {
            key: (
                at(_BITS, lambda: at_or_above(law, self.threshold - weight)),  # noqa: B023
                at(_BITS, lambda: at_or_above(law, weight - self.threshold + 1)),  # noqa: B023
            )
            for key, weight in zip(there.keys, there.counts.tolist(), strict=True)
        }
        return law_of_coins(coins, _times)

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least number of people with which a key, or all of `count` keys with so many people
        each, are told with this probability, if each of them has `groups` keys."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        law, each = self.noise.law(), self.weight(self.groups)

        def enough(people: int) -> bool:
            missing = self.threshold - people * each
            return down(lambda: at_or_above(law, missing) ** times) >= sure

        return Fraction(max(1, least(enough)))

    def _purse(self) -> Fraction:
        """The largest chance, over all t up to `groups`, that any of t keys is told which one
        person has alone."""
        law, worst = self.noise.law(), Fraction(0)
        open_ranges = [(1, self.groups)]
        while open_ranges:
            few, many = open_ranges.pop()
            beyond = up(lambda: at_or_above(law, self.threshold - self.weight(few)))  # noqa: B023
            lone = min(Fraction(1), beyond)
            worst = max(worst, together(lone, few))
            # From few to many, weights only fall and keys only become more.
            if few < many and together(lone, many) > worst:
                middle = (few + many + 1) // 2
                open_ranges += [(few + 1, middle - 1)] if few + 1 < middle else []
                open_ranges += [(middle, many)]
        return worst


def _of_one(distance: L2) -> Fraction:
    """The square of a distance that one person, or one in another's place, can cause."""
    if distance.square > 2:
        raise MechanismError(
            "keys by weight are told under one person's coming, going or replacement",
            cure="convert, and take the group of k people: `from discreet.mechanisms.keys import "
            'WeightedGaussian; WeightedGaussian.within(3, dp.ZCDP("1/50", "1e-6"))'
            '.loss(dp.L2(1)).to(dp.Approx, delta="1e-5").group(2)`; L2.root(2) is one person in '
            "another's place",
            code="M83",
        )
    return distance.square


def _times(parts: Sequence[arb]) -> arb:
    return at(_BITS, lambda: prod(parts, start=arb(1)))


def _core(budget: AnyLoss) -> tuple[Fraction, Fraction]:
    """The rho and the purse that a budget is spent on."""
    match budget:
        case ZCDP() if budget.delta > 0:
            return positive(budget.rho, "rho"), budget.delta
        case Approx() if budget.delta > 0:
            half = budget.delta / 2
            return _steepest(positive(budget.epsilon, "epsilon"), half), half
        case Pure() | Approx() | ZCDP() | Renyi() | GDP():
            raise without_delta()
        case _:
            assert_never(budget)


def _steepest(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A rho, barely below the largest, that keeps (epsilon, delta)."""

    def kept(rho: Fraction) -> bool:
        return ZCDP(rho).to(Approx, epsilon=epsilon).delta <= delta

    # A power of two that is kept, while its double is not.
    low = Fraction(1)
    while kept(low):
        low *= 2
    while not kept(low):
        low /= 2
    high = 2 * low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low
