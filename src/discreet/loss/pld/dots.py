"""Losses moved to a grid so that no more is hidden.  Claim and proof: dots.md"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT
from discreet.loss.pld.grid import Cells, Grid


def connected(cells: Cells) -> Grid:
    """Each cell's mass goes to both of its ends, so that its masses under both laws stay: the
    curve of delta over e^epsilon becomes the chords between its values on the grid."""
    more = 1 + 2 * (cells.error + ELEMENTARY)
    share = (cells.over + SMALLEST) * (more / -np.expm1(-cells.width * cells.step))
    upper = np.minimum(share, cells.mass * more)
    lower = cells.mass * more - upper
    index = np.union1d(cells.index, cells.index + cells.width)
    masses = np.zeros(len(index))
    masses[np.searchsorted(index, cells.index)] = lower
    masses[np.searchsorted(index, cells.index + cells.width)] += upper
    return Grid.of(Fraction(cells.step), index, masses * (1 + 4 * UNIT), cells.infinite)
