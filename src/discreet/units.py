"""Who is protected: `Rows(1)`, `Replace(1)`, `Ids("patient_id", rows=10)`, and `k * unit`.

A unit says which tables are neighbours; the guarantee is that neighbours cannot be told apart.
`units.md` has the definitions and the bounds with their proofs.
"""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass, replace
from typing import Final, TypeAlias, final

from discreet.errors import NumberError, UnitError
from discreet.numbers import Number, digits_of, whole

_ID_CURE: Final = 'name the column that says whose row it is, such as `dp.Ids("patient_id")`'
_BOUNDS: Final = ("rows", "groups", "rows_per_group")


@final
@dataclass(frozen=True, slots=True, repr=False)
class Rows:
    """Neighbours differ by adding or removing at most `count` rows.

    >>> 3 * Rows(2)
    Rows(6)
    """

    __array_ufunc__ = None  # lets `np.int64(3) * unit` reach `__rmul__`

    count: int = 0  # without a default, a forgotten count would be an error without a cure

    def __post_init__(self) -> None:
        _set_count(self, self.count, "Rows")

    def __rmul__(self, k: Number) -> Rows:
        return Rows(_times(k) * self.count)

    __mul__ = __rmul__

    def __repr__(self) -> str:
        return f"Rows({digits_of(self.count)})"

    def rows_bound(self) -> int:
        """The most rows that enter and leave a table, counted together."""
        return self.count


@final
@dataclass(frozen=True, slots=True, repr=False)
class Replace:
    """Neighbours have equally many rows, n, which is public, and differ in at most `count`.

    >>> Replace(1).rows_bound()
    2
    """

    __array_ufunc__ = None  # lets `np.int64(3) * unit` reach `__rmul__`

    count: int = 0  # without a default, a forgotten count would be an error without a cure

    def __post_init__(self) -> None:
        _set_count(self, self.count, "Replace")

    def __rmul__(self, k: Number) -> Replace:
        return Replace(_times(k) * self.count)

    __mul__ = __rmul__

    def __repr__(self) -> str:
        return f"Replace({digits_of(self.count)})"

    def rows_bound(self) -> int:
        """The most rows that enter and leave a table, counted together: one of each per change."""
        return 2 * self.count


@final
@dataclass(frozen=True, slots=True, repr=False)
class Ids:
    """Neighbours differ by adding or removing all rows of at most `people` values of `column`.

    `rows`, `groups` and `rows_per_group` are the most that one person keeps in a table: rows in
    all, groups with a row, rows in one group.  Each may be left out; then a question must bound it.

    >>> 3 * Ids("patient_id", groups=3, rows_per_group=2)
    3 * Ids("patient_id", groups=3, rows_per_group=2)
    >>> Ids("patient_id", groups=3, rows_per_group=2).rows_bound()
    6
    >>> Ids("patient_id").rows_bound() is None
    True
    """

    __array_ufunc__ = None

    column: str = ""  # without a default, a forgotten column would be an error without a cure
    _: KW_ONLY
    rows: int | None = None
    groups: int | None = None
    rows_per_group: int | None = None
    people: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.column, str):  # a subclass may answer what it likes
            object.__setattr__(self, "column", str.__str__(self.column))
        if not _is_column(self.column):
            raise UnitError("Ids needs the name of a column", cure=_ID_CURE, code="U02")
        for name in _BOUNDS:
            given = getattr(self, name)
            if given is not None:
                cure = f'`dp.Ids("patient_id", {name}=1)` keeps one, or leave {name} out'
                object.__setattr__(self, name, _at_least_one(given, name, cure))
        cure = 'multiply one by the number of people, such as `3 * dp.Ids("patient_id")`'
        object.__setattr__(self, "people", _at_least_one(self.people, "people", cure))

    def __rmul__(self, k: Number) -> Ids:
        return replace(self, people=_times(k) * self.people)

    __mul__ = __rmul__

    def __repr__(self) -> str:
        column = json.dumps(self.column, ensure_ascii=False)
        bounds = ((name, getattr(self, name)) for name in _BOUNDS)
        shown = [f", {name}={digits_of(bound)}" for name, bound in bounds if bound is not None]
        people = f"{digits_of(self.people)} * " if self.people > 1 else ""
        return f"{people}Ids({column}{''.join(shown)})"

    def rows_bound(self) -> int | None:
        """The most rows that enter and leave a table, counted together; None if unbounded."""
        each = self.rows_each()
        return None if each is None else self.people * each

    def rows_each(self) -> int | None:
        """The most rows of one person in a table; None if unbounded."""
        by_group = None
        if self.groups is not None and self.rows_per_group is not None:
            by_group = self.groups * self.rows_per_group
        return _least(self.rows, by_group)

    def groups_each(self) -> int | None:
        """The most groups in which one person has a row; None if unbounded."""
        return _least(self.groups, self.rows)

    def rows_per_group_each(self) -> int | None:
        """The most rows of one person in one group; None if unbounded."""
        return _least(self.rows_per_group, self.rows)


Unit: TypeAlias = Rows | Replace | Ids
"""The closed union of units: `match` over it ends in `assert_never`."""


def _set_count(unit: Rows | Replace, count: Number, kind: str) -> None:
    cure = f"give a whole number of rows, such as `dp.{kind}(1)`"
    object.__setattr__(unit, "count", _at_least_one(count, "the count of rows", cure))


def _times(k: Number) -> int:
    return _at_least_one(
        k,
        "a multiple of a unit",
        "write k times the unit with a whole k, such as `3 * dp.Rows(1)`",
        "U03",
    )


def _at_least_one(value: Number, name: str, cure: str, code: str = "U01") -> int:
    try:
        return whole(value, name, least=1)
    except NumberError as refused:
        raise UnitError(refused.problem, cure=cure, code=code) from None


def _least(*bounds: int | None) -> int | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _is_column(name: object) -> bool:
    """Text that an engine and a ledger can hold: not blank, without NUL or lone surrogates."""
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in name)
