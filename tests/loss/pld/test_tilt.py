"""Tilted grids, their moments, and how far sums of them go: against balls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Final

import numpy as np
import pytest
from flint import arb, ctx

from discreet.loss.pld import tilt as tilting
from discreet.loss.pld.floats import ELEMENTARY, UNIT
from discreet.loss.pld.grid import Grid
from discreet.loss.pld.tilt import Reach, Tilted
from tests.figures import Figure
from tests.loss.pld.balls import BITS, Sum, ball, grid

SEVENTH: Final = Fraction(1, 7)


def grids(count: int, seed: int = 0) -> Iterator[tuple[Grid, float]]:
    """Few and many atoms, near and far, of masses that are even, uneven and denormal, tilted a
    little or much."""
    rng = np.random.default_rng(seed)
    for turn in range(count):
        step = (SEVENTH, Fraction(1, 10**9), Fraction(5, 8), Fraction(10**6, 3))[turn % 4]
        atoms = int(rng.choice([1, 2, 7, 80, 600]))
        around = int(rng.choice([0, 10**4, -(10**9), 10**15]))
        index = around + np.sort(rng.choice(np.arange(-700, 701), atoms, replace=False))
        found = grid(rng, step, index, 0.0, float(rng.choice([1.0, 30.0, 300.0])))
        if turn % 3 == 0:
            found = replace(found, masses=np.maximum(found.masses * 1e-20, 5e-324))
        lean = float(rng.choice([0.0, 1e-4, 1.0, 50.0])) / float(rng.choice([1.0, float(step)]))
        yield found, lean


def true_logs(part: Grid, lean: float, log_sum: float) -> list[arb]:
    """Of each mass times e^(tilt·loss − log_sum), the logarithm."""
    return [
        ball(mass).log() + ball(lean) * ball(index * part.step) - ball(log_sum)
        for index, mass in zip(part.index.tolist(), part.masses.tolist(), strict=True)
    ]


def errors(part: Grid, lean: float) -> tuple[float, float]:
    """The largest error of a weight and of a logarithm, each over what it may be."""
    found = Tilted.of(part, lean)
    with ctx.workprec(BITS):
        logs = true_logs(part, lean, found.log_sum)
        worst = arb(0)
        for weight, true in zip(found.weights.tolist(), logs, strict=True):
            if weight > 1e-300:
                worst = max(worst, abs(ball(weight).log() - true))
            else:
                assert true.exp() < 2e-300
        off = max(abs(ball(x) - y) for x, y in zip(found.logs.tolist(), logs, strict=True))
        return float(worst / ball(found.error)), float(off / ball(found.doubt))


def test_weights_and_logarithms_are_as_good_as_they_say(figure: Figure) -> None:
    worst = [errors(*case) for case in grids(160)]
    of_weights, of_logs = (max(column) for column in zip(*worst, strict=True))
    figure("tilted weights: error over `error`", f"{of_weights:.3f}; logs {of_logs:.3f}")
    assert of_weights <= 1
    assert of_logs <= 1


def test_weights_add_up_to_one_about() -> None:
    for case in grids(160, seed=1):
        assert abs(float(Tilted.of(*case).weights.sum()) - 1) < 1e-9


def test_a_mutant_whose_error_knows_no_losses_is_found() -> None:
    part = Grid.of(SEVENTH, np.array([10**9, 10**9 + 2]), np.array([0.5, 0.5]), 0.0)
    assert errors(part, 1.0)[0] <= 1
    found = Tilted.of(part, 1.0)
    assert errors(part, 1.0)[0] * found.error > 2 * ELEMENTARY + 16 * UNIT


# --- moments -------------------------------------------------------------------------------------


def too_low(part: Grid, lean: float) -> int:
    """How many moments are below those of the weights, or of the masses they stand for."""
    found = Tilted.of(part, lean)
    if found.variance > 0:
        deviation = max(found.variance**0.5, 1e-30 * found.largest)
        powers = [x / deviation for x in (-7, -2, -0.4, -1e-9, 0, 1e-3, 0.4, 1, 7)]
    else:
        powers = [-1.0, 0.0, 1e6]
    missed = 0
    with ctx.workprec(BITS):
        logs = true_logs(part, lean, found.log_sum)
        losses = [ball(index * part.step) - ball(found.mean) for index in part.index.tolist()]
        for power in powers:
            ways = [ball(power) * loss for loss in losses]
            heights = [(log + way).exp() for log, way in zip(logs, ways, strict=True)]
            weights = [
                ball(weight) * way.exp()
                for weight, way in zip(found.weights.tolist(), ways, strict=True)
            ]
            moment = ball(found.log_moment(power))
            missed += not (sum(heights, arb(0)).log() <= moment)
            missed += not (sum(weights, arb(0)).log() <= moment)
    return missed


def test_moments_are_rounded_up() -> None:
    assert [too_low(*case) for case in grids(120, seed=2)] == [0] * 120


def test_a_mutant_whose_moments_are_rounded_to_the_nearest_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tilting, "UNIT", 0.0)
    monkeypatch.setattr(tilting, "ELEMENTARY", 0.0)
    assert sum(too_low(*case) for case in grids(40, seed=2)) > 0


def test_moments_are_hardly_too_high(figure: Figure) -> None:
    part = Grid.of(SEVENTH, np.array([-1, 1]), np.array([0.4, 0.6]), 0.0)
    found = Tilted.of(part, 1.0)
    figure("a moment of power zero, which is none", f"{found.log_moment(0.0):.1e}")
    assert 0 <= found.log_moment(0.0) < 1e-12


# --- how far sums go -----------------------------------------------------------------------------


def sums(count: int, seed: int) -> Iterator[tuple[list[tuple[Grid, int]], float]]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        parts = []
        step = SEVENTH if rng.integers(2) else Fraction(1, 10**9)
        for _ in range(int(rng.integers(1, 4))):
            atoms = int(rng.choice([1, 2, 5, 40]))
            index = int(rng.integers(-50, 50)) + np.sort(rng.choice(41, atoms, replace=False))
            part = grid(rng, step, index, 0.0, float(rng.choice([0.5, 5.0, 200.0])))
            parts.append((part, int(rng.integers(1, 25))))
        yield parts, float(rng.choice([0.0, 1.0, 20.0])) * float(rng.choice([1.0, float(1 / step)]))


def understated(parts: list[tuple[Grid, int]], lean: float) -> int:
    """At how many places a bound is below the chance that the tilted sum is there or beyond."""
    leaning = [(Tilted.of(part, lean), count) for part, count in parts]
    reach = Reach.of(leaning, float(parts[0][0].step))
    true = Sum.of(parts)
    log_scale = sum(count * part.log_sum for part, count in leaning)
    missed = 0
    with ctx.workprec(BITS):
        tilted = true.tilted(lean, log_scale)
        error = sum(count * part.error for part, count in leaning) + 1e-14 * abs(log_scale)
        least = (-2 * ball(error)).exp()  # for log_scale is rounded
        up, down = [arb(0)], [arb(0)]
        for mass in tilted:
            down.append(down[-1] + mass)
        for mass in reversed(tilted):
            up.append(up[-1] + mass)
        count = len(tilted)
        for k in {0, 1, count // 3, count // 2, 2 * count // 3, count - 2, count - 1} & set(
            range(count)
        ):
            missed += bool(ball(reach.beyond(true.first + k, 1)) < up[count - k] * least)
            missed += bool(ball(reach.beyond(true.first + k, -1)) < down[k + 1] * least)
        missed += reach.beyond(true.first + count, 1) != 0.0
        missed += reach.beyond(true.first - 1, -1) != 0.0
    return missed


def test_no_more_is_beyond_than_is_said() -> None:
    assert [understated(*case) for case in sums(60, seed=4)] == [0] * 60


@pytest.mark.parametrize("wrong", [-1e-3, -1.0])
def test_a_mutant_of_the_moments_is_found(wrong: float, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Tilted.log_moment
    monkeypatch.setattr(Tilted, "log_moment", lambda part, power: honest(part, power) + wrong)
    assert sum(understated(*case) for case in sums(60, seed=4)) > 0


def test_a_mutant_whose_sums_end_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Reach.beyond

    def early(reach: Reach, place: int, side: int) -> float:
        return honest(reach, place + side, side)

    monkeypatch.setattr(Reach, "beyond", early)
    assert sum(understated(*case) for case in sums(20, seed=4)) > 0


def test_a_window_holds_the_mean_and_leaves_next_to_nothing_out() -> None:
    for parts, lean in sums(60, seed=5):
        leaning = [(Tilted.of(part, lean), count) for part, count in parts]
        reach = Reach.of(leaning, float(parts[0][0].step))
        first, last = reach.edges()
        assert reach.ends[0] <= first <= last <= reach.ends[1]
        assert first * reach.step <= reach.mean + reach.step
        assert last * reach.step >= reach.mean - reach.step
        assert reach.beyond(first - 1, -1) < 3e-12
        assert reach.beyond(last + 1, 1) < 3e-12


def test_a_sum_of_one_certain_loss_is_one_point() -> None:
    part = Tilted.of(Grid.of(SEVENTH, np.array([9]), np.array([1e-300]), 0.0), 5.0)
    reach = Reach.of([(part, 1_000)], 1 / 7)
    assert reach.edges() == (9_000, 9_000)
    assert reach.beyond(9_001, 1) == 0.0
    assert reach.beyond(9_000, 1) >= 1.0


@pytest.mark.parametrize("lean", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("far", [1, 10**9, 10**18])
def test_minute_deviations_are_no_trouble(far: int, lean: float) -> None:
    part = Grid.of(Fraction(1), np.array([0, far]), np.array([1.0, 1e-320]), 0.0)
    found = Tilted.of(part, lean)
    reach = Reach.of([(found, 10**6)], 1.0)
    assert all(isfinite(moment) for _, moment in reach.moments)
    assert all(one < other for (one, _), (other, _) in pairwise(reach.moments))
    first, last = reach.edges()
    assert 0 <= first <= last <= far * 10**6
