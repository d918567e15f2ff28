"""From a curve of delta to an epsilon: every answer was asked of the curve itself."""

from __future__ import annotations

from math import inf, log
from typing import Final

from discreet.errors import LossError
from discreet.loss.pld.plan import End

_NEAR: Final = 1e-10
_TURNS: Final = 200
_FARTHEST: Final = 1e300


def epsilons(curve: End, delta: float) -> tuple[float, float]:
    """Two numbers close together: at the first the curve is at `delta` or above, or it is zero; at
    the second it is at `delta` or below."""
    if curve.delta(0.0)[0] <= delta:
        return 0.0, 0.0
    low, high = 0.0, 1.0
    shown, rate = curve.delta(high)
    while shown > delta:
        if high > _FARTHEST:
            raise LossError(
                "no epsilon is found at this delta, which is next to the chance that all is told",
                cure="choose a larger delta",
                code="L56",
            )
        low, high = high, 2 * high
        shown, rate = curve.delta(high)
    place = high
    for turn in range(_TURNS):
        width = _NEAR * high
        if high - low <= width:
            break
        guess = _newton(place, shown, rate, delta) + (width if place == low else -width) / 3
        place = guess if turn % 3 < 2 and low < guess < high else (low + high) / 2
        shown, rate = curve.delta(place)
        if shown > delta:
            low = place
        else:
            high = place
    return low, high


def _newton(place: float, shown: float, rate: float, delta: float) -> float:
    """Where the logarithm of delta would be as wanted, if it were a line."""
    if shown <= 0 or rate <= 0 or delta <= 0:
        return inf
    return place + (log(shown) - log(delta)) * shown / rate
