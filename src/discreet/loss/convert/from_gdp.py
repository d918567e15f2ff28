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
from discreet.numbers import Real, at, ball, down, up

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
        _, above, lower = _parts(ball(square).sqrt(), ball(epsilon))
        return above - lower

    return real


def rest(square: Fraction, epsilon: Fraction) -> Real:
    """One minus the profile, with all its digits also where the profile is near one."""

    def real() -> arb:
        below, _, lower = _parts(ball(square).sqrt(), ball(epsilon))
        return below + lower

    return real


def _parts(mu: arb, epsilon: arb) -> tuple[arb, arb, arb]:
    """P(N ≤ a), P(N > a) and e^ε·P(N > b) for a = ε/μ − μ/2 and b = ε/μ + μ/2."""
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    # ε − b²/2 = −a²/2, so that neither e^ε nor a tail of ordinary form need be computed.
    bell = (-near * near / 2).exp()
    lower = bell * _tail_over_bell(far)
    if near > 0:
        above = bell * _tail_over_bell(near)
        return 1 - above, above, lower
    if near < 0:
        below = bell * _tail_over_bell(-near)
        return below, 1 - below, lower
    root = arb(2).sqrt()
    return (-near / root).erfc() / 2, (near / root).erfc() / 2, lower


def _tail_over_bell(x: arb) -> arb:
    """P(N > x)·e^(x²/2) of a standard normal N, for x > 0: Tricomi's function, which stays narrow
    however large x is."""
    half = arb(1) / 2
    return (x * x / 2).hypgeom_u(half, half) / (2 * arb.pi().sqrt())


def _within(square: Fraction, delta: Fraction, epsilon: Fraction) -> bool:
    """Whether the profile is certainly no more than delta."""
    if 2 * delta > 1:
        return down(rest(square, epsilon)) >= 1 - delta
    return up(profile(square, epsilon)) <= delta


def _epsilon_at(square: Fraction, delta: Fraction) -> Fraction:
    """The root of profile = δ, moved outwards until the profile is certainly no more than δ."""
    if delta == 1 or _within(square, delta, Fraction(0)):
        return Fraction(0)
    enough = from_zcdp.to_approx(ZCDP(square / 2), Ask(delta=delta)).epsilon
    if enough == 0 or square > _FAR:
        return enough
    found = _about(square, delta, enough)
    least = up(lambda: ball(square).sqrt()) / 2 ** _MARGINS[0]
    for margin in (*(found / 2**power for power in _MARGINS), least):
        outwards = up(partial(ball, found + margin))
        if outwards < enough and _within(square, delta, outwards):
            return outwards
    return enough


def _about(square: Fraction, delta: Fraction, enough: Fraction) -> Fraction:
    """Newton's steps on the logarithm of the profile, or of what is left of one, from an epsilon
    that is enough; a step that leaves [0, enough] is cut short."""
    near_one = 2 * delta > 1

    def root() -> arb:
        mu, most = ball(square).sqrt().mid(), ball(enough).mid()
        wanted = ball(1 - delta).log() if near_one else -surprise(delta)
        epsilon = most
        for _ in range(_STEPS):
            below, above, lower = _parts(mu, epsilon)
            part = below + lower if near_one else above - lower
            # Both derivatives in ε are e^ε·P(N > b), but for the sign.
            step = ((wanted - part.log()) * part / (lower if near_one else -lower)).mid()
            if not step.is_finite() or abs(step) < epsilon / 2**64:
                break
            moved = (epsilon + step).mid()
            epsilon = (epsilon / 2 if moved <= 0 else moved.min(most)).mid()
        return epsilon

    # About so many leading bits are lost: the two tails agree in them if μ is small, and ε/μ − μ/2
    # cancels them if it is large.
    lost = abs(square.denominator.bit_length() - square.numerator.bit_length())
    found = at(BITS + lost, root)
    return up(lambda: found)
