"""The claim of comparing.md; and the broken variants, all of which the checker refutes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Final

import pytest

from discreet.distances import LInf, Monotone
from discreet.errors import MechanismError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import Pure
from discreet.loss.divergence import Law, either_way, max_divergence
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse, SparseOnce
from discreet.mechanisms.sparse.comparing import Comparing
from tests.mechanisms.cases_sparse import far
from tests.mechanisms.sparse import brute

ONE, UP = LInf(1), Monotone(1)


def claimed(x: Law, y: Law, epsilon: str) -> bool:
    """Whether the checker refutes that these neighbours keep the claim."""
    return refuted(compare(x, y, Pure(epsilon), Neighbours((), (), ONE)))


# --- the broken ones of Lyu, Su and Li, each with a claim of one ---------------------------------


def test_telling_the_noisy_answer_that_was_compared_is_refuted() -> None:
    """A number told bounds the threshold's noise from above, and each "below" then counts."""

    def law(values: list[int]) -> Law:
        chances = brute.with_its_own_noise(values, 2, 2, 3)
        return Law({told: Fraction(p) for told, p in chances.items()}, brute.TAIL)

    assert claimed(law([0] * 4 + [0]), law([1] * 4 + [0]), "1")
    # Even with the noise of the correct one, and more questions make it worse without end.
    few, many = ([0] * m + [0] for m in (1, 6))
    assert not claimed(law(few), law([1, 0]), "3/2")
    assert claimed(law(many), law([1] * 6 + [0]), "2")


def test_query_noise_that_does_not_grow_with_the_positives_is_refuted() -> None:
    """Threshold 4/ε, questions 4/(3ε): it costs (1 + 6c)/4."""
    for positives in (2, 3):
        cost = Fraction(1 + 6 * positives, 4)
        pair = far(6, 6, positives, ONE)
        x, y = (
            brute.law(brute.answered(values, 4, "4/3", stop=positives))
            for values in (pair.x, pair.y)
        )
        assert claimed(x, y, "1")
        assert claimed(x, y, str(cost * Fraction(99, 100)))
        assert not claimed(x, y, str(cost))
        assert SparseOnce(positives, 4, "4/3").loss(ONE) == Pure(cost)


def test_questions_without_noise_and_without_end_are_refuted() -> None:
    """What one neighbour may be told the other never is."""
    x, y = (brute.law(brute.answered(values, 2, None)) for values in ((0, 1), (1, 0)))
    assert claimed(x, y, "1")
    assert claimed(x, y, "50")


def test_positives_without_end_are_refuted() -> None:
    """Threshold 2/ε and questions 2/ε: the more positives, the worse."""
    found = []
    for m in (1, 2, 3, 4):
        x, y = (
            brute.law(brute.answered(values, 2, 2))
            for values in ((0,) * 2 * m, (1,) * m + (-1,) * m)
        )
        found.append(either_way(max_divergence, x, y).low)
        assert claimed(x, y, "1") == (m > 1)
    assert all(later > sooner for sooner, later in pairwise(found))
    assert found[-1] > Fraction(7, 4)


REDRAWN: Final = {2: Fraction(128, 100), 4: Fraction(160, 100)}


@pytest.mark.parametrize("positives", [2, pytest.param(4, marks=pytest.mark.long)])
def test_the_split_of_one_threshold_is_refuted_when_it_is_redrawn(positives: int) -> None:
    """1 : (2c)^(2/3) with scales 1/ε₁ and 2c/ε₂ claims one, and costs 1.28 and 1.60."""
    once = SparseOnce.best(1, positives)
    redrawn = Sparse(positives, once.threshold_scale, once.query_scale)
    pair = far(5 if positives == 2 else 6, 10 * (positives - 1), 1, ONE, runs=positives)
    x, y = redrawn.law(pair.x), redrawn.law(pair.y)
    assert claimed(x, y, "1")
    assert claimed(x, y, str(REDRAWN[positives] * Fraction(98, 100)))
    assert not claimed(x, y, str(redrawn.loss(ONE).epsilon))
    assert float(redrawn.loss(ONE).epsilon) == pytest.approx(REDRAWN[positives], abs=0.005)
    if positives == 2:
        assert not refuted(check(once, pair))


def test_the_correct_ones_pass_where_the_broken_ones_fail() -> None:
    for mechanism, pair in (
        (AboveThreshold.textbook(1), Neighbours((0,) * 5, (1,) * 4 + (0,), ONE)),
        (SparseOnce.best(1, 2), far(6, 6, 2, ONE)),
        (Sparse.textbook(1, 2), far(4, 6, 1, ONE, runs=2)),
        (Sparse.textbook(1, 2), Neighbours((0, 1), (1, 0), ONE)),
        (SparseOnce.best(1, 4), Neighbours((0,) * 8, (1,) * 4 + (-1,) * 4, ONE)),
    ):
        assert all(finding.kept for finding in check(mechanism, pair))


# --- smaller losses and other moves --------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanism",
    [
        AboveThreshold.textbook(2),
        AboveThreshold(1, "3/2"),
        SparseOnce(2, 1, 2),
        SparseOnce(3, 1, 3),
    ],
)
@pytest.mark.parametrize("distance", [ONE, LInf(2), UP, Monotone(2)])
def test_a_part_less_of_each_term_is_refuted(
    mechanism: AboveThreshold | SparseOnce, distance: LInf | Monotone
) -> None:
    by, c = distance.by, mechanism.noises.positives
    pays = 2 if isinstance(distance, LInf) else 1
    pair = far(8, 9, c, distance)
    x, y = mechanism.law(pair.x), mechanism.law(pair.y)
    first, second = by / mechanism.threshold_scale, pays * c * by / mechanism.query_scale
    assert mechanism.loss(distance) == Pure(first + second)
    assert not claimed(x, y, str(first + second))
    assert claimed(x, y, str(first * Fraction(98, 100) + second))
    assert claimed(x, y, str(first + second * Fraction(98, 100)))


def test_the_price_of_one_direction_is_refuted_where_answers_move_both_ways() -> None:
    for mechanism in (AboveThreshold(2, 4), SparseOnce(2, 2, 4)):
        pair = far(6, 9, mechanism.noises.positives, ONE)
        assert refuted(check(mechanism, pair, mechanism.loss(UP)))


def test_a_tie_may_count_either_way() -> None:
    pair = far(6, 8, 1, ONE)
    strict = [brute.law(brute.answered(v, 2, 4, stop=1, tie=1)) for v in (pair.x, pair.y)]
    assert not claimed(strict[0], strict[1], "1")
    loose = [brute.law(brute.answered(v, 2, 4, stop=1)) for v in (pair.x, pair.y)]
    assert not claimed(loose[0], loose[1], "1")
    assert claimed(loose[0], loose[1], "99/100")


# --- accuracy ------------------------------------------------------------------------------------


def failing(r: Fraction, s: Fraction, count: int, t: int) -> Decimal:
    """P(|ρ − νᵢ| > t for one of `count` questions), a threshold being one: by the definition."""
    bars, tail = brute.noise(r), brute.reaches(s)
    return sum(
        (p * (1 - (tail(bar - t) - tail(bar + t + 1)) ** count) for bar, p in bars.items()),
        Decimal(0),
    )


@pytest.mark.parametrize("count", [1, 10, 1000])
@pytest.mark.parametrize("confidence", ["1/2", "0.95", "0.999999"])
@pytest.mark.parametrize(("r", "s"), [("2", "4"), ("1/3", "1/2"), ("7", "1")])
def test_accuracy_is_kept(r: str, s: str, confidence: str, count: int) -> None:
    mechanism = AboveThreshold(r, s)
    found = mechanism.accuracy(confidence, count)
    assert found.denominator == 1
    risk = Decimal(1) - Decimal(Fraction(confidence).numerator) / Fraction(confidence).denominator
    assert failing(Fraction(r), Fraction(s), count, int(found)) <= risk
    # Not the least, but no more than half as large again, or a few steps.
    least = next(t for t in range(10_000) if failing(Fraction(r), Fraction(s), count, t) <= risk)
    assert found <= Fraction(3, 2) * least + 3


@pytest.mark.parametrize(("confidence", "count"), [("0.95", 1), ("0.95", 10_000), ("0.999", 7)])
def test_the_textbook_says_its_formula(confidence: str, count: int) -> None:
    beta = 1 - float(confidence)
    one = AboveThreshold.textbook("1/2").textbook_accuracy(confidence, count)
    assert float(one) == pytest.approx(8 * (log(count) + log(2 / beta)) / 0.5, rel=1e-9)
    five = Sparse.textbook("1/2", 5).textbook_accuracy(confidence, count)
    assert float(five) == pytest.approx(8 * 5 * (log(count) + log(10 / beta)) / 0.5, rel=1e-9)
    numbers = NumericSparse.textbook("1/2", 5).textbook_accuracy(confidence, count)
    assert float(numbers) == pytest.approx(9 * 5 * (log(count) + log(20 / beta)) / 0.5, rel=1e-9)


def test_the_textbook_fails_at_most_twice_as_often_as_it_says() -> None:
    for r, s, count in (("2", "4", 1), ("1/3", "1/2", 5), ("2", "4", 500)):
        mechanism = AboveThreshold(r, s)
        for confidence in ("0.5", "0.9", "0.999"):
            t = mechanism.textbook_accuracy(confidence, count)
            risk = 1 - Decimal(confidence)
            assert failing(Fraction(r), Fraction(s), count, int(t)) <= 2 * risk


@pytest.mark.parametrize("mechanism", [AboveThreshold(2, 4), Sparse(9, 2, 4), SparseOnce(9, 2, 4)])
def test_accuracy_grows_with_confidence_and_questions(mechanism: Comparing) -> None:
    found = [mechanism.accuracy("0.9"), mechanism.accuracy("0.99"), mechanism.accuracy("0.99", 50)]
    assert found == sorted(set(found))
    assert Sparse(9, 2, 4).accuracy("0.9") > SparseOnce(9, 2, 4).accuracy("0.9")
    with pytest.raises(MechanismError) as refused:
        mechanism.accuracy(1)
    assert refused.value.code == "M35"
