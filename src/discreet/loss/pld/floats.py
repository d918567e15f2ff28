"""Doubles that are known to lie on one side, and what is assumed of the machine's arithmetic.

Addition, subtraction, multiplication, division and square root of doubles are IEEE 754's, to the
nearest.  `exp`, `expm1`, `log` and `log1p`, of NumPy and of Python, sizes of complex numbers and
whole powers of doubles are off by at most `ELEMENTARY` of the result, and by 2^−1074 if it is below
the normal numbers.  The Fourier transform of N numbers whose sizes sum to s is off by at most
`TRANSFORM`·log2(N)·s in each of its numbers, for N = 2^a or 3·2^a; so is its inverse, before it is
divided by N.  tests/loss/pld/test_floats.py measures all of it, and finds it eight times as good;
fold.md says why a transform should be.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

UNIT: Final = 2.0**-53
"""The relative error of one rounding."""
ELEMENTARY: Final = 16 * UNIT
TRANSFORM: Final = 16 * UNIT
SMALLEST: Final = 2.0**-1000
"""What is smaller may have lost digits."""


def above(number: Fraction) -> float:
    """A double that is no smaller."""
    try:
        nearest = number.numerator / number.denominator
    except OverflowError:
        return inf if number > 0 else -1.7e308
    return nearest if Fraction(nearest) >= number else nextafter(nearest, inf)


def below(number: Fraction) -> float:
    """A double that is no larger."""
    return -above(-number)


def frozen(array: Reals) -> Reals:
    """A copy that nobody can change."""
    copy = np.array(array, np.float64)
    copy.setflags(write=False)
    return copy
