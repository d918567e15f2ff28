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
    # ε − far²/2 = −near²/2, so that neither e^ε nor a tail of ordinary form need be computed.
    bell = (-near * near / 2).exp()
    lower = bell * _tail_over_bell(far)
    if near > 0:
        return bell * _tail_over_bell(near), lower
    return (near / arb(2).sqrt()).erfc() / 2, lower


def _tail_over_bell(x: arb) -> arb:
    """P(N > x)·e^(x²/2) of a standard normal N, for x > 0: Tricomi's function, which stays narrow
    however large x is."""
    half = arb(1) / 2
    return (x * x / 2).hypgeom_u(half, half) / (2 * arb.pi().sqrt())


def _epsilon_at(square: Fraction, delta: Fraction) -> Fraction:
    """The root of profile = δ, moved outwards until the profile is certainly no more than δ."""
    if up(profile(square, Fraction(0))) <= delta:
        return Fraction(0)
    enough = from_zcdp.to_approx(ZCDP(square / 2), Ask(delta=delta)).epsilon
    if enough == 0 or square > _FAR:
        return enough
    found = _about(square, delta, enough)
    least = up(lambda: ball(square).sqrt()) / 2 ** _MARGINS[0]
    for margin in (*(found / 2**power for power in _MARGINS), least):
        outwards = up(partial(ball, found + margin))
        if up(profile(square, outwards)) <= delta:
            return min(outwards, enough)
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

    # About so many leading bits are lost: the two tails agree in them if μ is small, and ε/μ − μ/2
    # cancels them if it is large.
    lost = abs(square.denominator.bit_length() - square.numerator.bit_length())
    found = at(BITS + lost, root)
    return up(lambda: found)
