"""Where to tilt: every tilt gives a proven bound, and this looks for a narrow one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final, TypeAlias, final

import numpy as np

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import Reals

Many: TypeAlias = Sequence[tuple[Atoms, int]]

_STEPS: Final = 16
_NEGLIGIBLE: Final = 1e-8
_LEAST, _MOST = 1e-4, 1e6
_FAR, _FLAT = 1e-3, 1e-3
_TINY: Final = 1e-60


@final
@dataclass(frozen=True, slots=True, eq=False)
class Leaning:
    """The finite atoms of several laws by their upper ends, and how often each law is taken."""

    laws: tuple[tuple[Reals, Reals, int], ...]

    @classmethod
    def of(cls, many: Many) -> Leaning:
        return cls(tuple((atoms.losses[1], atoms.masses[1], count) for atoms, count in many))

    def sums(self, tilt: float) -> tuple[float, float, float]:
        """Of the tilted sum: log of the moment, mean, variance."""
        total = mean = variance = 0.0
        for losses, masses, count in self.laws:
            exponents = tilt * losses
            top = float(exponents.max())
            weights = masses * np.exp(exponents - top)
            whole = float(weights.sum())
            middle = float((weights * losses).sum()) / whole
            total += count * (top + log(whole))
            mean += count * middle
            variance += count * max(0.0, float((weights * (losses - middle) ** 2).sum()) / whole)
        return total, mean, variance

    def ranges(self, tilt: float, most: float) -> list[tuple[int, int]]:
        """Of each law, in the order of losses, the atoms that matter at this tilt: to a delta of at
        most so much."""
        total, mean, variance = self.sums(tilt)
        times = sum(count for _, _, count in self.laws)
        spread = tilt * (tilt + 1) * sqrt(2 * pi * variance)
        looks = total - tilt * mean - log(max(spread, 1.0))
        delta = min(most, exp(min(max(looks, -600.0), 0.0)))
        found = []
        for losses, masses, _ in self.laws:
            above = np.cumsum(masses[::-1])[::-1]
            high = int(np.searchsorted(-above, -_NEGLIGIBLE * delta / times))
            exponents = tilt * losses
            top = float(exponents.max())
            whole = float((masses * np.exp(exponents - top)).sum())
            below = np.cumsum(masses)[:-1] * np.exp(exponents[1:] - top)
            low = int(np.searchsorted(below, _NEGLIGIBLE * whole / times))
            found.append((min(low, max(high, 1) - 1), max(high, 1)))
        return found

    def for_delta(self, delta: float) -> float:
        """The tilt whose middle lies about where delta is this."""

        def higher(tilt: float) -> bool:
            total, mean, variance = self.sums(tilt)
            spread = tilt * (tilt + 1) * sqrt(2 * pi * variance)
            return total - tilt * mean - log(max(spread, 1.0)) > log(delta)

        return self._last(higher)

    def for_epsilon(self, epsilon: float) -> float:
        """The tilt whose middle is at `epsilon`; or where nearly all is at the highest loss."""

        def lower(tilt: float) -> bool:
            total, mean, variance = self.sums(tilt)
            collapsed = tilt * mean - total > _FAR and variance * tilt**2 < _FLAT
            return mean < epsilon and not collapsed

        return self._last(lower)

    def _last(self, holds: Callable[[float], bool]) -> float:
        """About the largest tilt at which it holds; it holds up to some tilt, and not beyond."""
        # A tilt is worth something beside one over the deviation: small losses bear large ones.
        larger = min(max(1.0, 1 / max(sqrt(self.sums(0.0)[2]), _TINY)), 1 / _TINY)
        least, most = _LEAST, _MOST * larger
        if not holds(least):
            return least
        return _between(holds, log(least), log(most))


def _between(holds: Callable[[float], bool], low: float, high: float) -> float:
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if holds(exp(middle)):
            low = middle
        else:
            high = middle
    return exp(low)
