"""The Gaussian mechanism on the integers.  Claim and proof: gaussian.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from discreet.distances import L2, require
from discreet.loss import ZCDP
from discreet.loss.pld import PLD, Twins, normal
from discreet.mechanisms import gaussian_pair
from discreet.mechanisms.additive import Additive
from discreet.mechanisms.base import no_distribution
from discreet.mechanisms.lattice import not_a_step
from discreet.mechanisms.search import confidence_in
from discreet.noise import DiscreteGaussian
from discreet.numbers import Number, ball, positive, up, whole


@final
@dataclass(frozen=True, slots=True, init=False)
class Gaussian(Additive[L2]):
    """The exact answer plus discrete Gaussian noise: ρ = L2² / 2σ².

    >>> Gaussian(2).loss(L2(1)), Gaussian(variance=4).accuracy("0.95")
    (loss('rho=0.125'), Fraction(4, 1))
    """

    nearest: ClassVar = L2(1)

    variance: Fraction
    step: Fraction

    def __init__(
        self, scale: Number | None = None, *, variance: Number | None = None, step: Number = 1
    ) -> None:
        object.__setattr__(self, "step", positive(step, "step"))
        square = self.step**2
        if scale is not None:
            scale = positive(scale, "scale") / self.step
        if variance is not None:
            variance = positive(variance, "variance") / square
        noise = DiscreteGaussian(scale, variance=variance)
        object.__setattr__(self, "variance", noise.variance * square)

    @property
    def noise(self) -> DiscreteGaussian:
        return DiscreteGaussian(variance=self.variance / self.step**2)

    def loss(self, distance: L2) -> ZCDP:
        square = require(L2, distance, "Gaussian").square
        if (square / self.step**2).denominator != 1:
            raise not_a_step(
                str(distance),
                "`dp.Gaussian(10).loss(dp.L2.root(3))` for a square of three, or a smaller step",
            )
        return ZCDP(square / (2 * self.variance))

    def pld(self, distance: L2) -> PLD:
        return gaussian_pair.distribution(self.noise.variance, self._square(distance))

    def twins(self, distance: L2) -> Twins:
        return gaussian_pair.told_apart(self.noise.variance, self._square(distance))

    def attained(self, distance: L2) -> Twins | None:
        """The laws of some neighbours, where `twins` are not such laws themselves."""
        square = self._square(distance)
        if square <= gaussian_pair.WORST:
            return None
        return gaussian_pair.attained(self.noise.variance, square)

    def limit(self, distance: L2) -> PLD:
        """Of the continuous law, to which this one comes near as the step shrinks; what is told
        costs what `pld` says."""
        square = require(L2, distance, "Gaussian").square / self.variance
        return normal(up(lambda: ball(square).sqrt()))

    def _square(self, distance: L2) -> int:
        square = 2 * self.variance * self.loss(distance).rho / self.step**2
        if not gaussian_pair.known(self.noise.variance, int(square)):
            raise no_distribution("Gaussian")
        return int(square)

    def textbook_accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """σ·√(2 ln(2·count/β)), the theorem for sub-Gaussian noise.  `accuracy` is exact."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        spread = self.variance
        return up(lambda: (2 * ball(spread) * ball(2 * times / (1 - sure)).log()).sqrt())
