"""Looking for a good order.  Every order proves a bound, so what is found here needs no proof."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from flint import arb

from discreet.numbers import Real, at, ball, up

BITS: Final = 128
_STEPS: Final = 120
_CLOSE: Final = 48


def crossing(rising: Callable[[arb], arb], low: Real, high: Real) -> Fraction:
    """About where `rising` passes zero between two positive numbers, by halving their ratio."""

    def halved() -> arb:
        below, above = low().mid(), high().mid()
        for _ in range(_STEPS):
            if above - below < below / 2**_CLOSE:
                break
            middle = (below * above).sqrt().mid()
            if rising(middle) > 0:
                above = middle
            else:
                below = middle
        return below

    found = at(BITS, halved)
    return up(lambda: found)


def inside(low: Fraction, high: Fraction, real: Real) -> Fraction | None:
    """`real`, about, if it lies between the two."""
    found = at(BITS, real).mid()
    if not at(BITS, lambda: ball(low)) < found < at(BITS, lambda: ball(high)):
        return None
    return min(high, up(lambda: found))
