"""The claim of gumbel.md."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

import numpy as np
import pytest

from discreet.entropy import Replay
from discreet.noise import race as module
from discreet.noise.gumbel import GumbelMax
from discreet.noise.race import Integers
from discreet.noise.words import words
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight
from tests.noise.racing import (
    Race,
    Words,
    apart,
    decided,
    gumbel,
    in_bytes,
    in_cells,
    law_of_words,
    verdicts,
)

CLOSE: Final = 1e-12
CASES: Final[list[tuple[str, list[int]]]] = [
    ("1/2", [0, 1]),
    ("1", [0, 0]),
    ("22/7", [5, 4]),
    ("1", [3, 0, 1]),
    ("3/10", [0, 1, 5, 2]),
    ("1/1000000", [2_000_000, 0, 2_500_000]),
    (f"1/{2**63}", [2**63 - 1, -(2**63)]),
]


def closed(unit: str, scores: Sequence[int]) -> dict[int, Decimal]:
    """exp(unit·score) / Σ exp(unit·score), in decimals of 60 digits."""
    with localcontext(prec=60):
        weights = [weight(-exact(unit) * score) for score in scores]
        return {i: each / sum(weights) for i, each in enumerate(weights)}


def in_doubles(unit: str, scores: Sequence[int]) -> dict[int, float]:
    return {i: float(p) for i, p in closed(unit, scores).items()}


def race(unit: str, scores: Sequence[int]) -> Race:
    return gumbel(exact(unit), scores)


# --- the stated law ------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "scores"), [*CASES, ("2", [-40, 7, 7, 30]), ("1/3", [9])])
def test_the_law_is_softmax(unit: str, scores: list[int]) -> None:
    law = GumbelMax(unit).law(scores)
    assert law.keys() == set(range(len(scores)))
    with localcontext(prec=60):
        for i, p in closed(unit, scores).items():
            assert near(at(220, lambda: GumbelMax(unit).law(scores)[i]), p)  # noqa: B023


def test_the_largest_without_noise_and_the_half_unit_are_other_laws() -> None:
    with localcontext(prec=60):
        right = at(220, lambda: GumbelMax(1).law([0, 1])[1])
        assert not near(right, Decimal(1))
        assert not near(right, closed("1/2", [0, 1])[1])


# --- the law of the words ------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "scores"), CASES)
def test_the_law_of_words_is_softmax(unit: str, scores: list[int]) -> None:
    """To a total variation of 1e-12, from choices alone, with words of 64 bits."""
    found = law_of_words(race(unit, scores))
    assert apart(found, in_doubles(unit, scores)) < CLOSE


@pytest.mark.parametrize(("unit", "scores"), CASES[:2])
def test_the_law_of_bytes_is_softmax(unit: str, scores: list[int]) -> None:
    """The same with words of eight bits, and eight more at a time: all goes the exact way."""
    found = law_of_words(race(unit, scores), decide=in_bytes)
    assert apart(found, in_doubles(unit, scores)) < CLOSE


def strays(unit: str, scores: Sequence[int], true: dict[int, float], depth: int) -> bool:
    """Whether a law lies outside of the bracket of all cells of two words of `depth` bits."""
    cells = in_cells(race(unit, scores), depth)
    assert cells.open < 2.0 ** (2 - depth)
    assert cells.first + cells.second + cells.open == 1
    return not cells.first < true[0] < cells.first + cells.open


@pytest.mark.parametrize(("unit", "scores"), CASES[:3])
def test_all_cells_bracket_softmax(unit: str, scores: list[int]) -> None:
    assert not strays(unit, scores, in_doubles(unit, scores), 16)
    near_by = str(exact(unit) * Fraction(101, 100))
    if scores[0] != scores[1]:
        assert strays(unit, scores, in_doubles(near_by, scores), 16)


@pytest.mark.parametrize(("unit", "scores"), CASES[:3])
def test_cells_are_decided_as_the_code_decides_them(unit: str, scores: list[int]) -> None:
    """All pairs of bytes: the same are left open, and the others have the same winner."""
    pairs = np.indices((256, 256), np.uint8).reshape(2, -1).T.copy()
    clock = race(unit, scores).clock(len(pairs))
    left = module._left(clock, slice(0, len(pairs)), Replay(pairs.tobytes()), 8, 2 * len(pairs))
    alone = np.bincount(left.row) == 1
    one, two = pairs.T.astype(np.uint64)
    wins, loses = verdicts(clock, one, two, 8)
    assert (alone == (wins | loses)).all()
    assert (left.column[alone[left.row]] == loses[alone]).all()
    assert 400 < (~alone).sum() < 4_000


@pytest.mark.long
@pytest.mark.parametrize(("unit", "scores"), CASES[:3])
def test_smaller_cells_bracket_softmax(unit: str, scores: list[int]) -> None:
    assert not strays(unit, scores, in_doubles(unit, scores), 21)


class TestMutants:
    """Each wrong choice is rejected by the same measure."""

    UNIT, SCORES = "1", [3, 0, 1]

    def test_the_largest_score_and_the_first_of_equals(self) -> None:
        def largest(asked: Race, fresh: Words) -> Integers:
            del asked
            return np.zeros(len(fresh), np.int64)

        found = law_of_words(race(self.UNIT, self.SCORES), decide=largest, depth=20)
        assert apart(found, in_doubles(self.UNIT, self.SCORES)) > 0.01

    def test_a_unit_that_is_five_percent_off(self) -> None:
        found = law_of_words(race("105/100", self.SCORES), depth=20)
        assert apart(found, in_doubles(self.UNIT, self.SCORES)) > 1e-3

    def test_a_unit_that_is_a_billionth_off(self) -> None:
        found = law_of_words(race("1.000000001", self.SCORES))
        assert apart(found, in_doubles(self.UNIT, self.SCORES)) > CLOSE

    def test_one_word_for_two_candidates(self) -> None:
        def reused(asked: Race, fresh: Words) -> Integers:
            return decided(asked, fresh[:, [0, 0, 2]])

        found = law_of_words(race(self.UNIT, self.SCORES), decide=reused, depth=20)
        assert apart(found, in_doubles(self.UNIT, self.SCORES)) > 0.01

    def test_exponential_noise_in_place_of_gumbel(self) -> None:
        """-ln U in place of -ln(-ln(1 - U)): a choice, but not by softmax."""

        def other(asked: Race, fresh: Words) -> Integers:
            del asked
            u = (fresh.astype(np.float64) + 0.5) * 2.0**-64
            best: Integers = (np.array(self.SCORES) - np.log(u)).argmax(axis=1)
            return best

        found = law_of_words(race(self.UNIT, self.SCORES), decide=other, depth=20)
        assert apart(found, in_doubles(self.UNIT, self.SCORES)) > 0.01


# --- counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [[0, 1, 5, 2], list(range(20))])
def test_counts_fit_and_would_not_fit_another_law(scores: list[int]) -> None:
    rows = np.tile(scores, (2_000_000 // len(scores), 1))
    drawn = GumbelMax("3/10").choose_rows(rows)
    assert doubt(drawn, in_doubles("3/10", scores)) > FALSE_ALARM
    for wrong in ("315/1000", "285/1000"):
        assert doubt(drawn, in_doubles(wrong, scores)) < FALSE_ALARM
    one_by_one = np.array([GumbelMax("3/10").choose(scores) for _ in range(5_000)])
    assert doubt(one_by_one, in_doubles("3/10", scores)) > FALSE_ALARM


def test_counts_of_shared_noise_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant reads one word for each pair of candidates."""

    def shared(*asked: int) -> Words:
        return words(*asked).reshape(-1, 2)[:, [0, 0]].reshape(-1)  # type: ignore[arg-type]

    rows = np.tile([0, 1, 5, 2], (100_000, 1))
    monkeypatch.setattr(module, "words", shared)
    assert doubt(GumbelMax("3/10").choose_rows(rows), in_doubles("3/10", rows[0])) < FALSE_ALARM


def test_rows_are_independent() -> None:
    """Pairs of neighbouring rows."""
    p = in_doubles("1", [0, 1])
    drawn = GumbelMax(1).choose_rows(np.tile([0, 1], (200_000, 1))).reshape(-1, 2)
    assert (
        doubt(2 * drawn[:, 0] + drawn[:, 1], {2 * a + b: p[a] * p[b] for a in p for b in p})
        > FALSE_ALARM
    )


def test_many_candidates_fit_in_groups() -> None:
    """A tenth of 10,000 candidates is three steps ahead; within both groups all are alike."""
    scores = np.zeros(10_000, np.int64)
    scores[::10] = 3
    ahead = float(closed("1", [3, *[0] * 9])[0])
    drawn = GumbelMax(1).choose_rows(np.broadcast_to(scores, (500, 10_000)))
    assert doubt((drawn % 10 == 0).astype(np.int64), {1: ahead, 0: 1 - ahead}) > FALSE_ALARM
    assert doubt((drawn % 10 == 0).astype(np.int64), {1: 0.1, 0: 0.9}) < FALSE_ALARM
    assert doubt(drawn // 1000, dict.fromkeys(range(10), 0.1)) > FALSE_ALARM
