"""The claim of dots.md: the curve on the grid is never below the curve of the list, and meets it at
the points of the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import pytest

from discreet.errors import LossError
from discreet.loss.pld import dots
from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.dots import connected
from discreet.loss.pld.grid import Cells, Grid, dyadic, in_cells, on_points
from tests.figures import Figure
from tests.loss.pld.exactly import Points, blurred, listed, lists

Gridding: TypeAlias = Callable[[Atoms, float], Grid]
ERRORS: Final = (2.0**-47, 2.0**-37, 2.0**-20)


def by_code(atoms: Atoms, step: float) -> Grid:
    return connected(in_cells(atoms, step, 1))


def below_somewhere(gridded: Gridding, cases: Iterable[tuple[Atoms, float]]) -> int:
    """How many of the lists are not dominated by their grid."""
    return sum(
        not Points.of_grid(gridded(atoms, step)).dominates(Points.of_atoms(atoms, 1))
        for atoms, step in cases
    )


def test_the_grid_tells_no_less_than_the_list() -> None:
    assert below_somewhere(by_code, lists(1, 3_000)) == 0


@pytest.mark.long
def test_the_grid_tells_no_less_than_the_list_many_times(figure: Figure) -> None:
    tried = 60_000
    found = below_somewhere(by_code, lists(2, tried))
    figure("dots: lists not dominated by their grid", f"{found} of {tried}")
    assert found == 0


def wide(error: float) -> Gridding:
    return lambda atoms, step: connected(blurred(atoms, 1, step, error, len(atoms)))


@pytest.mark.parametrize("error", ERRORS)
def test_wide_cells_with_wrong_numbers_tell_no_less(error: float) -> None:
    tame = ((atoms, step) for atoms, step in lists(3, 400) if step < 9 and _plain(atoms, step))
    assert below_somewhere(wide(error), tame) == 0


def _plain(atoms: Atoms, step: float) -> bool:
    """Numbers that are errors relative to themselves: no denormals."""
    smallest = float(atoms.masses[1].min())
    return smallest > 1e-280 and bool(np.all(np.abs(atoms.losses[1]) > step * 2.0**-40))


def test_the_curves_meet_at_the_points_of_the_grid() -> None:
    for atoms, step in lists(4, 300):
        grid, true = Points.of_grid(by_code(atoms, step)), Points.of_atoms(atoms, 1)
        for loss in grid.masses:
            excess = grid.delta(loss) - true.delta(loss)
            assert excess < float(true.total) * 1e-12 + 1e-250 / step


# --- mutants -------------------------------------------------------------------------------------


def nearest(atoms: Atoms, step: float) -> Grid:
    return moved(np.rint, atoms, step)


def lower(atoms: Atoms, step: float) -> Grid:
    return moved(np.floor, atoms, step)


def moved(rounded: Callable[..., np.ndarray], atoms: Atoms, step: float) -> Grid:
    points, where = np.unique(rounded(atoms.losses[1] / step), return_inverse=True)
    weights = atoms.masses[1] * (1 + 2.0**-40)
    masses = np.bincount(where, weights=weights).astype(np.float64)
    return Grid.of(Fraction(step), points.astype(np.int64), masses, atoms.infinite[1])


def exchanged(atoms: Atoms, step: float) -> Grid:
    """The shares of both points the other way round."""
    cells = in_cells(atoms, step, 1)
    ratio = np.exp(-cells.width * cells.step)
    return connected(replace(cells, over=cells.under * ratio, under=cells.over / ratio))


def test_other_ways_to_a_grid_are_found_out() -> None:
    tame = [(atoms, step) for atoms, step in lists(5, 100) if step < 9]
    for mutant in (nearest, lower, exchanged):
        assert below_somewhere(mutant, tame) > 20


def test_an_error_that_is_not_counted_is_found_out() -> None:
    def unaware(atoms: Atoms, step: float) -> Grid:
        cells = blurred(atoms, 1, step, 2.0**-37, len(atoms))
        return connected(replace(cells, error=0.0))

    tame = [(atoms, step) for atoms, step in lists(3, 100) if step < 9 and _plain(atoms, step)]
    assert below_somewhere(unaware, tame) > len(tame) // 2


def test_what_is_minute_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of the upper point is 2^-1075, which is zero for a double."""
    single = [(listed([2.0**-1074], [0.25]), 0.5)]
    assert below_somewhere(by_code, single) == 0
    monkeypatch.setattr(dots, "SMALLEST", 0.0)
    assert below_somewhere(by_code, single) == 1


def test_the_way_up_is_not_what_rounding_leaves_of_a_step() -> None:
    """Just below zero, the way down from the step is the step for a double, and no way is left."""

    def careless(atoms: Atoms, step: float) -> Grid:
        cells = in_cells(atoms, step, 1)
        index = np.floor(atoms.losses[1] / step)
        above = atoms.losses[1] - index * step
        past = above >= step
        above = np.where(past, atoms.losses[1], above)
        over = -atoms.masses[1] * np.expm1(-above)
        points = (index + past).astype(np.int64)
        order = np.argsort(points)
        ones = np.ones(len(points), np.int64)
        masses = atoms.masses[1][order]
        found = Cells(step, points[order], ones, masses, over[order], masses, cells.error, 0.0)
        return connected(found)

    single = [(listed([-(2.0**-70), 0.25], [1.0, 1e-30]), 0.5)]
    assert below_somewhere(careless, single) == 1
    assert below_somewhere(by_code, single) == 0


# --- the grid ------------------------------------------------------------------------------------


def test_each_loss_lies_in_its_cell() -> None:
    for atoms, step in lists(6, 500):
        for loss, mass in zip(atoms.losses[1].tolist(), atoms.masses[1].tolist(), strict=True):
            cells = in_cells(listed([loss], [mass]), step, 1)
            (index,) = cells.index.tolist()
            assert index * Fraction(step) <= Fraction(loss) < (index + 1) * Fraction(step)
            assert cells.over[0] >= 0
            assert cells.under[0] >= 0


def test_a_step_has_doubles_for_multiples() -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    for about in np.exp(rng.uniform(-600, 600, 2_000)).tolist():
        step = dyadic(about)
        assert about * (1 - 2.0**-6) <= step <= about
        for times in (3, 2**45 + 1, 2**46 - 1):
            assert Fraction(times * step) == times * Fraction(step)


@pytest.mark.parametrize("about", [0.0, -1.0, float("inf"), float("nan")])
def test_a_step_is_positive(about: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        dyadic(about)


def test_losses_beyond_the_grid_are_refused() -> None:
    with pytest.raises(LossError, match="too close"):
        in_cells(listed([1e3], [1.0]), 2.0**-40, 1)
    lattice = Atoms.on_lattice(Fraction(1), np.array([10]), (np.ones(1), np.ones(1)))
    with pytest.raises(LossError, match="too close"):
        on_points(lattice, Fraction(1, 10**18), 1)  # 10^19 is a negative number in 64 bits


def test_points_of_a_lattice_stay_where_they_are() -> None:
    both = np.array([0.25, 0.75])
    lattice = Atoms.on_lattice(Fraction(1, 7), np.array([-3, 5]), (both, both), (0.0, 0.1))
    for step in (Fraction(1, 7), Fraction(1, 70)):
        for end in (0, 1):
            grid = Points.of_grid(on_points(lattice, step, end))
            assert grid == Points.of_atoms(lattice, end)


def test_a_list_of_nothing_stays_nothing() -> None:
    for end in (0, 1):
        assert len(in_cells(listed([], [], 0.5), 0.5, end).index) == 0
    assert by_code(listed([], [], 0.5), 0.5).infinite == 0.5
