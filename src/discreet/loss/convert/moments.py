"""From one Rényi moment to (ε, δ).  Claim and proof: moments.md

Throughout u = α − 1 for an order α > 1, and a corner is u with the moment (α − 1)·D_α there.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from flint import arb

from discreet.numbers import REACH, Real, at, ball, up

Corner: TypeAlias = tuple[Fraction, Fraction]

_CHOOSING_BITS: Final = 96


def surprise(delta: Fraction) -> arb:
    """ln(1/δ), with all its digits also where δ is near one."""
    return -ball(delta - 1).log1p() if 2 * delta > 1 else -ball(delta).log()


def least_epsilon(corners: Iterable[Corner], delta: Fraction) -> Fraction:
    """The least epsilon at `delta` > 0 that one of `corners` proves, rounded up."""
    chosen = _least(_epsilon(u, moment, delta) for u, moment in corners)
    return max(Fraction(0), up(chosen))


def least_delta(corners: Iterable[Corner], epsilon: Fraction) -> Fraction:
    """The least delta at `epsilon` that one of `corners` proves, rounded up."""
    chosen = _least(_log_delta(u, moment, epsilon) for u, moment in corners)
    if at(_CHOOSING_BITS, chosen) < -REACH:  # then delta is below 2^-REACH
        return Fraction(1, 2**REACH)
    return Fraction(1) if up(chosen) >= 0 else min(Fraction(1), up(lambda: chosen().exp()))


def _least(found: Iterable[Real]) -> Real:
    # Every corner alone is a proof, so a choice between midpoints may be second best, never wrong.
    return min(found, key=lambda real: at(_CHOOSING_BITS, real).mid())


def _epsilon(u: Fraction, moment: Fraction, delta: Fraction) -> Real:
    """(moment + ln(1/δ) + u·ln(1 − 1/α) − ln α)/u."""

    def real() -> arb:
        width = ball(u)
        return (ball(moment) + surprise(delta) - width.log1p()) / width - (1 / width).log1p()

    return real


def _log_delta(u: Fraction, moment: Fraction, epsilon: Fraction) -> Real:
    """moment − uε + u·ln(1 − 1/α) − ln α."""

    def real() -> arb:
        width = ball(u)
        return ball(moment - u * epsilon) - width * (1 / width).log1p() - width.log1p()

    return real
