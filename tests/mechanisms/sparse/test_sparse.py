"""The claim of sparse.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.distances import LInf, Monotone
from discreet.lab.exact import check, compare, refuted
from discreet.loss import ZCDP, Approx, Pure
from discreet.mechanisms.sparse import AboveThreshold, Sparse, SparseOnce
from tests.mechanisms.cases_sparse import far
from tests.mechanisms.sparse.telling import FEW, telling
from tests.noise.chance import FALSE_ALARM

VALUES = [1, -1, 2, 0]


def test_the_textbook_has_its_constants() -> None:
    for c in (1, 2, 9):
        made = Sparse.textbook("1/2", c)
        assert made.threshold_scale == 2 * c / Fraction(1, 2)
        assert made.query_scale == 2 * made.threshold_scale
        assert made.loss(LInf(1)) == Pure("1/2")


def test_one_positive_is_above_threshold() -> None:
    assert Sparse(1, 2, 4).law(VALUES) == AboveThreshold(2, 4).law(VALUES)
    for distance in (LInf(2), Monotone(1)):
        assert Sparse(1, 2, 4).loss(distance) == AboveThreshold(2, 4).loss(distance)


@pytest.mark.parametrize("distance", [LInf(1), Monotone(1)])
def test_each_positive_is_paid_and_no_part_of_it_less(distance: LInf | Monotone) -> None:
    made = Sparse.best(4, 2, distance)
    pair = far(6, 8, 1, distance, runs=2)
    laws = made.law(pair.x), made.law(pair.y)
    assert made.loss(distance) == Pure(4)
    assert not refuted(compare(*laws, Pure(4), pair))
    assert refuted(compare(*laws, Pure(Fraction(4 * 99, 100)), pair))
    assert refuted(compare(*laws, AboveThreshold.best(2, distance).loss(distance), pair))


def test_it_costs_more_than_a_threshold_drawn_once() -> None:
    """The mutant that charges for one threshold and draws several."""
    pair = far(6, 8, 1, LInf(1), runs=2)
    assert refuted(check(Sparse(2, 1, 2), pair, SparseOnce(2, 1, 2).loss(LInf(1))))
    assert not refuted(check(SparseOnce(2, 1, 2), pair))


def test_with_delta_the_loss_is_the_better_theorem() -> None:
    each, delta = Fraction(1, 100), Fraction(1, 10**6)
    many = Sparse(400, 200, 400, delta=delta)
    loss = many.loss(LInf(1))
    with localcontext(prec=60):
        one = Decimal(1) / 100
        root = (2 * 400 * (Decimal(10) ** 6).ln()).sqrt()
        allowed = root * one + 400 * one * (one.exp() - 1)
    assert isinstance(loss, Approx)
    assert loss.delta == delta
    assert 0 <= loss.epsilon - Fraction(allowed) < Fraction(1, 10**20)
    assert loss.epsilon < 400 * each
    assert Sparse(400, 200, 400).loss(LInf(1)) == Pure(400 * each)
    # Few positives, and losses above ln 2: the sum is better, and needs no delta.
    assert Sparse(3, 200, 400, delta=delta).loss(LInf(1)) == Pure(3 * each)
    for far_off in (100, 500, 10**7):
        assert many.loss(LInf(far_off)) == Pure(400 * each * far_off)
    assert many.loss(LInf(0)) == Pure(0)


def test_delta_changes_no_answer() -> None:
    assert Sparse(2, 1, 2, delta="1/2").law(VALUES) == Sparse(2, 1, 2).law(VALUES)


def test_its_zcdp_is_paid_run_by_run() -> None:
    made = Sparse(8, 16, 32)
    assert made.zcdp(LInf(1)) == 8 * Pure("1/8").to(ZCDP)
    assert 4 * made.zcdp(LInf(1)).rho < made.loss(LInf(1)).to(ZCDP).rho


@pytest.mark.parametrize("times", [FEW, pytest.param(100_000, marks=pytest.mark.long)])
def test_what_is_told_follows_the_law(times: int) -> None:
    mechanism = Sparse(2, 3, 2)
    others = [SparseOnce(2, 3, 2), Sparse(3, 3, 2), Sparse(2, 20, 2), Sparse(2, 3, 20)]
    laws = [each.law(VALUES, threshold=1) for each in (mechanism, *others)]
    right, *wrong = telling(lambda: mechanism.release(VALUES, threshold=1), *laws, times=times)
    assert right > FALSE_ALARM
    assert max(wrong) < FALSE_ALARM
