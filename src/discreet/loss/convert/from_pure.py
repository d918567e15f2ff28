"""Edges out of pure privacy.  Claims and proofs: from_pure.md

Every pair of laws that ε allows is a post-processing of randomised response at ε, so each edge
is what randomised response itself has, and none can be better.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from discreet.loss.approx import Approx
from discreet.loss.base import capped
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.orders import DEFAULT
from discreet.loss.gdp import GDP
from discreet.loss.pure import Pure
from discreet.loss.renyi import Renyi
from discreet.loss.zcdp import ZCDP
from discreet.numbers import ball, up

_FAR: Final = 2**60
"""Beyond this epsilon, ln epsilon is below 2^-50 of it, and e^epsilon is not worth a try."""


def to_approx(loss: Pure, ask: Ask) -> Approx:
    if ask.epsilon is not None:
        return Approx(ask.epsilon, delta_at(loss.epsilon, ask.epsilon))
    delta = ask.delta or Fraction(0)
    return Approx(epsilon_at(loss.epsilon, delta), delta)


def delta_at(epsilon: Fraction, chosen: Fraction) -> Fraction:
    """(e^ε − e^ε′)/(1 + e^ε): what is left above e^ε′."""
    if chosen >= epsilon:
        return Fraction(0)
    gap = epsilon - chosen
    return capped(up(lambda: -(-ball(gap)).expm1() / (1 + (-ball(epsilon)).exp())))


def epsilon_at(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The ε′ whose `delta_at` is `delta`: ε + ln(1 − δ(1 + e^−ε)), or zero."""
    if delta == 0:
        return epsilon
    left = up(lambda: ball(1 - delta) - ball(1 + delta) * (-ball(epsilon)).exp())
    if left <= 0:
        return Fraction(0)
    found = up(lambda: ball(epsilon) + (-ball(delta) * (1 + (-ball(epsilon)).exp())).log1p())
    return min(epsilon, max(Fraction(0), found))


def to_zcdp(loss: Pure, _: Ask) -> ZCDP:
    """ρ = ε·tanh(ε/2)."""
    epsilon = loss.epsilon
    return ZCDP(up(lambda: ball(epsilon) * ball(epsilon / 2).tanh()))


def to_renyi(loss: Pure, ask: Ask) -> Renyi:
    """ε + (ln(1 + e^−(2α−1)ε) − ln(1 + e^−ε))/(α − 1) at order α."""
    orders = DEFAULT if ask.orders is None else ask.orders
    return Renyi((order, _divergence(loss.epsilon, order)) for order in orders)


def _divergence(epsilon: Fraction, order: Fraction) -> Fraction:
    if epsilon == 0:
        return epsilon
    found = up(
        lambda: (
            ball(epsilon)
            + ((-ball((2 * order - 1) * epsilon)).exp().log1p() - (-ball(epsilon)).exp().log1p())
            / ball(order - 1)
        )
    )
    return min(epsilon, found)


def to_gdp(loss: Pure, _: Ask) -> GDP:
    """μ with 2Φ(μ/2) − 1 = tanh(ε/2), by whichever tail keeps the digits."""
    epsilon = loss.epsilon
    if epsilon > _FAR:
        return GDP.root(8 * epsilon)
    if epsilon > 1:
        return GDP.root(up(lambda: 8 * (2 / (1 + ball(epsilon).exp())).erfcinv() ** 2))
    return GDP.root(up(lambda: 8 * ball(epsilon / 2).tanh().erfinv() ** 2))
