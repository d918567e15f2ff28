"""numbers.py: a parameter is exactly what was written or is refused; `up` and `down` never round
inwards and barely round outwards, whatever another thread does to flint's precision."""

import enum
import math
import operator
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias, final

import flint
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import example, given, settings, strategies as st

from discreet.errors import NumberError
from discreet.numbers import (
    LARGEST_EXPONENT,
    LONGEST_TEXT,
    REACH,
    Number,
    Real,
    at,
    ball,
    digits_of,
    down,
    enclose,
    exact,
    floor_of,
    narrowing,
    nearest_float,
    nonnegative,
    positive,
    probability,
    shorter,
    up,
    whole,
)

LEAST = Fraction(1, 2**REACH)
RATIONALS = st.fractions() | st.builds(Fraction, st.integers(), st.integers(1, 2**200))


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    before = flint.ctx.prec
    yield
    flint.ctx.prec = before


# --- exact: what is read ---------------------------------------------------------------------


class _Grade(enum.IntEnum):
    GOOD = 2


class _Third(Fraction):
    def __str__(self) -> str:
        return "a third"


class _Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "9"


class _Counted:
    def __index__(self) -> int:
        return 7


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (3, "3"), (-3, "-3"), (0, "0"), (10**30, "1e30"), (_Grade.GOOD, "2"), (_Counted(), "7"),
        (np.int64(-5), "-5"), (np.uint8(200), "200"), (np.uint64(2**64 - 1), str(2**64 - 1)),
        (flint.fmpz(2) ** 70, str(2**70)),
        (0.1, "1/10"), (1e22, "1e22"), (5e-324, "5e-324"), (-0.0, "0"), (np.float64(0.3), "3/10"),
        ("1/3", "1/3"), ("-1/3", "-1/3"), ("+4/6", "2/3"), ("1_000/3", "1000/3"), ("0/7", "0"),
        ("1e-6", "1/1000000"), ("1E+3", "1000"), (".5", "1/2"), ("5.", "5"), ("-.5e1", "-5"),
        ("0x1"[:1], "0"), ("007", "7"), ("1_0.0_5", "201/20"), (" \t1/2\n", "1/2"), ("-0", "0"),
        ("1e0000000000000000004", "10000"), ("1e-4000", "1e-4000"), ("0e-9", "0"),
        (np.str_("1/3"), "1/3"), (_Loud("1/3"), "1/3"),
        (Decimal("0.10"), "1/10"), (Decimal("-0"), "0"), (Decimal("1E-4000"), "1e-4000"),
        (Fraction(1, 3), "1/3"), (_Third(1, 3), "1/3"), (Fraction(True, 4), "1/4"),
    ],
)  # fmt: skip
def test_a_number_means_what_is_written(value: Number, meant: str) -> None:
    number = exact(value)
    assert number == Fraction(meant)
    assert type(number) is Fraction
    assert (type(number.numerator), type(number.denominator)) == (int, int)


def test_numpys_integers_inside_a_fraction_are_replaced_because_they_wrap() -> None:
    wrapping = Fraction(np.int64(2**62), 3)  # type: ignore[call-overload]
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert wrapping * 4 != Fraction(2**64, 3)
    assert exact(wrapping) * 4 == Fraction(2**64, 3)


@given(RATIONALS)
def test_a_ratio_is_read_back(number: Fraction) -> None:
    assert exact(f"{number.numerator}/{number.denominator}") == number
    assert exact(number) == number


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_read_exactly(number: Decimal) -> None:
    if abs(number.as_tuple().exponent) <= LARGEST_EXPONENT:  # type: ignore[arg-type]
        assert exact(number) == exact(str(number)) == Fraction(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_the_decimal_that_is_printed(number: float) -> None:
    assert exact(number) == Fraction(repr(number)) == exact(np.float64(number))
    assert float(exact(number)) == number


@settings(max_examples=500)
@given(st.text("0123456789._/eE+- ", max_size=12) | st.text(max_size=6))
def test_text_is_read_as_python_reads_it_or_refused(text: str) -> None:
    with suppress(NumberError):
        assert exact(text) == Fraction(text)


@settings(max_examples=500)
@given(
    st.from_regex(
        r"[+-]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})([eE][+-]?[0-9]{1,3})?", fullmatch=True
    )
)
def test_every_decimal_is_read(text: str) -> None:
    assert exact(text) == Fraction(text)


def test_long_numbers_are_read_whatever_pythons_limit_on_digits() -> None:
    program = (
        "from discreet.numbers import exact\n"
        "assert exact('0.' + '0' * 3999 + '1') == exact('1e-4000')\n"
        "assert exact('9' * 4000) + 1 == exact('1e4000')\n"
        "print('read')\n"
    )
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONINTMAXSTRDIGITS": "640",
    }  # fmt: skip
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    assert run.stdout == "read\n"


@pytest.mark.parametrize("power", [-REACH, -1074, 1023, REACH - 1])
def test_what_up_can_return_can_be_printed_and_read_back(power: int) -> None:
    number = (
        up(lambda: ball(Fraction(1, 3)).exp() * arb(2) ** power)
        if power < 0
        else up(lambda: ball(Fraction(1, 3)) * arb(2) ** power)
    )
    assert exact(str(number)) == number
    if power < 0:
        places = number.denominator.bit_length() - 1
        digits = flint.fmpz(number.numerator * 5**places).str()
        assert exact("0." + digits.zfill(places)) == number


# --- exact: what is refused ------------------------------------------------------------------


class _Raises:
    def __index__(self) -> int:
        raise RuntimeError("no")


class _Lies:
    def __index__(self) -> int:
        return "3"  # type: ignore[return-value]  # noqa: PLE0305 - a lie


class _Empty(Fraction):
    @property
    def denominator(self) -> int:
        return 0


REFUSED: list[tuple[Any, str, str]] = [
    (True, "N01", "truth"), (np.True_, "N01", "of type bool"), (None, "N07", "missing"),
    ("", "N07", "missing"), (" \n", "N07", "missing"),
    (np.float32(0.5), "N01", "float32"), (np.float16(0.5), "N01", "float16"),
    (np.longdouble(0.5), "N01", "longdouble"), (1j, "N01", "complex"),
    (np.array(3), "N01", "ndarray"), (np.array([3]), "N01", "ndarray"),
    (np.array([1, 2]), "N01", "ndarray"), (np.array(0.5), "N01", "ndarray"), ([1], "N01", "list"),
    (np.timedelta64(3, "s"), "N01", "timedelta64"), (b"1", "N01", "bytes"),
    (fmpq(1, 3), "N01", "fmpq"), (arb(1), "N01", "arb"), (int, "N01", "type"),
    (_Raises(), "N01", "_Raises"), (_Lies(), "N01", "_Lies"), (_Empty(1, 3), "N01", "divided"),
    (math.nan, "N01", "finite"), (math.inf, "N01", "finite"), (-math.inf, "N01", "finite"),
    (np.float64("nan"), "N01", "finite"), (Decimal("NaN"), "N01", "finite"),
    (Decimal("sNaN"), "N01", "finite"), (Decimal("-Infinity"), "N01", "finite"),
    (Decimal("1E+999999"), "N01", "beyond"), (Decimal("1E-999999"), "N01", "beyond"),
    ("nan", "N01", "finite"), ("inf", "N01", "finite"), ("1/0", "N01", "zero"),
    ("0/0", "N01", "zero"), ("1/0_0", "N01", "zero"), ("1/-3", "N01", "finite"),
    ("1/1.5", "N01", "finite"), ("1 / 3", "N01", "finite"), ("1//3", "N01", "finite"),
    ("half", "N01", "finite"), ("1,5", "N01", "finite"), ("0x10", "N01", "finite"),
    ("1__0", "N01", "finite"), ("_1", "N01", "finite"), ("1_", "N01", "finite"),
    (".", "N01", "finite"), ("-", "N01", "finite"), ("e5", "N01", "finite"),
    ("1e", "N01", "finite"), ("--1", "N01", "finite"), ("1\x00", "N01", "finite"),
    ("1\n2", "N01", "finite"),
    ("½", "N01", "finite"), ("٣", "N01", "finite"), ("１", "N01", "finite"),
    ("\u20031", "N01", "finite"), ("1e٣", "N01", "finite"), ("∞", "N01", "finite"),
    ("1e999999999", "N01", "beyond"), ("1e-999999999", "N01", "beyond"),
    ("0e4001", "N01", "beyond"), ("1e" + "9" * 9999, "N01", "beyond"),
    ("9" * (LONGEST_TEXT + 1), "N01", "longer"),
    (" " * LONGEST_TEXT + "1", "N01", "longer"), ("9" * 4400, "N01", "4300 digits"),
    ("9" * 4000 + "e4000", "N01", "4300 digits"), ("0." + "1" * 9999, "N01", "4300 digits"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "code", "why"), REFUSED, ids=lambda part: repr(part)[:24])
@pytest.mark.parametrize("read", [exact, positive, nonnegative, probability, whole])
def test_what_is_no_number_is_refused(
    read: Callable[[Number, str], object], value: Number, code: str, why: str
) -> None:
    with pytest.raises(NumberError) as refused:
        read(value, "epsilon")
    assert refused.value.code == code
    assert refused.value.problem.startswith("epsilon ")
    assert why in refused.value.problem
    assert "`dp.exact(" in refused.value.cure


@pytest.mark.parametrize(
    "text",
    [
        "0" * 16_000 + "x", "1e" + "0" * 16_000 + "x", "1_" * 8_000 + "x", "1e" + "9" * 16_000,
        "1" * 8_000 + "." + "1" * 8_000 + "x", "1/" + "0" * 16_000, "7" * 8_000 + "/" + "3" * 8_001,
        "9" * 12_000 + "e4000", "0." + "0" * 12_000 + "1e-4000", "-" * 16_000, "." * 16_000,
        "1" * 10**8,
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_hostile_text_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    with pytest.raises(NumberError):
        exact(text)
    assert time.process_time() - start < 0.25


# --- ranges ----------------------------------------------------------------------------------


@given(RATIONALS)
@example(Fraction(0))
@example(Fraction(1))
def test_ranges_hold_to_the_edge(number: Fraction) -> None:
    assert _reads(positive, number) is (number > 0)
    assert _reads(nonnegative, number) is (number >= 0)
    assert _reads(probability, number) is (0 <= number <= 1)


@given(st.integers(-5, 5), st.integers(-5, 5))
def test_whole_numbers_begin_at_the_least(number: int, least: int) -> None:
    assert _reads(lambda value: whole(value, least=least), number) is (number >= least)
    assert not _reads(lambda value: whole(value, least=least), Fraction(2 * number + 1, 2))


def _reads(read: Callable[[Any], Any], value: Fraction | int) -> bool:
    try:
        assert read(value) == value
    except NumberError:
        return False
    return True


def test_a_whole_number_may_be_written_in_every_way() -> None:
    for value in (3, "3", "6/2", "3.0", 3.0, Decimal("3.00"), Fraction(3), np.int8(3)):
        found = whole(value)
        assert (found, type(found)) == (3, int)


@pytest.mark.parametrize(
    ("read", "value", "code"),
    [
        (positive, 0, "N02"), (positive, "-1e-4000", "N02"), (nonnegative, "-1e-4000", "N03"),
        (probability, "1.0000000000000000000001", "N04"), (probability, -1, "N03"),
        (whole, "1/2", "N05"), (whole, -1, "N05"),
    ],
)  # fmt: skip
def test_each_range_has_its_code(
    read: Callable[[Number], object], value: Number, code: str
) -> None:
    with pytest.raises(NumberError) as refused:
        read(value)
    assert refused.value.code == code


# --- up and down against another program's numbers -------------------------------------------

MANY_DIGITS = Context(prec=150, Emax=MAX_EMAX, Emin=MIN_EMIN)
FAR_FINER = Fraction(1, 10**55)
"""The decimals below are good to 100 digits; a ball of 128 bits is good to 38."""
TIGHT = Fraction(1, 2**76)


@final
@dataclass(frozen=True)
class _Case:
    """A random expression, read as a recipe for flint and computed by `decimal`."""

    real: Real
    truth: Fraction


Rounding: TypeAlias = Callable[[Real], Fraction]


def _ratio(rng: random.Random) -> _Case:
    over, under = rng.getrandbits(rng.choice([1, 8, 60])) + 1, rng.getrandbits(rng.choice([1, 40]))
    power = rng.choice([0, 0, 0, rng.randint(-8, 8), rng.randint(-300, 300)])
    number = Fraction(over, under + 1) * Fraction(10) ** power * rng.choice([1, -1])
    return _Case(lambda: ball(number), number)


def _decimal(number: Fraction) -> Decimal:
    return MANY_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))


def _function(rng: random.Random, inner: _Case) -> _Case | None:
    """exp, log or sqrt of `inner`, if the result is neither huge nor ill-conditioned."""
    decimal = _decimal(inner.truth)
    match rng.randrange(3):
        case 0 if abs(inner.truth) < 9_000:
            return _Case(lambda: inner.real().exp(), Fraction(MANY_DIGITS.exp(decimal)))
        case 1 if inner.truth > 0 and abs(inner.truth - 1) > Fraction(1, 10**9):
            return _Case(lambda: inner.real().log(), Fraction(MANY_DIGITS.ln(decimal)))
        case 2 if inner.truth > 0:
            return _Case(lambda: inner.real().sqrt(), Fraction(MANY_DIGITS.sqrt(decimal)))
        case _:
            return None


def _combined(rng: random.Random, left: _Case, right: _Case) -> _Case | None:
    symbol = rng.choice([operator.add, operator.sub, operator.mul, operator.truediv])
    if symbol is operator.truediv and right.truth == 0:
        return None
    truth = symbol(left.truth, right.truth)
    if abs(truth) * 10**9 < max(abs(left.truth), abs(right.truth)) and symbol in {
        operator.add, operator.sub,
    }:  # fmt: skip
        return None
    return _Case(lambda: symbol(left.real(), right.real()), Fraction(_decimal(truth)))


def _expression(rng: random.Random, depth: int) -> _Case:
    while depth:
        inner = _expression(rng, depth - 1)
        if rng.random() < 0.6:
            found = _function(rng, inner)
        else:
            found = _combined(rng, inner, _expression(rng, rng.randrange(depth)))
        if found and LEAST * 2**200 < abs(found.truth) < 2 ** (REACH - 1):
            return found
    return _ratio(rng)


def _expressions(count: int, seed: int) -> Iterator[_Case]:
    rng = random.Random(seed)
    for _ in range(count):
        yield _expression(rng, rng.randint(1, 3))


def _faults(upper: Rounding, lower: Rounding, cases: Iterator[_Case]) -> dict[str, int]:
    """How often the two ends lie on the wrong side of the truth, or too far away from it."""
    faults = {"inwards": 0, "loose": 0}
    for case in cases:
        size = abs(case.truth)
        over, under = upper(case.real) - case.truth, case.truth - lower(case.real)
        faults["inwards"] += min(over, under) < -size * FAR_FINER
        faults["loose"] += max(over, under) > size * TIGHT
    return faults


SOUND = {"inwards": 0, "loose": 0}


def test_up_and_down_enclose_and_are_tight() -> None:
    assert _faults(up, down, _expressions(3_000, seed=1)) == SOUND


@pytest.mark.long
def test_up_and_down_enclose_and_are_tight_on_many() -> None:
    assert _faults(up, down, _expressions(100_000, seed=2)) == SOUND


def _middle(real: Real) -> Fraction:
    return _exactly(enclose(real).mid())


def _exactly(number: arb) -> Fraction:
    """The value of a ball without radius."""
    mantissa, exponent = (int(part) for part in number.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _as_double(real: Real) -> Fraction:
    middle = _middle(real)
    return Fraction(float(middle)) if abs(middle) < 2**1023 else middle


@pytest.mark.parametrize(
    ("upper", "lower", "fault"),
    [
        (_middle, _middle, "inwards"),
        (_as_double, _as_double, "inwards"),
        (down, up, "inwards"),
        (lambda real: abs(up(real)), lambda real: -abs(up(real)), "loose"),
        (lambda real: up(real) * (1 + TIGHT * 4), down, "loose"),
        (lambda real: up(real, relative_bits=60), down, "loose"),
    ],
    ids=["midpoint", "double", "swapped", "magnitude", "slack", "few bits"],
)
def test_wrong_roundings_are_rejected(upper: Rounding, lower: Rounding, fault: str) -> None:
    assert _faults(upper, lower, _expressions(300, seed=3))[fault] > 30


SPECIAL: list[Callable[[arb], arb]] = [
    arb.erf, arb.erfc, arb.tanh, arb.sinh, arb.expm1, arb.log1p, arb.erfinv,
]  # fmt: skip


@pytest.mark.parametrize("function", SPECIAL, ids=lambda function: function.__name__)
def test_up_and_down_of_other_functions_against_much_higher_precision(
    function: Callable[[arb], arb],
) -> None:
    rng = random.Random(4)
    for _ in range(150):
        number = Fraction(rng.getrandbits(60) - 2**59, 2**60) * Fraction(10) ** rng.randint(-40, 0)

        def real(number: Fraction = number) -> arb:
            return function(ball(number))

        truth = at(3_000, real)
        centre, slack = _exactly(truth.mid()), _exactly(truth.rad())
        assert slack <= abs(centre) / 2**1_000
        assert down(real) <= centre + slack
        assert up(real) >= centre - slack
        assert up(real) - down(real) <= abs(centre) * TIGHT


@given(
    st.integers(-(2**300), 2**300), st.integers(-30_000, 14_000),
    st.integers(0, 2**29), st.integers(-30_000, 14_000),
)  # fmt: skip
@example(1, 0, 1, -30_000)
@example(-1, -30_000, 0, 0)
@example(1, -30_000, 1, 14_000)
@example(0, 0, 0, 0)
@example(1, REACH, 0, 0)
@example(-1, -30_000, 1, -30_000)
def test_the_ends_of_any_ball(middle: int, power: int, radius: int, radius_power: int) -> None:
    with flint.ctx.workprec(2):  # all that follows is exact, or says so
        wide = arb(middle) * arb(2) ** power
        wide = arb(wide, arb(radius) * arb(2) ** radius_power) if radius else arb((middle, power))
    centre, reach = _exactly(wide.mid()), _exactly(wide.rad())
    low, high = centre - reach, centre + reach
    if max(abs(low), abs(high)) >= 2**REACH:
        for end, value in ((up, high), (down, low)):
            if abs(value) >= 2**REACH:
                with pytest.raises(NumberError) as refused:
                    end(lambda: wide)
                assert refused.value.code == "N06"
        return
    slack = max(abs(centre), reach) / 2**90 + 2 * LEAST
    assert high <= up(lambda: wide) <= high + slack
    assert low >= down(lambda: wide) >= low - slack


# --- up and down: exact, minute, huge, zero --------------------------------------------------


@pytest.mark.parametrize(
    ("real", "value"),
    [
        (lambda: arb(0), 0),
        (lambda: arb(3), 3),
        (lambda: ball(Fraction(-7, 8)), Fraction(-7, 8)),
        (lambda: ball(Fraction(16, 25)).sqrt() * 0, 0),
        (lambda: ball(Fraction(9, 4)).sqrt(), Fraction(3, 2)),
        (lambda: ball(0).exp(), 1),
        (lambda: ball(1).log(), 0),
        (lambda: arb(2**1_000 + 1), 2**1_000 + 1),
        (lambda: ball(Fraction(1, 2**REACH)), LEAST),
        (lambda: ball(2 ** (REACH - 1)), 2 ** (REACH - 1)),
    ],
)
def test_what_comes_out_exactly_stays_exact(real: Real, value: Fraction) -> None:
    assert up(real) == down(real) == value
    assert type(up(real)) is Fraction


def test_a_rational_is_not_rounded() -> None:
    third = Fraction(1, 3)
    assert up(third) is third
    assert down(third) is third


def test_a_zero_that_does_not_come_out_stays_a_zero_for_every_purpose() -> None:
    def zero() -> arb:
        return ball(Fraction(1, 3)).exp() - ball(Fraction(1, 3)).exp()

    assert -LEAST <= down(zero) <= 0 <= up(zero) <= LEAST
    assert nearest_float(zero) == 0


def test_what_is_minute_moves_outwards_to_the_reach() -> None:
    for power in (10**5, 10**9, 10**40):
        assert down(lambda power=power: ball(-power).exp()) == 0  # type: ignore[misc]
        assert up(lambda power=power: ball(-power).exp()) == LEAST  # type: ignore[misc]
        assert up(lambda power=power: -ball(-power).exp()) == 0  # type: ignore[misc]
        assert down(lambda power=power: -ball(-power).exp()) == -LEAST  # type: ignore[misc]


def test_small_and_large_within_reach_are_tight() -> None:
    for number in (Fraction(1, 10**300), Fraction(-1, 10**300), Fraction(10**300)):
        truth = Fraction(MANY_DIGITS.ln(_decimal(abs(number)))) * number
        case = _Case(lambda number=number: ball(abs(number)).log() * ball(number), truth)  # type: ignore[misc]
        assert _faults(up, down, iter([case])) == SOUND
    for power in (-9_000, 9_000):
        truth = Fraction(MANY_DIGITS.exp(Decimal(power)))
        case = _Case(lambda power=power: ball(power).exp(), truth)  # type: ignore[misc]
        assert _faults(up, down, iter([case])) == SOUND


@pytest.mark.parametrize(
    "real",
    [
        lambda: ball(10**5).exp(),
        lambda: -ball(10**5).exp(),
        lambda: ball(10**40).exp(),
        lambda: ball(10**40).exp().exp(),
        lambda: ball(2**REACH),
        lambda: ball(-1).log(),
        lambda: 1 / arb(0),
        arb.nan,
        arb.pos_inf,
        arb.neg_inf,
    ],
)
def test_what_is_too_large_or_does_not_exist_is_refused(real: Real) -> None:
    for end in (up, down):
        with pytest.raises(NumberError) as refused:
            end(real)
        assert refused.value.code == "N06"


def test_a_ball_is_refused_a_float() -> None:
    with pytest.raises(AttributeError):
        ball(0.1)  # type: ignore[arg-type]


# --- precision belongs to the process --------------------------------------------------------


def test_precision_is_shared_by_all_threads() -> None:
    """What the docstring of the module says of python-flint.  If this fails, it may say better."""
    flint.ctx.prec = 77
    seen: list[int] = []
    other = threading.Thread(target=lambda: seen.append(flint.ctx.prec))
    other.start()
    other.join()
    assert seen == [77]


@final
class _Hammer:
    """Threads that set flint's precision at random, without a pause."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self._beat, args=(n,)) for n in range(3)]

    def _beat(self, seed: int) -> None:
        rng = random.Random(seed)
        while not self.stop.is_set():
            flint.ctx.prec = rng.choice([2, 3, 10, 53, 100, 200, 5_000])

    def __enter__(self) -> None:
        self.interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        for thread in self.threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join()
        sys.setswitchinterval(self.interval)


def _trusting(real: Real) -> Fraction:
    """A mutant: takes the precision it asked for as given."""
    found = at(150, real)
    middle = _exactly(found.mid()) if found.is_finite() else Fraction(0)
    return middle + abs(middle) / 2**100


def _set_back(real: Real) -> Fraction:
    """A mutant: takes the first ball for a narrow one, and lets flint round its end."""
    with flint.ctx.workprec(150):
        edge = real().upper()
        return _exactly(edge) if edge.is_finite() else Fraction(2) ** 30_000


def _yielding(case: _Case) -> _Case:
    """The same expression, with a pause in which the other threads run."""

    def real() -> arb:
        time.sleep(0)
        return case.real()

    return _Case(real, case.truth)


def test_threads_that_change_the_precision_in_each_recipe_cannot_make_up_unsound() -> None:
    cases = [_yielding(case) for case in _expressions(150, seed=5)]
    with _Hammer():
        ours = _faults(up, down, iter(cases))
        trusting = _faults(_trusting, down, iter(cases))
    assert ours["inwards"] == 0
    assert trusting["inwards"] > 15


def test_threads_that_change_the_precision_do_not_make_up_loose() -> None:
    with _Hammer():
        assert _faults(up, down, _expressions(500, seed=5)) == SOUND


def _spoiled(number: int) -> _Case:
    """A recipe that loses its precision in the midst, on its first two calls."""
    calls = iter([2, 5])

    def real() -> arb:
        flint.ctx.prec = next(calls, flint.ctx.prec)
        return ball(number).exp()

    return _Case(real, Fraction(MANY_DIGITS.exp(Decimal(number))))


def test_a_lost_precision_is_noticed() -> None:
    assert _faults(up, down, map(_spoiled, range(1, 50))) == SOUND
    assert _faults(_trusting, down, map(_spoiled, range(1, 50)))["inwards"] > 10
    assert _faults(_set_back, down, map(_spoiled, range(1, 50)))["loose"] > 40


def test_of_wide_balls_the_narrowest_is_kept() -> None:
    widths = iter([-3, -9, -5, -1])
    found = enclose(lambda: arb(0, arb(2) ** next(widths, 0)))
    assert _exactly(found.rad()) <= Fraction(513, 2**18)


def test_precision_is_given_back_even_if_the_recipe_fails() -> None:
    flint.ctx.prec = 61
    with pytest.raises(ZeroDivisionError):
        up(lambda: arb(1 // 0))
    assert flint.ctx.prec == 61


def test_narrowing_doubles_until_told_to_stop() -> None:
    asked: list[int] = []

    def real() -> arb:
        asked.append(flint.ctx.prec)
        return ball(Fraction(1, 3))

    balls = list(narrowing(real, start=100, most=800))
    assert asked == [100, 200, 400, 800]
    radii = [_exactly(found.rad()) for found in balls]
    for found, radius, bits in zip(balls, radii, asked, strict=True):
        assert abs(_exactly(found.mid()) - Fraction(1, 3)) <= radius < Fraction(1, 2**bits)


# --- floors and doubles ----------------------------------------------------------------------


def test_the_floor_is_the_floor() -> None:
    checked = 0
    for case in _expressions(500, seed=6):
        if abs(case.truth) < 10**90 and abs(case.truth - round(case.truth)) > FAR_FINER:
            assert floor_of(case.real) == math.floor(case.truth)
            checked += 1
    assert checked > 200


@pytest.mark.parametrize("power", [-50, 50, 100, 5_000])
def test_the_floor_of_what_is_large(power: int) -> None:
    """A double has 53 bits: e^50 has more."""
    wide = Context(prec=2_500, Emax=MAX_EMAX, Emin=MIN_EMIN)
    truth = math.floor(wide.exp(Decimal(power)))
    assert floor_of(lambda: ball(power).exp()) == truth
    assert floor_of(lambda: -ball(power).exp()) == -truth - 1


def test_a_floor_that_cannot_be_certain_is_refused_and_not_sought_forever() -> None:
    assert floor_of(lambda: ball(Fraction(9, 4)).sqrt() * 2) == 3
    for real in (lambda: ball(Fraction(1, 3)) * 3, lambda: ball(3).exp().log(), arb.nan):
        with pytest.raises(NumberError) as refused:
            floor_of(real)
        assert refused.value.code == "N08"


def test_the_nearest_float_is_within_one_place() -> None:
    for case in _expressions(500, seed=7):
        if Fraction(1, 2**1074) < abs(case.truth) < 2**1023:
            found = nearest_float(case.real)
            assert abs(Fraction(found) - case.truth) <= Fraction(math.ulp(found))
    assert nearest_float(lambda: ball(800).exp()) == math.inf


# --- two backends (arithmetic from a dependency was wrong elsewhere) -------------------------

Pair: TypeAlias = tuple[Fraction, fmpq]


def _pair(rng: random.Random) -> Pair:
    bits = rng.choice([1, 8, 31, 32, 33, 63, 64, 65, 127, 128, 300, 1_000])
    over = rng.getrandbits(bits) - (1 << (bits - 1))
    under = rng.choice([1, 2 ** rng.randrange(70), rng.getrandbits(bits) + 1])
    return Fraction(over, under), fmpq(over, under)


def _disagreements(
    count: int, seed: int, divide: Callable[[fmpq, fmpq], fmpq] = operator.truediv
) -> int:
    rng = random.Random(seed)
    wrong = 0
    for _ in range(count):
        (a, x), (b, y) = _pair(rng), _pair(rng)
        match rng.randrange(6):
            case 0:
                ours, theirs = a + b, x + y
            case 1:
                ours, theirs = a - b, x - y
            case 2:
                ours, theirs = a * b, x * y
            case 3 if b:
                ours, theirs = a / b, divide(x, y)
            case 4:
                power = rng.randrange(5)
                ours, theirs = a**power, x**power
            case _:
                ours, theirs = Fraction(math.floor(a)), fmpq(x.floor())
                wrong += (a < b) is not (x < y)
        wrong += (ours.numerator, ours.denominator) != (int(theirs.p), int(theirs.q))
    return wrong


def test_rationals_agree_with_another_backend() -> None:
    assert _disagreements(10_000, seed=8) == 0


@pytest.mark.long
def test_a_million_rationals_agree_with_another_backend() -> None:
    assert _disagreements(1_000_000, seed=9) == 0


def test_a_division_that_is_wrong_now_and_then_is_found() -> None:
    def wrong(x: fmpq, y: fmpq) -> fmpq:
        quotient = x / y
        return (
            quotient if quotient.q < 2**64 or quotient.p < 2**64 else quotient + fmpq(1, quotient.q)
        )

    assert _disagreements(10_000, seed=8, divide=wrong) > 0


def test_up_is_the_same_whatever_precision_another_thread_sets() -> None:
    """A ball of another precision has another end, and the same number comes out."""

    def real() -> arb:
        return ball(Fraction(1, 3)).exp() * ball(7).log()

    found = set()
    for extra in range(0, 400, 7):

        def wider(extra: int = extra) -> arb:
            with flint.ctx.workprec(int(flint.ctx.prec) + extra):
                return real()

        found.add((up(wider), down(wider)))
    assert len(found) == 1


@given(st.fractions(min_value=0), st.integers(1, 200), st.integers(8, 64))
def test_shorter_is_no_smaller_and_barely_larger(number: Fraction, power: int, bits: int) -> None:
    long = number**power
    short = shorter(long, bits)
    assert long <= short <= long * (1 + Fraction(1, 2**bits))
    if max(long.numerator.bit_length(), long.denominator.bit_length()) <= 2 * bits:
        assert short == long
    else:
        above, below = short.numerator, short.denominator
        assert below & (below - 1) == 0, "a power of two"
        assert (above // (above & -above)).bit_length() <= bits + 4


@given(st.integers(0, 10**60))
def test_digits_are_those_that_python_prints(number: int) -> None:
    assert digits_of(number) == str(number)
    assert digits_of(-number) == str(-number)
    assert len(digits_of(10**20_000)) == 20_001
