"""units.md: what neighbours are, what k of them are, and how many rows they differ in."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias, assert_never

import numpy as np
import pytest
from hypothesis import given, strategies as st

from discreet.errors import UnitError
from discreet.units import Ids, Replace, Rows, Unit

COUNTS = st.integers(1, 10**30)
BOUNDS = st.none() | st.integers(1, 6)
COLUMNS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
IDS = st.builds(
    Ids,
    COLUMNS.filter(lambda name: bool(name.strip())),
    rows=BOUNDS,
    groups=BOUNDS,
    rows_per_group=BOUNDS,
    people=COUNTS,
)
UNITS: st.SearchStrategy[Unit] = st.one_of(st.builds(Rows, COUNTS), st.builds(Replace, COUNTS), IDS)
NOT_COUNTS: list[Any] = [
    0, -1, True, False, None, 1.5, "1/2", "", "one", float("nan"), float("inf"), Decimal("NaN"),
    Fraction(3, 2), np.float32(1.0), 1j, [1], "-3",
]  # fmt: skip
NOT_COLUMNS: list[Any] = ["", "  ", None, 5, b"id", ["id"], "a\0b", "\ud800", ("id",)]


@pytest.mark.parametrize("bad", NOT_COUNTS, ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        Rows,
        Replace,
        lambda n: Ids("id", people=n),
        lambda n: Ids("id", rows=n if n is not None else 0),
        lambda n: Ids("id", groups=n if n is not None else 0),
        lambda n: Ids("id", rows_per_group=n if n is not None else 0),
    ],
)
def test_a_count_is_a_whole_number_from_one_up(make: Callable[[int], Unit], bad: int) -> None:
    with pytest.raises(UnitError) as refused:
        make(bad)
    assert refused.value.code == "U01"
    assert "`" in refused.value.cure


@pytest.mark.parametrize("bad", [bad for bad in NOT_COUNTS if bad != [1]], ids=repr)
@pytest.mark.parametrize("unit", [Rows(1), Replace(2), Ids("id", rows=3)], ids=str)
def test_a_multiple_is_a_whole_number_from_one_up(unit: Unit, bad: int) -> None:
    with pytest.raises(UnitError) as refused:
        bad * unit
    assert refused.value.code == "U03"


@pytest.mark.parametrize("bad", NOT_COLUMNS, ids=repr)
def test_a_column_is_text(bad: str) -> None:
    with pytest.raises(UnitError) as refused:
        Ids(bad)
    assert refused.value.code == "U02"


def test_a_forgotten_column_has_a_cure() -> None:
    with pytest.raises(UnitError) as refused:
        Ids(rows=10)
    assert 'dp.Ids("patient_id")' in refused.value.cure


@pytest.mark.parametrize("two", [2, "2", 2.0, Decimal("2.0"), Fraction(2), np.int64(2), "4/2"])
def test_a_count_may_be_written_as_any_exact_number(two: int) -> None:
    assert Rows(two) == Rows(2)
    assert type(Rows(two).count) is int
    assert Ids("id", rows=two) == Ids("id", rows=2)
    assert two * Rows(3) == Rows(6)


@given(UNITS, st.integers(1, 50), st.integers(1, 50))
def test_multiples_multiply(unit: Unit, a: int, b: int) -> None:
    assert a * (b * unit) == (a * b) * unit
    assert 1 * unit == unit
    bound = unit.rows_bound()
    assert (a * unit).rows_bound() == (None if bound is None else a * bound)


def test_people_are_kept_apart_from_what_each_of_them_keeps() -> None:
    three = 3 * Ids("id", rows=2)
    assert (three.people, three.rows) == (3, 2)
    assert three != Ids("id", rows=6)
    assert three.rows_bound() == Ids("id", rows=6).rows_bound() == 6


@given(UNITS)
def test_a_unit_reads_as_the_code_that_makes_it(unit: Unit) -> None:
    for made in (
        eval(repr(unit), {"Rows": Rows, "Replace": Replace, "Ids": Ids}),  # noqa: S307
        pickle.loads(pickle.dumps(unit)),  # noqa: S301
        copy.deepcopy(unit),
    ):
        assert made == unit
        assert hash(made) == hash(unit)
    assert str(unit) == repr(unit)


def test_how_units_read() -> None:
    assert str(Rows(1)) == "Rows(1)"
    assert str(2 * Replace(1)) == "Replace(2)"
    assert str(Ids("patient_id", rows=10)) == 'Ids("patient_id", rows=10)'
    assert (
        str(3 * Ids("p", groups=3, rows_per_group=2)) == '3 * Ids("p", groups=3, rows_per_group=2)'
    )
    assert str(Ids('a"b')) == r'Ids("a\"b")'


@given(UNITS)
def test_a_unit_cannot_be_changed(unit: Unit) -> None:
    for name in ("count", "people", "rows"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(unit, name, 5)


def test_kinds_differ() -> None:
    assert len({Rows(1), Replace(1), Ids("count"), Ids("a", rows=1), Ids("b", rows=1)}) == 5


def kind(unit: Unit) -> str:
    match unit:
        case Rows():
            return "rows"
        case Replace():
            return "replace"
        case Ids():
            return "ids"
        case _:
            assert_never(unit)


def test_the_union_is_closed() -> None:
    assert [kind(u) for u in (Rows(1), Replace(1), Ids("a"))] == ["rows", "replace", "ids"]


# --- the bounds, against all tables of one person -----------------------------------------------

GROUPS = 4
MOST = 5
TABLES = list(product(range(MOST + 1), repeat=GROUPS))
"""How many rows one person has in each of four groups: all ways with at most five in each."""


def kept(ids: Ids, table: tuple[int, ...]) -> bool:
    """Whether truncation leaves this table alone: the definition, read word by word."""
    return (
        (ids.rows is None or sum(table) <= ids.rows)
        and (ids.groups is None or sum(n > 0 for n in table) <= ids.groups)
        and (ids.rows_per_group is None or all(n <= ids.rows_per_group for n in table))
    )


Bounds: TypeAlias = tuple[int | None, int | None, int | None]


def check_bounds(each: Callable[[Ids], Bounds]) -> None:
    small = [None, 1, 2, 3, 4]
    for rows, groups, per_group in product(small, small, small):
        ids = Ids("id", rows=rows, groups=groups, rows_per_group=per_group)
        tables = [table for table in TABLES if kept(ids, table)]
        bounds = each(ids)
        truth = (
            max(sum(table) for table in tables),
            max(sum(n > 0 for n in table) for table in tables),
            max(max(table) for table in tables),
        )
        # In four groups of five rows, a missing bound shows itself as the most that fits.
        fits = (GROUPS * MOST, GROUPS, MOST)
        for bound, true, most in zip(bounds, truth, fits, strict=True):
            if bound is not None:
                assert true == min(bound, most)
        unbounded = rows is None and (groups is None or per_group is None)
        assert (bounds[0] is None) == unbounded
        assert (bounds[1] is None) == (groups is None and rows is None)
        assert (bounds[2] is None) == (per_group is None and rows is None)


def honest(ids: Ids) -> Bounds:
    return ids.rows_each(), ids.groups_each(), ids.rows_per_group_each()


def test_the_bounds_of_one_person_are_the_tightest() -> None:
    check_bounds(honest)


def too_large(ids: Ids) -> Bounds:
    """The mutant that adds up bounds instead of taking the least."""
    rows, groups, per_group = honest(ids)
    return (None if rows is None else max(rows, ids.rows or 0), groups, per_group)


def forgetful(ids: Ids) -> Bounds:
    """The mutant that takes one group for all: too few rows, the dangerous direction."""
    rows, groups, per_group = honest(ids)
    return (rows if per_group is None or rows is None else min(rows, per_group), groups, per_group)


@pytest.mark.parametrize("mutant", [too_large, forgetful])
def test_wrong_bounds_are_rejected(mutant: Callable[[Ids], Bounds]) -> None:
    with pytest.raises(AssertionError):
        check_bounds(mutant)


# --- rows_bound, against tables that are neighbours ---------------------------------------------

Table: TypeAlias = tuple[str, ...]
SMALL: list[Table] = [tuple(sorted(t)) for n in range(4) for t in product("abc", repeat=n)]


def apart(one: Table, other: Table) -> int:
    left, right = Counter(one), Counter(other)
    return sum(((left - right) + (right - left)).values())


def changed(table: Table) -> list[Table]:
    """All tables that come of changing one row."""
    return [
        tuple(sorted((*table[:i], new, *table[i + 1 :])))
        for i in range(len(table))
        for new in "abc"
    ]


def test_rows_that_differ_after_k_changes() -> None:
    for k in (1, 2, 3):
        reached: set[tuple[Table, Table]] = {(t, t) for t in SMALL if len(t) == 3}
        for _ in range(k):
            reached |= {(start, new) for start, now in reached for new in changed(now)}
        assert max(apart(a, b) for a, b in reached) == (k * Replace(1)).rows_bound() == 2 * k


def test_rows_that_differ_after_k_additions_and_removals() -> None:
    tables = set(SMALL)
    for k in (1, 2, 3):
        near = {(a, b) for a in tables for b in tables if apart(a, b) <= 1}
        reached = {(t, t) for t in tables}
        for _ in range(k):
            reached = {(a, c) for a, b in reached for b2, c in near if b == b2}
        assert max(apart(a, b) for a, b in reached) == (k * Rows(1)).rows_bound() == k


def test_units_of_any_size_are_printed() -> None:
    assert repr(10**4000 * Rows(10**4000)) == f"Rows(1{'0' * 8000})"
    assert repr(10**4000 * (10**4000 * Ids("id", rows=3))).endswith(' * Ids("id", rows=3)')


@pytest.mark.parametrize("three", [np.float32(3), np.float16(3), np.array(3), np.arange(3)])
def test_a_number_that_is_not_exact_is_no_multiple(three: int) -> None:
    for unit in (Rows(1), Replace(1), Ids("id")):
        with pytest.raises(UnitError):
            three * unit
    assert np.int64(3) * Rows(1) == Rows(1) * 3 == Rows(3)


def test_a_column_is_kept_as_plain_text() -> None:
    class Sly(str):
        __slots__ = ()

        def strip(self, _: str | None = None) -> str:
            return "fine"

        def __contains__(self, _: object) -> bool:
            return False

    assert type(Ids(np.str_("id")).column) is str
    for bad in (" ", "a\0b"):
        with pytest.raises(UnitError):
            Ids(Sly(bad))
