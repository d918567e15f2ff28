"""Discrete Laplace noise and the same moved: two laws to tell apart.  Claim: laplace_pair.md"""

from __future__ import annotations

from fractions import Fraction
from math import exp, expm1
from typing import Final

import numpy as np

from discreet.errors import MechanismError
from discreet.loss.pld import PLD, Atoms, Losses, Pair, Twins
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals

MOST: Final = 2**20
"""Outcomes that are told apart, at most."""
_STEEPEST: Final = Fraction(10**6)
"""With a larger rate every mass that is small is as small for a double."""


def told_apart(scale: Fraction, by: int) -> Twins:
    """Noise of this scale, in steps, against the same moved up by `by` steps: at or below zero, at
    each step between, and at or above `by`."""
    if by >= MOST:
        raise too_far()
    masses, error = _masses(float(min(1 / scale, _STEEPEST)), by)
    return Twins(masses, masses[::-1].copy(), error, (0.0, 0.0))


def distribution(scale: Fraction, by: int) -> PLD:
    """The losses, which are (by − 2i)/scale for i = 0, …, by."""
    if by >= MOST:
        raise too_far()
    masses, error = _masses(float(min(1 / scale, _STEEPEST)), by)
    atoms = Atoms.on_lattice(
        1 / scale,
        by - 2 * np.arange(by + 1),
        (
            np.where(masses > SMALLEST, masses * (1 - 2 * error), 0.0),
            np.maximum(masses * (1 + 2 * error), SMALLEST),
        ),
    )
    return PLD.of(Pair.even(Losses.exactly(atoms)))


def _masses(t: float, by: int) -> tuple[Reals, float]:
    """With q = e^−t: 1/(1 + q) at or below zero, q^i·(1 − q)/(1 + q) at i, and q^by/(1 + q) at or
    above `by`; and how far they may be off."""
    powers: Reals = np.exp(-t * np.arange(by + 1))
    masses = powers * (-expm1(-t) / (1 + exp(-t)))
    masses[0] = 1 / (1 + exp(-t))
    masses[-1] = powers[-1] / (1 + exp(-t)) if by else 1.0
    return masses, 4 * ELEMENTARY + (4 * t * by + 16) * UNIT


def too_far() -> MechanismError:
    return MechanismError(
        "the exact answer moves by too many steps for a privacy-loss distribution",
        cure="count in a coarser step, or add up rho: `100 * dp.Laplace(10**7).zcdp(dp.L1(10**7))`",
        code="M94",
    )
