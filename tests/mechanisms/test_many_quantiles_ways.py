"""What the ways down to many quantiles cost and tell: claims 1, 2 and 4 of many_quantiles.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np
import pytest

from discreet.lab.exact import check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.quantile import Quantile
from discreet.units import Replace, Rows
from tests.mechanisms.cases_quantile import apart
from tests.mechanisms.many_quantiles_closed import (
    Stop,
    Told,
    chance,
    closed,
    scales,
    way_to,
    ways,
    with_scales,
)
from tests.mechanisms.test_quantile import distance
from tests.noise.closed import decimal

QUARTERS: Final = ("1/4", "1/2", "3/4")
FIFTHS: Final = ("1/5", "2/5", "3/5", "4/5")
SEVERAL: Final = [
    QUARTERS,
    FIFTHS,
    ("1/3", "2/3"),
    ("0", "1/10", "1"),
    ("0", "1/100", "1/20", "19/20", "99/100", "1"),
    ("9/10", "91/100", "92/100", "93/100", "94/100", "999/1000"),
    tuple(f"{k}/20" for k in range(1, 20)),
]


@pytest.mark.parametrize("qs", SEVERAL)
def test_every_way_to_a_last_quantile_costs_one_row_the_whole_loss(qs: tuple[str, ...]) -> None:
    """And that loss is what the dearest costs if all have one scale."""
    many = ManyQuantiles(qs, 0, 10, "3/7")
    found = ways(many.qs, many.scale)
    whole = max(sum(stop.row for stop in way) for way in found) / many.scale
    assert many.loss(Rows(1)) == Pure(whole)
    last = [way for way in found if way[-1].levels == 1]
    assert len(last) >= len(qs) / 3
    assert {sum(stop.epsilon for stop in way) for way in last} == {whole}
    squares = ZCDP(max(sum(stop.epsilon**2 for stop in way) / 8 for way in found))
    assert many.zcdp(Rows(1)) == min(squares, Pure(whole).to(ZCDP), key=lambda each: each.rho)


@pytest.mark.parametrize("qs", SEVERAL)
def test_a_change_costs_what_its_two_ways_cost(qs: tuple[str, ...]) -> None:
    many = ManyQuantiles(qs, 0, 10, 5)
    pairs = list(product(ways(many.qs, many.scale), repeat=2))
    pure = Pure(max(of_two(one, other, lambda epsilon: epsilon) for one, other in pairs))
    assert many.loss(Replace(1)) == pure
    squares = ZCDP(max(of_two(one, other, lambda epsilon: epsilon**2 / 8) for one, other in pairs))
    assert many.zcdp(Replace(1)) == min(squares, pure.to(ZCDP), key=lambda each: each.rho)


def of_two(
    one: Sequence[Stop], other: Sequence[Stop], cost: Callable[[Fraction], Fraction]
) -> Fraction:
    """Of a row with a value on each way: as a change where both meet a split, as a row where one
    does."""
    spent = Fraction(0)
    for stop in {*one, *other}:
        both = stop in one and stop in other
        spent += cost(stop.epsilon * (stop.change / stop.row if both else 1))
    return spent


# --- mutants -------------------------------------------------------------------------------------

THIRDS: Final = ManyQuantiles(["1/3", "2/3"], 0, 59, 10, parts=1)


def test_a_factor_that_is_forgotten_is_refuted() -> None:
    """Both spend 7/6 of 7/3; with `scale` itself the second would cost 1."""
    pair = apart((57, 57), (57, 57, 59), Rows(1))
    assert not refuted(check(THIRDS, pair))
    assert refuted(check(THIRDS, pair, Pure((Fraction(7, 6) + 1) / 10)))


def test_a_change_that_is_charged_what_each_split_spends_on_a_row_is_refuted() -> None:
    pair = apart((1, 58, 58, 59), (0, 1, 58, 58), Replace(1))
    assert not refuted(check(THIRDS, pair))
    assert refuted(check(THIRDS, pair, Pure(2 * Fraction(7, 60))))
    assert refuted(check(THIRDS, pair, Pure(Fraction(39, 100))))


def test_a_change_that_is_charged_as_with_one_scale_is_refuted() -> None:
    """Then both would cost 2/scale; but the first, at 1/2, spends 13/10 of 13/5 in the place of 1,
    and the second, at 4/5, in the place of 8/5."""
    many = ManyQuantiles(["2/5", "1/2"], 0, 59, 10, parts=1)
    pair = apart((0, 30, 58, 58, 58), (30, 58, 58, 58, 59), Replace(1))
    spent = Fraction(13, 10)
    assert many.loss(Replace(1)) == Pure((spent * 2 + spent * 2 / Fraction(8, 5)) / 10)
    assert not refuted(check(many, pair))
    assert refuted(check(many, pair, Pure((2 + 2) / Fraction(10))))


def test_too_small_a_scale_on_a_short_way_is_refuted() -> None:
    """The fourth of the fifths is alone on its side, and gets all that is left: two thirds.  The
    mutant forgets what the first has spent, and gives it the whole."""
    many = ManyQuantiles(FIFTHS, 0, 13, 5, parts=1)
    own = scales(many.qs, many.scale)
    x, y = (2, 2), (2, 2, 13)
    pair = apart(x, y, Rows(1))
    assert not refuted(check(many, pair))
    one, other = (with_scales(many, rows, own) for rows in (x, y))
    assert not refuted(compare(one, other, many.loss(Rows(1)), pair))
    own[3] *= Fraction(2, 3)
    one, other = (with_scales(many, rows, own) for rows in (x, y))
    assert refuted(compare(one, other, many.loss(Rows(1)), pair))


# --- how much of it is used ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("qs", "told", "x", "y", "unit"),
    [
        # Down the longest way, and the way of two splits among ways of three.
        (("1/3", "2/3"), (599, 599), (597, 597), (597, 597, 599), Rows(1)),
        (FIFTHS, (0, 0, 0, 0), (2, 2), (2, 2, 599), Rows(1)),
        (("1/3", "2/3"), (599, 599), (1, 598, 598, 599), (0, 1, 598, 598), Replace(1)),
        (QUARTERS, (599, 599, 599), (598, 599), (0, 598), Replace(1)),
    ],
)
def test_one_output_uses_the_loss_up(
    qs: Sequence[str], told: Told, x: Told, y: Told, unit: Rows | Replace
) -> None:
    many = ManyQuantiles(qs, 0, 599, 4, parts=1)
    own = scales(many.qs, many.scale)
    with localcontext(prec=60):
        p, q = (chance(told, many.qs, rows, range(600), own) for rows in (x, y))
        epsilon = decimal(many.loss(unit).epsilon)
        assert epsilon * Decimal("0.99") < abs((p / q).ln()) <= epsilon


# --- how good it is ------------------------------------------------------------------------------


def mean_off(law: Mapping[Told, Decimal], rows: Sequence[int], qs: Sequence[Fraction]) -> Decimal:
    """How many ranks an answer is off, in the mean over all of them."""
    with localcontext(prec=60):
        each = [
            p * decimal(distance(q, rows, v))
            for told, p in law.items()
            for q, v in zip(qs, told, strict=True)
        ]
        return sum(each, Decimal(0)) / len(qs)


@pytest.mark.parametrize("scale", ["1/2", "2"])
def test_spending_what_is_left_makes_answers_better_for_the_same_loss(scale: str) -> None:
    """By their laws: quintiles of ten rows, and the same with one scale for all."""
    many, rows = ManyQuantiles(FIFTHS, 0, 9, scale, parts=1), [0, 1, 1, 2, 3, 5, 5, 6, 8, 9]
    now = mean_off(closed(many, rows), rows, many.qs)
    before = mean_off(closed(many, rows, [many.scale] * 4), rows, many.qs)
    assert now < before * Decimal("0.98")


def offs(qs: Sequence[Fraction], far: Sequence[Fraction], more: int = 1) -> list[Fraction]:
    """How many ranks each answer is off at most, if each split is `far` from its own."""
    found: dict[int, Fraction] = {}

    def ask(low: int, high: int, first: Fraction, last: Fraction) -> None:
        if low == high:
            return
        middle = (low + high) // 2
        before = qs[low - 1] if low else Fraction(0)
        after = qs[high] if high < len(qs) else Fraction(1)
        q = (qs[middle] - before) / (after - before)
        found[middle] = far[middle] + (1 - q) * first + q * last
        ask(low, middle, first, found[middle] + more)
        ask(middle + 1, high, found[middle] + more, last)

    ask(0, len(qs), Fraction(0), Fraction(0))
    return [found[i] for i in range(len(qs))]


def fars(qs: Sequence[Fraction], rows: Integers, told: Sequence[int]) -> list[Fraction]:
    """How far each split is from what it wants, among the rows that reach it."""
    found: list[Fraction] = []
    for i, v in enumerate(told):
        way = list(way_to(qs, i, Fraction(1)))
        inside = rows.tolist()
        for stop in way[:-1]:
            cut = told[stop.which]
            inside = [x for x in inside if (x <= cut if i < stop.which else x > cut)]
        found.append(distance(way[-1].q, inside, v))
    return found


def test_whatever_the_splits_tell_errors_add_up_no_faster_than_is_claimed() -> None:
    """And without one rank more at each split they would."""
    rng, qs = np.random.default_rng(11), [Fraction(k, 8) for k in range(1, 8)]
    broken = 0
    for _ in range(400):
        rows = rng.choice(60, 30, replace=False)
        near = np.sort(rows)[[3, 7, 11, 15, 18, 22, 26]] + rng.integers(-2, 3, 7)
        told = np.sort(rng.choice(60, 7) if rng.random() < 0.5 else near.clip(0, 59)).tolist()
        far = fars(qs, rows, told)
        off = [distance(q, rows.tolist(), v) for q, v in zip(qs, told, strict=True)]
        most, fewer = offs(qs, [max(far)] * 7), offs(qs, far, more=0)
        assert all(each <= bound for each, bound in zip(off, offs(qs, far), strict=True))
        assert max(off) <= max(most)
        broken += any(each > bound for each, bound in zip(off, fewer, strict=True))
    assert broken > 0


@pytest.mark.parametrize("qs", SEVERAL)
def test_the_accuracy_is_that_of_the_splits_added_up(qs: tuple[str, ...]) -> None:
    many = ManyQuantiles(qs, 0, 99, "7/2", parts=3)
    own = [way[-1] for way in ways(many.qs, many.scale)]
    far = [
        Quantile(stop.q, 0, 299, stop.row / stop.epsilon).accuracy("0.9", 2 * len(qs))
        for stop in own
    ]
    assert many.accuracy("0.9", 2) == max(offs(many.qs, far))
