"""What dominates every answer of a known epsilon and delta.  Claim and proof: response.md"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

import numpy as np
from flint import arb

from discreet.loss.approx import Approx
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.floats import above, below
from discreet.loss.pld.pld import PLD, Pair
from discreet.loss.pure import Pure
from discreet.numbers import ball, down, up


def of_loss(loss: Pure | Approx) -> PLD:
    """With probability delta all is told, else the truth with odds e^epsilon.

    >>> (2 * of_loss(Pure(1))).epsilon(0).high
    Fraction(2, 1)
    """
    match loss:
        case Pure():
            return PLD.of(Pair.even(Losses.exactly(_response(loss.epsilon, Fraction(0)))))
        case Approx():
            return PLD.of(Pair.even(Losses.exactly(_response(loss.epsilon, loss.delta))))
        case _:
            assert_never(loss)


def _response(epsilon: Fraction, delta: Fraction) -> Atoms:
    infinite = below(delta), above(delta)
    if epsilon == 0:
        rest = np.array([below(1 - delta)]), np.array([above(1 - delta)])
        return Atoms.on_lattice(Fraction(1), np.array([0]), rest, infinite)

    def lie() -> arb:
        return ball(1 - delta) / (1 + ball(epsilon).exp())

    def truth() -> arb:
        return ball(1 - delta) / (1 + (-ball(epsilon)).exp())

    least = np.array([below(down(lie)), below(down(truth))])
    most = np.array([above(up(lie)), above(up(truth))])
    return Atoms.on_lattice(epsilon, np.array([-1, 1]), (least, most), infinite)
