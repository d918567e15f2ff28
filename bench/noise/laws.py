"""Does a contestant draw the law it was asked for?  A variance taken for a sigma is a classic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, pi, sinh, sqrt
from typing import Final, assert_never, final

from bench.figures import Draw
from bench.noise.plan import Law

_SIGMAS: Final = 6.0
_FEWEST: Final = 1_000
"""With fewer samples than this, six standard deviations mean little."""
_WIDE: Final = 1_000
"""From this sigma on, the discrete and the continuous moments differ by less than 1e-7."""


@final
@dataclass(frozen=True, slots=True)
class Moments:
    """The means of |X| and of X²."""

    absolute: float
    square: float


def moments(law: Law, scale: Fraction, *, continuous: bool = False) -> Moments:
    """The moments of the discrete law, or of the continuous one that it approximates."""
    match law:
        case Law.LAPLACE if continuous:
            return Moments(float(scale), 2 * float(scale) ** 2)
        case Law.LAPLACE:
            rate = float(1 / scale)
            return Moments(1 / sinh(rate), 1 / (2 * sinh(rate / 2) ** 2))
        case Law.GAUSSIAN if continuous or scale >= _WIDE:
            return Moments(float(scale) * sqrt(2 / pi), float(scale) ** 2)
        case Law.GAUSSIAN:
            return _summed(float(scale))
        case _:
            assert_never(law)


def _summed(sigma: float) -> Moments:
    reach = range(1, int(40 * sigma) + 2)
    weights = [(n, 2 * exp(-n * n / (2 * sigma * sigma))) for n in reach]
    mass = 1 + sum(weight for _, weight in weights)
    absolute = sum(n * weight for n, weight in weights) / mass
    return Moments(absolute, sum(n * n * weight for n, weight in weights) / mass)


def objection(draws: Sequence[Draw], expected: Moments) -> str | None:
    """Why these draws cannot come from a law with such moments, if they cannot."""
    count = sum(draw.count for draw in draws)
    if count < _FEWEST:
        return None
    absolute = sum(draw.total_abs for draw in draws) / count
    mean = sum(draw.total for draw in draws) / count
    spread = sqrt((expected.square - expected.absolute**2) / count)
    if abs(absolute - expected.absolute) > _SIGMAS * spread:
        return f"another law: mean size {absolute:.5g}, not {expected.absolute:.5g}"
    if abs(mean) > _SIGMAS * sqrt(expected.square / count):
        return f"another law: mean {mean:.5g}, not 0"
    return None
