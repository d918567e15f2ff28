"""The discrete Laplace law: P(n) proportional to exp(-|n| / scale).  Claim: laplace.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from discreet.noise.integer import IntegerNoise, scale_of
from discreet.noise.weights import Sides, Weights
from discreet.numbers import MISSING, Number


@final
@dataclass(frozen=True, slots=True)
class DiscreteLaplace(IntegerNoise):
    """Noise on all integers that falls off by a factor e for each `scale` steps.

    >>> DiscreteLaplace("22/7")
    DiscreteLaplace(scale=Fraction(22, 7))
    >>> DiscreteLaplace(2).sample(size=(3, 4)).shape
    (3, 4)
    """

    scale: Fraction

    def __init__(self, scale: Number = MISSING) -> None:
        object.__setattr__(self, "scale", scale_of(scale, "DiscreteLaplace"))

    @property
    def weights(self) -> Weights:
        return Weights(1 / self.scale, Fraction(0), Sides.BOTH)
