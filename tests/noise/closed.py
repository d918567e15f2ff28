"""Closed forms in decimals of 60 digits: arithmetic that shares nothing with the balls."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from flint import arb


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def weight(exponent: Fraction) -> Decimal:
    """exp(-exponent)."""
    return decimal(-exponent).exp()


def near(found: arb, true: Decimal) -> bool:
    """Whether a ball agrees with a decimal to 50 digits."""
    with localcontext(prec=70):
        middle = Decimal(found.str(65, radius=False))
        return abs(middle - true) <= abs(true) * Decimal("1e-50")
