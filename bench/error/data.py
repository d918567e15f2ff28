"""Invented columns on public lattices.  Each is made from a formula, and so the same everywhere:
the row i of n is the quantile (i + ½)/n of a law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, exp, log
from statistics import NormalDist
from typing import Final, final

import numpy as np

from discreet.mechanisms.lattice import Integers

UNIT: Final = 1024
"""Steps of the lattice on [0, 1] that means and variances are taken on."""
FINE: Final = 2**16
"""Steps in one unit of the lattices that quantiles are taken on, so that rows are apart."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Rising rows on the lattice low, …, high."""

    name: str
    rows: Integers
    low: int
    high: int


def column(
    name: str, quantile: Callable[[float], float], count: int, ends: tuple[int, int], steps: int
) -> Column:
    """`count` rows of a law, counted in `steps` of a unit, put inside the ends."""
    low, high = (end * steps for end in ends)
    exact = [quantile((i + 0.5) / count) for i in range(count)]
    rows = np.clip(np.floor(np.array(exact) * steps).astype(np.int64), low, high)
    return Column(name, rows, low, high)


def shapes(count: int = 1000) -> tuple[Column, ...]:
    """The three columns on [0, 1] for means and variances."""
    return tuple(
        column(name, quantile, count, (0, 1), UNIT)
        for name, quantile in (("beta", beta), ("edge", edge), ("uniform", uniform))
    )


def lognormal(count: int) -> Column:
    """exp of a standard normal on [0, 100]."""
    return column(f"lognormal {count}", lambda u: exp(normal(u)), count, (0, 100), FINE)


def bell(count: int) -> Column:
    """A standard normal on [-100, 100]."""
    return column(f"normal {count}", normal, count, (-100, 100), FINE)


def even(count: int) -> Column:
    """The same everywhere on [0, 100]."""
    return column(f"uniform {count}", lambda u: 100 * u, count, (0, 100), FINE)


def clusters(count: int) -> Column:
    """Half of the rows near 25, half near 75, on [0, 100]."""

    def quantile(u: float) -> float:
        return 25 + normal(2 * u) if u < 0.5 else 75 + normal(2 * u - 1)

    return column(f"two clusters {count}", quantile, count, (0, 100), FINE)


def ages(count: int) -> Column:
    """Whole years from 0 to 120: several rows have each of them."""

    def quantile(u: float) -> float:
        return max(0.0, 40 + 22 * normal(u))

    return column(f"ages {count}", quantile, count, (0, 120), 1)


# --- laws by their quantile functions -------------------------------------------------------------


def uniform(u: float) -> float:
    return u


def normal(u: float) -> float:
    return NormalDist().inv_cdf(u)


def edge(u: float) -> float:
    """Exponential with the mean 1/50: all rows near the lower bound."""
    return -log(1 - u) / 50


def beta(u: float) -> float:
    """Beta(2, 5), whose distribution function is a polynomial; by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        below = sum(comb(6, j) * middle**j * (1 - middle) ** (6 - j) for j in range(2, 7))
        low, high = (middle, high) if below < u else (low, middle)
    return low
