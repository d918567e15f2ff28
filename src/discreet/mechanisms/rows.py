"""Rows on a public lattice of integers: put inside it, and how far they move a sum or a score.

Claim: rows.md
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index
from typing import Final, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from discreet.errors import MechanismError
from discreet.mechanisms.lattice import LARGEST, Integers
from discreet.numbers import Number, exact
from discreet.units import Replace, Rows

Table: TypeAlias = Sequence[int] | NDArray[np.integer]
"""One integer for each row."""
RowUnit: TypeAlias = Rows | Replace
"""The units that say what neighbours are where the rows themselves are what is given."""

_EXAMPLE: Final = "from discreet.mechanisms.quantile import Quantile; Quantile('1/2', 0, 100, 1)"


def bounds(low: Number, high: Number, *, least: int = 0) -> tuple[int, int]:
    """The ends of a lattice low, low + 1, …, high, which are `least` apart at least."""
    ends = exact(low, "low"), exact(high, "high")
    if (
        any(end.denominator != 1 or abs(end) >= LARGEST for end in ends)
        or ends[1] - ends[0] < least
    ):
        raise MechanismError(
            "low and high must be whole numbers below 2^62 in size, the smaller one first",
            cure=f"count both in steps of the lattice, the smaller first: `{_EXAMPLE}`",
            code="M70",
        )
    return ends[0].numerator, ends[1].numerator


def rows_in(x: Table, low: int, high: int) -> Integers:
    """The rows, each moved to the nearest place on the lattice if it lies outside."""
    if isinstance(x, np.ndarray):
        # A masked array adds and sorts by rules of its own.
        if isinstance(x, np.ma.MaskedArray) or x.ndim != 1 or x.dtype.kind not in "iu":
            raise _no_rows()
        x = np.asarray(x)
        if x.dtype.kind == "u":  # the largest of these are no int64
            x = np.minimum(x.astype(np.uint64), np.uint64(2**63 - 1))
        return np.clip(x.astype(np.int64), low, high)
    if isinstance(x, str | bytes | bytearray) or not isinstance(x, Sequence):
        raise _no_rows()
    return np.array([min(max(_integer(row), low), high) for row in x], np.int64)


def _integer(row: object) -> int:
    if isinstance(row, bool):
        raise _no_rows()
    try:
        return index(row)  # type: ignore[arg-type]
    except TypeError:
        raise _no_rows() from None


def _no_rows() -> MechanismError:
    return MechanismError(
        "rows must be a list or an array in one dimension of whole numbers",
        cure="put them on the lattice first, in whole numbers of its step: "
        f"`{_EXAMPLE}.release([31, 50, 7])`",
        code="M71",
    )


def moved(unit: RowUnit, *, row: Fraction, change: Fraction, what: str) -> Fraction:
    """How far neighbours are apart if adding or removing one row moves by `row`, and changing one
    row by `change`."""
    checked(unit, what)
    match unit:
        case Rows(count=k):
            return k * row
        case Replace(count=k):
            return k * change
        case _:
            assert_never(unit)


def checked(unit: RowUnit, what: str) -> RowUnit:
    """The unit, if it is one of rows."""
    if type(unit) not in {Rows, Replace}:
        raise MechanismError(
            f"{what} is given rows, and its loss depends on which rows neighbours differ in",
            cure=f"say it as rows: `{_EXAMPLE}.loss(dp.Rows(1))`, `dp.Replace(1)`, or of a person "
            'with ten rows `dp.Rows(dp.Ids("patient_id", rows=10).rows_bound())`',
            code="M72",
        )
    return unit
