"""The claim of sparse_once.md."""

from __future__ import annotations

from fractions import Fraction

import pytest

from discreet.distances import LInf, Monotone
from discreet.lab.exact import compare, refuted
from discreet.loss import Pure
from discreet.mechanisms.sparse import Sparse, SparseOnce
from tests.mechanisms.cases_sparse import far
from tests.mechanisms.sparse.telling import FEW, telling
from tests.noise.chance import FALSE_ALARM

VALUES = [1, -1, 2, 0]


@pytest.mark.parametrize("positives", [1, 2, 10])
def test_the_threshold_is_paid_once_and_questions_by_the_positive(positives: int) -> None:
    made = SparseOnce(positives, 4, 8)
    assert made.loss(LInf(2)) == Pure(Fraction(2, 4) + Fraction(2 * positives * 2, 8))
    assert made.loss(Monotone(2)) == Pure(Fraction(2, 4) + Fraction(positives * 2, 8))


def test_the_best_split_is_that_of_the_research() -> None:
    """Standard deviations of ρ − ν for ε = 1: 34.2 at ten positives, 151 at fifty; 19.0 and 79
    where answers move one way."""
    for positives, any_way, one_way in ((10, 34.2, 19.0), (50, 151, 79)):
        for distance, wanted in ((LInf(1), any_way), (Monotone(1), one_way)):
            made = SparseOnce.best(1, positives, distance)
            variance = 2 * (made.threshold_scale**2 + made.query_scale**2)
            assert float(variance) ** 0.5 == pytest.approx(wanted, rel=0.01)
            assert made.loss(distance) == Pure(1)


def test_it_has_less_noise_than_thresholds_drawn_anew() -> None:
    once, anew = SparseOnce.best(1, 10), Sparse.best(1, 10)
    assert once.accuracy("0.95", 100) < anew.accuracy("0.95", 100)


@pytest.mark.parametrize("distance", [LInf(1), Monotone(1)])
def test_one_positive_more_than_was_paid_is_refuted(distance: LInf | Monotone) -> None:
    three, two = SparseOnce(3, 1, 2), SparseOnce(2, 1, 2)
    pair = far(8, 8, 3, distance)
    laws, loss = (three.law(pair.x), three.law(pair.y)), three.loss(distance)
    assert not refuted(compare(*laws, loss, pair))
    assert refuted(compare(*laws, two.loss(distance), pair))
    assert refuted(compare(*laws, Pure(loss.epsilon * Fraction(99, 100)), pair))


@pytest.mark.parametrize("times", [FEW, pytest.param(100_000, marks=pytest.mark.long)])
def test_what_is_told_follows_the_law(times: int) -> None:
    mechanism = SparseOnce(2, 3, 2)
    others = [Sparse(2, 3, 2), SparseOnce(3, 3, 2), SparseOnce(2, 20, 2), SparseOnce(2, 3, 20)]
    laws = [each.law(VALUES, threshold=1) for each in (mechanism, *others)]
    right, *wrong = telling(lambda: mechanism.release(VALUES, threshold=1), *laws, times=times)
    assert right > FALSE_ALARM
    assert max(wrong) < FALSE_ALARM
