"""The discrete Gaussian law: P(n) proportional to exp(-n² / 2σ²).  Claim: gaussian.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from discreet.errors import MechanismError
from discreet.noise.integer import LARGEST_SCALE, IntegerNoise, scale_of
from discreet.noise.weights import Sides, Weights
from discreet.numbers import Number, positive


@final
@dataclass(frozen=True, slots=True)
class DiscreteGaussian(IntegerNoise):
    """Noise on all integers, given by its scale σ or by σ², the variance of the continuous law.
    (The discrete law's own variance is never larger.)

    >>> DiscreteGaussian(3) == DiscreteGaussian(variance=9)
    True
    """

    variance: Fraction

    def __init__(self, scale: Number | None = None, *, variance: Number | None = None) -> None:
        if scale is not None and variance is not None:
            raise _one_of_both("both are given")
        if scale is not None:
            squared = scale_of(scale, "DiscreteGaussian") ** 2
        elif variance is not None:
            squared = positive(variance, "variance")
        else:
            raise _one_of_both("neither is given")
        if squared > LARGEST_SCALE**2:
            raise MechanismError(
                "variance must be at most 2^80 squared lattice steps",
                cure="measure in a coarser step, so that the same noise has a smaller variance, "
                "such as `dp.DiscreteGaussian(variance=2**80)`",
                code="M22",
            )
        object.__setattr__(self, "variance", squared)

    @property
    def weights(self) -> Weights:
        return Weights(Fraction(0), 1 / (2 * self.variance), Sides.BOTH)


def _one_of_both(problem: str) -> MechanismError:
    return MechanismError(
        f"a discrete Gaussian needs its scale or its variance, and {problem}",
        cure="give one of them: `dp.DiscreteGaussian(3)` or `dp.DiscreteGaussian(variance=9)`",
        code="M23",
    )
