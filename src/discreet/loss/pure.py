"""Pure differential privacy.  Claim and proof: pure.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self, final

from discreet.loss.base import Loss, given
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, nonnegative, whole


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class Pure(Loss):
    """No event is more than e^epsilon times likelier under one neighbour than under the other.

    >>> 2 * Pure(1) + Pure("1/2"), Pure(1).group(3)
    (loss('epsilon=2.5'), loss('epsilon=3'))
    """

    epsilon: Fraction

    def __init__(self, epsilon: Number | None = None) -> None:
        found = nonnegative(given(epsilon, "epsilon", "dp.Pure(1)"), "epsilon")
        object.__setattr__(self, "epsilon", found)

    def zero(self) -> Self:
        return type(self)(0)

    def group(self, k: Number) -> Self:
        return type(self)(whole(k, "the size of the group") * self.epsilon)

    def _plus(self, other: Self) -> Self:
        return type(self)(self.epsilon + other.epsilon)

    def _times(self, n: int) -> Self:
        return type(self)(n * self.epsilon)

    def _at_most(self, other: Self) -> bool:
        return self.epsilon <= other.epsilon

    def _sketch(self) -> Self:
        return type(self)(rounded(self.epsilon))

    def __str__(self) -> str:
        return f"epsilon={written(self.epsilon)}"
