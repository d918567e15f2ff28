"""Which way of telling keys needs the fewest people.  Claim: choose.md"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

from discreet.distances import L0
from discreet.loss import AnyLoss
from discreet.mechanisms.keys.threshold import ThresholdedRelease
from discreet.mechanisms.keys.truncated_geometric import LONGEST, TruncatedGeometric
from discreet.mechanisms.keys.weighted_gaussian import WeightedGaussian
from discreet.numbers import Number, whole

Strategy: TypeAlias = ThresholdedRelease | TruncatedGeometric | WeightedGaussian

EVEN: Final = Fraction(1, 2)


def choose(groups: Number, budget: AnyLoss, *, moves: Number = 1) -> Strategy:
    """The way within `budget` that tells a key with probability one half from the fewest people,
    each of whom has `groups` keys, which is the most that anybody has.

    `moves` is one where a person enters or leaves, two where one takes the place of another; two
    people who enter are a group, which is another thing and costs more.
    What each person adds to each of their t keys is weight(t) of what is returned.

    >>> from discreet.loss import Approx
    >>> type(choose(1, Approx(1, "1e-6"))).__name__, type(choose(100, Approx(1, "1e-6"))).__name__
    ('TruncatedGeometric', 'WeightedGaussian')
    """
    most, moving = whole(groups, "groups", least=1), whole(moves, "moves", least=1)
    weighted = WeightedGaussian.within(most, budget, moves=moving)
    distance = L0(moving * most)
    thresholded = ThresholdedRelease.within(distance, budget)
    optimal = TruncatedGeometric.within(distance, budget)
    by_count, by_weight = thresholded.accuracy(EVEN), weighted.accuracy(EVEN)
    found = thresholded if by_count <= by_weight else weighted
    fewer = min(by_count, by_weight).numerator - 1
    if 4 * fewer <= LONGEST and optimal.chance(fewer) >= EVEN:  # it climbs on to certainty
        return optimal
    return found
