"""The claim of sequences.md."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from discreet.errors import MechanismError
from discreet.loss.divergence import Law, total_variation
from discreet.mechanisms.sparse import AboveThreshold, Sparse, SparseOnce
from discreet.mechanisms.sparse.comparing import Comparing
from tests.mechanisms.sparse import brute

Chances = dict[brute.Told, Decimal]
NEAR = Fraction(1, 10**24)
VALUES = (0, -2, 5, 1)


def apart(mechanism: Comparing, other: Chances) -> Fraction:
    """How far the law at least is from the other, in total variation."""
    low = total_variation(mechanism.law(VALUES), brute.law(other)).low
    assert isinstance(low, Fraction)
    return low


def same(law: Law, chances: Chances) -> bool:
    """Whether both list the same outcomes with the same weights."""
    ends = dict(zip(law.outcomes, law.weights, strict=True))
    return set(ends) == set(chances) and all(
        ends[told][0] - NEAR <= Fraction(p) <= ends[told][1] + NEAR for told, p in chances.items()
    )


@pytest.mark.parametrize(("r", "s"), [("1", "2"), ("1/3", "1"), ("5/2", "1/2")])
@pytest.mark.parametrize("positives", [1, 2, 3])
def test_the_law_is_the_definition(r: str, s: str, positives: int) -> None:
    renewed = brute.answered(VALUES, r, s, stop=positives, lasts=1)
    assert same(Sparse(positives, r, s).law(VALUES), renewed)
    once = brute.answered(VALUES, r, s, stop=positives)
    assert same(SparseOnce(positives, r, s).law(VALUES), once)
    if positives == 1:
        assert same(AboveThreshold(r, s).law(VALUES), once)


def test_other_definitions_are_other_laws() -> None:
    """A tie that counts as below; a threshold drawn once, or anew; another scale."""
    renewed, once = Sparse(2, 1, 2), SparseOnce(2, 1, 2)
    right = brute.answered(VALUES, 1, 2, stop=2, lasts=1)
    assert apart(renewed, right) < NEAR
    for wrong in (
        brute.answered(VALUES, 1, 2, stop=2, lasts=1, tie=1),
        brute.answered(VALUES, 1, 2, stop=2),
        brute.answered(VALUES, "101/100", 2, stop=2, lasts=1),
        brute.answered(VALUES, 1, "201/100", stop=2, lasts=1),
        brute.answered(VALUES, 1, 2, lasts=1),
    ):
        assert apart(renewed, wrong) > Fraction(1, 10_000)
    assert apart(once, right) > Fraction(1, 1000)


@pytest.mark.parametrize("mechanism", [AboveThreshold(2, 4), Sparse(2, 1, 3), SparseOnce(2, 1, 3)])
def test_only_the_distance_to_the_threshold_matters(mechanism: Comparing) -> None:
    assert mechanism.law([3, 5, 4], threshold=4) == mechanism.law([-1, 1, 0])
    far = 10**30
    assert mechanism.law([far + 3, far + 5], threshold=far) == mechanism.law([3, 5])
    assert mechanism.law([3, 5]) != mechanism.law([3, 4])


def test_a_tie_that_counts_as_below_is_a_threshold_that_is_higher_by_one() -> None:
    strict = brute.answered(VALUES, 1, 2, stop=2, lasts=1, tie=1)
    assert same(Sparse(2, 1, 2).law(VALUES, threshold=1), strict)


def test_all_sequences_up_to_the_halt_are_listed_once() -> None:
    def possible(told: tuple[bool, ...], positives: int) -> bool:
        if sum(told) == positives:
            return told[-1]
        return sum(told) < positives and len(told) == 5

    for positives in (1, 2, 3, 9):
        every = {
            told
            for length in range(6)
            for told in product((False, True), repeat=length)
            if possible(told, positives)
        }
        for mechanism in (Sparse(positives, 1, 1), SparseOnce(positives, 1, 1)):
            outcomes = mechanism.law([0] * 5).outcomes
            assert len(outcomes) == len(set(outcomes))
            assert set(outcomes) == every


def test_no_questions_have_one_sequence_of_answers() -> None:
    assert AboveThreshold(2, 4).law([]).outcomes == ((),)


def test_what_is_left_out_is_in_the_balls() -> None:
    law = SparseOnce(2, 7, 2).law([0, 3, 1])
    assert law.missing[1] == 0
    assert 0 < max(high - low for low, high in law.weights) < Fraction(1, 2**120)
    assert sum(low for low, _ in law.weights) <= 1 <= sum(high for _, high in law.weights)


def test_answers_far_off_are_as_good_as_certain() -> None:
    law = Sparse(2, 1, 1).law([10**9, -(10**9), 10**9])
    weights = dict(zip(law.outcomes, law.weights, strict=True))
    assert weights[True, False, True][0] > 1 - Fraction(1, 2**100)


@pytest.mark.parametrize(
    "ask", [lambda: Sparse(20, 1, 1).law([0] * 40), lambda: AboveThreshold(10**6, 1).law([0])]
)
def test_laws_that_are_too_long_are_refused(ask: Callable[[], Law]) -> None:
    with pytest.raises(MechanismError) as refused:
        ask()
    assert refused.value.code == "M66"
