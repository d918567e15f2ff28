"""The Gumbel maximum with base weights: index i with probability proportional to
weight i·exp(unit·score i).  Claim: weighted_gumbel.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import final

import numpy as np
from flint import arb

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.noise.exponential import Weights
from discreet.noise.gumbel import GumbelMax
from discreet.noise.noisy_max import SLACK, Row, ScoreClock, clock_of, worth
from discreet.noise.race import Clock, Doubles, Integers, Where, candidates, first_to_ring
from discreet.numbers import MISSING, Number, ball, exact, positive


@final
@dataclass(frozen=True, slots=True)
class WeightedGumbelMax:
    """The index of the largest unit·score + ln weight + G, with independent Gumbel noise G.

    >>> WeightedGumbelMax("1/2").choose([0, 1000, 3], [5, "1/3", 7])
    1
    """

    unit: Fraction

    def __init__(self, unit: Number = MISSING) -> None:
        object.__setattr__(self, "unit", positive(unit, "unit"))

    def choose(self, scores: Row, weights: Weights, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one.  Only the ratios of weights count."""
        row = candidates(scores, "scores", dimensions=1)
        clock = WeightedClock(clock_of(GumbelMax(self.unit), row[None, :]), _fitting(row, weights))
        return int(first_to_ring(clock, SYSTEM if entropy is None else entropy)[0])

    def law(self, scores: Row, weights: Weights) -> dict[int, arb]:
        """The exact law: the probability of each index, as a ball at the present precision."""
        whole = _fitting(candidates(scores, "scores", dimensions=1), weights).tolist()
        parts = [
            weight * (-ball(behind)).exp()
            for weight, behind in zip(whole, worth(self.unit, scores), strict=True)
        ]
        total = sum(parts, start=arb(0))
        return {index: part / total for index, part in enumerate(parts)}


@final
@dataclass(frozen=True, slots=True, eq=False)
class WeightedClock(Clock):
    """The clock of the scores, earlier by ln weight; one weight for each column."""

    scores: ScoreClock
    weights: Integers

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores.shape

    def early(self, where: Where, low: Doubles) -> Doubles:
        return self.scores.early(where, low) - (self._gain(where) + SLACK)

    def late(self, where: Where, high: Doubles) -> Doubles:
        return self.scores.late(where, high) - (self._gain(where) - SLACK)

    def ring(self, row: int, column: int, uniform: arb) -> arb:
        return self.scores.ring(row, column, uniform) - ball(int(self.weights[column])).log()

    def _gain(self, where: Where) -> Doubles:
        gain: Doubles = np.log(self.weights[where[1]].astype(np.float64))
        return gain


def whole_weights(values: Weights) -> Integers:
    """Base weights as the least integers with the same ratios, as int64."""
    if isinstance(values, np.ndarray):
        row = candidates(values, "weights", dimensions=1)
        if not (row > 0).all():
            raise _no_base_weights()
        least: Integers = row // np.gcd.reduce(row)
        return least
    rationals = []
    if isinstance(values, list | tuple):  # no text, and nothing whose order is not its own
        rationals = [exact(value, "weight") for value in values]
    if not rationals or not all(rational > 0 for rational in rationals):
        raise _no_base_weights()
    common = lcm(*(rational.denominator for rational in rationals))
    integers = [int(rational * common) for rational in rationals]
    divisor = gcd(*integers)
    if max(integers) // divisor >= 2**63:
        raise _no_base_weights()
    return np.array([integer // divisor for integer in integers], np.int64)


def _fitting(scores: Integers, weights: Weights) -> Integers:
    found = whole_weights(weights)
    if len(found) != len(scores):
        raise MechanismError(
            "there must be one base weight for each candidate",
            cure="give as many weights as scores: `from discreet.noise.weighted_gumbel import "
            "WeightedGumbelMax; WeightedGumbelMax('1/2').choose([31, 5, 27], [1, 2, 1])`",
            code="M51",
        )
    return found


def _no_base_weights() -> MechanismError:
    return MechanismError(
        "base weights must be one or more numbers above zero with whole ratios below 2^63",
        cure="leave out candidates of weight zero, and round the others to fewer digits: `from "
        "discreet.noise.weighted_gumbel import WeightedGumbelMax; "
        "WeightedGumbelMax('1/2').choose([31, 5, 27], ['0.25', '1/3', 2])`",
        code="M50",
    )
