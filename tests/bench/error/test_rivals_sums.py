"""The rivals' sums move no farther than their noise is made for, and no less; and are unbiased."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest

from bench.error.data import shapes
from bench.error.rivals_sums import SplitMean, SplitSums, SplitVariance, Sum
from bench.error.sums import predicted
from discreet.distances import L1
from discreet.lab.exact import Neighbours, check
from discreet.loss import Pure
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.lattice import Integers

ENDS = ((0, 1), (0, 3), (-2, 2), (3, 8))
EPSILON = Fraction(3, 2)


def rivals(low: int, high: int) -> list[SplitSums]:
    return [
        SplitMean(low, high, EPSILON),
        SplitVariance(low, high, EPSILON),
        SplitVariance(low, high, EPSILON, squares_centred=True),
    ]


def tables(low: int, high: int) -> Iterator[Integers]:
    """All of up to two rows, some of them outside the bounds."""
    for count in range(3):
        for rows in combinations_with_replacement(range(low - 1, high + 2), count):
            yield np.array(rows, np.int64)


def farthest(rival: SplitSums) -> list[int]:
    """How far one row that is added moves each sum at most."""
    worst = [0] * len(rival.sums(np.zeros(0, np.int64)))
    for rows in tables(rival.low, rival.high):
        for row in range(rival.low - 1, rival.high + 2):
            before, after = rival.sums(rows), rival.sums(np.append(rows, row))
            moved = [abs(a.exact - b.exact) for a, b in zip(before, after, strict=True)]
            worst = [max(pair) for pair in zip(worst, moved, strict=True)]
    return worst


@pytest.mark.parametrize("ends", ENDS)
def test_one_row_moves_each_sum_as_far_as_is_paid_for_and_no_farther(ends: tuple[int, int]) -> None:
    for rival in rivals(*ends):
        assert farthest(rival) == [each.by for each in rival.sums(np.zeros(0, np.int64))]
        assert rival.loss() == Pure(EPSILON)


def attained(each: Sum, before: Sum, claimed: Fraction) -> tuple[bool, float]:
    """What the exact checker says of one sum whose row goes from `before` to `each`."""
    noisy = Laplace(each.scale)
    ratio = Fraction(exp(each.by / each.scale)) * (1 + Fraction(1, 2**50))
    pair = Neighbours(before.exact, each.exact, L1(each.by), beyond=ratio)
    findings = check(noisy, pair, Pure(claimed))
    return all(f.kept for f in findings), float(max(f.attained for f in findings))


def test_the_exact_checker_finds_that_a_row_at_the_bound_costs_all_of_epsilon() -> None:
    none, top = np.zeros(0, np.int64), np.array([3])
    for rival in rivals(0, 3):
        spent = 0.0
        for before, after in zip(rival.sums(none), rival.sums(top), strict=True):
            kept, share = attained(after, before, after.epsilon)
            assert kept
            spent += share * float(after.epsilon)
        assert spent == pytest.approx(float(EPSILON), rel=1e-9)


def test_the_checker_refutes_sums_that_are_given_all_of_epsilon_each() -> None:
    """The mutant that forgets to split."""
    none, top = np.zeros(0, np.int64), np.array([3])
    rival = SplitMean(0, 3, EPSILON)
    mutants = [
        [replace(each, epsilon=EPSILON) for each in rival.sums(rows)] for rows in (none, top)
    ]
    for before, after in zip(*mutants, strict=True):
        kept, _ = attained(after, before, EPSILON / 2)
        assert not kept


@pytest.mark.parametrize("squares_centred", [False, True])
def test_exact_sums_give_the_exact_mean_and_variance(squares_centred: bool) -> None:
    rows = np.array([0, 1, 1, 4, 7, 7, 9], np.int64)
    pair = SplitMean(0, 9, EPSILON)
    told = tuple(np.array([float(each.exact)]) for each in pair.sums(rows))
    assert pair.mean(told) == pytest.approx(29 / 7)
    three = SplitVariance(0, 9, EPSILON, squares_centred=squares_centred)
    told = tuple(np.array([float(each.exact)]) for each in three.sums(rows))
    assert three.mean(told) == pytest.approx(29 / 7)
    # Σ x² is 197.
    assert three.variance(told) == pytest.approx(197 / 7 - (29 / 7) ** 2)


def test_answers_stay_where_means_and_variances_can_be() -> None:
    wild = tuple(np.array([-1e9, 1e9, 1e9]) for _ in range(3))
    three = SplitVariance(0, 10, EPSILON)
    assert three.variance(wild).min() >= 0
    assert three.variance(wild).max() <= 25
    assert set(three.mean((wild[0], wild[1], np.full(3, -5.0)))) == {0.0, 10.0}


def test_noise_has_the_scale_that_is_stated() -> None:
    """20,000 draws of scale s have the mean size s within 0.7 % in one standard deviation; 9 % is
    beyond twelve of them."""
    rows = np.array([0, 5, 10], np.int64)
    for rival in rivals(0, 1000):
        told = rival.release(rows, 20_000)
        for each, noisy in zip(rival.sums(rows), told, strict=True):
            # Of integers the mean size is 1 / sinh(1 / s).
            size = 1 / np.sinh(1 / float(each.scale))
            assert np.abs(noisy - each.exact).mean() == pytest.approx(size, rel=0.09)


def test_theory_predicts_the_ratio_where_it_is_known_by_hand() -> None:
    """Uniform: a = b = c = 1/3, V = 1/12, so the gradient of ours is (1/6, −1/3, 1/6); of the split
    (1, 0, −1/12), or (½, 0, 1/24) about the middle: at noise 3/4, 3/2, 3."""
    *_, uniform = shapes()
    ours = (1 / 36 + 1 / 9 + 1 / 36) ** 0.5
    plain = (0.75**2 + 0.25**2) ** 0.5 / ours
    centred = (0.375**2 + 0.125**2) ** 0.5 / ours
    assert predicted(uniform, squares_centred=False) == pytest.approx(plain, rel=5e-3)
    assert predicted(uniform, squares_centred=True) == pytest.approx(centred, rel=5e-3)
