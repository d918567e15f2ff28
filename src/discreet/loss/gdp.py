"""Gaussian differential privacy.  Claim and proof: gdp.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Self, final

from discreet.loss.base import Loss, given
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, ball, nonnegative, up, whole


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class GDP(Loss):
    """Neighbours are no easier to tell apart than two normal laws of deviation one, mu apart.

    The square of mu is what is kept, because squares add up: so sums are exact.

    >>> GDP(1) + GDP(1), GDP(3) + GDP(4)
    (loss('mu=sqrt(2)'), loss('mu=5'))
    """

    square: Fraction

    def __init__(self, mu: Number | None = None) -> None:
        found = nonnegative(given(mu, "mu", "dp.GDP(1)"), "mu")
        object.__setattr__(self, "square", found**2)

    @classmethod
    def root(cls, square: Number) -> Self:
        """The loss whose mu is the square root of `square`."""
        made = cls(0)
        object.__setattr__(made, "square", nonnegative(square, "the square of mu"))
        return made

    @property
    def mu(self) -> Fraction:
        """Exact where the root is rational, else rounded up."""
        exact = _rational_root(self.square)
        return up(lambda: ball(self.square).sqrt()) if exact is None else exact

    def zero(self) -> Self:
        return type(self)(0)

    def group(self, k: Number) -> Self:
        return type(self).root(whole(k, "the size of the group") ** 2 * self.square)

    def _plus(self, other: Self) -> Self:
        return type(self).root(self.square + other.square)

    def _times(self, n: int) -> Self:
        return type(self).root(n * self.square)

    def _at_most(self, other: Self) -> bool:
        return self.square <= other.square

    def _sketch(self) -> Self:
        return type(self).root(rounded(self.square))

    def __str__(self) -> str:
        exact = _rational_root(self.square)
        return f"mu=sqrt({written(self.square)})" if exact is None else f"mu={written(exact)}"


def _rational_root(square: Fraction) -> Fraction | None:
    above, below = isqrt(square.numerator), isqrt(square.denominator)
    found = Fraction(above, below)
    return found if found**2 == square else None
