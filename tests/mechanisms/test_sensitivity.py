"""The claim of sensitivity.md: every fact against all tables of up to four rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import ceil
from typing import Any, Final, TypeAlias

import pytest

from discreet.distances import L1, L2, LInf
from discreet.errors import DiscreetError
from discreet.mechanisms.sensitivity import Fact, Statistic, Taken, sensitivity
from discreet.units import Ids, Replace, Rows, Unit

Value: TypeAlias = Fraction | None
Table: TypeAlias = tuple[Value, ...]
Answer: TypeAlias = tuple[Fraction, ...]
Places: TypeAlias = tuple[int, ...]

BOUNDS: Final = [("0", "1"), ("-3", "2"), ("-1/3", "5/2"), ("-4", "-1"), ("2", "2"), ("0", "0")]
MOST: Final = 4
NULL: Final[Value] = None
NEEDS_SIZE: Final = (Statistic.MEAN, Statistic.VARIANCE)
OF_VALUES: Final = (Statistic.MEDIAN, Statistic.MIN, Statistic.MAX)


# --- the definitions, by themselves --------------------------------------------------------------


def middle(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """The lower and the upper median."""
    ordered = sorted(values)
    return ordered[ceil(len(ordered) / 2) - 1], ordered[len(ordered) // 2]


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def variance(values: Sequence[Fraction]) -> Fraction:
    return mean([(each - mean(values)) ** 2 for each in values])


def answers(of: Statistic, table: Table, lattice: Sequence[Value], empty: Fraction) -> Answer:
    """The statistic of the rows that count; of none, what was fixed beforehand."""
    values = [each for each in table if each is not None]
    if of is Statistic.HISTOGRAM:
        return tuple(Fraction(values.count(cell)) for cell in lattice if cell is not None)
    if of in OF_VALUES and not values:
        return (empty,)
    compute: dict[Statistic, Callable[[Sequence[Fraction]], Fraction]] = {
        Statistic.COUNT: lambda v: Fraction(len(v)),
        Statistic.SUM: lambda v: sum(v, Fraction(0)),
        Statistic.MEAN: mean,
        Statistic.VARIANCE: variance,
        Statistic.MEDIAN: lambda v: middle(v)[0],
        Statistic.MIN: min,
        Statistic.MAX: max,
    }
    return (compute[of](values),)


def lattice_of(bounds: tuple[str, str]) -> list[Fraction]:
    low, high = map(Fraction, bounds)
    return sorted({low, low + (high - low) / 3, (low + high) / 2, high})


def moved(x: Sequence[int], y: Sequence[int]) -> tuple[int, int]:
    """How many rows leave, and how many enter."""
    one, other = Counter(x), Counter(y)
    return (one - other).total(), (other - one).total()


@cache
def tables(values: int, least: int) -> list[tuple[int, ...]]:
    """All tables of `least` to `MOST` rows, as the places of their values."""
    return [
        each
        for n in range(least, MOST + 1)
        for each in combinations_with_replacement(range(values), n)
    ]


@cache
def neighbours(values: int, k: int, *, change: bool) -> list[tuple[Places, Places]]:
    near = []
    for x, y in combinations(tables(values, 0), 2):
        if abs(len(x) - len(y)) > k:
            continue
        out, into = moved(x, y)
        if (len(x) == len(y) and out <= k) if change else out + into <= k:
            near.append((x, y))
    return near


def farthest(
    of: Statistic,
    pairs: Sequence[tuple[Places, Places]],
    values: Sequence[Value],
    empty: Fraction,
) -> tuple[Fraction, Fraction]:
    """The largest L1 and the largest single move over all neighbours."""
    found = {
        table: answers(of, tuple(values[i] for i in table), values, empty)
        for table in {each for pair in pairs for each in pair}
    }
    total = single = Fraction(0)
    for x, y in pairs:
        moves = [abs(a - b) for a, b in zip(found[x], found[y], strict=True)]
        total, single = max(total, sum(moves, Fraction(0))), max(single, *moves)
    return total, single


def of_rows(n: int, pairs: list[tuple[Places, Places]]) -> list[tuple[Places, Places]]:
    return [pair for pair in pairs if len(pair[0]) == n]


def tight(fact: Fact, seen: tuple[Fraction, Fraction]) -> bool:
    return (fact.distance.by, fact.each.by) == seen


# --- facts are never below the truth, and are attained -------------------------------------------


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("k", [1, 2])
def test_rows_that_enter_and_leave(bounds: tuple[str, str], k: int) -> None:
    lattice = lattice_of(bounds)
    for values in (lattice, [*lattice, NULL]):
        pairs = neighbours(len(values), k, change=False)
        for of in set(Statistic) - set(NEEDS_SIZE):
            fact = sensitivity(of, Rows(k), bounds=bounds)
            for empty in lattice if of in OF_VALUES else lattice[:1]:
                assert tight(fact, farthest(of, pairs, values, empty)), (of, empty)


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("n", range(MOST + 1))
@pytest.mark.parametrize("k", [1, 2, 3])
def test_rows_that_change_where_all_count(bounds: tuple[str, str], n: int, k: int) -> None:
    lattice = lattice_of(bounds)
    pairs = of_rows(n, neighbours(len(lattice), k, change=True))
    for of in Statistic:
        if of in NEEDS_SIZE and n == 0:
            continue
        fact = sensitivity(of, Replace(k), bounds=bounds, rows=n, taken=Taken.ALL)
        seen = farthest(of, pairs, lattice, lattice[0])
        if of is Statistic.HISTOGRAM and len(lattice) == 1:
            assert seen == (Fraction(0), Fraction(0))  # one cell holds all rows, always
        else:
            assert tight(fact, seen), of


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("n", range(MOST + 1))
@pytest.mark.parametrize("k", [1, 2])
def test_rows_that_change_where_some_count(bounds: tuple[str, str], n: int, k: int) -> None:
    lattice = lattice_of(bounds)
    values = [*lattice, NULL]
    pairs = of_rows(n, neighbours(len(values), k, change=True))
    for of in set(Statistic) - set(NEEDS_SIZE):
        fact = sensitivity(of, Replace(k), bounds=bounds, rows=n)
        seen = farthest(of, pairs, values, lattice[-1])
        if of is Statistic.HISTOGRAM and len(lattice) == 1:
            assert seen == (fact.each.by, fact.each.by)  # in one cell nothing changes cells
        else:
            assert tight(fact, seen), of


def test_the_upper_median_and_the_mean_of_both_move_no_farther() -> None:
    lattice = lattice_of(("0", "1"))
    for change in (False, True):
        moves = []
        for pair in neighbours(len(lattice), 1, change=change):
            if all(pair):
                one, other = (middle([lattice[i] for i in table]) for table in pair)
                moves.append((abs(one[1] - other[1]), abs(mean(one) - mean(other))))
        assert max(moves)[0] == 1
        assert max(each for _, each in moves) <= 1


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("n", range(1, 9))
def test_variances_of_larger_tables_at_the_bounds(n: int, k: int) -> None:
    """A variance is convex in each value, so tables of bounds move farthest but for the start."""
    fact = sensitivity(
        Statistic.VARIANCE, Replace(k), bounds=(0, 3), rows=n, taken=Taken.ALL
    ).distance.by
    grid = [Fraction(0), Fraction(1), Fraction(3, 2), Fraction(3)]
    seen = Fraction(0)
    for rest in combinations_with_replacement(grid, max(0, n - k)):
        average = mean(rest) if rest else Fraction(0)
        for ones in range(min(k, n) + 1):
            y = [*rest, *[Fraction(3)] * ones, *[Fraction(0)] * (min(k, n) - ones)]
            x = [*rest, *[average] * min(k, n)]
            seen = max(seen, variance(y) - variance(x))
    assert seen == fact


# --- what a careless reader would take -----------------------------------------------------------


def test_the_sum_of_changed_rows_is_larger_once_some_do_not_count() -> None:
    few = {"bounds": (7, 10), "rows": 100}
    assert sensitivity(Statistic.SUM, Replace(1), **few, taken=Taken.ALL).distance == L1(3)  # type: ignore[arg-type]
    assert sensitivity(Statistic.SUM, Replace(1), **few).distance == L1(10)  # type: ignore[arg-type]
    assert sensitivity(Statistic.COUNT, Replace(1), taken=Taken.ALL).distance == L1(0)
    assert sensitivity(Statistic.COUNT, Replace(1)).distance == L1(1)


def test_a_sum_across_zero_moves_by_the_width_under_change_alone() -> None:
    assert sensitivity(Statistic.SUM, Rows(1), bounds=(-4, 6)).distance == L1(6)
    assert sensitivity(Statistic.SUM, Replace(1), bounds=(-4, 6)).distance == L1(10)


def test_a_histogram_under_change_moves_two_cells() -> None:
    fact = sensitivity(Statistic.HISTOGRAM, Replace(1))
    assert (fact.distance, fact.each) == (L1(2), LInf(1))
    assert L2.bound(linf=fact.each, l1=fact.distance) == L2.root(2)


@pytest.mark.parametrize(
    ("unit", "same"),
    [
        (Ids("id", rows=3), Rows(3)),
        (2 * Ids("id", groups=3, rows_per_group=2), Rows(12)),
    ],
)
def test_a_person_is_as_many_rows_as_they_may_have(unit: Unit, same: Unit) -> None:
    for of in set(Statistic) - set(NEEDS_SIZE):
        assert sensitivity(of, unit, bounds=(0, 2)) == sensitivity(of, same, bounds=(0, 2))


def test_every_fact_has_a_reason() -> None:
    for of in Statistic:
        fact = sensitivity(of, Replace(2), bounds=(0, 1), rows=5, taken=Taken.ALL)
        assert fact.reason
        assert fact.each.by <= fact.distance.by


# --- what is refused -----------------------------------------------------------------------------


def refused(*given: Any, **words: Any) -> str:  # noqa: ANN401
    with pytest.raises(DiscreetError) as error:
        sensitivity(*given, **words)
    return error.value.code


def cells() -> Iterator[tuple[Unit, dict[str, object]]]:
    for taken in Taken:
        yield Rows(1), {"taken": taken}
        yield Ids("id", rows=2), {"taken": taken}
    yield Replace(1), {"taken": Taken.ALL}
    yield Replace(1), {"taken": Taken.SOME}
    yield Replace(1), {"taken": Taken.SOME, "rows": 10}


@pytest.mark.parametrize("of", NEEDS_SIZE)
def test_a_mean_of_an_unknown_number_is_refused(of: Statistic) -> None:
    for unit, words in cells():
        assert refused(of, unit, bounds=(0, 1), **words) == "M85"


@pytest.mark.parametrize("unit", [Rows(1), Replace(1), Ids("id", rows=2)])
def test_without_bounds_there_is_no_end(unit: Unit) -> None:
    for of in set(Statistic) - {Statistic.COUNT, Statistic.HISTOGRAM}:
        assert refused(of, unit) == "M86"
    for of in (Statistic.COUNT, Statistic.HISTOGRAM):
        assert sensitivity(of, unit) == sensitivity(of, unit, bounds=(-9, 9))


def test_what_contradicts_itself_is_refused() -> None:
    assert refused(Statistic.COUNT, Ids("id")) == "M87"
    assert refused(Statistic.COUNT, Ids("id", groups=3)) == "M87"
    assert refused(Statistic.COUNT, Rows(1), rows=10) == "M88"
    assert refused(Statistic.MEAN, Ids("id", rows=3), bounds=(0, 1), rows=10) == "M88"
    assert refused(Statistic.SUM, Rows(1), bounds=(2, 1)) == "M89"
    assert refused(Statistic.SUM, Rows(1), bounds=("a", 1)) == "N01"
    assert refused(Statistic.SUM, Rows(1), bounds=(0, float("inf"))) == "N01"
    assert refused(Statistic.MEAN, Replace(1), bounds=(0, 1), rows=0, taken=Taken.ALL) == "N05"
    assert refused(Statistic.SUM, Replace(1), bounds=(0, 1), rows=-1) == "N05"
