"""The Gumbel maximum: index i with probability proportional to exp(unit·score i).

The exponential mechanism is this choice.  Claim: gumbel.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from flint import arb

from discreet.noise.noisy_max import NoisyMax, Row, worth
from discreet.noise.race import Doubles
from discreet.numbers import MISSING, Number, ball, positive


@final
@dataclass(frozen=True, slots=True)
class GumbelMax(NoisyMax):
    """The index of the largest unit·score + G, with independent Gumbel noise G = -ln(-ln(1 - U)).

    >>> GumbelMax("1/2").choose([0, 1000, 3])
    1
    """

    unit: Fraction

    def __init__(self, unit: Number = MISSING) -> None:
        object.__setattr__(self, "unit", positive(unit, "unit"))

    @property
    def scale(self) -> Fraction:
        return self.unit

    def time(self, uniform: Doubles) -> Doubles:
        return np.log(-np.log1p(-uniform))

    def exact_time(self, uniform: arb) -> arb:
        return (-(-uniform).log1p()).log()

    def law(self, scores: Row) -> dict[int, arb]:
        weights = [(-ball(behind)).exp() for behind in worth(self.unit, scores)]
        total = sum(weights, start=arb(0))
        return {index: weight / total for index, weight in enumerate(weights)}
