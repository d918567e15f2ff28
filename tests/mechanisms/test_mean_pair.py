"""The claim of mean_pair.md."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np
import pytest

from discreet.lab.exact import compare, refuted
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.mechanisms.mean_pair import MeanPair
from discreet.units import Rows
from tests.mechanisms.cases_quantile import apart

PAIR: Final = MeanPair(-10, 30, 5)


def test_the_sums_are_those_of_the_distances_to_both_bounds() -> None:
    rows = [-10, 0, 7, 30, 99, -99]
    inside = [-10, 0, 7, 30, 30, -10]
    assert PAIR.sums(rows) == (sum(x + 10 for x in inside), sum(30 - x for x in inside))
    assert sum(PAIR.sums(rows)) == 40 * len(rows)


def test_without_noise_mean_and_count_come_out_exactly() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 10, 1000):
        rows = rng.integers(-10, 31, size)
        told = PAIR.sums(rows)
        assert PAIR.count(told) == size
        assert PAIR.mean(told) == Fraction(int(rows.sum()), size)


@pytest.mark.parametrize(
    ("told", "mean", "count"),
    [
        ((0, 0), 10, 0),
        ((-5, -7), 10, 0),
        ((-5, 45), -10, 1),
        ((45, -5), 30, 1),
        ((-50, 10), -10, 0),
        ((10**30, 0), 30, 10**30 // 40),
    ],
)
def test_empty_and_negative_counts_give_bounds(
    told: tuple[int, int], mean: int, count: int
) -> None:
    assert PAIR.mean(told) == mean
    assert PAIR.count(told) == count
    low, high = PAIR.mean_range(told, "0.95")
    assert -10 <= low <= high <= 30
    fewest, most = PAIR.count_range(told, "0.95")
    assert 0 <= fewest <= most
    if count == 0:
        assert low == -10
        assert high == 30


def shifted(told: Sequence[int], by: Sequence[int]) -> tuple[int, int]:
    return told[0] + by[0], told[1] + by[1]


@pytest.mark.parametrize("rows", [[], [0], [30], [-10] * 3, [5, 6, 7], [30] * 40, [-10, 30] * 20])
def test_ranges_hold_the_truth_wherever_the_noise_is_no_larger_than_its_accuracy(
    rows: list[int],
) -> None:
    """On the rim and inside of the box, so the probability of both is that of `accuracy`."""
    sums, t = PAIR.sums(rows), int(PAIR.accuracy("0.9"))
    for noise in product((-t, -t + 1, 0, 1, t), repeat=2):
        told = shifted(sums, noise)
        fewest, most = PAIR.count_range(told, "0.9")
        assert fewest <= len(rows) <= most
        if rows:
            low, high = PAIR.mean_range(told, "0.9")
            assert low <= Fraction(sum(rows), len(rows)) <= high


def test_a_range_that_is_narrower_by_one_step_misses() -> None:
    """The mutant takes the noise to be smaller by one than it may be."""
    rows, t = [30] * 40 + [-10] * 40, int(PAIR.accuracy("0.9"))
    told = shifted(PAIR.sums(rows), (t, -t))
    low, _ = PAIR.mean_range(told, "0.9")
    assert low == 10
    a, b = told
    narrow = -10 + 40 * Fraction(a - t + 1, (a - t + 1) + (b + t - 1))
    assert narrow > 10


def outside(rows: list[int]) -> Law:
    """The mutant that clamps nothing: what is told may be moved into the bounds afterwards."""
    above = sum(rows)
    return Laplace("1/8").law((above, 2 * len(rows) - above))


def test_clamping_after_the_noise_is_refuted() -> None:
    pair, right = apart((), (9,), Rows(1)), MeanPair(0, 2, "1/8")
    claimed = right.loss(Rows(1))
    assert refuted(compare(outside([]), outside([9]), claimed, pair))
    assert not refuted(compare(right.law([]), right.law([9]), claimed, pair))


def clipped(rows: list[int]) -> Law:
    """The same, and each noisy sum is moved into 0 … 4."""
    law = outside(rows)
    found: dict[tuple[int, ...], Fraction] = {}
    for outcome, (low, _) in zip(law.outcomes, law.weights, strict=True):
        assert isinstance(outcome, tuple)
        place = tuple(min(max(int(each), 0), 4) for each in outcome)
        found[place] = found.get(place, Fraction(0)) + low
    return Law(found, Fraction(1, 2**100))


def test_clamping_what_is_told_does_not_help() -> None:
    pair, claimed = apart((2,), (2, 9), Rows(1)), MeanPair(0, 2, "1/8").loss(Rows(1))
    assert refuted(compare(clipped([2]), clipped([2, 9]), claimed, pair))


def variance(scale: Fraction) -> Fraction:
    """Of Laplace noise."""
    return 2 * scale**2


@pytest.mark.parametrize("p", [Fraction(k, 10) for k in range(11)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(7, 3)])
def test_the_variance_is_exactly_half_of_an_equal_split(p: Fraction, epsilon: Fraction) -> None:
    """By the linear forms of the errors, for rows whose mean is at p, with 1 row and R = 40."""
    span = Fraction(40)
    pair = variance(span / epsilon) * ((1 - p) ** 2 + p**2)
    half = epsilon / 2
    split = variance(span / 2 / half) + (span * (p - Fraction(1, 2))) ** 2 * variance(1 / half)
    assert pair * 2 == split


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_means_of_many_releases_have_half_the_variance_of_an_equal_split(p: float) -> None:
    """200,000 of each at ε = 1.  A kurtosis of at most 6 makes each variance known to 0.5 %, and
    their ratio to 0.7 %: 9 % is twelve standard deviations."""
    size, draws = 2_000, 200_000
    rows = np.random.default_rng(3).binomial(100, p, size)
    above, below = MeanPair(0, 100, 100).sums(rows)
    first, second = (Laplace(100).release(np.full(draws, each)) for each in (above, below))
    pair = 100 * first / (first + second)
    middle = Laplace(100).release(np.full(draws, int((rows - 50).sum())))
    count = Laplace(2).release(np.full(draws, size))
    ratio = np.var(pair) / np.var(50 + middle / count)
    assert 0.5 / 1.09 < ratio < 0.5 * 1.09
