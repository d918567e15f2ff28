"""The claims of digits.md: what is written is read back, whatever its size."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import NumberError
from discreet.loss.digits import MOST_DIGITS, read, rounded, written

FORM: Final = re.compile(r"(\d+)(?:\.(\d+))?(?:e(-?\d+))?|(\d+)/(\d+)", re.ASCII)
SIZES: Final = [1, 15, 16, 17, 20, 21, 300, 1999, 2001, 4298, 4299, 4300, 8600, 16_383, 16_385]

decimals: Final = st.builds(
    lambda digits, exponent: digits * Fraction(10) ** exponent,
    st.integers(0, 10**30),
    st.integers(-2200, 2200),
)
NUMBERS: Final = (
    st.fractions(0)
    | st.fractions(0, 1)
    | st.fractions(0, 100, max_denominator=1000)
    | decimals
    | st.builds(Fraction, st.integers(0, 2**400), st.integers(1, 2**400))
    | st.builds(lambda n, e: Fraction(n, 2**e), st.integers(0, 2**100), st.integers(0, 3000))
    | st.builds(lambda n, e: Fraction(n, 5**e), st.integers(0, 2**100), st.integers(0, 1000))
)


def meaning(text: str) -> Fraction:
    """What the text says, by the school rule for each of its forms; short numbers only."""
    found = FORM.fullmatch(text)
    assert found is not None, text
    ahead, behind, exponent, over, under = found.groups()
    if over is not None:
        return Fraction(int(over), int(under))
    digits = Fraction(int(ahead + (behind or "")), 10 ** len(behind or ""))
    return digits * Fraction(10) ** int(exponent or 0)


@settings(max_examples=400)
@given(NUMBERS)
def test_the_text_means_the_number_and_is_read_back(number: Fraction) -> None:
    text = written(number)
    assert meaning(text) == number
    assert read(text, "it") == number
    assert read(f" \n{text}\t", "it") == number


@given(st.fractions(0, 1))
def test_a_float_would_not_be_read_back(number: Fraction) -> None:
    third = number / 3 + Fraction(1, 3**40)
    assert Fraction(repr(float(third))) != third
    assert read(written(third), "it") == third


@pytest.mark.parametrize("size", SIZES)
def test_numbers_of_every_size_are_read_back(size: int) -> None:
    """Past 4,300 digits Python itself prints and reads no integer; sums of losses grow so long."""
    for number in (
        Fraction(10**size + 1),
        Fraction(10**size),
        Fraction(1, 10**size),
        Fraction(10**size + 1, 10**size),
        Fraction(1, 10**size + 1),
        Fraction(10**size + 1, 3),
        Fraction(3 * 10**size + 1, 10**size + 7),
        Fraction(10 ** (size // 2) + 1, 10 ** (size // 2) + 3),
        Fraction(1, 2**size),
        Fraction(1, 5**size),
    ):
        assert read(written(number), "it") == number


@pytest.mark.parametrize("size", [5000, 20_000])
def test_the_digits_of_long_numbers_are_right(size: int) -> None:
    assert written(Fraction(10**size + 1)) == "1" + "0" * (size - 1) + "1"
    assert written(Fraction(10**size - 1, 7 * 10**size)) == "9" * size + "/7" + "0" * size
    assert read("9" * size, "it") == 10**size - 1
    assert read("9" * size + "/7" + "0" * size, "it") == Fraction(10**size - 1, 7 * 10**size)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(7), "7"),
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 3), "1/3"),
        (Fraction(22, 7), "22/7"),
        (Fraction(1, 10**4), "0.0001"),
        (Fraction(1, 10**5), "1e-5"),
        (Fraction(3, 10**7), "3e-7"),
        (Fraction(125, 10**9), "1.25e-7"),
        (Fraction(10**15), "1000000000000000"),
        (Fraction(10**16), "1e16"),
        (Fraction(12 * 10**20), "1.2e21"),
        (Fraction(10**2000), "1e2000"),
        (Fraction(1, 10**2000), "1e-2000"),
        (Fraction(12345678901234567890), "1.234567890123456789e19"),
        (Fraction(12345678901234567891), "1.2345678901234567891e19"),
        (Fraction(123456789012345678912), "123456789012345678912"),
        (Fraction(12345678901234567891, 10**10), "1234567890.1234567891"),
        (Fraction(123456789012345678912, 10**5), "3858024656635802466/3125"),
        (Fraction(1, 2**20), "9.5367431640625e-7"),
        (Fraction(1, 2**40), "1/1099511627776"),
    ],
)
def test_numbers_read_as_people_write_them(number: Fraction, text: str) -> None:
    assert written(number) == text


@settings(max_examples=200)
@given(NUMBERS)
def test_a_decimal_is_short_or_it_is_a_ratio(number: Fraction) -> None:
    text = written(number)
    if "/" in text:
        over, under = text.split("/")
        assert (over, under) == (str(number.numerator), str(number.denominator))
    elif "e" in text or "." in text:
        digits = text.partition("e")[0].replace(".", "").strip("0")
        assert len(digits) <= MOST_DIGITS


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1/3", Fraction(1, 3)),
        (" 1e-6 ", Fraction(1, 10**6)),
        (".5", Fraction(1, 2)),
        ("1_000", Fraction(1000)),
        ("2/4", Fraction(1, 2)),
        ("007", Fraction(7)),
        ("000/5", Fraction(0)),
        ("0" * 20_000 + "1", Fraction(1)),
    ],
)
def test_other_ways_to_write_a_number_are_read_too(text: str, number: Fraction) -> None:
    assert read(text, "it") == number


@pytest.mark.parametrize(
    "text",
    ["", " ", "x", "1/0", "0/0", "1/", "/2", "1/2/3", "1 /2", "nan", "inf", "-inf", "½", "１", "٣",
     "1e", "e5", "1e5000", "0x10", "1__0", "1,5", "9" * 20_000 + "/0", "9" * 20_000 + "/" + "0" * 9,
     "9" * 20_000 + "e1", "9" * 20_000 + "x", "1/" + "9" * 20_000 + "/1", "1.5/2", "1/2e3"],
)  # fmt: skip
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NumberError) as refused:
        read(text, "the order")
    assert refused.value.code in {"N01", "N07"}
    assert "the order" in refused.value.problem
    assert len(str(refused.value)) < 500


@settings(max_examples=200)
@given(NUMBERS)
def test_a_rounded_number_is_above_by_a_thousandth_at_most(number: Fraction) -> None:
    found = rounded(number)
    assert number <= found <= number * (1 + Fraction(1, 1000))
    if len(written(number)) <= MOST_DIGITS:
        assert found == number
