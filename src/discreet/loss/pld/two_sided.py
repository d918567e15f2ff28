"""Two Laplace laws a distance apart, the limit of discrete noise.  Claim and proof: two_sided.md"""

from __future__ import annotations

from fractions import Fraction
from math import exp, expm1
from typing import Final

import numpy as np

from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.contract import contracted
from discreet.loss.pld.dots import connected
from discreet.loss.pld.floats import ELEMENTARY, UNIT, above, below
from discreet.loss.pld.grid import Cells, Grid
from discreet.loss.pld.pld import PLD, Pair

FINE: Final = 256
"""Cells in epsilon."""
LARGEST: Final = Fraction(600)


def two_sided(epsilon: Fraction) -> PLD:
    """Scale one, and `epsilon` apart: both ways are alike."""
    lower = contracted(_cells(below(epsilon / FINE)))
    upper = connected(_cells(above(epsilon / FINE)))
    return PLD.of(Pair.even(Losses(_atoms(lower), _atoms(upper))))


def _cells(step: float) -> Cells:
    """Of the laws FINE·step apart: between its two ends, where half of the first law and half of
    the second lie, the loss has the density e^((loss − epsilon)/2)/4."""
    index = np.arange(-FINE, FINE + 1)
    half = -expm1(-step / 2)
    size = np.exp((index - FINE) * (step / 2)) * half / 2
    size[-1] = 0.0
    mass, over, under = size * exp(step / 2), size * expm1(step / 2), size * exp(step / 2)
    under *= expm1(step / 2)
    for place, weight in ((0, exp(-FINE * step) / 2), (-1, 0.5)):
        mass[place] += weight
        under[place] += weight * expm1(step)
    error = 8 * ELEMENTARY + 8 * UNIT * FINE * step
    return Cells(step, index, np.ones(len(index), np.int64), mass, over, under, error, 0.0)


def _atoms(grid: Grid) -> Atoms:
    return Atoms.on_lattice(grid.step, grid.index, (grid.masses, grid.masses))
