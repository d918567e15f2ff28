"""The claim of exponential.md."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest
from flint import arb

from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.noise import exponential as module
from discreet.noise.exponential import ExponentialMax, ExponentialRace, RateClock
from discreet.noise.race import Doubles, Integers, Where, lower_ends, upper_ends
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight
from tests.noise.racing import (
    BOUNDARY,
    Race,
    Words,
    apart,
    decided,
    exponential,
    gumbel,
    in_bytes,
    in_cells,
    law_of_words,
    lies,
    rates,
)

CLOSE: Final = 1e-12
LARGEST: Final = 2**63 - 1
WEIGHTS: Final[list[list[int]]] = [[1, 2], [1, 1], [1, 3, 7], [5, 0, 1], [7, 2, 9, 4]]
EXTREME: Final[list[list[int]]] = [
    *([1, 2], [3, 0, 1], [LARGEST, 1], [LARGEST, LARGEST - 1, 0], [2**62, 2**53 + 1]),
    *([10**18 + 1, 7, 1], [2**53 - 1, 2**53, 2**53 + 1], [1], [1, 10**9], [6700417, 65537]),
]
CASES: Final[list[tuple[str, list[int]]]] = [
    ("1/2", [0, 1]),
    ("1", [0, 0]),
    ("22/7", [5, 4]),
    ("1", [3, 0, 1]),
    ("3/10", [0, 1, 5, 2]),
    ("1", [0, 20]),
    (f"1/{2**63}", [2**63 - 1, -(2**63)]),
]


def shares(weights: Sequence[int]) -> dict[int, float]:
    return {i: weight / sum(weights) for i, weight in enumerate(weights)}


# --- the race: the law of the words --------------------------------------------------------------


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_law_of_words_in_a_race_is_that_of_the_shares(weights: list[int]) -> None:
    """To a total variation of 1e-12, from choices alone, with words of 64 bits."""
    assert apart(law_of_words(rates(weights)), shares(weights)) < CLOSE


def test_the_law_of_bytes_in_a_race_is_that_of_the_shares() -> None:
    """The same with words of eight bits, and eight more at a time: all goes the exact way."""
    assert apart(law_of_words(rates([1, 2]), decide=in_bytes), shares([1, 2])) < CLOSE


def test_all_cells_bracket_the_shares() -> None:
    for weights in ([1, 2], [1, 1], [5, 2]):
        cells = in_cells(rates(weights), 16)
        assert cells.open < 2.0**-14
        assert cells.first < shares(weights)[0] < cells.first + cells.open
        assert not cells.first < shares(weights)[0] * 1.001 < cells.first + cells.open


@pytest.mark.parametrize("weights", EXTREME, ids=str)
def test_no_bound_of_doubles_is_wrong_in_a_race(weights: list[int]) -> None:
    rng = np.random.default_rng(1)
    fresh = rng.integers(0, 2**64, 100, dtype=np.uint64)
    small = fresh >> rng.integers(0, 64, 100).astype(np.uint64)
    words = [*BOUNDARY, *fresh.tolist(), *small.tolist(), *(~small).tolist()]
    assert lies(rates(weights), words, loose=2.0**-33) == 0


@pytest.mark.parametrize("weights", EXTREME, ids=str)
def test_exact_times_are_those_of_the_whole_weight(weights: list[int]) -> None:
    """Balls of 200 bits against balls of 600: a weight rounded to a double would be seen."""
    race = rates(weights)
    clock = race.clock(1)
    for column in np.flatnonzero(weights).tolist():
        for u in (arb((1, -64)), arb((2**63 + 1, -64)), arb((2**64 - 1, -64))):
            found = at(200, lambda: clock.ring(0, column, u))  # noqa: B023
            true = at(600, lambda: race.time(column, u))  # noqa: B023
            assert found.contains(true)
            assert found.rad() < found.mid() * 2.0**-180


def test_times_of_a_race_lie_where_doubles_are_precise() -> None:
    """Between 2^-127 and 2^6, or zero, or infinite; and the roundings in the proof add up."""
    clock, words = RateClock(np.array([[1, LARGEST]])), np.array(BOUNDARY, np.uint64)
    for column in range(2):
        where = np.zeros(len(words), np.int64), np.full(len(words), column)
        early, late = (
            clock.early(where, lower_ends(words, 64)),
            clock.late(where, upper_ends(words, 64)),
        )
        for times in (early, late):
            plain = times[(times > 0) & (times < np.inf)]
            assert 2.0**-127 <= plain.min() <= plain.max() <= 2.0**6
        assert (early < np.inf).all()
    log, part, rounding = Fraction(1, 2**40), Fraction(1, 2**38), Fraction(1, 2**53)
    assert (1 + log) * (1 + rounding) ** 4 * (1 - part) < 1
    assert (1 - log) * (1 - rounding) ** 4 * (1 + part) > 1


@pytest.mark.long
def test_no_bound_of_doubles_is_wrong_in_a_race_on_a_million_words() -> None:
    rng = np.random.default_rng(2)
    for weights in EXTREME:
        fresh = rng.integers(0, 2**64, 100_000, dtype=np.uint64)
        fresh >>= rng.integers(0, 2, 100_000).astype(np.uint64) * np.uint64(40)
        assert lies(rates(weights), fresh.tolist()) == 0


class TestMutantsOfTheRace:
    WEIGHTS: Final = [1, 3, 7]

    def test_a_part_with_the_wrong_sign(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "_PART", -module._PART)
        assert lies(rates([1, 2]), BOUNDARY) > 0

    def test_no_part(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "_PART", 0.0)
        assert lies(rates([3, 6700417]), list(range(1, 2**63, 2**53 + 12345))) > 0

    def test_a_logarithm_that_is_a_billionth_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        right = RateClock.early

        def off(clock: RateClock, where: Where, low: Doubles) -> Doubles:
            return right(clock, where, low) * (1 + 2.0**-30)

        monkeypatch.setattr(RateClock, "early", off)
        assert lies(rates([1, 2]), BOUNDARY) > 0

    def test_a_weight_that_is_a_billionth_off(self) -> None:
        found = law_of_words(rates([10**9, 10**9 + 1]))
        assert apart(found, {0: 0.5, 1: 0.5}) > CLOSE

    def test_one_word_for_two_candidates(self) -> None:
        def reused(race: Race, fresh: Words) -> Integers:
            return decided(race, fresh[:, [0, 0, 2]])

        found = law_of_words(rates(self.WEIGHTS), decide=reused, depth=20)
        assert apart(found, shares(self.WEIGHTS)) > 0.01

    def test_weights_taken_for_scores(self) -> None:
        found = law_of_words(gumbel(Fraction(1, 3), self.WEIGHTS), depth=20)
        assert apart(found, shares(self.WEIGHTS)) > 0.01


# --- the race: weights of zero, rationals, counts ------------------------------------------------


def test_weights_of_zero_are_never_chosen() -> None:
    ends = [0, 1, 2**63, 2**64 - 2, 2**64 - 1]
    words = np.array([[a, b, c] for a in ends for b in ends for c in ends], np.uint64)
    for weights, winner in (([0, 1, 0], 1), ([0, 0, LARGEST], 2), ([4, 0, 0], 0)):
        rows = np.tile(weights, (len(words), 1))
        found = ExponentialRace().choose_rows(rows, entropy=Replay(words.tobytes()))
        assert (found == winner).all()
    rows = np.tile([0, 3, 0, 1, 0], (100_000, 1))
    assert set(ExponentialRace().choose_rows(rows).tolist()) == {1, 3}


@pytest.mark.parametrize(
    ("weights", "whole"),
    [
        (["1/3", "1/4", 0.5], [4, 3, 6]),
        ([Fraction(2, 7), 0, "0"], [2, 0, 0]),
        ((1, 3, 7), [1, 3, 7]),
        (np.array([1, 3, 7], np.int16), [1, 3, 7]),
        ([f"{LARGEST}/5", 0, "1/5"], [LARGEST, 0, 1]),
    ],
)
def test_rationals_have_the_law_of_their_common_multiples(weights: Any, whole: list[int]) -> None:  # noqa: ANN401
    data = np.random.default_rng(3).bytes(24 * 200)
    pieces = [data[i : i + 24] for i in range(0, len(data), 24)]
    law = {i: Fraction(weight, sum(whole)) for i, weight in enumerate(whole)}
    assert ExponentialRace().law(weights) == law
    found = [ExponentialRace().choose(weights, entropy=Replay(piece)) for piece in pieces]
    rows = np.tile(whole, (200, 1))
    assert found == ExponentialRace().choose_rows(rows, entropy=Replay(data)).tolist()


def test_counts_of_a_race_fit_and_would_not_fit_another_law() -> None:
    weights = [7, 0, 2, 9, 4]
    drawn = ExponentialRace().choose_rows(np.tile(weights, (400_000, 1)))
    assert doubt(drawn, shares(weights)) > FALSE_ALARM
    assert doubt(drawn, shares([7, 0, 2, 9, 5])) < FALSE_ALARM
    assert doubt(drawn, shares([70, 1, 20, 90, 40])) < FALSE_ALARM
    one_by_one = np.array([ExponentialRace().choose(weights) for _ in range(5_000)])
    assert doubt(one_by_one, shares(weights)) > FALSE_ALARM


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ([1, -1], "M03"),
        ([0, 0], "M03"),
        (["-1/2", 1], "M03"),
        (["1e-20", 1], "M05"),
        ([2**63, 1], "M05"),
        ([-(2**63), 1], "M05"),
        ([], "M02"),
        (5, "M02"),
        (np.array([[1, 2]]), "M02"),
        (np.array([0.5, 1]), "M01"),
        (np.array([1, 2], np.uint64), "M01"),
    ],
    ids=repr,
)
def test_weights_that_are_refused(weights: Any, code: str) -> None:  # noqa: ANN401
    for what in (ExponentialRace().choose, ExponentialRace().law):
        with pytest.raises(MechanismError) as refused:
            what(weights)
        assert refused.value.code == code
        assert "`" in refused.value.cure


def test_rows_of_weights_that_are_refused() -> None:
    for rows, code in (([[1, 0], [0, 0]], "M03"), ([[1, -2]], "M03"), ([1, 2], "M02")):
        with pytest.raises(MechanismError) as refused:
            ExponentialRace().choose_rows(np.array(rows))
        assert refused.value.code == code
    with pytest.raises(NumberError, match="weight must be an exact, finite number"):
        ExponentialRace().choose(["one", 2])


# --- the maximum: the law ------------------------------------------------------------------------


def permute_and_flip(unit: str, scores: Sequence[int]) -> dict[int, Decimal]:
    """Every order of the candidates; in each, stop at j with probability a_j."""
    with localcontext(prec=60):
        coins = [weight(exact(unit) * (max(scores) - score)) for score in scores]
        law, orders = dict.fromkeys(range(len(scores)), Decimal(0)), 0
        for order in permutations(range(len(scores))):
            orders, still = orders + 1, Decimal(1)
            for j in order:
                law[j] += still * coins[j]
                still *= 1 - coins[j]
        return {j: chance / orders for j, chance in law.items()}


def cuts(unit: str, scores: Sequence[int]) -> list[float]:
    """Where one candidate's uniform is so large that another can no longer lose."""
    behind = [float(exact(unit)) * (a - b) for a in scores for b in scores if a > b]
    return [float(np.exp(-each)) for each in behind]


def in_doubles(unit: str, scores: Sequence[int]) -> dict[int, float]:
    return {i: float(p) for i, p in permute_and_flip(unit, scores).items()}


@pytest.mark.parametrize(("unit", "scores"), [*CASES, ("1/5", [3, 3, 0, -4, 9, 1]), ("2", [8])])
def test_the_law_of_the_maximum_is_permute_and_flip(unit: str, scores: list[int]) -> None:
    with localcontext(prec=60):
        for i, p in permute_and_flip(unit, scores).items():
            assert near(at(220, lambda: ExponentialMax(unit).law(scores)[i]), p)  # noqa: B023


def test_softmax_is_another_law() -> None:
    with localcontext(prec=60):
        softmax = 1 / (1 + weight(Fraction(1)))
        assert not near(at(220, lambda: ExponentialMax(1).law([1, 0])[0]), softmax)


def test_the_law_of_many_candidates_sums_to_one() -> None:
    scores = list(range(60))
    whole = at(300, lambda: sum(ExponentialMax("1/9").law(scores).values(), start=arb(0)))
    assert whole.contains(1)
    assert whole.rad() < 1e-60


@pytest.mark.parametrize(("unit", "scores"), CASES)
def test_the_law_of_words_of_the_maximum_is_permute_and_flip(unit: str, scores: list[int]) -> None:
    """To a total variation of 1e-12, from choices alone, with words of 64 bits."""
    found = law_of_words(exponential(exact(unit), scores), cuts=cuts(unit, scores))
    assert apart(found, in_doubles(unit, scores)) < CLOSE


def test_the_law_of_bytes_of_the_maximum() -> None:
    unit, scores = CASES[0]
    race = exponential(exact(unit), scores)
    found = law_of_words(race, cuts=cuts(unit, scores), decide=in_bytes)
    assert apart(found, in_doubles(unit, scores)) < CLOSE


@pytest.mark.parametrize(("unit", "scores"), CASES[:3])
def test_all_cells_bracket_the_maximum(unit: str, scores: list[int]) -> None:
    cells, true = in_cells(exponential(exact(unit), scores), 16), in_doubles(unit, scores)[0]
    assert cells.open < 2.0**-14
    assert cells.first < true < cells.first + cells.open
    assert not cells.first < true * 1.001 < cells.first + cells.open


class TestMutantsOfTheMaximum:
    SCORES: Final = [3, 0, 1]

    def found(self, race: Race, **how: Any) -> float:  # noqa: ANN401
        law = law_of_words(race, cuts=cuts("1", self.SCORES), depth=20, **how)
        return apart(law, in_doubles("1", self.SCORES))

    def test_a_unit_that_is_five_percent_off(self) -> None:
        assert self.found(exponential(Fraction(95, 100), self.SCORES)) > 1e-3

    def test_gumbel_noise_in_place_of_exponential(self) -> None:
        assert self.found(gumbel(Fraction(1), self.SCORES)) > 1e-3

    def test_one_word_for_two_candidates(self) -> None:
        def reused(race: Race, fresh: Words) -> Integers:
            return decided(race, fresh[:, [1, 1, 2]])

        assert self.found(exponential(Fraction(1), self.SCORES), decide=reused) > 0.01

    def test_no_noise(self) -> None:
        def largest(race: Race, fresh: Words) -> Integers:
            del race
            return np.zeros(len(fresh), np.int64)

        assert self.found(exponential(Fraction(1), self.SCORES), decide=largest) > 0.01


@pytest.mark.parametrize("scores", [[0, 1, 5, 2], [4, 4, 4, 1, 0, 0]])
def test_counts_of_the_maximum_fit_and_would_not_fit_another_law(scores: list[int]) -> None:
    drawn = ExponentialMax("3/10").choose_rows(np.tile(scores, (400_000, 1)))
    assert doubt(drawn, in_doubles("3/10", scores)) > FALSE_ALARM
    assert doubt(drawn, in_doubles("315/1000", scores)) < FALSE_ALARM
    one_by_one = np.array([ExponentialMax("3/10").choose(scores) for _ in range(5_000)])
    assert doubt(one_by_one, in_doubles("3/10", scores)) > FALSE_ALARM
