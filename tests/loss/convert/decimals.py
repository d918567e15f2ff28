"""The formulas of the conversions in decimals: arithmetic that shares nothing with the balls, and
where it can be another form of the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, log10
from typing import TypeAlias

DIGITS = 60
_GUARD = 80
"""Sixty digits are left where eighty have cancelled."""


@contextmanager
def precise(digits: int = DIGITS + _GUARD) -> Iterator[None]:
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        yield


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


# --- randomised response -------------------------------------------------------------------------


def response_delta(epsilon: Fraction, chosen: Fraction) -> Decimal:
    """What the likelier answer has above e^chosen times the other's chance."""
    with precise():
        grown = decimal(epsilon).exp()
        return max(Decimal(0), grown - decimal(chosen).exp()) / (1 + grown)


def response_epsilon(epsilon: Fraction, delta: Fraction) -> Decimal:
    """ln((chance of the likelier answer - delta)/(chance of the other))."""
    with precise():
        grown = decimal(epsilon).exp()
        left = grown - decimal(delta) * (1 + grown)
        return left.ln() if left > 1 else Decimal(0)


def response_rho(epsilon: Fraction) -> Decimal:
    """The Kullback-Leibler divergence."""
    with precise():
        grown = decimal(epsilon).exp()
        return decimal(epsilon) * (grown - 1) / (grown + 1)


def response_renyi(epsilon: Fraction, order: Fraction) -> Decimal:
    with precise():
        grown, power = decimal(epsilon).exp(), decimal(order * epsilon)
        moment = (power.exp() + grown * (-power).exp()) / (1 + grown)
        return moment.ln() / decimal(order - 1)


# --- one Rényi moment ----------------------------------------------------------------------------


def delta_of_moment(u: Decimal, moment: Decimal, epsilon: Decimal) -> Decimal:
    """ln of e^((α-1)(D-ε))/(α-1)·(1-1/α)^α: Proposition 12 of CKS20 as it is printed."""
    return moment - u * epsilon - u.ln() + (1 + u) * (u / (1 + u)).ln()


def epsilon_of_moment(u: Decimal, moment: Decimal, surprise: Decimal) -> Decimal:
    """D + (ln(1/δ) + (α-1)·ln(1-1/α) - ln α)/(α-1), where surprise is ln(1/δ)."""
    return (moment + surprise + u * (u / (1 + u)).ln() - (1 + u).ln()) / u


def least(
    curve: Callable[[Decimal], Decimal], low: Decimal, high: Decimal, *kinks: Decimal
) -> Decimal:
    """The least value of a curve that falls, then rises, as a function of ln u.

    The golden section comes near; Newton's steps on differences, between kinks, do the rest.
    Whatever they do, the result is a value of the curve.
    """
    with localcontext(prec=50):
        left, right = _golden(lambda t: curve(t.exp()), low.ln(), high.ln())
    cuts = [left, *(t for u in sorted(kinks) if left < (t := u.ln()) < right), right]
    pieces = (_newton(lambda t: curve(t.exp()), *piece) for piece in pairwise(cuts))
    return min(*pieces, *(curve(u) for u in kinks)) if kinks else min(pieces)


def _newton(value: Callable[[Decimal], Decimal], left: Decimal, right: Decimal) -> Decimal:
    middle, step = (left + right) / 2, Decimal("1e-25")
    found = []
    for _ in range(6):
        before, here, after = (value(middle + by * step) for by in (-1, 0, 1))
        found.append(here)
        bend = (after - 2 * here + before) / step**2
        if bend > 0:
            middle -= (after - before) / (2 * step) / bend
        middle = min(max(middle, left), right)
    return min(found)


def _golden(
    value: Callable[[Decimal], Decimal], left: Decimal, right: Decimal
) -> tuple[Decimal, Decimal]:
    share = (Decimal(5).sqrt() - 1) / 2
    inner, outer = right - share * (right - left), left + share * (right - left)
    at_inner, at_outer = value(inner), value(outer)
    while right - left > Decimal("1e-3"):
        if at_inner < at_outer:
            right, outer, at_outer = outer, inner, at_inner
            inner = right - share * (right - left)
            at_inner = value(inner)
        else:
            left, inner, at_inner = inner, outer, at_outer
            outer = left + share * (right - left)
            at_outer = value(outer)
    return left, right


_NEAR, _FAR = Decimal("1e-40"), Decimal("1e20")


def concentrated_epsilon(rho: Fraction, delta: Fraction) -> Decimal:
    with precise(110):
        r, surprise = decimal(rho), -decimal(delta).ln()
        found = least(lambda u: epsilon_of_moment(u, r * u * (1 + u), surprise), _NEAR, _FAR)
        return max(Decimal(0), found)


def concentrated_delta(rho: Fraction, epsilon: Fraction) -> Decimal:
    with precise(110):
        r, e = decimal(rho), decimal(epsilon)
        found = least(lambda u: delta_of_moment(u, r * u * (1 + u), e), _NEAR, _FAR)
        return min(Decimal(1), found.exp())


Curve: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Orders and epsilons."""


def chords(curve: Curve) -> Callable[[Decimal], Decimal]:
    """The least of all chords between points of (order - 1, moment), with (0, 0) among them.

    All pairs of points are tried, so that nothing need be known of hulls.  A little beyond the
    last point, where differences are taken, its chords go on.
    """
    points = [(Fraction(0), Fraction(0)), *((a - 1, (a - 1) * e) for a, e in curve)]
    known = [(decimal(u), decimal(moment)) for u, moment in points]
    last = max(u for u, _ in known)

    def moment(u: Decimal) -> Decimal:
        return min(
            low + (u - left) / (right - left) * (high - low)
            for left, low in known
            for right, high in known
            if left < right and left <= u and (u <= right or right == last)
        )

    return moment


def renyi_epsilon(curve: Curve, delta: Fraction) -> Decimal:
    with precise(110):
        moment, surprise = chords(curve), -decimal(delta).ln()
        found = _over(curve, lambda u: epsilon_of_moment(u, moment(u), surprise))
        return max(Decimal(0), found)


def renyi_delta(curve: Curve, epsilon: Fraction) -> Decimal:
    with precise(110):
        moment, e = chords(curve), decimal(epsilon)
        found = _over(curve, lambda u: delta_of_moment(u, moment(u), e))
        return min(Decimal(1), found.exp())


def _over(curve: Curve, value: Callable[[Decimal], Decimal]) -> Decimal:
    """The least over all orders of the curve."""
    corners = [decimal(order - 1) for order, _ in sorted(curve)]
    return least(value, min(_NEAR, corners[0] / 2), corners[-1], *corners)


# --- the normal law ------------------------------------------------------------------------------


@lru_cache
def pi(digits: int) -> Decimal:
    """By Machin's formula."""
    with precise(digits + 10):

        def arctan(inverse: int) -> Decimal:
            power, total, n = Decimal(1) / inverse, Decimal(0), 0
            while power > Decimal(10) ** -(digits + 10):
                total += (-1) ** n * power / (2 * n + 1)
                power, n = power / inverse**2, n + 1
            return total

        return 16 * arctan(5) - 4 * arctan(239)


def density(x: Decimal, digits: int) -> Decimal:
    return (-x * x / 2).exp() / (2 * pi(digits)).sqrt()


def body(x: Decimal, digits: int) -> Decimal:
    """P(0 < N < x) for x ≥ 0, by the series of positive terms x^(2k+1)/(1·3·…·(2k+1))."""
    with precise(digits + 10):
        term, total, n = x, x, 1
        while term > total * Decimal(10) ** -(digits + 5):
            n += 2
            term *= x * x / n
            total += term
        return total * density(x, digits + 10)


def tail(x: Decimal, digits: int) -> Decimal:
    """P(N > x), to so many digits of its own."""
    if x < 0:
        with precise(digits + 10):
            return Decimal("0.5") + body(-x, digits)
    if x < 9:
        more = digits + ceil(float(x * x) / 4.6) + 5
        with precise(more):
            return Decimal("0.5") - body(x, more)
    return _far_tail(x, digits)


def _far_tail(x: Decimal, digits: int) -> Decimal:
    """The continued fraction 1/(x + 1/(x + 2/(x + 3/…))), whose convergents lie on both sides of
    the truth by turns; so they are the truth where they agree."""
    with precise(digits + 10):
        above, before, below, previous = Decimal(1), Decimal(0), x, Decimal(1)
        n = 0
        while True:
            n += 1
            above, before = x * above + n * before, above
            below, previous = x * below + n * previous, below
            one, other = before / previous, above / below
            if abs(one - other) <= other * Decimal(10) ** -digits:
                return density(x, digits + 10) * other


def bell_delta(square: Fraction, epsilon: Fraction, digits: int = 70) -> Decimal:
    """The profile of two normal laws of deviation one whose means are √square apart."""
    mean = log10(square.numerator) - log10(square.denominator)
    extra = ceil(abs(mean) + abs(log10(max(epsilon, Fraction(1, 10**9)))))
    digits += extra
    with precise(digits + 10):
        mu, e = decimal(square).sqrt(), decimal(epsilon)
        return tail(e / mu - mu / 2, digits) - e.exp() * tail(e / mu + mu / 2, digits)


def bell_error(square: Fraction) -> tuple[Decimal, Decimal]:
    """How often the two normal laws are mistaken by the best guess, and how far that is below a
    half: P(N > μ/2) and P(0 < N < μ/2)."""
    with precise():
        half = decimal(square).sqrt() / 2
        return tail(half, 100), body(half, 100) if half < 9 else Decimal("0.5") - tail(half, 100)


def response_error(epsilon: Fraction) -> tuple[Decimal, Decimal]:
    """The same for randomised response."""
    with precise():
        grown = decimal(epsilon).exp()
        return 1 / (1 + grown), (grown - 1) / (grown + 1) / 2
