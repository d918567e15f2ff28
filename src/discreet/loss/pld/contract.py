"""Losses moved to a grid so that no more is told.  Claim and proof: contract.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Final, final

import numpy as np

from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT
from discreet.loss.pld.grid import Cells, Grid

_LESS: Final = 1 - 8 * UNIT
_FARTHEST: Final = 700.0
"""Nothing is lifted farther: e^709 is the largest double."""


def contracted(cells: Cells) -> Grid:
    """From the highest cell to the lowest: what a cell gives up by going down to its lower point
    is carried, and lifts the cells below it, none of them past the next cell's lower point."""
    slack = 4 * (cells.error + ELEMENTARY)
    points: dict[int, float] = {}
    carry, ceiling = 0.0, 0
    for cell in _falling(cells, slack):
        if carry >= cell.lift:
            carry = _lifted(points, cell, carry, ceiling, slack)
        else:
            share = carry / cell.lift * _LESS
            _put(points, cell.index, cell.least * (1 - share))
            if share > 0:
                _put(points, cell.index + cell.width, cell.least_above * share)
            carry = (1 - share) * cell.gain * _LESS
        ceiling = cell.index
    places = sorted(points)
    masses = np.array([points[place] for place in places], np.float64)
    masses = np.where(masses > SMALLEST, masses * _LESS, 0.0)
    return Grid.of(Fraction(cells.step), np.array(places, np.int64), masses, cells.infinite)


@final
@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell.  Its mass, at its lower point, is between `least` and `most`, and `least_above` at
    its upper point at least; to go down gives `gain` at least, to go up takes `lift` at most."""

    step: float
    index: int
    width: int
    mass: float
    least: float
    most: float
    least_above: float
    gain: float
    lift: float

    def at(self, points: int, error: float) -> tuple[float, float]:
        """The least mass so many points above the lower one, and the most that the way takes."""
        factor = exp(points * self.step)
        spread = error + 4 * UNIT * points * self.step
        return (
            self.least * factor * (1 - spread),
            self.most * factor * (1 + spread) - self.mass,
        )


def _falling(cells: Cells, slack: float) -> list[_Cell]:
    less, more = 1 - slack, 1 + slack
    columns = (
        cells.index,
        cells.width,
        cells.mass * less,
        np.maximum(cells.mass * less - cells.over * more, 0),
        cells.mass * more - cells.over * less,
        (cells.mass + cells.under) * less,
        np.maximum(cells.over * less - SMALLEST, 0),
        cells.under * more + SMALLEST,
    )
    kept = np.flatnonzero(cells.mass > SMALLEST)[::-1]
    rows = zip(*(column[kept].tolist() for column in columns), strict=True)
    return [_Cell(cells.step, *row) for row in rows]


def _lifted(
    points: dict[int, float], cell: _Cell, carry: float, ceiling: int, error: float
) -> float:
    """All of a cell is lifted, as far as the carry takes it.  What is left of the carry."""
    farthest = _FARTHEST
    if cell.most > 0:
        farthest = min(farthest, log(cell.mass + carry) - log(cell.most))
    far = int(min(ceiling - cell.index, farthest / cell.step))
    while far > cell.width and cell.at(far, error)[1] > carry:
        far -= 1
    if far <= cell.width:
        far, (mass, cost) = cell.width, (cell.least_above, cell.lift)
    else:
        mass, cost = cell.at(far, error)
    if cell.index + far >= ceiling or (far + 1) * cell.step > _FARTHEST:
        _put(points, cell.index + far, mass)
        return max(carry - cost, 0.0) * _LESS
    mass_above, cost_above = cell.at(far + 1, error)
    share = max(carry - cost, 0.0) / (cost_above - cost) * _LESS if cost_above > cost else 0.0
    share = min(share, 1.0)
    _put(points, cell.index + far, mass * (1 - share))
    _put(points, cell.index + far + 1, mass_above * share)
    return 0.0


def _put(points: dict[int, float], index: int, mass: float) -> None:
    points[index] = points.get(index, 0.0) + mass * _LESS
