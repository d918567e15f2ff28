"""Exponential noise in choices: the race with given rates, and the noisy maximum.

The race chooses index i with probability weight i / sum of the weights.  The maximum of
unit·score + Exponential(1) is the choice that permute-and-flip makes.  Claim: exponential.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.noise.noisy_max import NoisyMax, Row, worth
from discreet.noise.race import Clock, Doubles, Integers, Where, candidates, first_to_ring
from discreet.numbers import MISSING, Number, ball, exact, positive

Weights: TypeAlias = Sequence[Number] | NDArray[np.integer]
_PART: Final = 2.0**-38
"""More than doubles may err by, given that log1p errs by less than one part in 2^40."""


@final
@dataclass(frozen=True, slots=True)
class ExponentialMax(NoisyMax):
    """The index of the largest unit·score + X, with independent exponential noise X = -ln U.

    >>> ExponentialMax("1/2").choose([0, 1000, 3])
    1
    """

    unit: Fraction

    def __init__(self, unit: Number = MISSING) -> None:
        object.__setattr__(self, "unit", positive(unit, "unit"))

    @property
    def scale(self) -> Fraction:
        return self.unit

    def time(self, uniform: Doubles) -> Doubles:
        return np.log(uniform)

    def exact_time(self, uniform: arb) -> arb:
        return uniform.log()

    def law(self, scores: Row) -> dict[int, arb]:
        behind = worth(self.unit, scores)
        return {
            index: (-ball(own)).exp() * _alone(behind[:index] + behind[index + 1 :])
            for index, own in enumerate(behind)
        }


def _alone(behind: list[Fraction]) -> arb:
    """The mean of 1/(1 + K), where K counts heads of independent coins exp(-behind)."""
    heads = [arb(1)]
    for each in behind:
        true, false = (-ball(each)).exp(), -(-ball(each)).expm1()
        stay, rise = [p * false for p in heads], [p * true for p in heads]
        heads = [a + b for a, b in zip([*stay, arb(0)], [arb(0), *rise], strict=True)]
    return sum((p / (count + 1) for count, p in enumerate(heads)), start=arb(0))


@final
@dataclass(frozen=True, slots=True)
class ExponentialRace:
    """Index i with probability weight i / sum of the weights, for weights of zero or more.

    >>> ExponentialRace().choose(["1/3", 0, 0])
    0
    """

    def choose(self, weights: Weights, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one."""
        row = _weights(weights)
        return int(_race(row[None, :], entropy)[0])

    def choose_rows(
        self, weights: NDArray[np.integer], *, entropy: Entropy | None = None
    ) -> Integers:
        """The index of the chosen one in each row; the choices are independent."""
        return _race(_checked(candidates(weights, "weights", dimensions=2)), entropy)

    def law(self, weights: Weights) -> dict[int, Fraction]:
        """The exact law: the probability of each index."""
        row = _weights(weights).tolist()
        total = sum(row)
        return {index: Fraction(weight, total) for index, weight in enumerate(row)}


def _race(weights: Integers, entropy: Entropy | None) -> Integers:
    return first_to_ring(RateClock(weights), SYSTEM if entropy is None else entropy)


@final
@dataclass(frozen=True, slots=True, eq=False)
class RateClock(Clock):
    """Candidate i rings at -ln(1 - U) / weight i, and never if its weight is zero."""

    weights: Integers

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.weights.shape
        return rows, columns

    def early(self, where: Where, low: Doubles) -> Doubles:
        return _over(np.log1p(-low) * (_PART - 1), self.weights[where])

    def late(self, where: Where, high: Doubles) -> Doubles:
        with np.errstate(divide="ignore"):
            return _over(np.log1p(-high) * (-_PART - 1), self.weights[where])

    def ring(self, row: int, column: int, uniform: arb) -> arb:
        return -(-uniform).log1p() / int(self.weights[row, column])


def _over(times: Doubles, weights: Integers) -> Doubles:
    rung: Doubles = np.full(times.shape, np.inf)
    np.divide(times, weights, out=rung, where=weights > 0)
    return rung


def _weights(values: Weights) -> Integers:
    """Weights as integers: rationals times their common denominator."""
    if isinstance(values, np.ndarray | str | Mapping | AbstractSet):
        return _checked(candidates(values, "weights", dimensions=1))
    try:
        rationals = [exact(value, "weight") for value in values]
    except TypeError:  # a single number is no row
        rationals = []
    common = lcm(*(rational.denominator for rational in rationals))
    integers = [int(rational * common) for rational in rationals]
    if any(abs(integer) >= 2**63 for integer in integers):
        raise MechanismError(
            "weights must be whole multiples, below 2^63, of one common rational",
            cure="round the weights to fewer digits: `from discreet.noise.exponential import "
            "ExponentialRace; ExponentialRace().choose(['0.25', '1/3', 2])`",
            code="M05",
        )
    return _checked(candidates(np.array(integers, np.int64), "weights", dimensions=1))


def _checked(weights: Integers) -> Integers:
    if (weights < 0).any() or not (weights > 0).any(axis=-1).all():
        raise MechanismError(
            "weights must not be negative, and in each row one must be above zero",
            cure="give zero to those that must not be chosen, and more to one other: `from "
            "discreet.noise.exponential import ExponentialRace; "
            "ExponentialRace().choose([0, 1, 3])`",
            code="M03",
        )
    return weights
