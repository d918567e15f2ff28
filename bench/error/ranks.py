"""How many ranks an answer is off."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bench.error.estimate import Floats
from discreet.mechanisms.lattice import Integers


def ranks_off(
    rows: Integers, told: NDArray[np.float64] | Integers, qs: Sequence[Fraction]
) -> Floats:
    """For each answer v to a quantile q of n rising rows, the distance of q·n from the ranks that v
    has, which reach from #{x < v} to #{x ≤ v}: nothing, if v is a value with enough copies."""
    wanted = np.array([float(q * len(rows)) for q in qs])
    below = np.searchsorted(rows, told, side="left")
    to = np.searchsorted(rows, told, side="right")
    off: Floats = np.maximum(0.0, np.maximum(below - wanted, wanted - to))
    return off
