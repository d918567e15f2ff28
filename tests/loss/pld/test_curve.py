"""Delta from a window: against every law that the window may stand for, in balls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal, final

import numpy as np
import pytest
from flint import arb, ctx

from discreet.loss.pld import curve
from discreet.loss.pld.curve import Curve, Window
from discreet.loss.pld.floats import Reals
from tests.loss.pld.balls import BITS, ball

STEPS: Final = (Fraction(1, 7), Fraction(3), Fraction(1, 10**6), Fraction(1, 10**10))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """The farthest law on one side that a window stands for: mass at each loss, in balls."""

    losses: list[Fraction]
    masses: list[arb]
    infinite: arb

    @classmethod
    def of(cls, window: Window, step: Fraction, side: int, worst: int) -> Meant:
        """All masses off to one side; what is outside just beyond the window, for the upper end,
        and for the lower end far below it, but counted at the place `worst`."""
        count = len(window.masses)
        with ctx.workprec(BITS):
            tilted = [ball(mass) + side * ball(window.off) for mass in window.masses.tolist()]
            places = list(range(count))
            if side > 0:
                places += [-1, count]
                tilted += [ball(window.below), ball(window.above)]
            else:
                tilted[worst] -= ball(window.above) + ball(window.below)
            losses = [(window.first + place) * step for place in places]
            scale = ball(window.log_scale) + side * ball(window.error)
            masses = [
                (mass if mass > 0 else arb(0)) * (scale - ball(window.tilt) * ball(loss)).exp()
                for mass, loss in zip(tilted, losses, strict=True)
            ]
            return cls(losses, masses, ball(window.infinite))

    def delta(self, epsilon: Fraction) -> arb:
        with ctx.workprec(BITS):
            found = self.infinite
            for loss, mass in zip(self.losses, self.masses, strict=True):
                if loss > epsilon:
                    found -= mass * ball(epsilon - loss).expm1()
            return found


def window_of(rng: np.random.Generator, step: Fraction) -> tuple[Window, float]:
    """A bell in a window somewhere, leaning so that its scale is no larger than one."""
    count = int(rng.integers(3, 40))
    first = int(rng.integers(-60, 60))
    tilt = float(rng.choice([0.0, 1e-3, 1.0, 6.0, 90.0])) / float(
        rng.choice([1.0, 1.0, float(step)])
    )
    tilt = min(tilt, 1e9, 300 / float(step))
    masses = np.exp(-((np.linspace(-3, 3, count) + rng.uniform(-1, 1)) ** 2))
    masses *= rng.uniform(0.5, 1, count) / masses.sum()
    origin = (first + count / 2) * float(step)
    window = Window(
        step=float(step),
        first=first,
        last=first + count,
        masses=masses,
        off=float(rng.choice([0.0, 1e-13, 1e-4])),
        tilt=tilt,
        log_scale=tilt * origin - float(rng.uniform(0, 30)),
        above=float(rng.choice([0.0, 1e-9, 1e-2])),
        below=float(rng.choice([0.0, 1e-9, 1e-2])),
        error=float(rng.choice([0.0, 1e-12, 1e-3])),
        infinite=float(rng.choice([0.0, 1e-7])),
    )
    return window, origin


def epsilons(window: Window, rng: np.random.Generator) -> list[float]:
    """On points, beside them, between them, and outside."""
    on = [(window.first + k) * window.step for k in range(-2, len(window.masses) + 2, 3)]
    beside = [math.nextafter(x, way) for x in on[::3] for way in (-math.inf, math.inf)]
    width = window.end - window.start
    between = (window.start + width * rng.uniform(-0.2, 1.2, 12)).tolist()
    return [*on, *beside, *between, 0.0, -5.0, 1e5, 1e305]


def misses(case: tuple[Window, float, Fraction], side: int, rng: np.random.Generator) -> int:
    """At how many epsilons a curve is on the wrong side of a law that its window may stand for."""
    window, origin, step = case
    found = Curve.of(window, side, origin)
    missed = 0
    for epsilon in epsilons(window, rng):
        shown, _ = found.delta(epsilon)
        k = max(0, math.ceil(min(epsilon, 1e9) / window.step) - window.first)
        worst = min(k + int(rng.integers(0, 3)), len(window.masses) - 1)
        true = Meant.of(window, step, side, worst).delta(Fraction(epsilon))
        with ctx.workprec(BITS):
            right = not ball(shown) < true.min(arb(1)) if side > 0 else not ball(shown) > true
        missed += not (right and 0 <= shown <= 1)
    return missed


def missed(seeds: range, side: int) -> int:
    """The same for many windows."""
    total = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        step = STEPS[seed % len(STEPS)]
        window, origin = window_of(rng, step)
        total += misses((window, origin, step), side, rng)
    return total


@pytest.mark.parametrize("side", [-1, 1])
def test_both_ends_hold_for_every_law_that_a_window_stands_for(side: int) -> None:
    assert missed(range(80), side) == 0


@pytest.mark.long
@pytest.mark.parametrize("side", [-1, 1])
def test_both_ends_hold_for_many_windows(side: int) -> None:
    assert missed(range(1_000, 5_000), side) == 0


UNSAFE: Final = ("off", "error", "above", "below")


@pytest.mark.parametrize("what", UNSAFE)
@pytest.mark.parametrize("side", [-1, 1])
def test_mutants_that_do_not_count_an_error_are_found(
    what: str, side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Curve.of
    changed: dict[str, Any] = {what: 0.0}

    def careless(window: Window, side: int, origin: float) -> Curve:
        return honest(replace(window, **changed), side, origin)

    monkeypatch.setattr(Curve, "of", careless)
    assert missed(range(40), side) > 0


@pytest.mark.parametrize("side", [-1, 1])
def test_mutants_that_round_to_the_nearest_are_found(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "UNIT", 0.0)
    monkeypatch.setattr(curve, "ELEMENTARY", 0.0)
    assert missed(range(40), side) > 0


@pytest.mark.parametrize("side", [-1, 1])
def test_a_mutant_that_takes_the_other_side_is_found(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Curve.of
    monkeypatch.setattr(Curve, "of", lambda window, side, origin: honest(window, -side, origin))
    assert missed(range(12), side) > 0


def test_a_mutant_that_forgets_a_point_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = np.searchsorted

    def later(points: Reals, place: float, side: Literal["left", "right"]) -> int:
        return int(honest(points, place, side=side)) + 1

    assert missed(range(12), 1) == 0
    monkeypatch.setattr(np, "searchsorted", later)
    assert missed(range(12), 1) > 0


# --- the ends of its range -----------------------------------------------------------------------


def simple(changed: dict[str, Any]) -> Window:
    plain = Window(
        step=0.5,
        first=0,
        last=7,
        masses=np.full(8, 0.125),
        off=0.0,
        tilt=1.0,
        log_scale=0.0,
        above=0.0,
        below=0.0,
        error=0.0,
        infinite=0.25,
    )
    return replace(plain, **changed)


@pytest.mark.parametrize("epsilon", [3.6, 10.0, 1e9, 1e305, math.inf])
def test_above_all_losses_only_the_infinite_ones_are_left(epsilon: float) -> None:
    low, high = (Curve.of(simple({}), side, 2.0).delta(epsilon)[0] for side in (-1, 1))
    assert low <= 0.25 == high
    assert low > 0.25 - 1e-15


@pytest.mark.parametrize(
    "hopeless", [{"error": 2.0}, {"error": math.inf}, {"log_scale": 1e18}, {"tilt": 1e17}]
)
def test_a_window_that_says_nothing_gives_what_is_always_true(hopeless: dict[str, Any]) -> None:
    low, high = (Curve.of(simple(hopeless), side, 2.0).delta(1.0)[0] for side in (-1, 1))
    assert (low, high) == (0.25, 1.0)


@pytest.mark.parametrize("epsilon", [-1e308, -700.0, 0.0, 1.0, 1e6])
@pytest.mark.parametrize("tilt", [0.0, 1e-320, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("log_scale", [0.0, -1e3, -1e300])
def test_no_number_is_too_large(epsilon: float, tilt: float, log_scale: float) -> None:
    window = simple(
        {"tilt": tilt, "log_scale": log_scale, "above": 1e-9, "below": 1.0, "infinite": 0.0}
    )
    low, high = (Curve.of(window, side, 2.0).delta(epsilon) for side in (-1, 1))
    assert 0 <= low[0] <= high[0] <= 1
    assert all(math.isfinite(rate) for _, rate in (low, high))


def test_the_largest_of_what_a_unit_counts_for() -> None:
    with ctx.workprec(200):
        for tilt in (0.0, 1e-310, 1e-9, 0.1, 1.0, 50.0, 1e6, 1e12):
            found = ball(curve._largest(tilt))
            for y in (1e-12, 1e-6, 0.02, 0.7, 3.0, math.log1p(1 / tilt) if tilt > 1e-300 else 700):
                assert -((-ball(tilt) * ball(y)).exp() * (-ball(y)).expm1()) <= found
            assert ball(curve._largest(tilt)) <= 1.0000001
            assert tilt < 1e-300 or found <= ball(1 / (tilt + 1)) * 1.0000001


def test_a_denormal_sum_is_on_the_right_side() -> None:
    """Far above its middle, powers of a window lose their digits."""
    for far in (300.0, 600.0, 700.0, 740.0, 744.0):
        window = simple({"step": 1.0, "last": 760, "infinite": 0.0})
        window = replace(window, masses=np.full(761, 1 / 761))
        true = Meant.of(window, Fraction(1), 1, 0).delta(Fraction(far + 0.25))
        low, high = (Curve.of(window, side, 0.0).delta(far + 0.25)[0] for side in (-1, 1))
        with ctx.workprec(BITS):
            assert ball(low) <= true <= ball(high)
