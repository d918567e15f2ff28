"""The claim of listed.md: delta of a list, between two doubles that are close."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest
from flint import arb, fmpq

from discreet.loss.pld import listed as module
from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.listed import Listed
from tests.figures import Figure
from tests.loss.pld.exactly import Points, listed, lists


def asked(seed: int, count: int) -> Iterator[tuple[Atoms, float]]:
    """Lists, and where to ask: between losses, at them, next to them, beyond them, at zero."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for atoms, step in lists(seed, count):
        losses = atoms.losses[1]
        some = float(rng.choice(losses))
        yield atoms, 0.0
        yield atoms, some
        yield atoms, nextafter(some, rng.choice([-inf, inf]))
        yield atoms, float(rng.uniform(losses[0] - 2 * step, losses[-1] + step))
        yield atoms, some - step * 2.0 ** -float(rng.integers(60))


def rational(number: float) -> arb:
    over, under = number.as_integer_ratio()
    return arb(fmpq(over, under))


def astray(cases: Iterator[tuple[Atoms, float]]) -> int:
    """How many ends are on the wrong side."""
    found = 0
    for atoms, epsilon in cases:
        low, high = (Points.of_atoms(atoms, end).delta(Fraction(epsilon)) for end in (0, 1))
        found += rational(Listed.of(atoms, -1).delta(epsilon)[0]) > low
        found += rational(Listed.of(atoms, 1).delta(epsilon)[0]) < high
    return found


def test_each_end_is_on_its_side() -> None:
    assert astray(asked(1, 1_500)) == 0


@pytest.mark.long
def test_each_end_is_on_its_side_many_times(figure: Figure) -> None:
    found = astray(asked(2, 20_000))
    figure("listed: ends on the wrong side", f"{found} of 200000")
    assert found == 0


def test_both_ends_are_close() -> None:
    for atoms, epsilon in asked(3, 500):
        low, high = (Listed.of(atoms, side).delta(epsilon)[0] for side in (-1, 1))
        assert low <= high <= low * (1 + 2e-14) + 1e-300


def test_the_rate_is_how_fast_it_falls() -> None:
    atoms = listed([-1.0, 0.5, 2.0], [0.25, 0.25, 0.375], 0.125)
    curve = Listed.of(atoms, 1)
    for epsilon in (-2.0, 0.0, 1.0, 3.0):
        (here, rate), (there, _) = curve.delta(epsilon), curve.delta(epsilon + 2.0**-20)
        assert (here - there) * 2**20 == pytest.approx(rate, rel=1e-5, abs=1e-8)


def test_ends_of_losses_that_are_not_in_one_order() -> None:
    """Sorted by their upper ends, the lower ends are not."""
    one = np.array([0.5, 0.5])
    atoms = Atoms.scattered((np.array([0.9, 0.1]), np.array([1.0, 2.0])), (one, one))
    for epsilon in (0.0, 0.5, 0.95, 1.5):
        low, high = (Points.of_atoms(atoms, end).delta(Fraction(epsilon)) for end in (0, 1))
        assert float(Listed.of(atoms, -1).delta(epsilon)[0]) == pytest.approx(float(low), rel=1e-13)
        assert float(Listed.of(atoms, 1).delta(epsilon)[0]) == pytest.approx(float(high), rel=1e-13)


@pytest.mark.filterwarnings("error")
def test_beyond_all_losses_only_what_is_infinite_is_left() -> None:
    for epsilon in (2.0, 3.0, 1e3, 1e300):
        assert Listed.of(listed([2.0, -1e3], [0.5, 0.25]), 1).delta(epsilon)[0] == 0
        assert Listed.of(listed([2.0, -1e3], [0.5, 0.25], 0.25), 1).delta(epsilon)[0] >= 0.25
    for infinite in (0.0, 0.5):
        for side in (-1, 1):
            found = Listed.of(listed([], [], infinite), side).delta(0.0)[0]
            assert found == pytest.approx(infinite, rel=1e-13)


@pytest.mark.filterwarnings("error")
def test_the_smallest_doubles_are_turned_outwards() -> None:
    """2^-1074 · 2^-30 is zero for a double."""
    curve = Listed.of(listed([2.0**-30], [2.0**-1074]), 1)
    assert curve.delta(0.0)[0] > 0
    assert Listed.of(listed([2.0**-30], [2.0**-1074]), -1).delta(0.0)[0] == 0
    assert Listed.of(listed([1e300, -1e300], [0.5, 0.5]), -1).delta(0.0)[0] <= 0.5


def test_rounding_that_is_not_counted_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNIT", 0.0)
    monkeypatch.setattr(module, "ELEMENTARY", 0.0)
    assert astray(asked(1, 200)) > 100


def test_what_is_minute_and_not_counted_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALLEST", 0.0)
    assert astray(asked(1, 600)) > 0


def test_an_end_that_leans_the_other_way_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Listed.of
    monkeypatch.setattr(Listed, "of", lambda atoms, side: right(atoms, -side))
    assert astray(asked(1, 50)) > 50
