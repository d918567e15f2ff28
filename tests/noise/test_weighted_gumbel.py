"""The claim of weighted_gumbel.md."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from flint import arb, fmpq

from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.noise import weighted_gumbel as module
from discreet.noise.gumbel import GumbelMax
from discreet.noise.noisy_max import SLACK, clock_of
from discreet.noise.race import Doubles, Where
from discreet.noise.weighted_gumbel import WeightedClock, WeightedGumbelMax, whole_weights
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal, near, weight
from tests.noise.racing import BOUNDARY, Race, apart, in_bytes, in_cells, law_of_words, lies

LARGEST: Final = 2**63 - 1
LOWEST: Final = -(2**63)
CLOSE: Final = 1e-12
CASES: Final[list[tuple[str, list[int], list[int]]]] = [
    ("1/2", [0, 1], [3, 1]),
    ("1", [0, 0], [1, 7]),
    ("22/7", [5, 4], [1, 20]),
    ("1", [3, 0, 1], [1, 30, 2]),
    ("3/10", [0, 1, 5, 2], [4, 1, 1, 2]),
    (f"1/{2**63}", [LARGEST, LOWEST], [1, 5]),
    ("1", [0, 40], [2**57, 1]),
]
EXTREME: Final[list[tuple[Fraction, list[int], list[int]]]] = [
    (Fraction(2) ** 1100, [0, 1], [LARGEST, 1]),
    (Fraction(1, 2**1100), [LOWEST, LARGEST], [1, LARGEST]),
    (Fraction(1, 2**64), [LOWEST, LARGEST, 0], [LARGEST, LARGEST - 1, 3]),
    (Fraction(10**30, 7), [0, 0, 0], [1, 2, 2**53 + 1]),
    (Fraction(1, 3), [5, -7, 2**62], [10**18 + 1, 1, 6700417]),
]


def race(unit: str | Fraction, scores: Sequence[int], weights: Sequence[int]) -> Race:
    """−(unit·score + ln weight + Gumbel noise), and unit·top more: by definition."""
    step = exact(unit)

    def time(column: int, u: arb) -> arb:
        behind = step * (max(scores) - scores[column])
        ahead = arb(weights[column]).log()
        return (-(1 - u).log()).log() + arb(fmpq(behind.numerator, behind.denominator)) - ahead

    def clock(rows: int) -> WeightedClock:
        block = np.array([scores], np.int64).repeat(rows, 0)
        return WeightedClock(clock_of(GumbelMax(step), block), np.array(weights, np.int64))

    return Race(clock, time, len(scores))


def closed(unit: str, scores: Sequence[int], weights: Sequence[int]) -> dict[int, Decimal]:
    """weight·exp(unit·score) over their sum, in decimals of 60 digits."""
    with localcontext(prec=60):
        parts = [w * weight(-exact(unit) * s) for s, w in zip(scores, weights, strict=True)]
        return {i: part / sum(parts) for i, part in enumerate(parts)}


def in_doubles(unit: str, scores: Sequence[int], weights: Sequence[int]) -> dict[int, float]:
    return {i: float(p) for i, p in closed(unit, scores, weights).items()}


@pytest.mark.parametrize(("unit", "scores", "weights"), CASES)
def test_the_law_is_weighted_softmax(unit: str, scores: list[int], weights: list[int]) -> None:
    with localcontext(prec=60):
        for i, p in closed(unit, scores, weights).items():
            found = at(250, lambda: WeightedGumbelMax(unit).law(scores, weights)[i])  # noqa: B023
            assert near(found, p)
        assert not near(at(250, lambda: GumbelMax(unit).law(scores)[0]), decimal(Fraction(1, 3)))


@pytest.mark.parametrize(("unit", "scores", "weights"), CASES)
def test_the_law_of_words_is_weighted_softmax(
    unit: str, scores: list[int], weights: list[int]
) -> None:
    """To a total variation of 1e-12, from choices alone, with words of 64 bits."""
    found = law_of_words(race(unit, scores, weights))
    assert apart(found, in_doubles(unit, scores, weights)) < CLOSE


def test_the_law_of_bytes_is_weighted_softmax() -> None:
    """The same with words of eight bits, and eight more at a time: all goes the exact way."""
    unit, scores, weights = CASES[0]
    found = law_of_words(race(unit, scores, weights), decide=in_bytes)
    assert apart(found, in_doubles(unit, scores, weights)) < CLOSE


@pytest.mark.parametrize(("unit", "scores", "weights"), CASES[:3])
def test_all_cells_bracket_it(unit: str, scores: list[int], weights: list[int]) -> None:
    cells, true = in_cells(race(unit, scores, weights), 16), in_doubles(unit, scores, weights)[0]
    assert cells.open < 2.0**-14
    assert cells.first < true < cells.first + cells.open
    assert not cells.first < true * 1.001 < cells.first + cells.open


def words(count: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    fresh = rng.integers(0, 2**64, count, dtype=np.uint64)
    small = fresh >> rng.integers(0, 64, count).astype(np.uint64)
    return [*fresh.tolist(), *small.tolist(), *(~small).tolist()]


@pytest.mark.parametrize(("unit", "scores", "weights"), EXTREME, ids=repr)
def test_no_bound_of_doubles_is_wrong(
    unit: Fraction, scores: list[int], weights: list[int]
) -> None:
    loose = 2.0**-31 if unit < 2**900 else 0
    assert lies(race(unit, scores, weights), [*BOUNDARY, *words(100, 1)], loose=loose) == 0


@pytest.mark.long
@pytest.mark.parametrize(("unit", "scores", "weights"), EXTREME, ids=repr)
def test_no_bound_of_doubles_is_wrong_on_many_words(
    unit: Fraction, scores: list[int], weights: list[int]
) -> None:
    assert lies(race(unit, scores, weights), words(30_000, 2)) == 0


class TestMutants:
    RACE: Final = race("1", [0, 1, 0], [LARGEST, 3, 10**17 + 3])

    def test_slack_with_the_wrong_sign(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "SLACK", -3 * SLACK)
        assert lies(self.RACE, BOUNDARY) > 0

    def test_a_logarithm_that_is_a_billionth_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        right = WeightedClock._gain

        def off(clock: WeightedClock, where: Where) -> Doubles:
            return right(clock, where) * (1 + 2.0**-30)

        monkeypatch.setattr(WeightedClock, "_gain", off)
        assert lies(self.RACE, BOUNDARY) > 0

    def test_weights_left_out(self) -> None:
        unit, scores, weights = CASES[3]
        found = law_of_words(race(unit, scores, [1, 1, 1]))
        assert apart(found, in_doubles(unit, scores, weights)) > 0.01

    def test_weights_in_place_of_their_logarithm(self) -> None:
        unit, scores, weights = CASES[3]
        found = law_of_words(
            race(unit, [a + b for a, b in zip(scores, weights, strict=True)], [1] * 3)
        )
        assert apart(found, in_doubles(unit, scores, weights)) > 0.01

    def test_a_weight_that_is_a_billionth_off(self) -> None:
        found = law_of_words(race("1", [0, 0], [10**9, 10**9 + 1]))
        assert apart(found, {0: 0.5, 1: 0.5}) > CLOSE


def test_counts_fit_and_would_not_fit_another_law() -> None:
    unit, scores, weights = CASES[4]
    noise = WeightedGumbelMax(unit)
    drawn = np.array([noise.choose(scores, weights) for _ in range(8_000)])
    assert doubt(drawn, in_doubles(unit, scores, weights)) > FALSE_ALARM
    assert doubt(drawn, in_doubles(unit, scores, [1, 1, 1, 1])) < FALSE_ALARM


@pytest.mark.parametrize(
    ("given", "least"),
    [
        (["1/3", "1/4", 0.5], [4, 3, 6]),
        ((2, 4, 6), [1, 2, 3]),
        (np.array([20, 50], np.int16), [2, 5]),
        ([Fraction(2, 7), "1e-3"], [2000, 7]),
        ([f"{LARGEST}/5", "1/5"], [LARGEST, 1]),
        ([2**70, 2**71], [1, 2]),
        ([10**4000], [1]),
    ],
)
def test_only_ratios_of_weights_count(given: Any, least: list[int]) -> None:  # noqa: ANN401
    found = whole_weights(given)
    assert found.tolist() == least
    assert found.dtype == np.int64
    data = np.random.default_rng(3).bytes(64)
    row = list(range(len(least)))
    noise = WeightedGumbelMax("1/3")
    chosen = [noise.choose(row, each, entropy=Replay(data)) for each in (given, least)]
    assert chosen[0] == chosen[1]


def test_equal_weights_are_none() -> None:
    """The same function of the same bytes as without weights."""
    data = np.random.default_rng(4).bytes(40 * 200)
    scores = [0, 1, 5, 2, -3]
    pieces = [data[i : i + 40] for i in range(0, len(data), 40)]
    plain = [GumbelMax("1/3").choose(scores, entropy=Replay(piece)) for piece in pieces]
    weighed = WeightedGumbelMax("1/3")
    assert plain == [weighed.choose(scores, [7] * 5, entropy=Replay(piece)) for piece in pieces]
    assert len(set(plain)) > 2


@pytest.mark.parametrize(
    ("scores", "weights", "code"),
    [
        ([1, 2], [1, 0], "M50"),
        ([1, 2], [1, -1], "M50"),
        ([1, 2], [], "M50"),
        ([1, 2], 5, "M50"),
        ([1, 2], np.array([3, 0]), "M50"),
        ([1, 2], [2**63, 1], "M50"),
        ([1, 2], ["1e-20", 1], "M50"),
        ([1, 2], [1], "M51"),
        ([1, 2], [1, 2, 3], "M51"),
        ([], [1], "M02"),
        ([0.5, 1], [1, 2], "M01"),
        ([1, 2], np.array([[1, 2]]), "M02"),
        ([1, 2], np.array([0.5, 1]), "M01"),
    ],
    ids=repr,
)
def test_what_is_refused(scores: Any, weights: Any, code: str) -> None:  # noqa: ANN401
    """Before a byte is read: the replay is empty."""
    noise = WeightedGumbelMax(1)
    for ask in (
        lambda: noise.choose(scores, weights, entropy=Replay(b"")),
        lambda: noise.law(scores, weights),
    ):
        with pytest.raises(MechanismError) as refused:
            ask()
        assert refused.value.code == code
        assert "`" in refused.value.cure


def test_numbers_that_are_refused() -> None:
    with pytest.raises(NumberError):
        WeightedGumbelMax(0)
    with pytest.raises(NumberError, match="weight must be an exact, finite number"):
        WeightedGumbelMax(1).choose([1, 2], [1, float("nan")])
