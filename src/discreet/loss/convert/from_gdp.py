"""Edges out of Gaussian privacy.  Claims and proofs: from_gdp.md"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Final

from flint import arb

from discreet.loss.approx import Approx
from discreet.loss.base import capped
from discreet.loss.convert import from_zcdp
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.moments import surprise
from discreet.loss.convert.orders import DEFAULT
from discreet.loss.convert.refusals import nothing_chosen, too_small
from discreet.loss.convert.search import BITS
from discreet.loss.gdp import GDP
from discreet.loss.renyi import Renyi
from discreet.loss.zcdp import ZCDP
from discreet.numbers import Real, at, ball, up

_FAR: Final = 2**128
"""Beyond this μ², the root is within 2^-50 of what zCDP proves, and e^ε is not worth a try."""
_STEPS: Final = 200
_MARGINS: Final = (60, 50, 40, 30, 20, 10)


def to_zcdp(loss: GDP, _: Ask) -> ZCDP:
    return ZCDP(loss.square / 2)


def to_renyi(loss: GDP, ask: Ask) -> Renyi:
    return Renyi((order, order * loss.square / 2) for order in ask.orders or DEFAULT)


def to_approx(loss: GDP, ask: Ask) -> Approx:
    if loss.square == 0:
        return Approx(ask.epsilon or 0, ask.delta or 0)
    if ask.epsilon is not None:
        return Approx(ask.epsilon, capped(up(profile(loss.square, ask.epsilon))))
    if ask.delta is None:
        raise nothing_chosen(loss)
    if ask.delta == 0:
        raise too_small(loss)
    return Approx(_epsilon_at(loss.square, ask.delta), ask.delta)


def profile(square: Fraction, epsilon: Fraction) -> Real:
    """Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ)."""

    def real() -> arb:
        upper, lower = _tails(ball(square).sqrt(), ball(epsilon))
        return upper - lower

    return real


def _tails(mu: arb, epsilon: arb) -> tuple[arb, arb]:
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    root = arb(2).sqrt()
    return (near / root).erfc() / 2, epsilon.exp() * (far / root).erfc() / 2


def _epsilon_at(square: Fraction, delta: Fraction) -> Fraction:
    """The root of profile = δ, moved outwards until the profile is certainly no more than δ."""
    if up(profile(square, Fraction(0))) <= delta:
        return Fraction(0)
    enough = from_zcdp.to_approx(ZCDP(square / 2), Ask(delta=delta)).epsilon
    if enough == 0 or square > _FAR:
        return enough
    found = _about(square, delta, enough)
    for margin in _MARGINS:
        outwards = up(partial(ball, found * (1 + Fraction(1, 2**margin))))
        if up(profile(square, outwards)) <= delta:
            return outwards
    return enough


def _about(square: Fraction, delta: Fraction, enough: Fraction) -> Fraction:
    """Newton's steps on the logarithm of the profile, from an epsilon that is enough downwards."""

    def root() -> arb:
        mu, wanted, epsilon = ball(square).sqrt().mid(), surprise(delta), ball(enough).mid()
        for _ in range(_STEPS):
            upper, lower = _tails(mu, epsilon)
            above = upper - lower
            step = ((above.log() + wanted) * above / lower).mid()
            if not step.is_finite() or abs(step) < epsilon / 2**64:
                break
            epsilon = (epsilon + step).mid()
        return epsilon

    # The two tails agree in about this many leading bits.
    lost = max(0, square.denominator.bit_length() - square.numerator.bit_length())
    found = at(BITS + lost, root)
    return up(lambda: found)
