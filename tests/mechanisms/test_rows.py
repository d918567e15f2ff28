"""The claim of rows.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import discreet as dp
from discreet.errors import DiscreetError, MechanismError, NumberError
from discreet.mechanisms.rows import bounds, checked, moved, rows_in

MIXED = [-(2**70), -5, 0, 3, 7, 2**63, 2**70]


def test_rows_are_put_on_the_lattice_however_large_they_are() -> None:
    assert rows_in(MIXED, -2, 5).tolist() == [-2, -2, 0, 3, 5, 5, 5]
    assert rows_in((), 0, 1).tolist() == []
    assert rows_in(np.array([], np.int64), 0, 1).tolist() == []


@pytest.mark.parametrize(
    "kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
)
def test_arrays_of_every_integer_type_are_put_on_the_lattice(kind: Any) -> None:  # noqa: ANN401
    ends = np.iinfo(kind)
    x = np.array([ends.min, 0, 3, 100, ends.max], kind)
    low, high = -(2**61), 2**61
    assert rows_in(x, 1, 50).tolist() == [1, 1, 3, 50, 50]
    assert rows_in(x, low, high).tolist() == [min(max(int(v), low), high) for v in x]
    assert rows_in(x, 1, 50).dtype == np.int64


def test_the_rows_that_are_given_stay_as_they_are() -> None:
    x = np.array([-5, 200])
    rows_in(x, 0, 100)[0] = 7
    assert x.tolist() == [-5, 200]


def test_each_row_is_put_on_the_lattice_alone() -> None:
    alone = [rows_in([row], -2, 5).tolist()[0] for row in MIXED]
    assert rows_in(MIXED, -2, 5).tolist() == alone


@pytest.mark.parametrize(
    "x",
    [
        [0.5], [1.0], [True], ["3"], "31", [None], [[1, 2]], 5, None, {1, 2}, {1: 2},
        np.array([0.5]), np.array([[1]]), np.array(3), np.array([True]), [np.True_],
        np.array([2**70]), iter([1]),
    ],
)  # fmt: skip
def test_what_is_no_list_of_whole_numbers_is_refused(x: Any) -> None:  # noqa: ANN401
    with pytest.raises(MechanismError) as error:
        rows_in(x, 0, 100)
    assert error.value.code == "M71"


@pytest.mark.parametrize(
    "ends",
    [(1, 0), ("1/2", 1), (0, "1/2"), (0, 2**62), (-(2**62), 0), ("0.5", "0.7")],
)
def test_ends_that_are_no_lattice_are_refused(ends: Any) -> None:  # noqa: ANN401
    with pytest.raises(MechanismError) as error:
        bounds(*ends)
    assert error.value.code == "M70"


def test_ends_are_exact_and_may_have_to_differ() -> None:
    assert bounds("-3", 2.0) == (-3, 2)
    assert bounds(4, 4) == (4, 4)
    with pytest.raises(MechanismError):
        bounds(4, 4, least=1)
    with pytest.raises(NumberError):
        bounds(dp.numbers.MISSING, 4)


def test_k_rows_move_k_times_as_far() -> None:
    row, change = Fraction(2, 3), Fraction(1)
    assert moved(dp.Rows(3), row=row, change=change, what="it") == 2
    assert moved(dp.Replace(3), row=row, change=change, what="it") == 3


@pytest.mark.parametrize("unit", [dp.L1(1), dp.Ids("id", rows=1), 1, None, "Rows(1)"])
def test_only_units_of_rows_are_taken(unit: Any) -> None:  # noqa: ANN401
    with pytest.raises(DiscreetError) as error:
        checked(unit, "it")
    assert error.value.code == "M72"
