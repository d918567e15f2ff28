"""The Laplace mechanism on the integers.  Claim and proof: laplace.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from discreet.distances import L1, require
from discreet.loss import ZCDP, Pure
from discreet.loss.pld import PLD, Twins, two_sided
from discreet.mechanisms import laplace_pair
from discreet.mechanisms.additive import Additive
from discreet.mechanisms.lattice import not_a_step
from discreet.mechanisms.search import confidence_in
from discreet.noise import DiscreteLaplace
from discreet.numbers import MISSING, Number, ball, positive, up, whole


@final
@dataclass(frozen=True, slots=True, init=False)
class Laplace(Additive[L1]):
    """The exact answer plus discrete Laplace noise: pure privacy, ε = L1 / scale.

    >>> Laplace(2).loss(L1(1)), Laplace(2).accuracy("0.95")
    (loss('epsilon=0.5'), Fraction(6, 1))
    >>> type(Laplace("1/2", step="0.01").release("12.34"))
    <class 'fractions.Fraction'>
    """

    nearest: ClassVar = L1(1)

    scale: Fraction
    step: Fraction

    def __init__(self, scale: Number = MISSING, *, step: Number = 1) -> None:
        object.__setattr__(self, "step", positive(step, "step"))
        object.__setattr__(self, "scale", positive(scale, "scale"))
        self.noise  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @property
    def noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(self.scale / self.step)

    def loss(self, distance: L1) -> Pure:
        return Pure(self._moved(distance) / self.scale)

    def zcdp(self, distance: L1) -> ZCDP:
        """ρ = ε − (1 − e^−ε)·t/sinh t with t = step/scale: less than what follows from ε alone."""
        epsilon, t = self._moved(distance) / self.scale, self.step / self.scale
        if epsilon == 0:
            return ZCDP(0)
        return ZCDP(up(lambda: ball(epsilon) + (-ball(epsilon)).expm1() * ball(t) / ball(t).sinh()))

    def pld(self, distance: L1) -> PLD:
        return laplace_pair.distribution(self.noise.scale, self._steps(distance))

    def twins(self, distance: L1) -> Twins:
        return laplace_pair.told_apart(self.noise.scale, self._steps(distance))

    def limit(self, distance: L1) -> PLD:
        """Of the continuous law, to which this one comes near as the step shrinks; what is told
        costs what `pld` says."""
        return two_sided(require(L1, distance, "Laplace").by / self.scale)

    def _steps(self, distance: L1) -> int:
        return (self._moved(distance) / self.step).numerator

    def textbook_accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """ln(count/β)·scale, the theorem for continuous noise: integers pass it up to twice as
        often as it says.  `accuracy` is exact."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        return up(lambda: ball(times / (1 - sure)).log() * ball(self.scale))

    def _moved(self, distance: L1) -> Fraction:
        by = require(L1, distance, "Laplace").by
        if (by / self.step).denominator != 1:
            raise not_a_step(str(distance), "`dp.Laplace(10).loss(dp.L1(3))`, or a smaller step")
        return by
