"""The laws whose weight at the integer n is exp(-linear·|n| - square·n²).

One family holds the geometric law (one side, square = 0), the discrete Laplace law (both sides,
square = 0) and the discrete Gaussian law (both sides, linear = 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import final

from flint import arb

from discreet.numbers import ball


class Sides(Enum):
    """Where a law lives: on 0, 1, 2, … or on all integers."""

    ONE = (1,)
    BOTH = (1, -1)

    @property
    def signs(self) -> tuple[int, ...]:
        signs: tuple[int, ...] = self.value
        return signs


@final
@dataclass(frozen=True, slots=True)
class Weights:
    """weight(n) = exp(-linear·|n| - square·n²), with exact rational coefficients."""

    linear: Fraction
    square: Fraction
    sides: Sides

    def exponent(self, n: int) -> Fraction:
        """-ln weight(n), exactly."""
        return self.linear * abs(n) + self.square * n * n

    def at(self, n: int) -> arb:
        """A ball around weight(n), at the present precision."""
        return (-ball(self.exponent(n))).exp()

    def slope(self, n: int) -> Fraction:
        """How fast the exponent grows beyond n ≥ 0: exponent(n + d) = exponent(n) + slope·d +
        square·d² for d ≥ 0."""
        return self.linear + 2 * self.square * n

    def beyond(self, n: int) -> arb:
        """A ball around the sum over d ≥ 0 of weight(n)·exp(-slope(n)·d), which is no smaller
        than the weight of all integers from n ≥ 1 outwards on one side."""
        return self.at(n) / (-(-ball(self.slope(n))).expm1())
