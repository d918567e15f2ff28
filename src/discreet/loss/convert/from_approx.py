"""Edges out of (ε, δ).  Claims and proofs: from_approx.md

Every pair of laws that (ε, δ) allows is a post-processing of one that reveals all with
probability δ and is randomised response at ε otherwise.
"""

from __future__ import annotations

from discreet.loss.approx import Approx
from discreet.loss.base import capped
from discreet.loss.convert import from_pure
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.refusals import has_delta, too_small
from discreet.loss.pure import Pure
from discreet.loss.zcdp import ZCDP


def to_approx(loss: Approx, ask: Ask) -> Approx:
    """A smaller epsilon at a larger delta, or the other way round as far as it goes."""
    rest = 1 - loss.delta
    if ask.epsilon is not None:
        spread = from_pure.delta_at(loss.epsilon, ask.epsilon)
        return Approx(ask.epsilon, capped(loss.delta + rest * spread))
    if ask.delta == 1:
        return Approx(0, 1)
    if ask.delta is None or ask.delta == loss.delta:
        return loss
    if ask.delta < loss.delta:
        raise too_small(loss, loss.delta)
    return Approx(from_pure.epsilon_at(loss.epsilon, (ask.delta - loss.delta) / rest), ask.delta)


def to_pure(loss: Approx, _: Ask) -> Pure:
    if loss.delta > 0:
        raise has_delta(loss, Pure, loss.delta)
    return Pure(loss.epsilon)


def to_zcdp(loss: Approx, ask: Ask) -> ZCDP:
    """The delta goes into the purse."""
    return ZCDP(from_pure.to_zcdp(Pure(loss.epsilon), ask).rho, loss.delta)
