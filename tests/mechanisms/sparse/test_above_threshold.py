"""The claim of above_threshold.md."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from discreet.distances import LInf, Monotone
from discreet.lab.exact import check, refuted
from discreet.loss import ZCDP, Pure
from discreet.mechanisms.sparse import AboveThreshold, SparseOnce
from tests.mechanisms.cases_sparse import far
from tests.mechanisms.sparse import brute
from tests.mechanisms.sparse.telling import telling
from tests.noise.chance import FALSE_ALARM

VALUES = [-1, 2, 0, 4, -3]


def test_the_textbook_has_its_constants() -> None:
    for epsilon in (Fraction(1, 3), Fraction(1), Fraction(7)):
        made = AboveThreshold.textbook(epsilon, LInf(3))
        assert (made.threshold_scale, made.query_scale) == (2 * 3 / epsilon, 4 * 3 / epsilon)
        assert made.loss(LInf(3)) == Pure(epsilon)
        assert made.loss(Monotone(3)) == Pure(epsilon * Fraction(3, 4))
        assert made.loss(LInf(0)) == Pure(0)


def test_the_best_split_has_less_noise_than_the_textbook() -> None:
    for distance in (LInf(1), Monotone(1)):
        best, book = AboveThreshold.best(1, distance), AboveThreshold.textbook(1)
        spread = [each.threshold_scale**2 + each.query_scale**2 for each in (best, book)]
        assert spread[0] < spread[1]
        assert best.accuracy("0.95") <= book.accuracy("0.95")


@pytest.mark.parametrize("distance", [LInf(1), Monotone(1)])
def test_less_noise_than_the_loss_says_is_refuted(distance: LInf | Monotone) -> None:
    claimed = AboveThreshold.best(2, distance)
    for r, s in ((Fraction(97, 100), 1), (1, Fraction(97, 100))):
        less = AboveThreshold(claimed.threshold_scale * r, claimed.query_scale * s)
        pair = far(7, 9, 1, distance)
        assert not refuted(check(claimed, pair))
        assert refuted(check(less, pair, claimed.loss(distance)))


def test_what_is_told_follows_the_law() -> None:
    mechanism = AboveThreshold(2, 3)
    right, *wrong = telling(
        lambda: mechanism.release(VALUES, threshold=1),
        mechanism.law(VALUES, threshold=1),
        mechanism.law(VALUES, threshold=3),
        AboveThreshold(2, "1/4").law(VALUES, threshold=1),
        AboveThreshold("1/9", 3).law(VALUES, threshold=1),
        SparseOnce(2, 2, 3).law(VALUES, threshold=1),
    )
    assert right > FALSE_ALARM
    assert max(wrong) < FALSE_ALARM


def test_adaptive_questions_are_answered_by_the_law() -> None:
    """The exact answer to each question is how many were answered: the questions are 0, 1, 2, …"""
    mechanism = AboveThreshold(2, 3)

    def adaptive() -> list[bool]:
        session, told = mechanism.stream(threshold=2), list[bool]()
        while len(told) < 6 and not session.halted:
            told.append(session.ask(len(told)))
        return told

    laws = (mechanism.law(values, threshold=2) for values in (range(6), [0] * 6))
    right, wrong = telling(adaptive, *laws)
    assert right > FALSE_ALARM > wrong


def test_a_law_with_ties_below_is_rejected() -> None:
    mechanism = AboveThreshold("1/2", "1/2")
    laws = (brute.law(brute.answered([0, 0, 1], "1/2", "1/2", stop=1, tie=tie)) for tie in (0, 1))
    right, wrong = telling(lambda: mechanism.release([0, 0, 1]), *laws)
    assert right > FALSE_ALARM > wrong


def test_questions_may_come_without_end() -> None:
    def questions() -> Iterator[int]:
        value = -(10**5)
        while True:
            yield value
            value += 100

    told = AboveThreshold.textbook(1).release(questions())
    assert told[-1]
    assert not any(told[:-1])
    assert 950 < len(told) < 1050


def test_its_zcdp_is_that_of_its_pure_loss() -> None:
    mechanism = AboveThreshold.textbook(1)
    assert mechanism.zcdp(LInf(1)) == Pure(1).to(ZCDP)
