"""The claim of contract.md: the curve on the grid is never above the curve of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import pytest

from discreet.loss.pld import contract
from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.contract import contracted
from discreet.loss.pld.dots import connected
from discreet.loss.pld.grid import Grid, in_cells
from tests.figures import Figure
from tests.loss.pld.exactly import Points, blurred, listed, lists

Gridding: TypeAlias = Callable[[Atoms, float], Grid]
ERRORS: Final = (2.0**-47, 2.0**-37, 2.0**-20)


def by_code(atoms: Atoms, step: float) -> Grid:
    return contracted(in_cells(atoms, step, 0))


def above_somewhere(gridded: Gridding, cases: Iterable[tuple[Atoms, float]]) -> int:
    """How many of the lists do not dominate their grid."""
    return sum(
        not Points.of_atoms(atoms, 0).dominates(Points.of_grid(gridded(atoms, step)))
        for atoms, step in cases
    )


def test_the_grid_tells_no_more_than_the_list() -> None:
    assert above_somewhere(by_code, lists(11, 3_000)) == 0


@pytest.mark.long
def test_the_grid_tells_no_more_than_the_list_many_times(figure: Figure) -> None:
    tried = 60_000
    found = above_somewhere(by_code, lists(12, tried))
    figure("contract: lists that do not dominate their grid", f"{found} of {tried}")
    assert found == 0


def dense(seed: int, count: int) -> list[tuple[Atoms, float]]:
    """Losses a few steps apart, where carrying goes on from cell to cell, as of a bell."""
    rng = np.random.Generator(np.random.PCG64(seed))
    found = []
    for _ in range(count):
        size, step = int(rng.integers(20, 60)), float(rng.choice([2.0**-3, 2.0**-10, 0.75, 2.5]))
        losses = np.sort(rng.normal(size=size)) * step * rng.choice([2, 10, 40])
        masses = np.exp(-(np.linspace(-2, rng.uniform(2, 9), size) ** 2)) * rng.uniform(
            0.5, 1, size
        )
        found.append((listed(losses, masses / masses.sum(), 0.125), step))
    return found


def test_carrying_from_cell_to_cell_tells_no_more() -> None:
    assert above_somewhere(by_code, dense(13, 300)) == 0


def wide(error: float) -> Gridding:
    return lambda atoms, step: contracted(blurred(atoms, 0, step, error, len(atoms)))


def plain(seed: int, count: int) -> list[tuple[Atoms, float]]:
    """Lists whose cells have numbers with errors relative to themselves: no denormals."""
    return [
        (atoms, step)
        for atoms, step in lists(seed, count)
        if step < 9
        and float(atoms.masses[1].min()) > 1e-280
        and bool(np.all(np.abs(atoms.losses[1]) > step * 2.0**-40))
    ]


@pytest.mark.parametrize("error", ERRORS)
def test_wide_cells_with_wrong_numbers_tell_no_more(error: float) -> None:
    assert above_somewhere(wide(error), [*plain(14, 400), *dense(14, 60)]) == 0


def test_the_curve_is_close_where_losses_are_many() -> None:
    """A bell of deviation one in cells of 1/64 adds or takes at most its variance/8 or so."""
    losses = np.linspace(-5, 6, 4_001)
    masses = np.exp(-((losses - 0.5) ** 2) / 2)
    atoms, step = listed(losses, masses / masses.sum()), 1 / 64
    true = Points.of_atoms(atoms, 0)
    low, high = Points.of_grid(by_code(atoms, step)), connected(in_cells(atoms, step, 1))
    for place in (-1, 0, 1, 2):
        epsilon = Fraction(place) + Fraction(1, 100)
        exact_delta = float(true.delta(epsilon))
        missing = exact_delta - float(low.delta(epsilon))
        excess = float(Points.of_grid(high).delta(epsilon)) - exact_delta
        assert 0 < missing < 1e-4
        assert 0 < excess < 1e-4
        floored = Points.of_grid(floor_only(atoms, step)).delta(epsilon)
        assert exact_delta - float(floored) > 10 * missing


# --- what is extreme ------------------------------------------------------------------------------

EXTREME: Final = {
    "a high mass over a minute one, far below": ([0.0, 1000.0], [5e-324, 1.0], 1.0),
    "as above, and not as minute": ([0.0, 2000.0], [1e-299, 1.0], 1.0),
    "a step beyond all doubles": ([-3e3, 5e3], [1e-3, 0.5], 800.0),
    "a wide step": ([-3e3, 10.0, 5e3], [0.1, 0.1, 0.5], 360.0),
    "the same loss twice": ([1.0, 1.0, -1.0], [0.25, 0.25, 0.5], 0.75),
    "masses of nothing": ([1.0, 2.0], [0.0, 0.5], 0.75),
    "only minute masses": ([1.0, 2.0], [1e-310, 5e-324], 0.75),
    "next to nothing in one cell": ([2.0**-40, 0.5], [1e-290, 1e-299], 2.0**-3),
    "one at zero": ([0.0], [1.0], 1.0),
    "a hair over one point, one below": ([-(2.0**-1074), 2.0**-1074], [0.5, 0.5], 1.0),
    "nothing": ([], [], 1.0),
}


@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.filterwarnings("error")
def test_what_is_extreme_tells_no_more(name: str) -> None:
    losses, masses, step = EXTREME[name]
    for way in (1, -1):
        atoms = listed([way * loss for loss in losses], masses, 0.0)
        grid = by_code(atoms, step)
        assert np.all(np.isfinite(grid.masses))
        assert np.all(grid.masses > 0)
        assert above_somewhere(by_code, [(atoms, step)]) == 0
        assert Points.of_grid(connected(in_cells(atoms, step, 1))).dominates(
            Points.of_atoms(atoms, 1)
        )


# --- mutants -------------------------------------------------------------------------------------


def floor_only(atoms: Atoms, step: float) -> Grid:
    points, where = np.unique(np.floor(atoms.losses[0] / step), return_inverse=True)
    masses = np.bincount(where, weights=atoms.masses[0] * (1 - 2.0**-40)).astype(np.float64)
    return Grid.of(Fraction(step), points.astype(np.int64), masses, 0.0)


def nearest(atoms: Atoms, step: float) -> Grid:
    points, where = np.unique(np.rint(atoms.losses[0] / step), return_inverse=True)
    masses = np.bincount(where, weights=atoms.masses[0] * (1 - 2.0**-40)).astype(np.float64)
    return Grid.of(Fraction(step), points.astype(np.int64), masses, 0.0)


def upper(atoms: Atoms, step: float) -> Grid:
    return connected(in_cells(atoms, step, 0))


def past_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contract._lifted

    def lifted(
        points: dict[int, float], cell: contract._Cell, carry: float, _: int, error: float
    ) -> float:
        return right(points, cell, carry, 2**40, error)

    monkeypatch.setattr(contract, "_lifted", lifted)


def free_of_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contract._falling
    monkeypatch.setattr(
        contract,
        "_falling",
        lambda cells, slack: [replace(cell, lift=cell.lift / 2) for cell in right(cells, slack)],
    )


def given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contract._falling
    monkeypatch.setattr(
        contract,
        "_falling",
        lambda cells, slack: [replace(cell, gain=2 * cell.gain) for cell in right(cells, slack)],
    )


def kept_in_the_purse(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a lift has cost is not taken from the carry."""
    right = contract._lifted

    def lifted(
        points: dict[int, float], cell: contract._Cell, carry: float, ceiling: int, error: float
    ) -> float:
        right(points, cell, carry, ceiling, error)
        return carry

    monkeypatch.setattr(contract, "_lifted", lifted)


@pytest.mark.parametrize(
    "mutant", [past_the_ceiling, free_of_charge, given_twice, kept_in_the_purse]
)
def test_wrong_bookkeeping_is_found_out(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [*plain(15, 200), *dense(15, 50)]
    assert above_somewhere(by_code, cases) == 0
    mutant(monkeypatch)
    assert above_somewhere(by_code, cases) > 10


def test_other_ways_to_a_grid_are_found_out() -> None:
    cases = plain(15, 200)
    assert above_somewhere(floor_only, [(a, s) for a, s in cases if a.infinite[0] == 0]) == 0
    for mutant in (nearest, upper):
        assert above_somewhere(mutant, cases) > 20


def test_an_error_that_is_not_counted_is_found_out() -> None:
    def unaware(atoms: Atoms, step: float) -> Grid:
        cells = blurred(atoms, 0, step, 2.0**-37, len(atoms))
        return contracted(replace(cells, error=0.0))

    cases = plain(14, 200)
    assert above_somewhere(unaware, cases) > 10


def test_half_of_an_error_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contract._falling
    monkeypatch.setattr(contract, "_falling", lambda cells, slack: right(cells, slack / 8))
    assert above_somewhere(wide(2.0**-20), [*plain(14, 200), *dense(14, 60)]) > 10


def test_what_is_minute_is_not_lifted_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its way up is 2^-1080, which is zero for a double."""
    single = [(listed([-(2.0**-1070)], [2.0**-10]), 1.0)]
    assert above_somewhere(by_code, single) == 0
    monkeypatch.setattr(contract, "SMALLEST", 0.0)
    monkeypatch.setattr(contract, "_LESS", 1.0)
    right = contract._falling
    monkeypatch.setattr(contract, "_falling", lambda cells, _: right(cells, 0.0))
    assert above_somewhere(by_code, single) == 1


def test_a_way_up_that_rounding_hides_is_found_out() -> None:
    """Below zero by 2^-70: a step less the way down to the lower point is nothing for a double."""
    single = [(listed([-(2.0**-70), 0.25], [0.5, 1e-30]), 0.5)]

    def careless(atoms: Atoms, step: float) -> Grid:
        cells = in_cells(atoms, step, 0)
        above = atoms.losses[0] - cells.index * step
        return contracted(replace(cells, under=atoms.masses[0] * np.expm1(step - above)))

    assert above_somewhere(by_code, single) == 0
    assert above_somewhere(careless, single) == 1
