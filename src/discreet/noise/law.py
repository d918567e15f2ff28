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
from flint import arb, fmpq, fmpz

from discreet.errors import MechanismError
from discreet.noise.weights import Sides, Weights
from discreet.numbers import ball

_FLAT: Final = Fraction(1, 200)
"""From here downwards a square law is so flat that Euler and Maclaurin's formula is better than a
plain sum."""
_CORRECTIONS: Final = 512


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
        square = self.weights.square
        if not square:
            return self.weights.beyond(start)
        if square <= _FLAT:
            return _long_sum(square, start)
        # After d steps a weight is smaller by exp(-slope·d - square·d²); e^0.7 is above 2.
        digits = Fraction((int(flint.ctx.prec) + 8) * 7, 10)
        enough = 2 + min(int(digits / self.weights.slope(start)), isqrt(int(digits / square)))
        summed = sum((self.weights.at(start + d) for d in range(enough)), start=arb(0))
        return summed + _up_to(self.weights.beyond(start + enough))


def _long_sum(square: Fraction, start: int) -> arb:
    """The sum of exp(-square·n²) over n ≥ start by Euler and Maclaurin's formula, with as many
    corrections as lessen the error; law.md."""
    s, rest = ball(square), _remainder(square, start, 1)
    corrections = 1
    while rest > _needed(square, start) and corrections < _CORRECTIONS:
        further = _remainder(square, start, 2 * corrections)
        if not further < rest:
            break
        corrections, rest = 2 * corrections, further
    y, weight = s.sqrt() * start, (-s * start * start).exp()
    found = (arb.pi() / s).sqrt() / 2 * y.erfc() + weight / 2
    before, hermite, scale = arb(1), 2 * y, s.sqrt()
    for k in range(1, corrections + 1):
        # The derivative of order j is (-√s)^j·H_j(y)·weight, and here j = 2k - 1 is odd.
        found += (
            arb(fmpq.bernoulli(2 * k)) / arb(fmpz.fac_ui(fmpz(2 * k))) * scale * hermite * weight
        )
        for j in (2 * k - 1, 2 * k):
            before, hermite = hermite, 2 * y * hermite - 2 * j * before
        scale *= s
    return found + rest.union(-rest)


def _needed(square: Fraction, start: int) -> arb:
    """So small an error does not show beside the first weight."""
    return (-ball(square) * start * start).exp() * arb((1, -int(flint.ctx.prec)))


def _remainder(square: Fraction, start: int, corrections: int) -> arb:
    """A bound of what the formula leaves out: Cramér's of Hermite functions, and 2ζ(2m) < 4."""
    s, m = ball(square), corrections
    height = (ball(2) ** (2 * m) * arb(fmpz.fac_ui(fmpz(2 * m)))).sqrt() * s**m * 11 / 10
    beyond = (arb.pi() / (2 * s)).sqrt() * ((s / 2).sqrt() * start).erfc()
    return 4 * height * beyond / (2 * arb.pi()) ** (2 * m)


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
