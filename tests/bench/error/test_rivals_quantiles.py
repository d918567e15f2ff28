"""The tree counts each row once on each level, costs ε, and finds quantiles without noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest

from bench.error.data import ages, lognormal
from bench.error.estimate import Floats
from bench.error.quantiles import NINETEEN, Setting, tree_of, within
from bench.error.rivals_quantiles import NoisyTree, Tree, chosen, one_by_one, undivided
from discreet.distances import L1
from discreet.entropy import SYSTEM
from discreet.lab.exact import Neighbours, check
from discreet.loss import Pure
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.lattice import Integers
from discreet.units import Rows

TINY = Tree(0, 7, Fraction(1, 4), 0.005, height=2, branching=2)


def flat(tree: Tree, rows: Sequence[int]) -> Integers:
    """All counts of all levels."""
    return np.concatenate(tree.counts(np.array(rows, np.int64)))


def test_one_row_moves_all_counts_together_by_the_height() -> None:
    for count in range(3):
        for rows in combinations_with_replacement(range(-1, 9), count):
            for row in range(-1, 9):
                moved = flat(TINY, [*rows, row]) - flat(TINY, rows)
                assert np.abs(moved).sum() == 2
                assert moved.min() == 0


def test_the_parts_are_equal_and_the_upper_end_is_in_the_last() -> None:
    # Eighths of a width of 7 · 2: parts of 3.5 and 1.75 places.
    tops, leaves = TINY.counts(np.array([0, 1, 2, 3, 4, 5, 6, 7], np.int64))
    assert tops.tolist() == [4, 4]
    assert leaves.tolist() == [2, 2, 2, 2]


def losing(scale: Fraction, claimed: Fraction) -> tuple[bool, float]:
    """The exact checker on the two counts that one row moves, each by one."""
    noisy = Laplace(scale)
    ratio = Fraction(exp(2 / scale)) * (1 + Fraction(1, 2**50))
    before, after = flat(TINY, [])[[0, 2]], flat(TINY, [0])[[0, 2]]
    pair = Neighbours(tuple(before.tolist()), tuple(after.tolist()), L1(2), beyond=ratio)
    findings = check(noisy, pair, Pure(claimed))
    return all(f.kept for f in findings), float(max(f.attained for f in findings))


def test_the_exact_checker_finds_that_the_tree_costs_its_height_over_its_scale() -> None:
    kept, share = losing(TINY.scale, TINY.loss().epsilon)
    assert kept
    assert share == pytest.approx(1, abs=1e-9)
    assert TINY.loss() == Pure(8)
    # The mutant that pays for one level only.
    assert not losing(TINY.scale, TINY.loss().epsilon / 2)[0]


def exactly(tree: Tree, rows: Integers) -> NoisyTree:
    """The tree with its counts told as they are."""
    counts = tree.counts(rows)
    noisy = NoisyTree(tree, counts, SYSTEM)
    for level, exact in enumerate(counts):
        for parent, part in enumerate(exact.reshape(-1, tree.branching)):
            noisy.drawn[level, parent] = part.astype(float)
    return noisy


def test_without_noise_and_cut_each_answer_is_within_one_leaf() -> None:
    column = lognormal(1000)
    tree = Tree(column.low, column.high, Fraction(4), 0.0)
    noisy, leaf = exactly(tree, column.rows), (column.high - column.low) / 16**4
    for q in NINETEEN:
        true = column.rows[int(q * 1000) - 1 : int(q * 1000) + 1]
        assert true[0] - leaf <= noisy.quantile(q) <= true[1] + leaf


def test_parts_below_the_cut_are_left_out() -> None:
    counts = np.array([96.0, 0.0, 3.0, 1.0])

    def found(counts: Floats, share: float, cut: float) -> tuple[int, float]:
        one = chosen(counts, share, cut)
        assert one is not None
        return one[0], round(one[1], 9)

    assert found(counts, 0.5, 0.0) == (0, round(50 / 96, 9))
    assert found(counts, 0.98, 0.0) == (2, round(2 / 3, 9))
    # Of 99 that are left, 0.98 are 97.02.
    assert found(counts, 0.98, 0.02) == (2, 0.34)
    assert found(np.array([10.0, -4.0, 0.0, 0.0]), 0.9, 0.005) == (0, 0.9)
    assert chosen(-counts, 0.5, 0.02) is None


def test_a_tree_that_looks_empty_answers_the_middle() -> None:
    noisy = exactly(replace(TINY, low=0, high=100), np.zeros(0, np.int64))
    assert noisy.quantile(Fraction(1, 2)) == 50


def test_noise_stays_and_quantiles_of_one_release_never_fall() -> None:
    column = ages(1000)
    tree = Tree(column.low, column.high, Fraction(4), 0.005)
    noisy = tree.noisy(tree.counts(column.rows))
    told = [noisy.quantile(q) for q in NINETEEN]
    assert told == sorted(told)
    assert told == [noisy.quantile(q) for q in NINETEEN]


def test_noise_of_each_part_has_the_stated_scale() -> None:
    """65,536 draws of scale 40: the mean size is known to 0.4 % in one standard deviation."""
    tree = Tree(0, 2**16 - 1, Fraction(40), 0.005)
    noisy = tree.noisy(tree.counts(np.zeros(0, np.int64)))
    drawn = np.concatenate([noisy.children(3, parent) for parent in range(16**3)])
    assert np.abs(drawn).mean() == pytest.approx(1 / np.sinh(1 / 40), rel=0.05)


@pytest.mark.parametrize("epsilon", ["1", "1/10"])
def test_all_have_the_same_budget(epsilon: str) -> None:
    setting = Setting(ages(100), Fraction(epsilon))
    whole = Pure(setting.epsilon)
    assert within(setting, NINETEEN).loss(Rows(1)) == whole
    alone = one_by_one(NINETEEN, 0, 120, setting.epsilon)
    assert sum((each.loss(Rows(1)).epsilon for each in alone), start=Fraction(0)) == whole.epsilon
    assert Tree(0, 120, 4 / setting.epsilon, 0.005).loss() == whole
    # What diffprivlib charges is true for changed rows, and double what added rows need.
    assert undivided(Fraction(1, 2), 0, 120, setting.epsilon).loss(Rows(1)) == Pure(
        setting.epsilon / 2
    )
    assert len(tree_of(setting, NINETEEN, 0.005)()) == 19
