"""Tables and numbers as they are printed."""

from __future__ import annotations

import pytest

from bench.text import digits, mebibytes, percent, rate, table, time


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert table(["scale", "NumPy"], [["1", "5"], ["22/7 and more", "54.7 M"]]).splitlines() == [
        "scale           NumPy",
        "-------------  ------",
        "1                   5",
        "22/7 and more  54.7 M",
    ]


def test_a_row_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="argument"):
        table(["a", "b"], [["1"]])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.012345, "0.0123"),
        (0.8, "0.800"),
        (1.0, "1.00"),
        (-1.5, "-1.50"),
        (99.96, "100.0"),
        (123.4, "123"),
        (17404.2, "17404"),
    ],
)
def test_digits(value: float, text: str) -> None:
    assert digits(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.500"), (999, "999"), (1_000, "1.00 k"), (5.47e7, "54.7 M"), (2e9, "2.00 G")],
)
def test_rates(value: float, text: str) -> None:
    assert rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2.00 s"), (0.0451, "45.1 ms"), (4.5e-5, "45.0 µs"), (6.2e-7, "620 ns"), (0, "0 ns")],
)
def test_times(value: float, text: str) -> None:
    assert time(value) == text


def test_memory() -> None:
    assert mebibytes(3 * 2**20) == "3.0 MiB"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00035, "0.0350 %"), (1.0, "100 %"), (0.0, "0 %"), (8e-11, "8.0e-09 %"), (-0.5, "-50.0 %")],
)
def test_percent(value: float, text: str) -> None:
    assert percent(value) == text
