"""The claim of numeric_sparse.md."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from discreet.distances import LInf, Monotone
from discreet.errors import MechanismError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Approx, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.sparse import NumericSparse, Sparse
from tests.mechanisms.cases_sparse import far, numeric, shifted, still
from tests.mechanisms.sparse import brute
from tests.mechanisms.sparse.telling import telling
from tests.noise.chance import FALSE_ALARM

VALUES = (1, -1, 2)
NEAR = Fraction(1, 10**15)


@pytest.mark.parametrize("positives", [1, 2])
@pytest.mark.parametrize("threshold", [0, 3])
def test_the_law_is_the_definition(positives: int, threshold: int) -> None:
    """Tests by their definition, times the noise of each number."""
    mechanism = NumericSparse(positives, "1/2", "1/3", "1/4")
    law = mechanism.law(VALUES, threshold=threshold)
    found = dict(zip(law.outcomes, law.weights, strict=True))
    above = [value - threshold for value in VALUES]
    own = brute.noise(Fraction(1, 4))
    seen = set()
    for told, chance in brute.answered(above, "1/2", "1/3", stop=positives, lasts=1).items():
        for noise in product(range(-4, 5), repeat=sum(told)):
            numbers, wanted = iter(noise), Fraction(chance)
            for n in noise:
                wanted *= Fraction(own[n])
            outcome = tuple(
                value + next(numbers) if yes else None
                for value, yes in zip(VALUES, told, strict=False)
            )
            low, high = found[outcome]
            assert low - NEAR <= wanted <= high + NEAR
            seen.add(outcome)
    rest = sum((found[each][1] for each in found.keys() - seen), law.missing[1])
    assert rest < Fraction(1, 10**6)
    assert law.missing[1] <= positives * Fraction(1, 2**64)


def test_the_textbook_has_its_constants() -> None:
    for c in (1, 4):
        epsilon = Fraction(1, 3)
        made = NumericSparse.textbook(epsilon, c)
        first, second = epsilon * 8 / 9, epsilon * 2 / 9
        assert made.threshold_scale == 2 * c / first
        assert made.query_scale == 4 * c / first
        assert made.answer_scale == 2 * c / second
        assert made.loss(LInf(1)) == Pure(epsilon)
        assert made.tests.loss(LInf(1)) == Pure(first)


@pytest.mark.parametrize(
    ("r", "s", "a", "cost"),
    [("1", "2", "4", "3/2"), ("1", "4", "2", "3/2"), ("4", "1", "1", "2"), ("2", "1", "9", "3/2")],
)
def test_numbers_that_move_one_way_cost_the_larger_part(r: str, s: str, a: str, cost: str) -> None:
    assert NumericSparse(3, r, s, a).loss(Monotone(1)) == 3 * Pure(cost)
    assert NumericSparse(3, r, s, a).loss(Monotone(2)) == 6 * Pure(cost)
    both_ways = sum((k / Fraction(scale) for k, scale in ((1, r), (2, s), (1, a))), Fraction(0))
    assert NumericSparse(3, r, s, a).loss(LInf(1)) == 3 * Pure(both_ways)


def test_no_part_of_the_loss_is_too_much() -> None:
    """Each of the four prices is attained; a part less is refuted."""
    for made, pair in (
        (NumericSparse(1, 1, 2, 3), far(6, 8, 1, LInf(1))),
        (NumericSparse(1, 1, 1, 2), far(6, 8, 1, Monotone(1))),
        (NumericSparse(1, 1, 2, "1/2"), shifted(5, 6, -2, -1)),
        (NumericSparse(1, 3, "1/2", 1), still(8, 6, -2, -1)),
    ):
        told = numeric(made, pair)
        assert isinstance(pair.distance, LInf | Monotone)
        loss = made.loss(pair.distance)
        assert isinstance(loss, Pure)
        laws = made.law(pair.x), made.law(pair.y)
        assert all(finding.kept for finding in compare(*laws, loss, told))
        assert refuted(compare(*laws, Pure(loss.epsilon * Fraction(99, 100)), told))


def test_numbers_are_not_free_where_answers_move_both_ways() -> None:
    """The mutants that charge tests alone, or one direction."""
    made = NumericSparse.best(2, 1, Monotone(1))
    pair = numeric(made, far(4, 8, 1, LInf(1)))
    assert made.loss(Monotone(1)) == made.tests.loss(Monotone(1)) == Pure(2)
    assert refuted(check(made, pair, made.tests.loss(LInf(1))))
    assert refuted(check(made, pair, Pure(2)))
    assert not refuted(check(made, pair))


def test_all_moves_one_way_of_a_small_domain_are_kept() -> None:
    made = NumericSparse(1, "1/3", "1/2", "1/4")
    for x in product((-1, 0, 1), repeat=2):
        for move in ((0, 1), (1, 0), (1, 1)):
            y = tuple(a + b for a, b in zip(x, move, strict=True))
            pair = numeric(made, Neighbours(x, y, Monotone(1)))
            assert all(finding.kept for finding in check(made, pair))


def test_delta_and_zcdp_count_the_positives() -> None:
    made = NumericSparse(400, 400, 400, 400, delta="1e-6")
    loss = made.loss(LInf(1))
    assert isinstance(loss, Approx)
    assert loss.epsilon == Sparse(400, 200, 400, delta="1e-6").loss(LInf(1)).epsilon
    assert NumericSparse(400, 400, 400, 400).loss(LInf(1)) == Pure(4)
    assert made.zcdp(LInf(1)) == 400 * Pure("1/100").to(ZCDP)


def test_what_is_told_follows_the_law() -> None:
    mechanism = NumericSparse(1, 2, 1, "1/2")
    others = [NumericSparse(1, 2, 1, 1), NumericSparse(1, 2, 20, "1/2")]
    laws = [each.law(VALUES, threshold=1) for each in (mechanism, *others)]
    right, *wrong = telling(lambda: mechanism.release(VALUES, threshold=1), *laws)
    assert right > FALSE_ALARM
    assert max(wrong) < FALSE_ALARM


def test_a_number_with_the_noise_of_its_test_is_another_law() -> None:
    """The mutant that tells x + ν, which is not below a threshold that has next to no noise."""
    made = NumericSparse(1, "1/9", 1, 1)
    mutant = brute.with_its_own_noise([0], "1/9", 1, 20)
    chances = {
        (None,) if told == ("none",) else (told[-1],): Fraction(p) for told, p in mutant.items()
    }
    right, wrong = telling(lambda: made.release([0]), made.law([0]), Law(chances, brute.TAIL))
    assert right > FALSE_ALARM > wrong


def test_accuracy_covers_tests_and_numbers() -> None:
    made = NumericSparse(2, 2, 4, 8)
    for confidence in ("0.5", "0.99"):
        found = made.accuracy(confidence, 10)
        assert found > made.tests.accuracy(confidence, 10)
        risk = 1 - Fraction(confidence)
        tail = 2 * Fraction(brute.reaches(Fraction(8))(int(found) + 1))
        assert 1 - (1 - tail) ** 2 <= risk
    wide = NumericSparse(2, 2, 4, 200).accuracy("0.9", 10)
    tail = 2 * Fraction(brute.reaches(Fraction(200))(int(wide) + 1))
    assert 1 - (1 - tail) ** 2 <= Fraction(1, 10)


def test_a_law_with_too_many_numbers_is_refused() -> None:
    with pytest.raises(MechanismError) as refused:
        NumericSparse.textbook(1, 3).law([0, 0, 0])
    assert refused.value.code == "M66"
