"""A grid whose masses are multiplied by e^(tilt·loss), so that what decides a small delta stands in
the middle.  Claim and proof: tilt.md"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import Final, final

import numpy as np

from discreet.loss.pld.floats import ELEMENTARY, UNIT, Reals, Whole
from discreet.loss.pld.grid import Grid

AWAY: Final = 27.0
"""What may lie outside the window: about e^−27 of the tilted law on each side."""
_SIZES: Final = (1.0, 0.6, 0.35, 0.2, 0.1, 0.05)
"""Powers that Chernoff's bound is tried at, in deviations of a bell with such tails."""
_STEEPEST: Final = 1e100
_MINUTE: Final = 2.0**-1070
"""What an underflow may hide."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tilted:
    """`weights` are the masses times e^(tilt·loss − log_sum), each but for a factor of e^±`error`,
    and add up to one, about; `logs` are their logarithms, each within `doubt`."""

    index: Whole
    losses: Reals
    weights: Reals
    logs: Reals
    log_sum: float
    mean: float
    variance: float
    error: float
    doubt: float

    @classmethod
    def of(cls, grid: Grid, tilt: float) -> Tilted:
        losses = grid.index.astype(np.float64) * float(grid.step)
        exponents = tilt * losses
        log_masses = np.log(grid.masses)
        logs = exponents + log_masses
        top = float(logs.max())
        half = np.exp((exponents - top) / 2)  # the whole power of a minute mass might be too large
        weights = grid.masses * half * half
        total = float(weights.sum())
        weights /= total
        mean = float((weights * losses).sum())
        widest = float(np.abs(exponents).max()) + abs(top)
        least = abs(log(total))
        return cls(
            grid.index,
            losses,
            weights,
            logs - top - log(total),
            top + log(total),
            mean,
            float((weights * (losses - mean) ** 2).sum()),
            2 * ELEMENTARY + (16 + 10 * widest + 20 * least) * UNIT,
            20 * (widest + float(np.abs(log_masses).max()) + least) * UNIT,
        )

    @property
    def largest(self) -> float:
        """No loss is farther from zero."""
        return max(abs(float(self.losses[0])), abs(float(self.losses[-1])))

    def log_moment(self, power: float) -> float:
        """The logarithm of the mean of e^(power·(loss − mean)), rounded up."""
        exponents = self.logs + power * (self.losses - self.mean)
        top = float(exponents.max())
        spread = abs(power) * self.largest + abs(top) + float(np.abs(self.logs).max())
        return (
            top
            + log(float(np.exp(exponents - top).sum()))
            + (2 * ELEMENTARY + (16 * spread + len(self.logs) + 800) * UNIT)
            + self.doubt
            + self.error
        )


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """How far the sum of many tilted losses goes.

    It goes from the first to the second of `ends`, in steps; and for each power, the mean of
    e^(power·(sum − mean)) is at most e^moment.  `widest` is no smaller than any sum.
    """

    step: float
    mean: float
    ends: tuple[int, int]
    widest: float
    moments: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, parts: Sequence[tuple[Tilted, int]], step: float) -> Reach:
        mean = sum(count * part.mean for part, count in parts)
        deviation = sqrt(sum(count * part.variance for part, count in parts))
        widest = sum(count * part.largest for part, count in parts) * (1 + 1e-6)
        steepest = min(sqrt(2 * AWAY) / deviation, _STEEPEST) if deviation > 0 else 0.0
        powers = {sign * size * steepest for sign in (1, -1) for size in _SIZES} | {0.0}
        moments = []
        for power in sorted(powers):
            each = [count * part.log_moment(power) for part, count in parts]
            rough = sum(map(abs, each)) + abs(power) * widest
            moments.append((power, sum(each) + (len(parts) + 8) * UNIT * rough))
        least = sum(count * int(part.index[0]) for part, count in parts)
        most = sum(count * int(part.index[-1]) for part, count in parts)
        return cls(step, mean, (least, most), widest, tuple(moments))

    def edges(self) -> tuple[int, int]:
        """The first and the last step of a window that leaves out about e^−AWAY on each side."""
        below = [(AWAY + moment) / power for power, moment in self.moments if power < 0]
        above = [(AWAY + moment) / power for power, moment in self.moments if power > 0]
        low = (self.mean + max(below, default=-inf)) / self.step
        high = (self.mean + min(above, default=inf)) / self.step
        least, most = self.ends
        first = least if low <= least else max(int(low) - 2, least)
        last = most if high >= most else min(int(high) + 2, most)
        return min(first, most), max(last, first)

    def beyond(self, place: int, side: int) -> float:
        """A bound of the chance that the sum is `place` steps or farther out, above (1) or below
        it (−1)."""
        if (place - self.ends[(side + 1) // 2]) * side > 0:
            return 0.0
        point = place * self.step - self.mean
        found = min(
            moment - power * point + 16 * UNIT * abs(power) * self.widest
            for power, moment in self.moments
            if power * side >= 0
        )
        return exp(min(found, 700.0)) * (1 + 2 * ELEMENTARY) + _MINUTE
