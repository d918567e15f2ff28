"""Claim (normal.md): the lists of a normal pair lie on both sides of its curve, everywhere."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import accumulate
from typing import Final

import flint
import numpy as np
import pytest
from flint import arb

from discreet.loss.pld import PLD, normal
from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.grid import Cells, Grid
from discreet.numbers import Number, exact
from tests.loss.pld.truths import BITS, Profile, mixture_profiles, normal_profile, real

home: Final = import_module(
    "discreet.loss.pld.normal"
)  # `discreet.loss.pld.normal` is the function
PAIRS: Final = [
    (1, 1),
    ("1/3", 1),
    ("1e-3", 1),
    ("1e-12", 1),
    (40, 1),
    (1, "1/100"),
    ("1/7", "1/3"),
    (4, "1/100"),
    (1, "1e-9"),
    (30, "1/2"),
    (20, "0.999999999999999999999"),
    (20, "0.99999999"),
    (12, "1e-6"),
    ("1e-9", "1e-9"),
]
BEYOND: Final = 1e-260


def curve(atoms: Atoms, side: int) -> Profile:
    """Of the lower (−1) or upper (1) ends, as they are meant: a loss is index·step."""
    assert atoms.index is not None
    assert atoms.step is not None
    with flint.ctx.workprec(BITS):
        places = [int(k) * atoms.step for k in atoms.index]
        masses = [arb(float(mass)) for mass in atoms.masses[(side + 1) // 2]]
        under = [m * (-real(place)).exp() for m, place in zip(masses, places, strict=True)]
        over = [arb(0), *accumulate(reversed(masses))]
        lost = [arb(0), *accumulate(reversed(under))]
        infinite = arb(atoms.infinite[(side + 1) // 2])

    def delta(epsilon: Fraction) -> arb:
        k = len(places) - bisect_right(places, epsilon)
        return infinite + over[k] - real(epsilon).exp() * lost[k]

    return delta


def truths(mu: Number, rate: Number) -> tuple[Profile, Profile]:
    if exact(rate) == 1:
        return normal_profile(exact(mu) ** 2), normal_profile(exact(mu) ** 2)
    return mixture_profiles(exact(mu), exact(rate))


def astray(pld: PLD, mu: Number, rate: Number) -> list[str]:
    """Where an end is on the wrong side of the truth: at losses of either sign, on points of the
    grid, between them, and far out."""
    ((pair, _),) = pld.parts
    draw = np.random.default_rng(1)
    found = []
    for way, losses, truth in zip(
        "→←", (pair.forward, pair.backward), truths(mu, rate), strict=True
    ):
        high = losses.upper
        assert high.index is not None
        assert high.step is not None
        lower, upper = curve(losses.lower, -1), curve(high, 1)
        some = draw.choice(high.index, 40).tolist()
        points = [k * high.step for k in (*some, int(high.index[0]), int(high.index[-1]) - 1)]
        points += [point + high.step * Fraction(draw.random()) for point in points]
        points += [high.step * k for k in (-(10**3), int(high.index[-1]) + 5)]
        with flint.ctx.workprec(BITS):
            for epsilon in points:
                delta = truth(epsilon)
                if lower(epsilon) > delta:
                    found.append(f"{way} lower {float(epsilon)}")
                if upper(epsilon) < delta:
                    found.append(f"{way} upper {float(epsilon)}")
    return found


@pytest.mark.parametrize(("mu", "rate"), PAIRS)
def test_the_curve_lies_between_both_lists(mu: Number, rate: Number) -> None:
    assert astray(normal(mu, rate), mu, rate) == []


@pytest.mark.parametrize(("mu", "rate"), PAIRS)
def test_next_to_nothing_is_given_away(mu: Number, rate: Number) -> None:
    """So a delta of 10^-250 has an epsilon even for a million answers."""
    ((pair, _),) = normal(mu, rate).parts
    for losses in (pair.forward, pair.backward):
        assert losses.upper.infinite[1] < BEYOND
        assert losses.lower.infinite == (0.0, 0.0)


@pytest.mark.parametrize(("mu", "rate"), [(1, 1), ("1/3", 1), (40, 1), (1, "1/100"), (4, "1/2")])
@pytest.mark.parametrize("delta", ["1e-6", "1e-60", "1e-240"])
def test_one_bracket_is_narrow(mu: Number, rate: Number, delta: str) -> None:
    found = normal(mu, rate).epsilon(delta)
    assert found.low >= Fraction(99, 100) * found.high  # type: ignore[operator]


@pytest.mark.parametrize("tiny", ["1e-13", "1e-300", "1e-3000"])
def test_what_is_too_small_for_a_grid_costs_next_to_nothing(tiny: str) -> None:
    for pld, mu, rate in (
        (normal(tiny), tiny, 1),
        (normal(1, tiny), "1", tiny),
        (normal(tiny, "1/2"), tiny, "1/2"),
    ):
        found = pld.delta(0)
        # δ(0) = rate·(Φ(mu/2) − Φ(−mu/2)) ≤ rate·mu·0.4
        assert found.low == 0
        assert Fraction(mu) * Fraction(rate) * Fraction(38, 100) <= found.high
        assert found.high <= Fraction(4, 10) * Fraction(1, 2**40)


@pytest.mark.parametrize("rest", ["1e-13", "1e-300", "1e-4000"])
def test_a_rate_next_to_one_is_one(rest: str) -> None:
    found, whole = normal(1, 1 - exact(rest)).delta(1), normal(1).delta(1)
    assert found.high == whole.high
    assert isinstance(found.low, Fraction)
    assert found.low <= whole.high <= found.low + Fraction(1, 10**3)


def test_less_apart_or_less_often_taken_costs_less() -> None:
    grid = [Fraction(1, 3), Fraction(1), Fraction(3)]
    made = [[normal(mu, rate / 3) for rate in grid] for mu in grid]
    for epsilon in (0, 1, 5):
        rows = [[pld.delta(epsilon) for pld in line] for line in made]
        for line in (*rows, *map(list, zip(*rows, strict=True))):
            assert line[0].low <= line[1].high
            assert line[1].low <= line[2].high


# --- mutants --------------------------------------------------------------------------------------


def down(cells: Cells) -> Grid:
    return Grid.of(Fraction(cells.step), cells.index, cells.mass, cells.infinite)


def up(cells: Cells) -> Grid:
    index = cells.index + cells.width
    return Grid.of(Fraction(cells.step), index, cells.mass, cells.infinite)


def dropped(cells: Cells) -> Cells:
    """The highest cell is left out."""
    return replace(
        cells,
        index=cells.index[:-1],
        width=cells.width[:-1],
        mass=cells.mass[:-1],
        over=cells.over[:-1],
        under=cells.under[:-1],
    )


@pytest.mark.parametrize("rate", [1, "1/100"])
def test_mutants_are_found(rate: Number, monkeypatch: pytest.MonkeyPatch) -> None:
    connected, contracted = home.connected, home.contracted
    mutants = {
        "connected": [down, lambda cells: connected(dropped(cells))],
        "contracted": [up, connected],
    }
    for name, versions in mutants.items():
        for mutant in versions:
            monkeypatch.setattr(home, name, mutant)
            assert astray(normal(1, rate), 1, rate) != []
        monkeypatch.setattr(home, name, {"connected": connected, "contracted": contracted}[name])
    assert astray(normal(1, rate), 1, rate) == []


def test_tails_that_are_forgotten_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = home._atoms
    monkeypatch.setattr(home, "_atoms", lambda grid, _: kept(grid, 0.0))
    assert any("upper" in place for place in astray(normal(1), 1, 1))


def test_a_place_that_is_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one part in a hundred thousand of a deviation."""
    right = home._Place.of
    monkeypatch.setattr(home._Place, "of", lambda x: right(x + real(Fraction(1, 10**5))))
    assert astray(normal(1), 1, 1) != []
