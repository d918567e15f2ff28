"""Two laws that dominate every answer of a known epsilon and delta, outcome by outcome, as
response.md has them."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np

from discreet.loss.approx import Approx
from discreet.loss.pld.floats import ELEMENTARY, UNIT
from discreet.loss.pld.twins import Twins
from discreet.loss.pure import Pure


def told_apart(loss: Pure | Approx) -> Twins:
    """With probability delta all is told, else the truth with odds e^epsilon."""
    delta = loss.delta if isinstance(loss, Approx) else Fraction(0)
    epsilon = min(loss.epsilon, Fraction(700))  # e^−700 is below SMALLEST: as good as infinite
    odds = exp(-float(epsilon))
    truth = float(1 - delta) / (1 + odds)
    told = [truth, truth * odds]
    first = np.array([float(delta), *told, 0.0] if delta else told)
    error = 4 * ELEMENTARY + 4 * UNIT * (float(epsilon) + 4)
    return Twins(first, first[::-1].copy(), error, (0.0, 0.0))
