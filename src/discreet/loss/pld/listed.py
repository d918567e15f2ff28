"""The two ends of delta, from atoms that are all at hand.  Claim and proof: listed.md"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals


@final
@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """The curve of one list of atoms, by its lower (−1) or upper (1) ends."""

    losses: Reals
    masses: Reals
    infinite: float
    side: int

    @classmethod
    def of(cls, atoms: Atoms, side: int) -> Listed:
        end = (side + 1) // 2
        order = np.argsort(atoms.losses[end], kind="stable")
        losses, masses = atoms.losses[end][order], atoms.masses[end][order]
        return cls(losses, masses, atoms.infinite[end], side)

    def delta(self, epsilon: float) -> tuple[float, float]:
        """The end of delta at `epsilon`, and about how fast it falls."""
        start = int(np.searchsorted(self.losses, epsilon, side="right"))
        beyond = self.losses[start:] - epsilon
        masses = self.masses[start:]
        shown = float(-(masses * np.expm1(-beyond)).sum())
        spread = 2 * ELEMENTARY + UNIT * (len(self.losses) + 8)
        minute = SMALLEST * (len(masses) > 0)
        found = (shown + self.infinite) * (1 + self.side * spread) + self.side * minute
        return min(1.0, max(0.0, found)), float((masses * np.exp(-beyond)).sum())
