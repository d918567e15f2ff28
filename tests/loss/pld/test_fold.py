"""Sums by a Fourier transform and their deltas, against sums in balls of 300 bits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np
import pytest
from flint import acb, arb, ctx

from discreet.errors import LossError
from discreet.loss.pld import fold, tilt
from discreet.loss.pld.curve import Curve, Window
from discreet.loss.pld.fold import LARGEST, Complexes, fast_size, folded, power
from discreet.loss.pld.grid import Grid
from tests.figures import Figure
from tests.loss.pld.balls import BITS, Parts, Sum, ball, grid, two_atoms

SEVENTH: Final = Fraction(1, 7)
STEPS: Final = (SEVENTH, Fraction(1), Fraction(1, 2**20), Fraction(1, 10**9), Fraction(5, 64))
TILTS: Final = (0.0, 1e-4, 0.3, 1.0, 4.0, 17.5, 50.0)
DEGREE: Final = 3_000


@final
@dataclass(frozen=True)
class Case:
    parts: Parts
    tilt: float
    seed: int

    @property
    def step(self) -> Fraction:
        return self.parts[0][0].step


def cases(first: int, last: int) -> Iterator[Case]:
    """Several grids of 1 to 500 atoms, up to 200 times each, with any tilt."""
    for seed in range(first, last):
        rng = np.random.default_rng(seed)
        step = STEPS[int(rng.integers(len(STEPS)))]
        parts = []
        for _ in range(int(rng.integers(1, 4))):
            atoms = int(rng.choice([1, 2, 3, 10, 60, 500]))
            reach = atoms + int(rng.integers(0, 30))
            count = int(rng.integers(1, 1 + max(1, min(200, DEGREE // (2 * reach)))))
            infinite = float(rng.choice([0.0, 1e-12, 1e-3, 0.4]))
            deep = float(rng.choice([0.5, 3.0, 20.0, 290.0]))
            index = np.sort(rng.choice(np.arange(-reach, reach + 1), atoms, replace=False))
            parts.append((grid(rng, step, index, infinite, deep), count))
        tilt = TILTS[int(rng.integers(len(TILTS)))] / float(rng.choice([1.0, float(step)]))
        yield Case(parts, tilt, seed)


def asked(curve: Curve, rng: np.random.Generator) -> list[float]:
    """Epsilons in the window, around its points, and far outside."""
    window = curve.window
    start, width = window.start, window.end - window.start
    inside = start + width * rng.uniform(-0.3, 1.3, 24)
    near = [curve.origin + window.step * k * float(rng.uniform(0, 1)) for k in range(-8, 9)]
    points = [(window.first + int(k)) * window.step for k in rng.integers(0, 48, 4)]
    outside = [0.0, 5e-324, 1e-12, 1e9, 1e308, math.inf, window.last * window.step]
    return [*inside.tolist(), *near, *points, *outside]


def wrong_sides(case: Case, true: Sum) -> list[tuple[int, float]]:
    """The sides and epsilons at which a curve is on the wrong side of the sum in balls."""
    rng = np.random.default_rng(case.seed)
    found: list[tuple[int, float]] = []
    for side in (-1, 1):
        curve = folded(case.parts, case.tilt, side)
        epsilons = asked(curve, rng)
        found += [(side, each) for each in epsilons if not right_side(curve, true, each)]
    return found


def right_side(curve: Curve, true: Sum, epsilon: float) -> bool:
    shown, rate = curve.delta(epsilon)
    if math.isnan(shown) or math.isnan(rate) or not 0 <= shown <= 1:
        return False
    exactly = Fraction(min(epsilon, 1e300))
    with ctx.workprec(BITS):
        delta = true.delta(exactly, curve.side)
        if curve.side > 0:
            return not ball(shown) < delta.min(arb(1))
        return not ball(shown) > delta


def off_masses(window: Window, true: Sum) -> list[int]:
    """Where the masses of a window are farther from the tilted sum than they say; and −1 or −2 if
    more lies outside than they say."""
    size = len(window.masses)
    tilted = true.tilted(window.tilt, window.log_scale)
    with ctx.workprec(BITS):
        wrapped = [arb(0)] * size
        below = above = arb(0)
        for k, mass in enumerate(tilted):
            place = true.first + k - window.first
            wrapped[place % size] += mass
            below += mass if place < 0 else 0
            above += mass if place >= size else 0
        factor = ball(window.error).expm1()
        found = [
            j
            for j, (mine, mass) in enumerate(zip(window.masses.tolist(), wrapped, strict=True))
            if abs(ball(mine) - mass) > window.off + factor * mass
        ]
        more = 1 + factor
        found += [-1] * bool(below > window.below * more) + [-2] * bool(above > window.above * more)
    return found


def astray(case: Case) -> list[object]:
    true = Sum.of(case.parts)
    found: list[object] = list(wrong_sides(case, true))
    return found + list(off_masses(folded(case.parts, case.tilt, 1).window, true))


@pytest.mark.parametrize("seed", range(24))
def test_masses_and_both_ends_of_delta_of_any_sum(seed: int) -> None:
    (case,) = cases(seed, seed + 1)
    assert astray(case) == []


@pytest.mark.long
def test_masses_and_both_ends_of_delta_of_many_sums(figure: Figure) -> None:
    wrong = [(case.seed, found) for case in cases(1_000, 1_600) if (found := astray(case))]
    figure("sums against balls", f"600 sums, 2 sides, 52 epsilons each; wrong: {len(wrong)}")
    assert wrong == []


@pytest.mark.parametrize("count", [10**4, 10**6])
@pytest.mark.parametrize("loss", [Fraction(1, 100), Fraction(1, 7), Fraction(3)])
def test_many_answers_of_two_losses_each(count: int, loss: Fraction) -> None:
    """Binomial weights, exactly: P(loss) = e^loss/(1 + e^loss), about."""
    truth = 1 / (1 + math.exp(-float(loss)))
    chances = (1 - truth, truth)
    part = Grid.of(loss, np.array([-1, 1]), np.array(chances), 0.0)
    deviation = 2 * float(loss) * math.sqrt(count * chances[0] * chances[1])
    mean = count * float(loss) * (truth - chances[0])
    curves = {
        (lean, side): folded([(part, count)], lean, side)
        for lean in (1e-4, 1 / deviation, 5 / deviation)
        for side in (-1, 1)
    }
    for deviations in (-6, -2, -0.3, 0, 1, 3.3, 7):
        epsilon = max(0.0, mean + deviations * deviation)
        low, high = two_atoms(chances, (-loss, loss), count, Fraction(epsilon))
        for (_, side), curve in curves.items():
            shown = ball(curve.delta(epsilon)[0])
            assert shown >= high.min(arb(1)) if side > 0 else shown <= low


def test_the_right_tilt_is_narrow(figure: Figure) -> None:
    part = Grid.of(SEVENTH, np.array([-1, 1]), np.array([0.4643, 0.5357]), 0.0)
    mean, deviation = 10_000 / 7 * 0.0714, 100 / 7
    widths = []
    for deviations in (0, 5, 10, 20):
        lean, epsilon = deviations / deviation, mean + deviations * deviation
        low, high = (folded([(part, 10_000)], lean, side).delta(epsilon)[0] for side in (-1, 1))
        widths.append(high / low - 1)
    figure("10^4 answers: width of delta, relative", ", ".join(f"{w:.0e}" for w in widths))
    assert max(widths) < 1e-6


# --- what is at infinity, and what there is not --------------------------------------------------


@pytest.mark.parametrize("infinite", [1e-320, 1e-9, 0.01, 0.6, 1.0])
@pytest.mark.parametrize("count", [1, 2, 1_000, 10**6])
def test_what_lies_at_infinity_is_between_its_ends(infinite: float, count: int) -> None:
    masses = np.array([1 - infinite]) if infinite < 1 else np.array([1e-30])
    parts = [(Grid.of(SEVENTH, np.array([3]), masses, infinite), count)]
    with ctx.workprec(BITS):
        true = 1 - (1 - ball(infinite)) ** count
        low, high = (folded(parts, 1.0, side).infinite for side in (-1, 1))
        assert not ball(low) > true
        assert not ball(high) < true
        assert high - low <= 1e-8 * high + 1e-290


def test_a_measure_of_more_than_one_has_more_at_infinity() -> None:
    parts = [(Grid.of(SEVENTH, np.array([0]), np.array([1.0]), 1e-6), 1_000)]
    with ctx.workprec(BITS):
        assert ball(folded(parts, 0.0, 1).infinite) >= (1 + ball(1e-6)) ** 1_000 - 1
        assert ball(folded(parts, 0.0, -1).infinite) <= 1 - (1 - ball(1e-6)) ** 1_000


def test_what_has_nothing_finite_has_only_what_is_infinite() -> None:
    empty = Grid.of(SEVENTH, np.array([1]), np.array([0.0]), 0.25)
    other = Grid.of(SEVENTH, np.array([1]), np.array([0.5]), 0.0)
    for side in (-1, 1):
        curve = folded([(empty, 1), (other, 2)], 1.0, side)
        assert 0 <= side * (Fraction(curve.delta(0.0)[0]) - Fraction(1, 4)) < 1e-14


@pytest.mark.parametrize("lean", [0.0, 1.0, 50.0, 700.0, 1e6])
def test_minute_masses_far_up_are_no_trouble(lean: float) -> None:
    """Denormal masses, whose powers would overflow alone."""
    part = Grid.of(Fraction(1), np.array([-3, 0, 40]), np.array([0.5, 0.4, 1e-310]), 0.0)
    for count in (1, 3):
        parts = [(part, count)]
        assert wrong_sides(Case(parts, lean, 1), Sum.of(parts)) == []


@pytest.mark.parametrize("loss", [10**3, 10**9, 10**14])
@pytest.mark.parametrize("lean", [1e-4, 1.0, 1e6])
def test_huge_losses_are_no_trouble(loss: int, lean: float) -> None:
    part = Grid.of(Fraction(loss), np.array([-1, 1]), np.array([1e-200, 1.0]), 0.0)
    parts = [(part, 20)]
    assert wrong_sides(Case(parts, lean, 1), Sum.of(parts)) == []


def test_too_much_is_refused() -> None:
    wide = Grid.of(Fraction(1), np.array([0, LARGEST * 4]), np.array([0.5, 0.5]), 0.0)
    with pytest.raises(LossError, match="memory"):
        folded([(wide, 1)], 0.0, 1)
    with pytest.raises(LossError, match="2\\^40"):
        folded([(wide, 2**41)], 0.0, 1)
    with pytest.raises(ValueError, match="tilt"):
        folded([(wide, 1)], -1.0, 1)


# --- the parts -----------------------------------------------------------------------------------


def test_sizes_are_powers_of_two_and_thrice_them() -> None:
    allowed = sorted(m * 2**k for k in range(4, 22) for m in (1, 3) if m * 2**k >= 48)
    for least in [*range(1, 5_000), 2**20, 2**20 + 1, LARGEST]:
        assert fast_size(least) == next(size for size in allowed if size >= least)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100, 12_345, 10**6])
def test_powers_are_as_good_as_said(count: int, figure: Figure) -> None:
    rng = np.random.default_rng(count)
    wave = np.exp(-(10.0 ** rng.uniform(-9, 0, 200)) + 1j * rng.uniform(-np.pi, np.pi, 200))
    worst = 0.0
    with ctx.workprec(BITS):
        for start, found in zip(wave.tolist(), power(wave, count).tolist(), strict=True):
            true = ball_of(start) ** count
            if abs(found) > 1e-290:
                worst = max(worst, float(abs(ball_of(found) - true) / abs(true)))
    figure(f"power {count}: error over 8·u·count", f"{worst * 2**53 / 8 / count:.3f}")
    assert worst <= 8 * 2.0**-53 * count


def ball_of(number: complex) -> acb:
    return acb(arb(number.real), arb(number.imag))


# --- mutants -------------------------------------------------------------------------------------


def bell(count: int) -> Case:
    """A sum whose window is much narrower than its reach."""
    part = Grid.of(Fraction(1, 8), np.array([-40, -1, 1, 43]), np.array([1e-9, 0.45, 0.5, 1e-9]), 0)
    return Case([(part, count)], 0.4, 3)


def checked(case: Case) -> bool:
    return astray(case) == []


def test_a_narrow_window_is_no_less_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tilt, "AWAY", 1.5)
    assert all(checked(bell(count)) for count in (30, 60))
    window = folded(bell(30).parts, 0.4, 1).window
    assert 1e-6 < window.above < 1
    assert 1e-6 < window.below < 1


def _union(parts: Parts, side: int) -> float:
    return min(1.0, sum(count * part.infinite for part, count in parts) + 0 * side)


def _rough(wave: Complexes, count: int) -> Complexes:
    found: Complexes = wave**count * (1 + 1e-9)
    return found


MUTANTS: Final = {
    "what is wrapped around is not counted": (tilt.Reach, "beyond", lambda *_: 0.0),
    "a power is worse than its error": (fold, "power", _rough),
    "no rounding is counted": (fold, "_rounded", lambda *_: 0.0),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tilt, "AWAY", 1.5)
    assert checked(bell(30))
    where, what, instead = MUTANTS[name]
    monkeypatch.setattr(where, what, instead)
    assert not checked(bell(30))


def test_a_lower_end_with_the_sum_of_what_is_infinite_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = Grid.of(SEVENTH, np.array([0, 3]), np.array([0.5, 0.3]), 0.2)
    case = Case([(part, 3)], 0.5, 1)
    assert checked(case)
    monkeypatch.setattr(fold, "_infinite", _union)
    assert {side for side, _ in wrong_sides(case, Sum.of(case.parts))} == {-1}


def test_losses_that_are_rounded_and_tilted_much_need_their_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = Grid.of(SEVENTH, np.array([10**7 - 1, 10**7 + 2]), np.array([0.5, 0.4]), 0.0)
    case = Case([(part, 3)], 10.0, 1)
    assert checked(case)
    monkeypatch.setattr(fold, "_grown", lambda _: 0.0)
    assert not checked(case)
