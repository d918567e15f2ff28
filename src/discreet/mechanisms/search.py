"""The least integer that is enough, and confidences."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from discreet.errors import MechanismError
from discreet.numbers import Number, probability


def least(enough: Callable[[int], bool]) -> int:
    """The least integer from zero up that is enough, if all larger ones are, too."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2 if high > 1 else -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def confidence_in(value: Number) -> Fraction:
    """A probability that can be reached: above zero and below one."""
    sure = probability(value, "confidence")
    if not 0 < sure < 1:
        raise MechanismError(
            "a confidence lies between zero and one, and is neither",
            cure='choose it below one, such as `dp.Laplace(1).accuracy("0.95")`',
            code="M35",
        )
    return sure
