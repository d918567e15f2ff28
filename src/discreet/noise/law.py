"""The exact law of integer noise: the second reading of the weights the samplers draw by.

Nothing here knows how the samplers work.  Each method returns a ball at the present precision, so
`numbers.up`, `numbers.down` and `numbers.enclose` make of it what is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from operator import index
from typing import Final, SupportsIndex, final

import flint
from flint import arb

from discreet.errors import MechanismError
from discreet.noise.weights import Sides, Weights
from discreet.numbers import ball

_TERMS: Final = 2_000
"""A tail of a square law is summed up to so many terms; a longer one is held between integrals."""


@final
@dataclass(frozen=True, slots=True)
class IntegerLaw:
    """P(X = n) = weight(n) / total."""

    weights: Weights

    def probability(self, n: int) -> arb:
        """P(X = n)."""
        n = _integer(n)
        if n < 0 and self.weights.sides is Sides.ONE:
            return arb(0)
        return self.weights.at(n) / self.total()

    def at_least(self, distance: int) -> arb:
        """P(|X| ≥ distance)."""
        distance = _integer(distance)
        if distance <= 0:
            return arb(1)
        return len(self.weights.sides.signs) * self._from(distance) / self.total()

    def total(self) -> arb:
        """The sum of all weights."""
        if self.weights.square:
            return self._theta()
        return 1 + len(self.weights.sides.signs) * self._from(1)

    def _theta(self) -> arb:
        """The sum of exp(-s·n²) over all integers, or over n ≥ 0.  If s < 1, by Poisson's summation
        formula √(π/s)·Σ exp(-π²n²/s), whose terms then fall off at once."""
        square = ball(self.weights.square)
        steep = self.weights.square >= 1
        rate = square if steep else arb.pi() ** 2 / square
        series = 1 + 2 * _sum_of_squares(rate)
        whole = series if steep else (arb.pi() / square).sqrt() * series
        return whole if self.weights.sides is Sides.BOTH else (whole + 1) / 2

    def _from(self, start: int) -> arb:
        """The sum of the weights from `start` ≥ 1 outwards, on one side."""
        first, slope = self.weights.at(start), self.weights.slope(start)
        if not self.weights.square:
            return self.weights.beyond(start)
        bits = int(flint.ctx.prec) + 8
        # After d steps a weight is smaller by exp(-slope·d - square·d²); e^0.7 is above 2.
        digits = Fraction(bits * 7, 10)
        needed = 2 + min(int(digits / slope), isqrt(int(digits / self.weights.square)))
        if needed <= _TERMS:
            summed = sum((self.weights.at(start + d) for d in range(1, needed)), start=first)
            return summed + _up_to(self.weights.beyond(start + needed))
        root = ball(self.weights.square).sqrt()
        integral = (arb.pi().sqrt() / (2 * root)) * (root * start).erfc()
        return integral + _up_to(first)


def _sum_of_squares(rate: arb) -> arb:
    """The sum of exp(-rate·n²) over n ≥ 1, for a rate of at least one."""
    total, n = arb(0), 1
    while (term := (-rate * n * n).exp()) > arb((1, -int(flint.ctx.prec) - 8)):
        total, n = total + term, n + 1
    # The rest is below a geometric series of ratio exp(-rate) < 1/2 that begins with this term.
    return total + _up_to(2 * term)


def _up_to(bound: arb) -> arb:
    """A ball around [0, bound]."""
    return bound.union(arb(0))


def _integer(n: SupportsIndex) -> int:
    try:
        return index(n)
    except TypeError:
        raise MechanismError(
            "the law of integer noise is asked about integers",
            cure="give an int, such as `dp.DiscreteLaplace(2).law().probability(3)`",
            code="M24",
        ) from None
