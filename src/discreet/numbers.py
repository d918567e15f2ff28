"""Exact rationals, and the only rounding there is: `up` and `down`.

A parameter is an int, a string ("1/3", "1e-6"), a Decimal or a Fraction; a float means the decimal
that Python prints for it.  What is not rational (exp, log, erf) is computed in ball arithmetic:
a ball is a midpoint with a radius that is proven to contain the true value, at every precision.

Precision is one setting for the whole process: python-flint's context belongs to no thread.  So
another thread may change it under us, and we under it.  Each operation of flint reads it once and
widens its ball by its own rounding; whatever the precision was, a ball may be wide, never wrong.
Nothing here takes the precision it asked for as given: loops go on until a ball *is* narrow, and
`up` and `down` take the ends of a ball in integers, where there is no precision.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final, SupportsIndex, TypeAlias

import flint
from flint import arb, fmpq, fmpz

from discreet.errors import NumberError

Number: TypeAlias = int | str | Decimal | Fraction | float | SupportsIndex
Real: TypeAlias = Callable[[], arb]
"""A real number as a recipe: called again at each precision, it returns a ball around the value."""

MISSING: Final = ""
"""The default of a number that must be given: it is refused as missing, with a cure."""
LONGEST_TEXT: Final = 16_384
LARGEST_EXPONENT: Final = 4_000
REACH: Final = 13_312
"""`up` and `down` answer with multiples of 2^-13312 below 2^13312, or 10^±4007: Python prints an
integer only as far as 4,300 digits, and every loss must be printable."""
_MOST_PRINTED_BITS: Final = 14_280
_RELATIVE_BITS: Final = 80
_GUARD_BITS: Final = 16
_SETTLING_BITS: Final = 32
_MOST_BITS: Final = 2**15
_MOST_BITS_OF_A_FLOOR: Final = 2**18
_DIGITS: Final = r"\d+(?:_\d+)*"
# No two repetitions here can share a digit, so even hostile text is read in linear time.
_DECIMAL: Final = re.compile(
    rf"([+-]?)(?=\.?\d)({_DIGITS})?(?:\.({_DIGITS})?)?(?:[eE]([+-]?)(\d+))?", re.ASCII
)
_RATIO: Final = re.compile(rf"([+-]?)({_DIGITS})/({_DIGITS})", re.ASCII)


def exact(value: Number, name: str = "value") -> Fraction:
    """The rational that `value` means.  Refuses what has no exact meaning.

    >>> exact(0.1), exact("1/3"), exact("1e-6")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 1000000))
    """
    match value:
        case bool():
            raise _not_exact(name, "a truth value")
        case Fraction():
            return _plain(value, name)
        # The methods of the types themselves: subclasses print otherwise (NumPy's float64 does).
        case Decimal():
            return _from_text(Decimal.__str__(value), name)
        case float():
            return _from_text(float.__repr__(value), name)
        case str():
            return _from_text(str.__str__(value), name)
        case int():
            return Fraction(int.__index__(value))
        case SupportsIndex() if not hasattr(value, "__len__"):
            # What has a length is an array, even where NumPy would take it for its one member.
            return Fraction(_integer(value, name))
        case _:
            raise _of_no_use(name, value)


def _plain(value: Fraction, name: str) -> Fraction:
    """`value` made of Python's integers: Fraction keeps NumPy's when given them, and those wrap."""
    over, under = value.numerator, value.denominator
    if type(value) is Fraction and type(over) is int and type(under) is int:
        return value
    over, under = _integer(over, name), _integer(under, name)
    if under == 0:
        raise _not_exact(name, "divided by zero")
    return Fraction(over, under)


def _integer(value: SupportsIndex, name: str) -> int:
    try:
        return operator.index(value)
    except Exception:  # noqa: BLE001 - an object may raise what it likes from __index__
        raise _of_no_use(name, value) from None


def _from_text(text: str, name: str) -> Fraction:
    if len(text) > LONGEST_TEXT:
        raise _not_exact(name, f"longer than {LONGEST_TEXT} characters")
    text = text.strip(" \t\r\n")
    if not text:
        raise _missing(name)
    if ratio := _RATIO.fullmatch(text):
        sign, over, under = ratio.groups()
        number = _ratio(_digits(over), _digits(under), name)
    elif decimal := _DECIMAL.fullmatch(text):
        sign, ahead, behind, exponent_sign, exponent = (part or "" for part in decimal.groups())
        behind, exponent = behind.replace("_", ""), exponent.lstrip("0")
        if len(exponent) > len(str(LARGEST_EXPONENT)) or int(exponent or 0) > LARGEST_EXPONENT:
            raise _not_exact(name, f"beyond 10 to the {LARGEST_EXPONENT}")
        power = int(exponent_sign + (exponent or "0")) - len(behind)
        digits = _digits(ahead + behind)
        number = _ratio(digits * 10 ** max(power, 0), 10 ** max(-power, 0), name)
    else:
        raise _not_exact(name, "not one")
    return -number if sign == "-" else number


def _digits(digits: str) -> int:
    # Python refuses to read more than 4,300 digits, or fewer if its user says so; flint does not.
    return int(fmpz(digits.replace("_", "")))


def digits_of(number: int) -> str:
    """The decimal digits of an integer of any size."""
    return str(fmpz(number))


def shorter(number: Fraction, bits: int) -> Fraction:
    """`number` itself, or one that is larger by less than one part in 2^bits if it is longer."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) <= 2 * bits:
        return number
    grid = number.numerator.bit_length() - number.denominator.bit_length() - bits - 2
    scaled = number * Fraction(2) ** -grid
    return -(-scaled.numerator // scaled.denominator) * Fraction(2) ** grid


def _ratio(over: int, under: int, name: str) -> Fraction:
    if under == 0:
        raise _not_exact(name, "divided by zero")
    number = Fraction(over, under)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_PRINTED_BITS:
        raise _not_exact(name, "made of more than 4300 digits")
    return number


def _of_no_use(name: str, value: object) -> NumberError:
    return _missing(name) if value is None else _not_exact(name, f"of type {type(value).__name__}")


def _missing(name: str) -> NumberError:
    return NumberError(
        f"{name} is missing",
        cure='give an int, a decimal or ratio as text, or a Fraction, such as `dp.exact("1/3")`',
        code="N07",
    )


def _not_exact(name: str, what: str) -> NumberError:
    return NumberError(
        f"{name} must be an exact, finite number, and this is {what}",
        cure='give an int, a decimal or ratio as text, or a Fraction, such as `dp.exact("1/3")`',
        code="N01",
    )


def positive(value: Number, name: str = "value") -> Fraction:
    """`value` as a rational above zero."""
    number = exact(value, name)
    if number <= 0:
        raise NumberError(
            f"{name} must be greater than zero",
            cure=f'choose a number above zero for {name}, such as `dp.exact("1/2")`',
            code="N02",
        )
    return number


def nonnegative(value: Number, name: str = "value") -> Fraction:
    """`value` as a rational that is zero or more."""
    number = exact(value, name)
    if number < 0:
        raise NumberError(
            f"{name} must not be negative",
            cure=f"choose zero or more for {name}, such as `dp.exact(0)`",
            code="N03",
        )
    return number


def probability(value: Number, name: str = "probability") -> Fraction:
    """`value` as a rational between zero and one, both included."""
    number = nonnegative(value, name)
    if number > 1:
        raise NumberError(
            f"{name} must not be greater than one",
            cure=f'choose a number between 0 and 1 for {name}, such as `dp.exact("1e-6")`',
            code="N04",
        )
    return number


def whole(value: Number, name: str = "value", *, least: int = 0) -> int:
    """`value` as an integer that is at least `least`."""
    number = exact(value, name)
    if number.denominator != 1 or number < least:
        raise NumberError(
            f"{name} must be a whole number, {least} or more",
            cure=f"choose a whole number for {name}, such as `dp.exact({max(least, 1)})`",
            code="N05",
        )
    return number.numerator


# --- balls -----------------------------------------------------------------------------------


def ball(value: Fraction | int) -> arb:
    """A ball of the present precision that contains `value`."""
    # A float has no numerator: it is refused, where Fraction(0.1) would be another number.
    return arb(fmpq(value.numerator, value.denominator))


def at(bits: int, real: Real) -> arb:
    """The ball that `real` gives when computed with `bits` bits."""
    with flint.ctx.workprec(bits):
        return real()


def narrowing(real: Real, *, start: int = 128, most: int | None = None) -> Iterator[arb]:
    """Ever narrower balls around one real, without end unless `most` bits are named."""
    bits = start
    while most is None or bits <= most:
        yield at(bits, real)
        bits *= 2


def enclose(real: Real, *, relative_bits: int = _RELATIVE_BITS) -> arb:
    """A ball around `real` that is narrow, or as narrow as 2^14 to 2^15 bits can make it.

    Never narrow for its size is a zero that does not come out exactly, such as exp(x) - exp(x).
    """
    start = relative_bits + 48
    narrowest = None
    for found in narrowing(real, start=start, most=max(start, _MOST_BITS)):
        if not found.is_finite():
            continue
        if found.is_exact() or found.rel_accuracy_bits() >= relative_bits:
            return found
        # Not simply the last: another thread may have widened that one.
        if narrowest is None or found.rad() < narrowest.rad():
            narrowest = found
    if narrowest is None:
        raise _out_of_reach()
    return narrowest


def _out_of_reach() -> NumberError:
    return NumberError(
        "the result lies beyond 10^4007, or does not exist",
        cure="choose smaller parameters: e^epsilon is out of reach from about epsilon = 9000",
        code="N06",
    )


def up(real: Real | Fraction, *, relative_bits: int = _RELATIVE_BITS) -> Fraction:
    """A rational no smaller than `real`, and barely larger.

    >>> from flint import arb
    >>> float(up(lambda: ball(1).exp()))
    2.718281828459045
    """
    if isinstance(real, Fraction):
        return real
    return _end(_settled(real, relative_bits), 1, relative_bits + _GUARD_BITS)


def down(real: Real | Fraction, *, relative_bits: int = _RELATIVE_BITS) -> Fraction:
    """A rational no larger than `real`, and barely smaller."""
    if isinstance(real, Fraction):
        return real
    return _end(_settled(real, relative_bits), -1, relative_bits + _GUARD_BITS)


def _settled(real: Real, relative_bits: int) -> arb:
    """A ball so much narrower than the grid of `_end` that its end is the same, but for once in
    2^30 times, whatever precision another thread may have set meanwhile."""
    return enclose(real, relative_bits=relative_bits + _GUARD_BITS + _SETTLING_BITS)


def _end(found: arb, towards: int, bits: int) -> Fraction:
    """The upper (1) or lower (-1) end of a finite ball, moved outwards to at most `bits` bits.

    An exact ball keeps all its bits.  What is minute moves outwards to a multiple of 2^-REACH.
    """
    middle, middle_exponent = (int(part) for part in found.mid().man_exp())
    radius, radius_exponent = (int(part) for part in found.rad().man_exp())
    # The lesser of two very unequal parts is rounded outwards, or aligning them would fill memory.
    exponents = [e for m, e in ((middle, middle_exponent), (radius, radius_exponent)) if m]
    lowest = max(min(exponents, default=0), max(exponents, default=0) - 2 * REACH)
    edge = _shift(middle, middle_exponent - lowest, towards)
    edge += towards * _shift(radius, radius_exponent - lowest, 1)
    top = lowest + edge.bit_length()
    if edge and top > REACH:
        raise _out_of_reach()
    grid = max(lowest if radius == 0 else top - bits, -REACH)
    mantissa = _shift(edge, lowest - grid, towards)
    return Fraction(mantissa << max(grid, 0), 1 << max(-grid, 0))


def _shift(integer: int, by: int, towards: int) -> int:
    """integer·2^by, rounded up (1) or down (-1)."""
    if integer == 0:
        return 0
    if by >= 0:
        return integer << by
    return integer >> -by if towards < 0 else -(-integer >> -by)


def floor_of(real: Real) -> int:
    """The floor of `real`: precision grows until one integer is certain.

    An integer that does not come out exactly, such as 3·(1/3), has no certain floor: refused.
    """
    # The floor is part of the recipe: outside, it would be rounded to whatever precision is set.
    for found in narrowing(lambda: real().floor(), most=_MOST_BITS_OF_A_FLOOR):
        below = found.unique_fmpz()
        if below is not None:
            return int(below)
    raise NumberError(
        "a real number lies too near an integer for its floor to be certain",
        cure="choose parameters for which the value is not a whole number",
        code="N08",
    )


def nearest_float(real: Real) -> float:
    """A double within one unit in the last place of `real`, infinity beyond the doubles; for
    display and for bounded tests."""
    return float(enclose(real, relative_bits=64).mid())
