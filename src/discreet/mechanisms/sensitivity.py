"""How far a statistic can move: global sensitivities, as facts that can be asked for.

Each fact is the largest move over all neighbouring tables, exactly.  Claim: sensitivity.md
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, TypeAlias, assert_never, final

from discreet.distances import L1, LInf
from discreet.errors import MechanismError
from discreet.numbers import Number, exact, whole
from discreet.units import Ids, Replace, Rows, Unit

Bounds: TypeAlias = tuple[Number, Number]


class Statistic(Enum):
    """What is computed of the values of a column."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    VARIANCE = "variance"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    HISTOGRAM = "histogram"


class Taken(Enum):
    """Which rows count: all of them, or only some, because of a filter or of nulls."""

    SOME = "some"
    ALL = "all"


@final
@dataclass(frozen=True, slots=True)
class Fact:
    """All coordinates together move by at most `distance`, each by at most `each`; `reason` says
    why, and which neighbours move so far."""

    distance: L1
    each: LInf
    reason: str


_IMPORT: Final = "from discreet.mechanisms.sensitivity import Statistic, Taken, sensitivity; "
_NEEDS_SIZE: Final = frozenset({Statistic.MEAN, Statistic.VARIANCE})


def sensitivity(
    of: Statistic,
    unit: Unit,
    *,
    bounds: Bounds | None = None,
    rows: Number | None = None,
    taken: Taken = Taken.SOME,
) -> Fact:
    """How far `of` can move between neighbours under `unit`.

    Values lie within `bounds`.  `rows` is the public number of rows, which only `Replace` has.
    Unless all rows are taken, a row may be filtered out or null in one table, and not in another.

    >>> sensitivity(Statistic.SUM, Rows(1), bounds=(-3, 2)).distance
    L1(3)
    >>> sensitivity(Statistic.MEAN, Replace(1), bounds=(0, 10), rows=40, taken=Taken.ALL).distance
    L1("1/4")
    """
    moved = _moved(of, unit, rows)
    low, high = _ends(of, bounds)
    width, size = high - low, max(abs(low), abs(high))
    match unit:
        case Rows() | Ids():
            return _entering(of, moved, width, size)
        case Replace() if taken is Taken.ALL:
            return _replaced(of, moved, width, None if rows is None else whole(rows, "rows"))
        case Replace():
            return _replaced_or_hidden(of, moved, width, size)
        case _:
            assert_never(unit)


def _entering(of: Statistic, k: int, width: Fraction, size: Fraction) -> Fact:
    """`k` rows enter or leave."""
    match of:
        case Statistic.COUNT:
            return _one(k, f"{k} rows enter, and each adds one")
        case Statistic.SUM:
            return _one(k * size, f"{k} rows enter at the bound that is farther from zero")
        case Statistic.HISTOGRAM:
            return _many(k, k, f"{k} rows enter, all in one cell or in several")
        case Statistic.MEDIAN | Statistic.MIN | Statistic.MAX:
            return _one(width, "one row makes the other bound the answer")
        case Statistic.MEAN | Statistic.VARIANCE:
            raise _size_unknown()
        case _:
            assert_never(of)


def _replaced(of: Statistic, k: int, width: Fraction, rows: int | None) -> Fact:
    """`k` of `rows` rows change, and all count."""
    match of:
        case Statistic.COUNT:
            return _one(0, "the number of rows is the same in all neighbours")
        case Statistic.SUM:
            return _one(k * width, f"{k} rows go from one bound to the other")
        case Statistic.HISTOGRAM:
            return _many(2 * k, k, f"{k} rows go from one cell to another")
        case Statistic.MEDIAN | Statistic.MIN | Statistic.MAX:
            return _one(width if k else 0, "one row makes the other bound the answer")
        case Statistic.MEAN:
            of_all = _known(rows)
            return _one(k * width / of_all, f"{k} of {of_all} rows go from one bound to the other")
        case Statistic.VARIANCE:
            of_all = _known(rows)
            m = min(k, of_all // 2)
            reason = f"{m} of {of_all} rows leave the bound where all others stay"
            return _one(m * (of_all - m) * (width / of_all) ** 2, reason)
        case _:
            assert_never(of)


def _replaced_or_hidden(of: Statistic, k: int, width: Fraction, size: Fraction) -> Fact:
    """`k` rows change, and a row may begin to count, or cease to."""
    match of:
        case Statistic.COUNT:
            return _one(k, f"{k} rows begin to count")
        case Statistic.SUM:
            most = max(size, width)
            return _one(k * most, f"{k} rows change bounds, or begin to count at one of them")
        case Statistic.MEAN | Statistic.VARIANCE:
            raise _size_unknown()
        case Statistic.HISTOGRAM | Statistic.MEDIAN | Statistic.MIN | Statistic.MAX:
            return _replaced(of, k, width, None)
        case _:
            assert_never(of)


def _one(most: Fraction | int, reason: str) -> Fact:
    return _many(most, most, reason)


def _many(together: Fraction | int, each: Fraction | int, reason: str) -> Fact:
    return Fact(L1(together), LInf(each), reason)


def _moved(of: Statistic, unit: Unit, rows: Number | None) -> int:
    """How many rows enter and leave; under `Replace`, how many change."""
    match unit:
        case Replace():
            if rows is None:
                return unit.count
            return min(unit.count, whole(rows, "rows", least=1 if of in _NEEDS_SIZE else 0))
        case Rows() | Ids() if rows is not None:
            raise MechanismError(
                "the number of rows is not public where rows enter and leave",
                cure="leave it out, or protect the change of a row: "
                f"`{_IMPORT}sensitivity(Statistic.SUM, dp.Replace(1), bounds=(0, 10), rows=100)`",
                code="M88",
            )
        case Rows() | Ids():
            return _bound(unit)
        case _:
            assert_never(unit)


def _bound(unit: Rows | Ids) -> int:
    bound = unit.rows_bound()
    if bound is None:
        raise MechanismError(
            "a person with any number of rows can move an answer without end",
            cure="bound the rows of a person: "
            f'`{_IMPORT}sensitivity(Statistic.COUNT, dp.Ids("patient_id", rows=10))`',
            code="M87",
        )
    return bound


def _ends(of: Statistic, bounds: Bounds | None) -> tuple[Fraction, Fraction]:
    if bounds is None:
        if of in {Statistic.COUNT, Statistic.HISTOGRAM}:
            return Fraction(0), Fraction(0)
        raise MechanismError(
            f"without bounds one value can move the {of.value} without end",
            cure="bound the values, by a rule that was fixed before anybody saw them: "
            f"`{_IMPORT}sensitivity(Statistic.SUM, dp.Rows(1), bounds=(0, 100))`",
            code="M86",
        )
    low, high = (exact(end, "a bound") for end in bounds)
    if low > high:
        raise MechanismError(
            "the lower bound lies above the upper one",
            cure="give the lower bound first: "
            f"`{_IMPORT}sensitivity(Statistic.SUM, dp.Rows(1), bounds=(-5, 5))`",
            code="M89",
        )
    return low, high


def _known(rows: int | None) -> int:
    if rows is None:
        raise _size_unknown()
    return rows


def _size_unknown() -> MechanismError:
    return MechanismError(
        "a mean or a variance moves as far as the number of rows allows, and that is not public",
        cure="ask for the sum and the count, and divide; or, if all rows count and their number is "
        f"public: `{_IMPORT}sensitivity(Statistic.MEAN, dp.Replace(1), bounds=(0, 10), rows=100, "
        "taken=Taken.ALL)`",
        code="M85",
    )
