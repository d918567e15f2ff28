"""One symmetric pair of laws that no pair of a family is easier to tell apart than.  Claim and
proof: envelope.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Self, final

import numpy as np

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals, Whole, above, below, frozen
from discreet.loss.pld.twins import Twins


@final
@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """Mass at each of the losses `index`·`step`, none of them below zero, and at infinity.  Each
    loss above zero has its mirror image: e^−loss times as much mass at −loss."""

    step: Fraction
    index: Whole
    masses: Reals
    infinite: float

    @classmethod
    def of(cls, step: Fraction, index: Whole, heights: Reals) -> Self:
        """Over a family whose curve is at most `heights` at these losses, which rise from zero or
        more: the curve that joins the heights by chords, or a hair more."""
        high = np.maximum.accumulate(np.minimum(heights, 1.0)[::-1])[::-1]
        with np.errstate(over="ignore"):
            falls = -np.expm1(-np.diff(index) * below(step) * (1 - 4 * UNIT))
        needed = (high[:-1] - high[1:]) / falls * (1 + 2 * ELEMENTARY) + high[1:] * (1 + 4 * UNIT)
        beyond = np.maximum.accumulate(np.append(needed, high[-1])[::-1])[::-1]
        masses = np.append(0.0, (beyond[:-1] - beyond[1:]) * (1 + 4 * UNIT))
        shrunk = _shrunk(step, index)
        both = fsum([*masses, *(masses * shrunk), high[-1]]) * (1 - 2 * ELEMENTARY)
        rest = max(0.0, 1 - both) * (1 + 4 * UNIT)
        masses[0] = rest if index[0] == 0 else rest / (1 + shrunk[0]) * (1 + ELEMENTARY)
        return cls(step, index, frozen(masses), float(high[-1]))

    def atoms(self) -> Atoms:
        """As losses.  The lower ends of masses are zero: nothing is known to be as easy to tell
        apart."""
        steep = np.minimum(self.index * min(above(self.step), 1e300), 800.0)
        mirrored = self.masses * _shrunk(self.step, self.index)
        mirrored = np.maximum(mirrored * (1 + 2 * ELEMENTARY + 8 * UNIT * steep), SMALLEST)
        mirrored = np.where(self.masses > 0, mirrored, 0.0)
        away = int(self.index[0] == 0)
        index = np.concatenate([-self.index[away:][::-1], self.index])
        masses = np.concatenate([mirrored[away:][::-1], self.masses])
        nothing = np.zeros(len(masses))
        return Atoms.on_lattice(self.step, index, (nothing, masses), (0.0, self.infinite))

    def twins(self) -> Twins:
        """As two laws of the same outcomes, either of them the first."""
        away = int(self.index[0] == 0)
        steep = min(float(self.index[-1]) * above(self.step), 800.0)
        mirrored = (self.masses * _shrunk(self.step, self.index))[away:]
        first = np.concatenate([mirrored[::-1], self.masses])
        error = 2 * ELEMENTARY + (4 * steep + 16) * UNIT
        return Twins(first, first[::-1].copy(), error, (self.infinite, self.infinite))


def _shrunk(step: Fraction, index: Whole) -> Reals:
    """e^−loss, about."""
    with np.errstate(over="ignore"):
        shrunk: Reals = np.exp(-index * below(step))
    return shrunk
