"""Zero-concentrated differential privacy with a purse of delta.  Claim and proof: zcdp.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self, final

from discreet.errors import LossError
from discreet.loss.base import Loss, capped, given, larger_delta, pasted
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, nonnegative, probability, whole


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class ZCDP(Loss):
    """Rényi divergence at most rho times the order, at every order above one, after an event of
    probability at most `delta` was set aside.

    >>> ZCDP("1/8") + ZCDP("1/8", "1e-6")
    loss('rho=0.25, delta=1e-6')
    """

    rho: Fraction
    delta: Fraction

    def __init__(self, rho: Number | None = None, delta: Number = 0) -> None:
        found = nonnegative(given(rho, "rho", 'dp.ZCDP("1/2")'), "rho")
        object.__setattr__(self, "rho", found)
        object.__setattr__(self, "delta", probability(delta, "delta"))

    def zero(self) -> Self:
        return type(self)(0)

    def group(self, k: Number) -> Self:
        """k²ρ.  A purse has no such rule: it is refused for groups of two or more."""
        size = whole(k, "the size of the group")
        if size > 1 and self.delta > 0:
            raise LossError(
                "no rule is known for a group under zCDP with a delta",
                cure="convert first: "
                f'`{pasted(self)}.to(dp.Approx, delta="{larger_delta(self.delta)}").group(2)`',
                code="L06",
            )
        return type(self)(size**2 * self.rho, self.delta if size else 0)

    def _plus(self, other: Self) -> Self:
        return type(self)(self.rho + other.rho, capped(self.delta + other.delta))

    def _times(self, n: int) -> Self:
        return type(self)(n * self.rho, capped(n * self.delta))

    def _at_most(self, other: Self) -> bool:
        return self.rho <= other.rho and self.delta <= other.delta

    def _sketch(self) -> Self:
        return type(self)(rounded(self.rho), capped(rounded(self.delta)))

    def __str__(self) -> str:
        purse = f", delta={written(self.delta)}" if self.delta else ""
        return f"rho={written(self.rho)}{purse}"
