"""The claim of noisy_max.md, and what the choices by score have in common."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, Final

import flint
import numpy as np
import pytest
from flint import arb

from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.noise import noisy_max
from discreet.noise.exponential import ExponentialMax
from discreet.noise.gumbel import GumbelMax
from discreet.noise.noisy_max import NoisyMax, ScoreClock, clock_of, doubles_around, worth
from discreet.noise.race import Doubles, Where, lower_ends, upper_ends
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.counted import Counted
from tests.noise.racing import BOUNDARY, exponential, gumbel, lies

LOWEST, HIGHEST = -(2**63), 2**63 - 1
UNITS: Final = [
    Fraction(2) ** 900 + 1,
    *(Fraction(2) ** k for k in (-1100, -1074, -1022, -1000, -64, -1, 0, 40, 899, 900)),
    *(Fraction(2) ** 901, Fraction(2) ** 1100, Fraction(1, 3), Fraction(22, 7)),
    *(Fraction(3, 2**1074), Fraction(1, 10**30), Fraction(10**30, 7), Fraction(1, 2**62)),
    *(Fraction(2, 3 * 2**64), Fraction(5)),
]
"""Twenty-one units from 2^-1100 to 2^1100."""
SCORES: Final[list[list[int]]] = [
    [0, 0],
    [0, 1, 7],
    [2**62, 0],
    [LOWEST, HIGHEST],
    [HIGHEST, 0, LOWEST, -1, HIGHEST - 1],
]
KINDS: Final = {"gumbel": gumbel, "exponential": exponential}
CHOOSERS: Final[list[type[GumbelMax | ExponentialMax]]] = [GumbelMax, ExponentialMax]


# --- differences and units -----------------------------------------------------------------------


@pytest.mark.parametrize("scores", SCORES)
def test_differences_are_exact_up_to_the_double(scores: list[int]) -> None:
    clock = clock_of(GumbelMax(1), np.array([scores], np.int64))
    found = clock._behind((slice(0, 1), slice(0, None)))[0].tolist()
    true = [max(scores) - score for score in scores]
    assert found == [float(difference) for difference in true]
    apart = [
        abs(Fraction(a) - b) <= b * Fraction(1, 2**53) for a, b in zip(found, true, strict=True)
    ]
    assert all(apart)
    one_by_one = [clock._behind((np.array([0]), np.array([i])))[0] for i in range(len(scores))]
    assert one_by_one == found
    assert worth(Fraction(1, 3), scores) == [Fraction(difference, 3) for difference in true]


def test_differences_of_mixed_blocks_are_exact() -> None:
    """One difference that wraps around, and all are read without a sign; rows do not mix."""
    rows = [[0, 1, 2], [LOWEST, HIGHEST, 5], [HIGHEST, 3, -1], [-7, -7, LOWEST]]
    clock = clock_of(ExponentialMax(1), np.array(rows, np.int64))
    found = clock._behind((slice(0, 4), slice(0, 3))).tolist()
    assert found == [[float(max(row) - score) for score in row] for row in rows]


def test_differences_that_wrap_around_are_found_if_read_with_a_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def signed(clock: ScoreClock, where: Where) -> Doubles:
        top = np.broadcast_to(clock.top, clock.scores.shape)[where]
        found: Doubles = (top - clock.scores[where]).astype(np.float64)
        return found

    race = gumbel(Fraction(1, 2**64), [LOWEST, HIGHEST])
    assert lies(race, BOUNDARY) == 0
    monkeypatch.setattr(ScoreClock, "_behind", signed)
    assert lies(race, BOUNDARY) > 0


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: f"{float(min(unit, 2**1000)):.3g}")
def test_two_doubles_lie_around_a_unit(unit: Fraction) -> None:
    least, most = doubles_around(unit)
    part, rounding = Fraction(1, 2**40), (1 + Fraction(1, 2**53)) ** 2
    minute = Fraction(1, 2**1074)
    if unit > 2**900:
        assert most == inf
        assert Fraction(least) <= unit * (1 - part)
        return
    assert 0 <= Fraction(least) <= unit * (1 - part) * rounding + minute
    assert Fraction(most) >= unit * (1 + part) / rounding
    assert Fraction(least) >= unit * (1 - 2 * part) - minute
    assert Fraction(most) <= max(unit * (1 + 2 * part), Fraction(1, 2**1000))
    assert 2.0**64 * most < inf


# --- bounds of times -----------------------------------------------------------------------------


def some_words(count: int, seed: int) -> list[int]:
    """Uniform ones, small ones and large ones."""
    rng = np.random.default_rng(seed)
    fresh = rng.integers(0, 2**64, count, dtype=np.uint64)
    small = fresh >> rng.integers(0, 64, count).astype(np.uint64)
    pick = rng.integers(0, 3, count)
    words: list[int] = np.choose(pick, [fresh, small, ~small]).tolist()
    return words


def lies_of(kind: str, words: Callable[[int], list[int]]) -> int:
    return sum(
        lies(KINDS[kind](unit, scores), words(i), loose=2.0**-32 if unit <= 2**900 else 0)
        for i, (unit, scores) in enumerate((u, s) for u in UNITS for s in SCORES)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_no_bound_of_doubles_is_wrong(kind: str) -> None:
    """100 settings with 190 words at boundaries and 60 others; and bounds are not far away."""
    assert lies_of(kind, lambda seed: BOUNDARY + some_words(60, seed)) == 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_no_bound_of_doubles_is_wrong_on_a_million_words(kind: str) -> None:
    assert lies_of(kind, lambda seed: some_words(10_000, seed + 1)) == 0


class TestMutants:
    """Each wrong bound is found with the same words."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_slack_with_the_wrong_sign(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(noisy_max, "SLACK", -noisy_max.SLACK)
        assert lies(KINDS[kind](Fraction(1), [0, 1]), BOUNDARY) > 0

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_slack(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(noisy_max, "SLACK", 0.0)
        assert lies(KINDS[kind](Fraction(1), [0, 0]), BOUNDARY + some_words(1_000, 1)) > 0

    def test_a_unit_without_room_for_rounding(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(noisy_max, "doubles_around", lambda unit: (float(unit), float(unit)))
        assert lies(gumbel(Fraction(10**30, 7), [0, 1]), BOUNDARY) > 0

    @pytest.mark.parametrize("chooser", CHOOSERS)
    def test_a_logarithm_that_is_a_billionth_off(
        self, chooser: type[NoisyMax], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        right = chooser.time
        monkeypatch.setattr(chooser, "time", lambda own, u: right(own, u) * (1 + 2.0**-30))
        race = KINDS["gumbel" if chooser is GumbelMax else "exponential"](Fraction(1), [0, 1])
        assert lies(race, BOUNDARY) > 0


# --- what is assumed of the platform -------------------------------------------------------------


def worst(
    function: Callable[[Doubles], Doubles], exact: Callable[[arb], arb], places: Doubles
) -> float:
    """The largest relative error of a function of doubles, by balls of 200 bits."""
    with flint.ctx.workprec(200):
        found = [
            abs(arb(y) / exact(arb(x)) - 1).upper()
            for x, y in zip(places.tolist(), function(places).tolist(), strict=True)
            if exact(arb(x)) != 0
        ]
        return float(max(found))


def places() -> Doubles:
    """Ends of words, ordinary doubles up to 45, and neighbours of one and of powers of two."""
    rng = np.random.default_rng(8)
    fresh = np.array(BOUNDARY + some_words(3_000, 9), np.uint64)
    beside = np.array([2.0**k * (1 + d * 2.0**-52) for k in range(-70, 6) for d in (-2, -1, 0, 1)])
    near_one = 1 + rng.integers(-(2**20), 2**20, 400) * 2.0**-52
    parts = lower_ends(fresh, 64), upper_ends(fresh, 64), beside, near_one, 45 * rng.random(2_000)
    return np.unique(np.concatenate(parts))


def log1p(x: arb) -> arb:
    return (1 + x).log()


def test_logarithms_of_doubles_err_by_less_than_is_assumed() -> None:
    above = places()[places() > 0]
    inside = -above[above < 1]
    assert worst(np.log, arb.log, above) < 2.0**-40
    assert worst(np.log1p, log1p, inside) < 2.0**-40
    # Arrays of few members may go another way through the processor.
    short = [worst(np.log, arb.log, above[i : i + 1 + i % 9]) for i in range(0, len(above) - 9, 40)]
    assert max(short) < 2.0**-40
    short = [worst(np.log1p, log1p, inside[i : i + 1 + i % 9]) for i in range(0, 2_000, 40)]
    assert max(short) < 2.0**-40


@pytest.mark.long
def test_logarithms_of_a_million_doubles() -> None:
    words = np.array(some_words(1_000_000, 10), np.uint64)
    low = lower_ends(words, 64)
    low = low[low > 0]
    assert worst(np.log, arb.log, low) < 2.0**-40
    assert worst(np.log1p, log1p, -low) < 2.0**-40
    assert worst(np.log, arb.log, -np.log1p(-low)) < 2.0**-40


def test_an_error_of_a_billionth_is_found() -> None:
    above = places()[places() > 0]
    assert worst(lambda x: np.log(x) * (1 + 2.0**-30), arb.log, above) > 2.0**-40
    assert worst(lambda x: np.log1p(x) * (1 - 2.0**-30), log1p, -above[above < 1]) > 2.0**-40
    assert worst(lambda x: np.log(1 + x), log1p, -above[above < 1]) > 2.0**-40


def test_logarithms_at_the_ends() -> None:
    with np.errstate(divide="ignore"):
        for count in (1, 3, 8, 100):
            ends = np.log(np.zeros(count)), np.log1p(np.full(count, -1.0)), np.log(np.ones(count))
            assert [(end == true).all() for end, true in zip(ends, (-inf, -inf, 0), strict=True)]


# --- choices -------------------------------------------------------------------------------------


@pytest.mark.parametrize("chooser", CHOOSERS)
def test_one_row_and_many_are_the_same_function_of_the_bytes(
    chooser: type[GumbelMax | ExponentialMax],
) -> None:
    rng = np.random.default_rng(11)
    noise = chooser("1/7")
    for columns in (1, 2, 30):
        rows = rng.integers(-20, 20, (200, columns))
        data = rng.bytes(8 * rows.size)
        source = Counted(Replay(data))
        together = noise.choose_rows(rows, entropy=source)
        assert source.read == 8 * rows.size
        pieces = [data[i : i + 8 * columns] for i in range(0, len(data), 8 * columns)]
        one_by_one = [
            noise.choose(row, entropy=Replay(piece))
            for row, piece in zip(rows, pieces, strict=True)
        ]
        assert together.tolist() == one_by_one
        assert all(type(chosen) is int for chosen in one_by_one)


@pytest.mark.parametrize("chooser", CHOOSERS)
def test_only_differences_matter(chooser: type[GumbelMax | ExponentialMax]) -> None:
    data = np.random.default_rng(12).bytes(24 * 300)
    found = [
        chooser("1/3").choose_rows(np.tile(scores, (300, 1)), entropy=Replay(data)).tolist()
        for scores in (
            [0, 1, 3],
            [LOWEST, LOWEST + 1, LOWEST + 3],
            [HIGHEST - 3, HIGHEST - 2, HIGHEST],
        )
    ]
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) == 3
    halves = chooser("1/6").choose_rows(np.tile([0, 2, 6], (300, 1)), entropy=Replay(data))
    assert halves.tolist() == found[0]


@pytest.mark.parametrize("chooser", CHOOSERS)
def test_the_whole_range_of_scores(chooser: type[GumbelMax | ExponentialMax]) -> None:
    """With a unit of 2^-64 the two ends differ by nearly one, with 2^-1100 by nothing to be seen,
    and with larger units the top is always chosen."""
    rows = np.tile([LOWEST, HIGHEST], (200_000, 1))
    for unit, behind in ((Fraction(1, 2**64), 1.0), (Fraction(1, 2**1100), 0.0)):
        chance = float(chooser(unit).law([LOWEST, HIGHEST])[0].mid())
        true = {GumbelMax: 1 / (1 + np.exp(behind)), ExponentialMax: np.exp(-behind) / 2}[chooser]
        assert abs(chance - true) < 1e-12
        drawn = chooser(unit).choose_rows(rows)
        assert doubt(drawn, {0: true, 1: 1 - true}) > FALSE_ALARM
        assert doubt(1 - drawn, {0: true * 0.95, 1: 1 - true * 0.95}) < FALSE_ALARM
    for unit in (Fraction(1), Fraction(2) ** 1100):
        assert (chooser(unit).choose_rows(rows) == 1).all()


def test_many_candidates_take_bounded_memory() -> None:
    scores = np.random.default_rng(13).integers(-1000, 1000, 1_000_000)
    wide, tall = scores.reshape(1, -1), scores.reshape(-1, 1)
    for noise in (GumbelMax("1/100"), ExponentialMax("1/100")):
        for rows in (wide, tall, np.zeros_like(wide), scores.reshape(1000, 1000)):
            tracemalloc.start()
            noise.choose_rows(rows)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 8 * 2**20 + 32 * len(rows)


REFUSED: Final[list[tuple[object, str]]] = [
    ([0.5, 1.0], "M01"),
    (["1", "2"], "M01"),
    ([True, False], "M01"),
    ([None, 1], "M01"),
    ([2**63, 0], "M01"),
    ([2**70, 0], "M01"),
    (np.array([1, 2], np.uint64), "M01"),
    ([[1], [1, 2]], "M02"),
    ([], "M02"),
    (5, "M02"),
    ([[1, 2]], "M02"),
    (np.zeros((2, 0), np.int64), "M02"),
]


@pytest.mark.parametrize(("scores", "code"), REFUSED, ids=repr)
@pytest.mark.parametrize("chooser", CHOOSERS)
def test_scores_that_are_refused(chooser: Callable[[int], Any], scores: object, code: str) -> None:
    for what in (chooser(1).choose, chooser(1).law):
        with pytest.raises(MechanismError) as refused:
            what(scores)
        assert refused.value.code == code
        assert "GumbelMax('1/2').choose([31, 5, 27])" in refused.value.cure


@pytest.mark.parametrize("scores", [[1, 2], [[[1]]], np.zeros((3, 0), np.int64), [[]], 5])
def test_rows_that_are_refused(scores: Any) -> None:  # noqa: ANN401
    with pytest.raises(MechanismError, match="scores must have two dimensions") as refused:
        GumbelMax(1).choose_rows(scores)
    assert refused.value.code == "M02"


def test_scores_of_any_whole_type_are_taken() -> None:
    for kind in (np.int8, np.int16, np.uint8, np.uint32, np.dtype(">i8")):
        assert GumbelMax(100).choose(np.array([1, 90, 3], kind)) == 1
    assert ExponentialMax(100).choose((1, 90, 3)) == 1
    assert GumbelMax(1).choose_rows(np.zeros((0, 3), np.int64)).tolist() == []


@pytest.mark.parametrize("chooser", CHOOSERS)
@pytest.mark.parametrize("unit", [0, -1, "-1/3"])
def test_a_unit_is_positive(chooser: Callable[[object], NoisyMax], unit: object) -> None:
    with pytest.raises(NumberError, match="unit must be greater than zero") as refused:
        chooser(unit)
    assert refused.value.code == "N02"
