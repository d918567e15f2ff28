"""Masses on a grid of losses, and the cells between its points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Final, final

import numpy as np

from discreet.errors import LossError
from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import ELEMENTARY, UNIT, Reals, Whole

_MOST: Final = 2.0**45
"""Losses are below so many steps."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """So much mass at each loss `index`·`step`, in rising order, and at infinity.  No mass is
    zero."""

    step: Fraction
    index: Whole
    masses: Reals
    infinite: float

    @classmethod
    def of(cls, step: Fraction, index: Whole, masses: Reals, infinite: float) -> Grid:
        kept = np.flatnonzero(masses > 0)
        return cls(step, index[kept], masses[kept], infinite)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What lies in each cell, from `index`·`step` up to (`index` + `width`)·`step`.

    With P and Q the masses of a cell under both laws, and x and y the ratios at its two points:
    `mass` is P, `over` is P − x·Q, `under` is y·Q − P, each within `error` of itself, or 2^-1052.
    """

    step: float
    index: Whole
    width: Whole
    mass: Reals
    over: Reals
    under: Reals
    error: float
    infinite: float


def aligned(atoms: Atoms, step: Fraction) -> bool:
    """Whether all losses are points of the grid."""
    return atoms.step is not None and (atoms.step / step).denominator == 1


def on_points(atoms: Atoms, step: Fraction, end: int) -> Grid:
    """The atoms of a lattice as they are, by their lower (0) or upper (1) ends."""
    if atoms.step is None or atoms.index is None:
        raise ValueError("atoms without a lattice")
    times = (atoms.step / step).numerator
    if max(map(abs, _ends(atoms.index))) * times >= 2**62:
        raise _too_close()
    return Grid.of(step, atoms.index * times, atoms.masses[end], atoms.infinite[end])


def in_cells(atoms: Atoms, step: float, end: int) -> Cells:
    """The lower (0) or the upper (1) ends of losses and masses.  `step` is `dyadic`, so that its
    multiples are doubles."""
    kept = np.flatnonzero(atoms.masses[end] > 0)
    losses, masses = atoms.losses[end][kept], atoms.masses[end][kept]
    if np.abs(losses).max(initial=0.0) >= _MOST * step:
        raise _too_close()
    index = np.floor(losses / step).astype(np.int64)
    index += (losses >= (index + 1) * step).astype(np.int64)
    index -= (losses < index * step).astype(np.int64)
    above, below = losses - index * step, (index + 1) * step - losses  # each is rounded once
    points, where = _numbered(index)
    return Cells(
        step,
        points,
        np.ones(len(points), np.int64),
        _added(where, masses),
        _added(where, -masses * np.expm1(-above)),
        _added(where, _lifts(masses, below)),
        ELEMENTARY + (float(np.bincount(where).max(initial=0)) + 4 + step) * UNIT,
        atoms.infinite[end],
    )


def _lifts(masses: Reals, below: Reals) -> Reals:
    with np.errstate(over="ignore"):
        found: Reals = masses * np.expm1(below)
    return found


def _added(where: Whole, weights: Reals) -> Reals:
    return np.bincount(where, weights=weights).astype(np.float64)


def _numbered(index: Whole) -> tuple[Whole, Whole]:
    """The different members in rising order, and for each member which of them it is."""
    first, last = _ends(index)
    if last - first >= 8 * len(index) + 1_024:
        points, where = np.unique(index, return_inverse=True)
        return points, where
    seen = np.zeros(last - first + 1, np.bool_)
    seen[index - first] = True
    rank = np.cumsum(seen) - 1
    return np.flatnonzero(seen) + first, rank[index - first]


def _ends(index: Whole) -> tuple[int, int]:
    return int(index.min(initial=0)), int(index.max(initial=0))


def _too_close() -> LossError:
    return LossError(
        "the privacy losses of all answers together lie too close, for such large ones",
        cure="compose fewer kinds of answers at once, or add up rho: `1000 * dp.ZCDP('1/100')`",
        code="L59",
    )


def dyadic(about: float) -> float:
    """A step of at most `about` whose multiples are doubles: seven bits and a power of two."""
    if not (isfinite(about) and about > 0):
        raise ValueError("a step is positive")
    mantissa, exponent = np.frexp(about)
    return float(np.ldexp(np.floor(mantissa * 128), int(exponent) - 7))
