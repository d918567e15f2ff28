"""A rational as text and back: exact, short where it can be, of any length.

>>> written(Fraction(1, 8)), written(Fraction(1, 3)), written(Fraction(3, 10**7))
('0.125', '1/3', '3e-7')
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from typing import Final

from flint import fmpz

from discreet.numbers import LARGEST_EXPONENT, digits_of, exact

MOST_DIGITS: Final = 20
"""A finite decimal with more digits than this is easier to read as a ratio."""
_RATIO: Final = re.compile(r"([0-9]+)(?:/([0-9]+))?")
_PLAIN: Final = range(-4, 16)


def written(number: Fraction) -> str:
    """`number`, zero or more, as a finite decimal if that is short, else as a ratio."""
    decimal = _as_decimal(number)
    if decimal is None:
        above, below = digits_of(number.numerator), digits_of(number.denominator)
        return above if number.denominator == 1 else f"{above}/{below}"
    digits, exponent = decimal
    if exponent >= 0 and len(digits) + exponent - 1 in _PLAIN:
        return digits + "0" * exponent
    if exponent < 0 and len(digits) + exponent - 1 in _PLAIN:
        padded = digits.zfill(1 - exponent)
        return f"{padded[:exponent]}.{padded[exponent:]}"
    point = "." if len(digits) > 1 else ""
    return f"{digits[0]}{point}{digits[1:]}e{len(digits) + exponent - 1}"


def rounded(number: Fraction) -> Fraction:
    """`number`, rounded up to four digits if its text is long; for the texts of errors alone."""
    if number == 0 or len(written(number)) <= MOST_DIGITS:
        return number
    size = len(digits_of(number.numerator)) - len(digits_of(number.denominator))
    step = Fraction(10) ** (size - 4)
    return ceil(number / step) * step


def _as_decimal(number: Fraction) -> tuple[str, int] | None:
    """(digits, exponent) with number = digits · 10^exponent, or None if it is long or endless."""
    twos = (number.denominator & -number.denominator).bit_length() - 1
    fives, rest = 0, number.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    places = max(twos, fives)
    # A power of five is not shortened by a power of ten: this many digits are certain to be left.
    certain = abs(twos - fives) * 3 // 10
    if rest != 1 or places > LARGEST_EXPONENT // 2 or certain > MOST_DIGITS:
        return None
    digits = digits_of(number.numerator * 2 ** (places - twos) * 5 ** (places - fives))
    kept = digits.rstrip("0") or "0"
    exponent = len(digits) - len(kept) - places
    if len(kept) > MOST_DIGITS or exponent > LARGEST_EXPONENT // 2:
        return None
    return kept, exponent


def read(text: str, name: str) -> Fraction:
    """The inverse of `written`; also reads whatever `dp.exact` reads."""
    text = text.strip()
    # `exact` stops where Python could not print the number any more; sums of losses go further.
    ratio = _RATIO.fullmatch(text)
    if ratio is None:
        return exact(text, name)
    below = int(fmpz(ratio[2] or "1"))
    return exact("nan" if below == 0 else Fraction(int(fmpz(ratio[1])), below), name)
