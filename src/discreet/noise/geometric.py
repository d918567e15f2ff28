"""The geometric law: P(n) proportional to exp(-n / scale) on 0, 1, 2, …  Claim: geometric.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from discreet.noise.integer import IntegerNoise, scale_of
from discreet.noise.weights import Sides, Weights
from discreet.numbers import MISSING, Number


@final
@dataclass(frozen=True, slots=True)
class Geometric(IntegerNoise):
    """Noise on 0, 1, 2, … that falls off by a factor e for each `scale` steps: the number of
    successes before the first failure of a coin that succeeds with probability exp(-1 / scale).

    >>> Geometric(3).sample(size=5).min() >= 0
    np.True_
    """

    scale: Fraction

    def __init__(self, scale: Number = MISSING) -> None:
        object.__setattr__(self, "scale", scale_of(scale, "Geometric"))

    @property
    def weights(self) -> Weights:
        return Weights(1 / self.scale, Fraction(0), Sides.ONE)
