"""Two laws on the same outcomes, and one of them mixed into the other.  Claim: twins.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self, final

import numpy as np

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals, above


@final
@dataclass(frozen=True, slots=True, eq=False)
class Twins:
    """The masses of the same outcomes under two laws, each within `error` of itself, and how much
    of each law is not listed, at most."""

    first: Reals
    second: Reals
    error: float
    missing: tuple[float, float]

    def turned(self) -> Twins:
        """The second law, against the first."""
        return Twins(self.second, self.first, self.error, (self.missing[1], self.missing[0]))

    def mixed(self, rate: Fraction) -> Twins:
        """The second law with `rate` of the first in it, against the second: what is told of a
        table in which one row was taken with that probability."""
        share, rest = float(rate), float(1 - rate)
        return Twins(
            share * self.first + rest * self.second,
            self.second,
            self.error + 4 * UNIT,
            (
                (above(rate) * self.missing[0] + above(1 - rate) * self.missing[1])
                * (1 + 4 * UNIT),
                self.missing[1],
            ),
        )

    def losses(self) -> Atoms:
        """The losses of the first against the second."""
        listed = (self.first > SMALLEST) & (self.second > SMALLEST)
        first, second = self.first[listed], self.second[listed]
        middle = np.log(first / second)
        slack = 3 * self.error + 2 * UNIT + (ELEMENTARY + 2 * UNIT) * np.abs(middle)
        off = 2 * self.error + 4 * UNIT
        lost = float(self.first[~listed].sum()) * (1 + len(self.first) * UNIT)
        unlisted = (self.missing[0] + lost) * (1 + self.error + 4 * UNIT)
        minute = 0.0 if listed.all() else len(listed) * SMALLEST
        return Atoms.scattered(
            (middle - slack, middle + slack),
            (first * (1 - off), first * (1 + off)),
            (0.0, min(1.0, unlisted + minute)),
        )

    @classmethod
    def shifted(cls, masses: Reals, by: int, error: float, missing: float) -> Self:
        """A law of consecutive integers, against itself moved up by a whole number."""
        more = 1 + error + (len(masses) + 8) * UNIT
        by = min(by, len(masses))
        low, high = float(masses[:by].sum()), float(masses[len(masses) - by :].sum())
        return cls(
            masses[by:],
            masses[: len(masses) - by],
            error,
            (missing + low * more, missing + high * more),
        )
