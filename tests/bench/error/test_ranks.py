"""Rank errors on distinct rows, on copies and at the ends; and the columns are what they say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bench.error.data import FINE, UNIT, ages, bell, beta, clusters, even, lognormal, shapes
from bench.error.ranks import ranks_off

HALF = (Fraction(1, 2),)


def of(rows: list[int], told: int, q: str) -> float:
    return float(ranks_off(np.array(rows), np.array([[told]]), [Fraction(q)])[0, 0])


@pytest.mark.parametrize(
    ("told", "q", "ranks"),
    [
        # Of 2, 4, 6, 8 the value 4 has the ranks 1 to 2, and 5 the rank 2 alone.
        (4, "1/2", 0),
        (5, "1/2", 0),
        (6, "1/2", 0),
        (7, "1/2", 1),
        (8, "1/2", 1),
        (9, "1/2", 2),
        (1, "1/2", 2),
        (2, "1/2", 1),
        (9, "1", 0),
        (8, "1", 0),
        (7, "1", 1),
        (1, "0", 0),
        (4, "3/10", 0),
        (5, "3/10", 0.8),
    ],
)
def test_distinct_rows(told: int, q: str, ranks: float) -> None:
    assert of([2, 4, 6, 8], told, q) == pytest.approx(ranks)


def test_copies_have_all_their_ranks() -> None:
    rows = [10] * 3 + [50] * 90 + [60] * 7
    assert of(rows, 50, "1/2") == 0
    assert of(rows, 50, "0.03") == 0
    assert of(rows, 50, "0.95") == 2
    assert of(rows, 49, "1/2") == 47
    assert of(rows, 51, "1/2") == 43


def test_rows_and_answers_are_laid_out_by_release_and_quantile() -> None:
    rows, qs = np.arange(100), [Fraction(1, 4), Fraction(3, 4)]
    found = ranks_off(rows, np.array([[24, 74], [30, 80], [25, 70]]), qs)
    assert found.tolist() == [[0, 0], [5, 5], [0, 4]]


def test_the_median_of_each_column_is_where_its_law_has_it() -> None:
    for column, median in [
        (lognormal(1000), FINE),
        (bell(1000), 0),
        (even(1000), 50 * FINE),
        (ages(1001), 40),
    ]:
        assert ranks_off(column.rows, np.array([[median]]), HALF)[0, 0] <= 1
        assert column.low <= column.rows.min() <= column.rows.max() <= column.high
        assert (np.diff(column.rows) >= 0).all()


def test_the_clusters_leave_the_middle_empty() -> None:
    column = clusters(1000)
    assert ((column.rows < 40 * FINE) | (column.rows > 60 * FINE)).all()
    assert (column.rows < 50 * FINE).sum() == 500


def test_the_shapes_lie_where_they_should() -> None:
    near_two_sevenths, near_edge, middle = (column.rows.mean() / UNIT for column in shapes())
    assert near_two_sevenths == pytest.approx(2 / 7, abs=2e-3)
    assert near_edge == pytest.approx(0.02, abs=1e-3)
    assert middle == pytest.approx(0.5, abs=1e-3)
    # Beta(2, 5) has the variance 10 / (49 · 8).
    assert shapes()[0].rows.var() / UNIT**2 == pytest.approx(10 / 392, rel=5e-3)
    assert beta(0.890625) == pytest.approx(0.5, abs=1e-9)  # P(X ≤ ½) = 57/64
