"""Approximate differential privacy.  Claim and proof: approx.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self, final

from discreet.loss.base import NOTHING_LEFT, Loss, capped, given
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, ball, down, nonnegative, probability, up, whole


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class Approx(Loss):
    """As `Pure`, but each event may be likelier by `delta` more.

    A delta of one promises nothing; sums stop there.

    >>> Approx(1, "1e-6") + 2 * Approx("1/2", 0)
    loss('epsilon=2, delta=1e-6')
    """

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Number | None = None, delta: Number | None = None) -> None:
        example = 'dp.Approx(1, "1e-6")'
        found = nonnegative(given(epsilon, "epsilon", example), "epsilon")
        object.__setattr__(self, "epsilon", found)
        found = probability(given(delta, "delta", example), "delta")
        object.__setattr__(self, "delta", found)

    def zero(self) -> Self:
        return type(self)(0, 0)

    def group(self, k: Number) -> Self:
        """(kε, δ(e^{kε}−1)/(e^ε−1)), the delta rounded up."""
        size = whole(k, "the size of the group")
        return type(self)(size * self.epsilon, _group_delta(self.epsilon, self.delta, size))

    def _plus(self, other: Self) -> Self:
        return type(self)(self.epsilon + other.epsilon, capped(self.delta + other.delta))

    def _times(self, n: int) -> Self:
        return type(self)(n * self.epsilon, capped(n * self.delta))

    def _at_most(self, other: Self) -> bool:
        return self.epsilon <= other.epsilon and self.delta <= other.delta

    def _sketch(self) -> Self:
        return type(self)(rounded(self.epsilon), capped(rounded(self.delta)))

    def __str__(self) -> str:
        return f"epsilon={written(self.epsilon)}, delta={written(self.delta)}"


def _group_delta(epsilon: Fraction, delta: Fraction, k: int) -> Fraction:
    """δ·(1 + e^ε + … + e^{(k−1)ε}), at most one."""
    if k <= 1 or delta == 0:
        return k * delta
    if epsilon == 0 or k * delta >= 1:
        return capped(k * delta)
    # The last term alone may pass one: asked first, so that no e^{kε} is computed for nothing.
    if down(lambda: ball((k - 1) * epsilon) + ball(delta).log()) >= 0:
        return NOTHING_LEFT
    return capped(up(lambda: ball(delta) * ball(k * epsilon).expm1() / ball(epsilon).expm1()))
