"""Figures that come from trials, with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its standard error, which is zero for one that was computed."""

    value: float
    error: float = 0.0


def mean_of(values: Floats) -> Estimate:
    """The mean of independent values."""
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)))


def root_mean_square(errors: Floats) -> Estimate:
    """The root of the mean square of independent errors."""
    square = mean_of(errors**2)
    root = sqrt(square.value)
    return Estimate(root, square.error / (2 * root) if root else 0.0)


def over(theirs: Estimate, ours: Estimate) -> Estimate:
    """The ratio of two independent estimates, to first order."""
    ratio = theirs.value / ours.value
    relative = hypot(theirs.error / theirs.value, ours.error / ours.value) if ratio else 0.0
    return Estimate(ratio, ratio * relative)
