"""Edges out of zero-concentrated privacy.  Claims and proofs: from_zcdp.md"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from flint import arb

from discreet.loss.approx import Approx
from discreet.loss.base import capped
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.moments import least_delta, least_epsilon, surprise
from discreet.loss.convert.orders import DEFAULT
from discreet.loss.convert.refusals import has_delta, nothing_chosen, too_small
from discreet.loss.convert.search import crossing
from discreet.loss.renyi import Renyi
from discreet.loss.zcdp import ZCDP
from discreet.numbers import ball

_NEAREST: Final = Fraction(1, 2**200)
"""Orders nearer to one than this prove a delta of one, but for a part in 10^57."""


def to_renyi(loss: ZCDP, ask: Ask) -> Renyi:
    if loss.delta > 0:
        raise has_delta(loss, Renyi, loss.delta)
    return Renyi((order, order * loss.rho) for order in ask.orders or DEFAULT)


def to_approx(loss: ZCDP, ask: Ask) -> Approx:
    """The purse is set aside; the best order is taken for the rest."""
    rest = 1 - loss.delta
    if ask.epsilon is not None:
        spread = _delta_at(loss.rho, ask.epsilon)
        return Approx(ask.epsilon, capped(loss.delta + rest * spread))
    if ask.delta is None and loss.rho > 0:
        raise nothing_chosen(loss, loss.delta)
    delta = loss.delta if ask.delta is None else ask.delta
    if delta < loss.delta or (loss.rho > 0 and delta == loss.delta < 1):
        raise too_small(loss, loss.delta)
    if loss.rho == 0 or delta == 1:
        return Approx(0, delta)
    return Approx(_epsilon_at(loss.rho, (delta - loss.delta) / rest), delta)


def _epsilon_at(rho: Fraction, delta: Fraction) -> Fraction:
    """The best order satisfies ρu² + ln(1 + u) = ln(1/δ)."""

    def rising(u: arb) -> arb:
        return ball(rho) * u * u + u.log1p() - surprise(delta)

    def low() -> arb:
        most = surprise(delta)
        return 2 * most / (1 + (1 + 4 * ball(rho) * most).sqrt())

    def high() -> arb:
        most = surprise(delta)
        return (most / ball(rho)).sqrt().min(most.expm1())

    u = crossing(rising, low, high)
    return least_epsilon([(u, u * (1 + u) * rho)], delta)


def _delta_at(rho: Fraction, epsilon: Fraction) -> Fraction:
    """The best order satisfies ρ(2u + 1) − ε = ln(1 + 1/u)."""
    if rho == 0:
        return Fraction(0)

    def rising(u: arb) -> arb:
        return ball(rho) * (2 * u + 1) - ball(epsilon) - (1 / u).log1p()

    low = max(_NEAREST, (epsilon - rho) / (2 * rho))
    high = max(Fraction(1), (epsilon + 1) / (2 * rho))
    u = crossing(rising, lambda: ball(low), lambda: ball(high))
    return least_delta([(u, u * (1 + u) * rho)], epsilon)
