"""The claim of quantile.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import exp
from typing import Final

import numpy as np
import pytest

from discreet.entropy import Replay
from discreet.errors import DiscreetError, MechanismError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.quantile import Quantile, runs_of
from discreet.mechanisms.rows import rows_in
from discreet.numbers import exact
from discreet.units import Replace, Rows
from tests.mechanisms.cases_quantile import added, apart, changed
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal, near, weight

QS: Final = ("0", "1/3", "1/2", "9/10", "1")
TABLES: Final[list[list[int]]] = [[], [0], [4], [2, 2, 2], [0, 1, 3, 3], [-7, 4, 4, 99], [1] * 9]


def distance(q: Fraction, rows: Sequence[int], v: int) -> Fraction:
    """From the wanted rank to the nearest one that v has."""
    wanted = q * len(rows)
    first, last = sum(x < v for x in rows), sum(x <= v for x in rows)
    return min(abs(wanted - min(max(wanted, Fraction(first)), Fraction(last))), Fraction(10**9))


def closed(quantile: Quantile, rows: Sequence[int]) -> dict[int, Decimal]:
    """The law in decimals of 60 digits."""
    inside = [min(max(x, quantile.low), quantile.high) for x in rows]
    with localcontext(prec=60):
        weights = {
            v: weight(distance(quantile.q, inside, v) / quantile.scale)
            for v in range(quantile.low, quantile.high + 1)
        }
        return {v: each / sum(weights.values()) for v, each in weights.items()}


# --- the law -------------------------------------------------------------------------------------


@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("rows", TABLES)
def test_the_law_is_softmax_of_rank_distances(q: str, rows: list[int]) -> None:
    quantile = Quantile(q, 0, 4, "2/3")
    chances, true = quantile.chances(rows), closed(quantile, rows)
    assert chances.keys() == true.keys()
    assert all(near(chances[v], p) for v, p in true.items())
    law = quantile.law(rows)
    assert law.outcomes == tuple(true)
    ends = dict(zip(law.outcomes, law.weights, strict=True))
    with localcontext(prec=60):
        for v, p in true.items():
            low, high = ends[v]
            assert decimal(low) <= p * (1 + Decimal("1e-55"))
            assert decimal(high) >= p * (1 - Decimal("1e-55"))


@pytest.mark.parametrize("q", QS)
@pytest.mark.parametrize("rows", TABLES)
def test_runs_are_the_places_with_their_distances(q: str, rows: list[int]) -> None:
    """What `release` draws from, place by place."""
    quantile = Quantile(q, 0, 4, 1)
    inside = rows_in(rows, 0, 4)
    runs = runs_of(inside, quantile)
    found = {
        int(start) + i: Fraction(int(behind), quantile.q.denominator)
        for start, behind, length in zip(runs.start, runs.behind, runs.length, strict=True)
        for i in range(int(length))
    }
    assert found == {v: distance(quantile.q, inside.tolist(), v) for v in range(5)}
    assert runs.length.min() > 0
    assert runs.length.sum() == 5


@pytest.mark.parametrize(
    ("q", "rows"), [("1/2", [0, 1, 3, 3]), ("1/3", []), ("9/10", [2, 2, 7, 30, 30, 31])]
)
def test_releases_fit_the_law_and_no_other(q: str, rows: list[int]) -> None:
    quantile = Quantile(q, 0, 39, "3/2")
    drawn = np.array([quantile.release(rows) for _ in range(5_000)])
    true = {v: float(p) for v, p in closed(quantile, rows).items()}
    assert doubt(drawn, true) > FALSE_ALARM
    if rows:
        wrong = {v: float(p) for v, p in closed(Quantile(q, 0, 39, 1), rows).items()}
        assert doubt(drawn, wrong) < FALSE_ALARM
        run = runs_of(rows_in(rows, 0, 39), quantile)
        even = np.exp(-run.behind / quantile.q.denominator / 1.5)
        flat = {
            int(start) + i: float(share / length)
            for start, length, share in zip(run.start, run.length, even / even.sum(), strict=True)
            for i in range(int(length))
        }
        assert doubt(drawn, flat) < FALSE_ALARM, "runs do not weigh what they are long"


# --- ties ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1, 10, 100])
def test_a_thousand_copies_of_one_value_have_it_as_their_median(scale: int) -> None:
    """The formula of quantile.md: at ε = 1 it is another value with probability below 10^-215."""
    median = Quantile("1/2", 0, 100, scale)
    assert median.loss(Rows(1)) == Pure(Fraction(1, scale))
    with localcontext(prec=60):
        formula = 1 / (1 + 100 * weight(Fraction(500, scale)))
        assert near(median.chances([50] * 1000)[50], formula)
        if scale == 1:
            assert 1 - formula < Decimal("1e-58")


def test_ties_are_told_and_not_the_gaps_beside_them() -> None:
    median = Quantile("1/2", 0, 100, 1)
    assert {median.release([50] * 1000) for _ in range(50)} == {50}
    thirds = [20] * 200 + [40] * 600 + [60] * 200
    assert {median.release(thirds) for _ in range(50)} == {40}


def test_no_rows_give_any_place() -> None:
    assert set(Quantile("1/3", 3, 6, 1).law([]).weights) == {(Fraction(1, 4), Fraction(1, 4))}
    assert {Quantile("1/3", 3, 4, 1).release([]) for _ in range(100)} == {3, 4}
    assert Quantile(1, 7, 7, 1).release([1, 2, 3]) == 7


# --- the loss ------------------------------------------------------------------------------------


def moves(q: str, pairs: Iterable[Neighbours]) -> tuple[Fraction, Fraction]:
    """The most that any distance moves between neighbours, and that two moves differ."""
    found = [
        [distance(exact(q), pair.x, v) - distance(exact(q), pair.y, v) for v in range(5)]
        for pair in pairs
    ]
    return (
        max(abs(move) for each in found for move in each),
        max(max(each) - min(each) for each in found),
    )


@pytest.mark.parametrize("q", ["0", "1/3", "1/2", "2/3", "1"])
def test_distances_move_by_what_is_proven_and_no_less(q: str) -> None:
    most, ends = max(exact(q), 1 - exact(q)), exact(q) in {0, 1}
    moved, unequal = moves(q, added(0, 4, 4))
    assert moved == most
    assert unequal == (1 if ends else 2 * most)
    moved, unequal = moves(q, changed(0, 4, 3))
    assert moved == 1
    assert unequal == (1 if ends else 2)
    moved, unequal = moves(q, added(0, 4, 5, count=2))
    assert moved == 2 * most
    assert 2 <= unequal <= (2 if ends else 4 * most)


@pytest.mark.parametrize("q", QS)
def test_losses_are_that_over_the_scale(q: str) -> None:
    quantile, most = Quantile(q, 0, 10, "5/2"), max(exact(q), 1 - exact(q))
    row, change = (1, 1) if most == 1 else (2 * most, 2)
    for k in (1, 3):
        assert quantile.loss(Rows(k)) == Pure(k * row / exact("5/2"))
        assert quantile.loss(Replace(k)) == Pure(k * change / exact("5/2"))
        epsilon = quantile.loss(Rows(k)).epsilon
        assert quantile.zcdp(Rows(k)) == ZCDP(epsilon**2 / 8)


def test_where_epsilon_is_large_its_own_bound_is_the_better_one() -> None:
    coarse = Quantile("1/2", 0, 10, "1/20")
    assert coarse.zcdp(Rows(1)) == Pure(20).to(ZCDP)
    assert coarse.zcdp(Rows(1)).rho < 20**2 / 8


LONG: Final = {
    "added": apart((798,), (798, 799), Rows(1)),
    "changed": apart((0, 2), (2, 799), Replace(1)),
    "dense": apart((399,), (399, 799), Rows(1)),
}
MEDIAN: Final = Quantile("1/2", 0, 799, 1)


def test_a_change_that_is_charged_as_one_row_is_refuted() -> None:
    assert refuted(check(MEDIAN, LONG["changed"], MEDIAN.loss(Rows(1))))


def test_an_epsilon_that_is_one_percent_smaller_is_refuted() -> None:
    for pair in (LONG["added"], LONG["changed"]):
        own = MEDIAN.loss(pair.distance)  # type: ignore[arg-type]
        assert not refuted(check(MEDIAN, pair, own))
        assert refuted(check(MEDIAN, pair, Pure(own.epsilon * Fraction(99, 100))))


def test_a_rho_that_is_one_percent_smaller_is_refuted() -> None:
    wide = Quantile("1/2", 0, 799, 10)
    assert refuted(check(wide, LONG["dense"], ZCDP(wide.zcdp(Rows(1)).rho * Fraction(99, 100))))


def softmax(rows: Sequence[int], score: Callable[[Sequence[int], int], Fraction]) -> Law:
    """A mutant with another score, on 0 … 799 at scale 1."""
    weights = [Fraction(exp(-float(score(rows, v)))) for v in range(800)]
    total = sum(weights)
    return Law({v: each / total for v, each in enumerate(weights)})


def test_a_score_that_moves_farther_than_it_is_charged_is_refuted() -> None:
    """The mutants: q of the score is not that of the loss; the distance is doubled, or squared."""

    def lopsided(rows: Sequence[int], v: int) -> Fraction:
        return distance(Fraction(2, 3), rows, v)

    def doubled(rows: Sequence[int], v: int) -> Fraction:
        return 2 * distance(Fraction(1, 2), rows, v)

    def squared(rows: Sequence[int], v: int) -> Fraction:
        return distance(Fraction(1, 2), rows, v) ** 2

    x = (797, 797)
    y = (*x, 799)
    for score in (lopsided, doubled, squared):
        one, other = softmax(x, score), softmax(y, score)
        assert refuted(compare(one, other, MEDIAN.loss(Rows(1)), apart(x, y, Rows(1))))
    right = [softmax(rows, lambda rows, v: distance(Fraction(1, 2), rows, v)) for rows in (x, y)]
    assert not refuted(compare(right[0], right[1], MEDIAN.loss(Rows(1)), apart(x, y, Rows(1))))


# --- how good it is ------------------------------------------------------------------------------


@pytest.mark.parametrize("q", ["1/2", "2/3", "1"])
@pytest.mark.parametrize("count", [1, 3])
def test_the_accuracy_is_kept_by_all_tables_and_the_least_for_some(q: str, count: int) -> None:
    quantile = Quantile(q, 0, 6, "1/2")
    t = quantile.accuracy("0.9", count)
    step = Fraction(1, quantile.q.denominator)
    tables = [[0] * m + [6] * k for m, k in product(range(12), repeat=2)]
    tables += [list(rows) for rows in product((0, 1, 3, 6), repeat=3)]

    def sure(rows: list[int], reach: Fraction) -> float:
        law = closed(quantile, rows)
        return (
            float(sum(p for v, p in law.items() if distance(quantile.q, rows, v) <= reach)) ** count
        )

    assert min(sure(rows, t) for rows in tables) >= 0.9
    assert min(sure(rows, t - step) for rows in tables) < 0.9


def test_rank_errors_are_small_and_need_no_luck() -> None:
    """A thousand incomes at ε = 1: all hundred answers keep `accuracy` but once in 10^12."""
    rows = np.random.default_rng(2).lognormal(10, 1, 1_000).astype(np.int64)
    quantile = Quantile("1/2", 0, 10**6, 1)
    t = quantile.accuracy("0.999999999999", 100)
    assert t < 50
    ranks = np.sort(rows)
    for _ in range(100):
        v = quantile.release(rows)
        low, high = (int(np.searchsorted(ranks, v, side)) for side in ("left", "right"))
        assert low - t <= 500 <= high + t


# --- limits --------------------------------------------------------------------------------------


def test_the_whole_range_of_64_bits_is_a_lattice() -> None:
    wide = Quantile("1/2", 1 - 2**62, 2**62 - 1, "1/1000")
    assert wide.release([3, 3, 3]) == 3
    assert wide.release([2**70] * 5) == 2**62 - 1
    assert abs(wide.release([])) < 2**62


def test_no_score_wraps_around_with_the_finest_quantile() -> None:
    fine = Quantile("999999/1000000", 0, 1, "1/1000000")
    rows = np.concatenate([np.zeros(1, np.int64), np.ones(999_999, np.int64)])
    assert fine.release(rows) == 1
    assert runs_of(rows, fine).behind.max() == 10**12 - 10**6 - 10**6
    coarse = Quantile("1/2", 0, 1, 10**30)
    assert {coarse.release(rows) for _ in range(64)} == {0, 1}


def test_a_replayed_release_is_the_same() -> None:
    data = np.random.default_rng(3).bytes(4_000)
    quantile, rows = Quantile("1/2", 0, 10**9, 1), [5, 10**8, 7, 10**7]
    told = quantile.release(rows, entropy=Replay(data))
    assert told == quantile.release(rows[::-1], entropy=Replay(data))
    assert told == quantile.release(np.array(rows), entropy=Replay(data))
    assert told != quantile.release(rows, entropy=Replay(data[1000:]))
    assert isinstance(told, int)


def test_bad_parameters_are_refused_when_they_are_given() -> None:
    for given in (
        ("3/2", 0, 1, 1),
        (-1, 0, 1, 1),
        ("1/2", 1, 0, 1),
        ("1/2", 0, 1, 0),
        ("1/2",),
        (),
    ):
        with pytest.raises(DiscreetError):
            Quantile(*given)
    with pytest.raises(MechanismError) as error:
        Quantile("0.1234567", 0, 1, 1)
    assert error.value.code == "M73"
    with pytest.raises(MechanismError) as error:
        Quantile("1/2", 0, 2**20, 1).law([])
    assert error.value.code == "M74"
    with pytest.raises(MechanismError) as error:
        Quantile("1/2", 0, 1, 1).release([0.5], entropy=Replay(b""))  # type: ignore[list-item]
    assert error.value.code == "M71"
