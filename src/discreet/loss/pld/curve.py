"""From the tilted law of a sum of losses to delta.  Claim and proof: curve.md"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log1p
from typing import Final, final

import numpy as np

from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals

_STEEPEST: Final = 600.0
_FARTHEST: Final = 300.0
_LOWEST: Final = -690.0
_LOST: Final = 2.0**-600
"""What underflow may take from a sum, at most, or add to it."""
_ENDLESS: Final = 1e300
_LEAST: Final = 1e-300


@final
@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The tilted law of a sum of losses, in a window of the grid.

    At the loss L = (first + j)·step the mass, times e^(tilt·L − log_scale), is within `off` of
    `masses[j]`, but for what lies outside the window and was folded into it: at most `above` of
    it, and `below` it.  And all are within a factor of e^±`error` of the masses that are meant.
    No loss is above `last`·step.
    """

    step: float
    first: int
    last: int
    masses: Reals
    off: float
    tilt: float
    log_scale: float
    above: float
    below: float
    error: float
    infinite: float

    @property
    def start(self) -> float:
        return self.first * self.step

    @property
    def end(self) -> float:
        return (self.first + len(self.masses)) * self.step

    @property
    def widest(self) -> float:
        return abs(self.start) + abs(self.end)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One end of delta as a function of epsilon: never above it (side −1), or never below (1)."""

    window: Window
    side: int
    origin: float
    losses: Reals
    sums: tuple[Reals, Reals]

    @classmethod
    def of(cls, window: Window, side: int, origin: float) -> Curve:
        """`origin` is a loss near those that will be asked for."""
        points: Reals = window.start + np.arange(len(window.masses), dtype=np.float64) * window.step
        start = int(np.searchsorted(points, _lowest(window, origin), side="right"))
        losses = points[start:] - origin
        masses = np.maximum(window.masses[start:] + side * window.off, 0.0)
        masses *= np.exp(-window.tilt * losses)
        all_of_it = np.cumsum(masses[::-1])[::-1]
        falling = np.cumsum((masses * np.exp(-losses))[::-1])[::-1]
        return cls(window, side, origin, points[start:], (all_of_it, falling))

    @property
    def infinite(self) -> float:
        return self.window.infinite

    def delta(self, epsilon: float) -> tuple[float, float]:
        """The end of delta at `epsilon`, and about how fast it falls."""
        window = self.window
        nothing = (1.0, 0.0) if self.side > 0 else (window.infinite, 0.0)  # what is always true
        if epsilon > _ENDLESS and self.side < 0:
            return nothing
        epsilon = min(epsilon, _ENDLESS)
        shift = 16 * UNIT * (abs(epsilon) + abs(self.origin) + window.widest)
        place = epsilon - self.side * shift
        if self.side > 0 and place >= window.last * window.step:
            return window.infinite, 0.0
        lowest = _lowest(window, self.origin)
        if place < lowest and self.side > 0:
            return nothing
        place = max(place, lowest)
        spread = 4 * ELEMENTARY + UNIT * (len(window.masses) + 8) + (window.tilt + 1) * 2 * shift
        exponent, slack = self._scale()
        if spread > 1 or slack > 1 or exponent > 1:
            return nothing
        shown, rate = self._shown(place, spread)
        if self.side > 0:
            scale = exp(max(exponent, _LOWEST) + slack)
            finite = max(shown, 0.0) * scale * (1 + 8 * UNIT) + SMALLEST
        else:
            scale = exp(exponent - slack) if exponent > _LOWEST else 0.0
            finite = max(max(shown, 0.0) * scale * (1 - 8 * UNIT) - SMALLEST, 0.0)
        found = (finite + window.infinite) * (1 + self.side * 4 * UNIT)
        return min(1.0, max(found, 0.0)), rate * scale

    def _shown(self, place: float, spread: float) -> tuple[float, float]:
        """The end of delta without its scale, at a place that errs to the right side."""
        window, tilt, far = self.window, self.window.tilt, place - self.origin
        k = int(np.searchsorted(self.losses, place, side="right"))
        shown, rate = self._sum(0, k), exp(min(far, _FARTHEST)) * self._sum(1, k)
        level = exp(-tilt * far) * _largest(tilt)  # what one unit of mass beyond it counts for
        if self.side > 0:
            top = exp(-tilt * (max(window.end, place) - self.origin))
            outside = window.above * min(top, level)
            outside += window.below * level if place < window.start else 0.0
            found = (shown + outside) * (1 + spread) - rate * (1 - spread) + _LOST
        else:
            outside = (window.above + window.below) * level
            rate = rate if far <= _FARTHEST else shown
            found = shown * (1 - spread) - (rate + outside) * (1 + spread) - _LOST
        return found, rate

    def _sum(self, which: int, k: int) -> float:
        return float(self.sums[which][k]) if k < len(self.sums[which]) else 0.0

    def _scale(self) -> tuple[float, float]:
        """The logarithm of what the sums are to be multiplied by, and how far it may be off."""
        window = self.window
        widest = abs(window.log_scale) + abs(window.tilt * self.origin)
        slack = window.error + 8 * UNIT * widest + 2 * ELEMENTARY
        return window.log_scale - window.tilt * self.origin, slack


def _lowest(window: Window, origin: float) -> float:
    """Below it powers would be too large."""
    return origin - _STEEPEST / (window.tilt + 1)


def _largest(tilt: float) -> float:
    """The largest of e^(−tilt·y)·(1 − e^(−y))."""
    power = exp(-tilt * log1p(1 / tilt)) if tilt > _LEAST else 1.0
    return power / (tilt + 1) * (1 + 4 * ELEMENTARY)
