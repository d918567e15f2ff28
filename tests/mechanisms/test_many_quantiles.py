"""The claim of many_quantiles.md; what the ways down cost is in test_many_quantiles_ways.py."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import exp, floor, log2
from typing import Final

import numpy as np
import pytest

from discreet.entropy import Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.quantile import Quantile
from discreet.numbers import exact
from discreet.units import Replace, Rows
from tests.mechanisms.cases_quantile import apart
from tests.mechanisms.many_quantiles_closed import Told, closed, scales
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal

QUARTERS: Final = ("1/4", "1/2", "3/4")
FIFTHS: Final = ("1/5", "2/5", "3/5", "4/5")


# --- the law -------------------------------------------------------------------------------------


CASES: Final = [
    (ManyQuantiles(QUARTERS, 0, 2, "1/2", parts=1), [0, 1, 2, 2]),
    (ManyQuantiles(["1/3", "1"], -1, 1, 2, parts=2), [-1, 1]),
    (ManyQuantiles(["0", "2/5", "1/2", "9/10"], 0, 1, 1, parts=1), [0, 1, 1]),
    (ManyQuantiles(["1/2"], 0, 2, 1, parts=3), [1, 1]),
    (ManyQuantiles(QUARTERS, 0, 2, 1, parts=1), []),
    (ManyQuantiles(FIFTHS, 0, 3, "1/2", parts=1), [0, 1, 3]),
    (ManyQuantiles(["1/9", "1/3", "1/2", "3/5", "8/9"], 0, 1, 3, parts=2), [0, 1]),
]


@pytest.mark.parametrize(("many", "rows"), CASES)
def test_the_law_is_the_product_over_the_splits(many: ManyQuantiles, rows: list[int]) -> None:
    law, true = many.law(rows), closed(many, rows)
    assert set(law.outcomes) == set(true)
    with localcontext(prec=60):
        for told, (low, high) in zip(law.outcomes, law.weights, strict=True):
            p = true[told]  # type: ignore[index]
            assert abs(decimal(low) - p) < Decimal("1e-50")
            assert abs(decimal(high) - p) < Decimal("1e-50")


def numbers(many: ManyQuantiles, told: Sequence[int]) -> int:
    """Answers as one integer."""
    base = many.high - many.low + 1
    return sum((v - many.low) * base**i for i, v in enumerate(told))


@pytest.mark.parametrize(("many", "rows"), [CASES[0], CASES[1], CASES[5]])
def test_releases_fit_the_law_and_no_other(many: ManyQuantiles, rows: list[int]) -> None:
    drawn = np.array([numbers(many, many.release(rows)) for _ in range(2_500)])
    true = {numbers(many, told): float(p) for told, p in closed(many, rows).items()}
    assert doubt(drawn, true) > FALSE_ALARM
    other = [each / 3 for each in scales(many.qs, many.scale)]
    wrong = {numbers(many, told): float(p) for told, p in closed(many, rows, other).items()}
    assert doubt(drawn, wrong) < FALSE_ALARM


def test_releases_do_not_fit_one_scale_for_all() -> None:
    many, rows = ManyQuantiles(FIFTHS, 0, 7, "1/2", parts=1), [1, 1, 2, 4, 6, 6, 7]
    drawn = np.array([numbers(many, many.release(rows)) for _ in range(2_500)])
    true = {numbers(many, told): float(p) for told, p in closed(many, rows).items()}
    shared = closed(many, rows, [many.scale] * 4)
    wrong = {numbers(many, told): float(p) for told, p in shared.items()}
    assert doubt(drawn, true) > FALSE_ALARM > doubt(drawn, wrong)


# --- what it costs -------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 8, 19, 31, 32, 100])
def test_a_row_takes_part_in_log_many_quantiles(m: int) -> None:
    many = ManyQuantiles([Fraction(k, m + 1) for k in range(1, m + 1)], 0, 10, 1)
    assert many.levels == floor(log2(m)) + 1
    assert many.loss(Rows(1)).epsilon <= 2 * many.levels
    assert many.loss(Rows(1)) <= many.loss(Replace(1)) <= 2 * many.loss(Rows(1))
    assert many.zcdp(Rows(1)).rho <= many.loss(Rows(1)).epsilon ** 2 / 8
    assert many.zcdp(Rows(3)) == many.zcdp(Rows(1)).group(3)
    assert many.loss(Replace(3)) == 3 * many.loss(Replace(1))


def test_quarters_cost_two_medians_and_thirds_what_is_dearest() -> None:
    quarters = ManyQuantiles(QUARTERS, 0, 100, 1)
    assert (quarters.loss(Rows(1)), quarters.loss(Replace(1))) == (Pure(2), Pure(4))
    ends = ManyQuantiles([0, "1/2", 1], 0, 100, 1)
    assert (ends.loss(Rows(1)), ends.loss(Replace(1))) == (Pure(2), Pure(4))
    assert quarters.zcdp(Rows(1)) == ZCDP("1/4")
    assert quarters.zcdp(Replace(1)) == ZCDP(1)
    thirds = ManyQuantiles(
        ["1/3", "2/3"], 0, 100, 1
    )  # first 2/3, and then the half of what is left
    assert thirds.loss(Rows(1)) == Pure(Fraction(4, 3) + 1)
    # Each spends 7/6 of it, and of a change 2 where that of a row is 4/3, and 2 where it is 1.
    assert thirds.loss(Replace(1)) == Pure(Fraction(7, 6) * Fraction(3, 2) + Fraction(7, 6) * 2)
    assert thirds.zcdp(Rows(1)) == ZCDP(2 * Fraction(7, 6) ** 2 / 8)
    lopsided = ManyQuantiles(["1/10", "9/10"], 0, 100, 1)  # first 9/10, and then 1/9 on its left
    assert lopsided.loss(Rows(1)) == Pure(Fraction(18, 10) + Fraction(16, 9))


def test_one_quantile_costs_what_it_costs_alone() -> None:
    for q in ("0", "1/3", "1/2", "1"):
        one, alone = ManyQuantiles([q], 0, 9, "7/3"), Quantile(q, 0, 9, "7/3")
        for unit in (Rows(1), Rows(2), Replace(1), Replace(2)):
            assert one.loss(unit) == alone.loss(unit)
            assert one.zcdp(unit) == alone.zcdp(unit)


# --- mutants -------------------------------------------------------------------------------------

WIDE: Final = 36


def by_true_counts(rows: Sequence[int]) -> Law:
    """The mutant that gives the splits their true ranks: they want qᵢ·n − #{x ≤ v} of the rows that
    are left, for the quantiles 1/4, 1/2, 3/4 on 0 … 35 at scale 1."""
    n, places = len(rows), range(WIDE)
    found: dict[Told, Fraction] = {}

    def law(wanted: Fraction, inside: Sequence[int], among: range) -> dict[int, Fraction]:
        def away(v: int) -> Fraction:
            first, last = sum(x < v for x in inside), sum(x <= v for x in inside)
            return max(Fraction(0), first - wanted, wanted - last)

        weights = {v: Fraction(exp(-float(away(v)))) for v in among}
        total = sum(weights.values())
        return {v: each / total for v, each in weights.items()}

    for v, p in law(Fraction(n, 2), rows, places).items():
        left, right = [x for x in rows if x <= v], [x for x in rows if x > v]
        low = law(Fraction(n, 4), left, range(v + 1))
        high = law(Fraction(3 * n, 4) - len(left), right, range(v, WIDE))
        for (a, b), (c, d) in product(low.items(), high.items()):
            found[a, v, c] = p * b * d
    return Law(found, Fraction(1, 10**12))


def test_true_counts_of_the_ranges_are_refuted() -> None:
    """Then a row moves what all splits want, and all of them cost."""
    many = ManyQuantiles(QUARTERS, 0, WIDE - 1, 1, parts=1)
    x, y = (1, 2, 2), (1, 2, 2, WIDE - 1)
    assert not refuted(check(many, apart(x, y, Rows(1))))
    one, other = by_true_counts(x), by_true_counts(y)
    assert refuted(compare(one, other, many.loss(Rows(1)), apart(x, y, Rows(1))))


LONG: Final = ManyQuantiles(["1/4", "1/2"], 0, 59, 1, parts=1)
END: Final = apart((58,), (58, 59), Rows(1))


def test_a_loss_of_one_level_is_refuted() -> None:
    one_level = ManyQuantiles(["1/2"], 0, 59, 1, parts=1).loss(Rows(1))
    assert not refuted(check(LONG, END))
    assert refuted(check(LONG, END, one_level))


def changed_on_both_levels() -> Neighbours:
    return apart((0, 2), (2, 59), Replace(1))


def test_a_change_that_is_charged_as_one_row_is_refuted() -> None:
    pair = changed_on_both_levels()
    assert not refuted(check(LONG, pair))
    assert refuted(check(LONG, pair, LONG.loss(Rows(1))))


# --- how good it is ------------------------------------------------------------------------------


def test_ties_are_told_on_all_levels_and_without_parts_they_are_not() -> None:
    rows = [50] * 1000
    deciles = [Fraction(k, 10) for k in range(1, 10)]
    assert set(ManyQuantiles(deciles, 0, 100, 1).release(rows)) == {50}
    textbook = ManyQuantiles(QUARTERS, 0, 100, 1, parts=1)
    assert any(textbook.release(rows)[2] != 50 for _ in range(20))


def test_answers_never_fall() -> None:
    rng = np.random.default_rng(6)
    for size in (0, 1, 5, 200):
        rows = rng.integers(-50, 50, size)
        many = ManyQuantiles([Fraction(k, 12) for k in range(13)], -50, 50, 3, parts=4)
        told = many.release(rows)
        assert list(told) == sorted(told)
        assert -50 <= told[0] <= told[-1] <= 50


def ranks_off(told: Sequence[int], rows: Integers, qs: Sequence[Fraction]) -> Fraction:
    ranks, n = np.sort(rows), len(rows)
    low, high = (np.searchsorted(ranks, told, side) for side in ("left", "right"))
    away = [
        max(Fraction(0), int(b) - q * n, q * n - int(e))
        for b, e, q in zip(low, high, qs, strict=True)
    ]
    return max(away)


def test_the_accuracy_is_kept_for_distinct_rows() -> None:
    rows = np.random.default_rng(7).choice(10**6, 1_000, replace=False)
    many = ManyQuantiles([Fraction(k, 20) for k in range(1, 20)], 0, 10**6, 10, parts=1)
    t = many.accuracy("0.999999999999", 20)
    found = [ranks_off(many.release(rows), rows, many.qs) for _ in range(20)]
    assert 0 < max(found) <= t


def test_halving_is_far_better_than_asking_one_by_one() -> None:
    """Nineteen quantiles of 1,000 incomes at ε = 1: halving splits ε by levels, not by questions.
    The mean of the largest rank error of 40 releases is about 25 and about 120."""
    rows = np.random.default_rng(8).lognormal(10, 1, 1_000).astype(np.int64)
    qs = [Fraction(k, 20) for k in range(1, 20)]
    unit = ManyQuantiles(qs, 0, 10**6, 1).loss(Rows(1)).epsilon
    many = ManyQuantiles(qs, 0, 10**6, unit)
    assert many.loss(Rows(1)) == Pure(1)
    one_by_one = [Quantile(q, 0, 10**6, 2 * 19 * max(q, 1 - q)) for q in qs]
    assert sum((each.loss(Rows(1)) for each in one_by_one), Pure(0)) == Pure(1)
    halves = [ranks_off(many.release(rows), rows, qs) for _ in range(40)]
    alone = [ranks_off([each.release(rows) for each in one_by_one], rows, qs) for _ in range(40)]
    assert sum(halves) < sum(alone) / 2


# --- limits --------------------------------------------------------------------------------------


def test_a_replayed_release_is_the_same() -> None:
    data = np.random.default_rng(9).bytes(20_000)
    many, rows = ManyQuantiles(QUARTERS, 0, 10**9, 1), [5, 10**8, 7, 10**7]
    told = many.release(rows, entropy=Replay(data))
    assert told == many.release(np.array(rows), entropy=Replay(data))
    assert told != many.release(rows, entropy=Replay(data[8_000:]))
    assert {type(v) for v in told} == {int}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (([], 0, 1, 1), "M75"),
        ((["1/2", "1/4"], 0, 1, 1), "M75"),
        ((["1/2", "0.5"], 0, 1, 1), "M75"),
        ((["1/2", "3/2"], 0, 1, 1), "N04"),
        ((["1/1001", "1/1000"], 0, 1, 1), "M73"),
        ((["1/2"], 1, 0, 1), "M70"),
        ((["1/2"], 0, 2**61, 1), "M76"),
        ((["1/2"], -(2**61), 0, 1), "M76"),
        ((["1/2"], 0, 1, 0), "N02"),
        ((["1/2"], 0, 1), "N07"),
    ],
)
def test_bad_parameters_are_refused_when_they_are_given(
    given: tuple[Sequence[str], int, int, int], code: str
) -> None:
    with pytest.raises(DiscreetError) as error:
        ManyQuantiles(*given)
    assert error.value.code == code


def test_parts_may_be_as_fine_as_64_bits_allow() -> None:
    fine = ManyQuantiles(QUARTERS, 0, 2**20 - 1, 1, parts=2**42)
    assert fine.release([7] * 500) == (7, 7, 7)


def test_a_law_that_is_too_long_is_refused() -> None:
    for many, rows in (
        (ManyQuantiles(QUARTERS, 0, 1000, 1, parts=1), [1]),
        (ManyQuantiles(["1/2"], 0, 3, 1), [1, 2]),
    ):
        with pytest.raises(DiscreetError) as error:
            many.law(rows)
        assert error.value.code == "M74"


def test_denominators_are_shared() -> None:
    assert ManyQuantiles(["1/1000", "1/999"], 0, 1, 1).qs[1] == exact("1/999")
