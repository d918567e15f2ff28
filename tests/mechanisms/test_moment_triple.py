"""The claim of moment_triple.md."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor
from typing import Final

import numpy as np
import pytest

import discreet as dp
from discreet.lab.exact import compare, refuted
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.mechanisms.moment_triple import MomentTriple, _spread
from discreet.units import Rows
from tests.mechanisms.cases_quantile import apart

TRIPLE: Final = MomentTriple(-10, 30, 5, parts=1600)
"""Without rounding: 1600 = 40²."""
COARSE: Final = MomentTriple(-10, 30, 5, parts=100)


def bernstein(row: int, low: int, high: int) -> tuple[Fraction, Fraction, Fraction]:
    t = Fraction(min(max(row, low), high) - low, high - low)
    return (1 - t) ** 2, 2 * t * (1 - t), t**2


def by_hand(row: int, low: int, high: int, parts: int) -> tuple[int, ...]:
    """Largest remainders, one after the other."""
    exact = [parts * share for share in bernstein(row, low, high)]
    found = [floor(each) for each in exact]
    order = sorted(range(3), key=lambda i: (found[i] - exact[i], i))
    for i in order[: parts - sum(found)]:
        found[i] += 1
    return tuple(found)


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 100, 1600, 2**20, 10**12, 10**30])
def test_rows_are_split_by_largest_remainders(parts: int) -> None:
    if parts > 10**13:  # no scale is that large, and the split does not need one
        triple = MomentTriple(-10, 30, 5, parts=parts)
    else:
        triple = MomentTriple(-10, 30, parts, parts=parts)
    for row in range(-12, 33):
        split = triple.split(row)
        assert split == by_hand(row, -10, 30, parts)
        assert sum(split) == parts
        assert min(split) >= 0


def test_wide_bounds_are_split_in_integers_that_do_not_wrap() -> None:
    low, high = -(2**61), 2**61
    wide = MomentTriple(low, high, 2**20)
    for row in (low, low + 1, -(2**40), 0, 12345678901234567, high):
        assert wide.split(row) == by_hand(row, low, high, 2**20)


def test_the_sums_are_those_of_the_splits() -> None:
    rows = [-10, 0, 0, 7, 30, 99, -99, 2**70]
    for triple in (TRIPLE, COARSE):
        splits = [triple.split(row) for row in rows]
        assert triple.sums(rows) == tuple(map(sum, zip(*splits, strict=True)))
    assert TRIPLE.sums([]) == (0, 0, 0)


def moments(rows: list[int]) -> tuple[Fraction, Fraction]:
    mean = Fraction(sum(rows), len(rows))
    return mean, sum(((row - mean) ** 2 for row in rows), Fraction(0)) / len(rows)


@pytest.mark.parametrize("size", [1, 2, 10, 300])
def test_without_noise_and_rounding_all_three_come_out_exactly(size: int) -> None:
    rows = np.random.default_rng(size).integers(-10, 31, size).tolist()
    told = TRIPLE.sums(rows)
    assert TRIPLE.is_exact
    assert TRIPLE.count(told) == size
    assert (TRIPLE.mean(told), TRIPLE.variance(told)) == moments(rows)


@pytest.mark.parametrize(
    "told", [(0, 0, 0), (-9, -9, -9), (-9, 5, 5), (5, -9, 5), (5, 5, -9), (0, 9, 0), (10**9, 0, 1)]
)
def test_whatever_is_told_gives_numbers_within_the_bounds(told: tuple[int, int, int]) -> None:
    for triple in (TRIPLE, COARSE):
        assert triple.count(told) >= 0
        assert -10 <= triple.mean(told) <= 30
        assert 0 <= triple.variance(told) <= 400
        low, high = triple.mean_range(told, "0.95")
        assert -10 <= low <= high <= 30
        least, most = triple.variance_range(told, "0.95")
        assert 0 <= least <= most <= 400


def test_where_there_may_be_no_rows_everything_is_possible() -> None:
    assert TRIPLE.mean_range((0, 0, 0), "0.95") == (Fraction(-10), Fraction(30))
    assert TRIPLE.variance_range((-3, 2, 1), "0.95") == (Fraction(0), Fraction(400))
    assert TRIPLE.count_range((0, 0, 0), "0.95")[0] == 0


TABLES: Final = [[0], [30], [-10] * 3, [5, 6, 7], [30] * 40, [-10, 30] * 20, [3] * 50, [10, 30] * 9]


@pytest.mark.parametrize("rows", TABLES)
@pytest.mark.parametrize("parts", [10, 100, 1600])
def test_ranges_hold_the_truth_wherever_the_noise_is_no_larger_than_its_accuracy(
    rows: list[int], parts: int
) -> None:
    triple = MomentTriple(-10, 30, 5, parts=parts)
    sums, t = triple.sums(rows), int(triple.accuracy("0.9"))
    mean, variance = moments(rows)
    for noise in product((-t, 0, t), repeat=3):
        a, b, c = (exact + z for exact, z in zip(sums, noise, strict=True))
        for truth, (low, high) in (
            (Fraction(len(rows)), triple.count_range((a, b, c), "0.9")),
            (mean, triple.mean_range((a, b, c), "0.9")),
            (variance, triple.variance_range((a, b, c), "0.9")),
        ):
            assert low <= truth <= high


def test_ranges_that_forget_the_rounding_miss() -> None:
    """The mutant: one part for each row cannot say that all rows lie at 7."""
    rows = [7] * 10**6
    rough = MomentTriple(-10, 30, 5, parts=10)
    low, high = rough.mean_range(rough.sums(rows), "0.9")
    off = Fraction(40, 10)
    assert low <= 7 <= high
    assert not low + off <= 7 <= high - off


def test_the_spread_over_a_box_is_bounded_and_nearly_attained() -> None:
    """Boxes of sums, cut into a fine grid: no point lies outside of the range, and some point lies
    near each of its ends."""
    t = int(TRIPLE.accuracy("0.9"))
    for told in [(60, 40, 50), (10, 90, 10), (200, 5, 30), (0, 5, 300), (45, 5, 45), (8, 8, 90)]:
        low, high = TRIPLE.variance_range(told, "0.9")
        axes = [
            [Fraction(max(0, each - t)) + Fraction(k, 12) * (each + t - max(0, each - t))
             for k in range(13)]
            for each in told
        ]  # fmt: skip
        values = [1600 * _spread(point) for point in product(*axes) if any(point)]
        assert low <= min(values) <= max(values) <= high
        assert float(min(values) - low) < 1e-9
        if sum(max(0, each - t) for each in told):
            assert float(high - max(values)) < 0.02 * 400


def rounded_alone(rows: list[int]) -> Law:
    """The mutant that rounds each part to the nearest integer by itself: the parts of some rows add
    up to more than `parts`."""
    sums = [0, 0, 0]
    for row in rows:
        sums = [
            s + floor(2 * b + Fraction(1, 2))
            for s, b in zip(sums, bernstein(row, 0, 2), strict=True)
        ]
    return Laplace("1/20").law(sums)


def test_rounding_each_part_by_itself_is_refuted() -> None:
    claimed = MomentTriple(0, 2, "1/20", parts=2).loss(Rows(1))
    pair = apart((), (1,), Rows(1))
    assert refuted(compare(rounded_alone([]), rounded_alone([1]), claimed, pair))


def unscaled(rows: list[int]) -> Law:
    """The mutant that puts no row between the bounds."""
    shares = [[(2 - row) ** 2, 2 * row * (2 - row), row * row] for row in rows]
    return Laplace("1/20").law([sum(each) for each in zip([0, 0, 0], *shares, strict=True)])


def test_rows_outside_the_bounds_are_refuted() -> None:
    claimed = MomentTriple(0, 2, "1/20", parts=4).loss(Rows(1))
    pair = apart((), (3,), Rows(1))
    assert refuted(compare(unscaled([]), unscaled([3]), claimed, pair))
    assert not refuted(compare(unscaled([]), unscaled([1]), claimed, pair))


def test_parts_must_be_a_whole_number() -> None:
    for wrong in (0, -1, "1/2"):
        with pytest.raises(dp.errors.NumberError):
            MomentTriple(0, 1, 1, parts=wrong)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_variances_have_less_than_half_the_squared_error_of_three_separate_sums(p: float) -> None:
    """20,000 releases at ε = 1, against a third of ε for each of n, Σ(t − ½), Σ(t − ½)².  The true
    ratio is near 0.3.  Squared errors of Laplace noise have a mean that is known to about 2 % here,
    so one half is out of reach of chance, by more than ten times its standard deviation."""
    size, draws, unit = 2_000, 20_000, 10_000
    rows = np.random.default_rng(4).binomial(100, p, size)
    triple = MomentTriple(0, 100, unit, parts=unit)
    told = [Laplace(unit).release(np.full(draws, each)) for each in triple.sums(rows)]
    a, b, c = (each.astype(float) for each in told)
    found = 10_000 * np.maximum(0, a * c - b * b / 4) / (a + b + c) ** 2
    for i in range(20):
        exact = triple.variance((int(told[0][i]), int(told[1][i]), int(told[2][i])))
        assert found[i] == pytest.approx(float(exact))
    y = rows - 50
    noisy = [
        Laplace(3 * span).release(np.full(draws, int(each)))
        for each, span in ((size, 1), (y.sum(), 50), ((y**2).sum(), 2_500))
    ]
    split = noisy[2] / noisy[0] - (noisy[1] / noisy[0]) ** 2
    true = float(np.var(rows))
    assert np.mean((found - true) ** 2) < np.mean((split - true) ** 2) / 2
