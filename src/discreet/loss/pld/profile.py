"""The privacy profile and the trade-off curve.  Claim and proof: profile.md"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import exp
from typing import Final, final

import numpy as np

from discreet.loss.divergence import Bracket, Extended
from discreet.loss.pld.floats import UNIT, above, below
from discreet.loss.pld.plan import curves
from discreet.loss.pld.pld import PLD
from discreet.loss.pld.saddle import Leaning
from discreet.numbers import Number, nonnegative, probability

_ANCHORS: Final = 8
_SMALLEST: Final = Fraction(1, 10**9)
_LINES: Final = 96


def profile(pld: PLD, epsilons: Sequence[Number]) -> list[Bracket]:
    """Delta at each of these epsilons, between two numbers: as `PLD.delta`, and much faster for
    many of them, since a curve that is made for one is true of all."""
    wanted = [nonnegative(epsilon, "epsilon") for epsilon in epsilons]
    anchors = sorted(set(wanted))[:: max(1, len(set(wanted)) // _ANCHORS)]
    found = [Bracket(Fraction(0), Fraction(0)) for _ in wanted]
    for way in pld.ways():
        ends = [curves(way, partial(_near, float(anchor))) for anchor in anchors]
        for k, epsilon in enumerate(wanted):
            low = max(Fraction(lower.delta(above(epsilon))[0]) for lower, _ in ends)
            high = min(Fraction(upper.delta(below(epsilon))[0]) for _, upper in ends)
            found[k] = _larger(found[k], Bracket(min(low, high), high))
    return found


def _near(epsilon: float, leaning: Leaning) -> float:
    return leaning.for_epsilon(epsilon)


def _larger(one: Bracket, other: Bracket) -> Bracket:
    return Bracket(max(one.low, other.low), max(one.high, other.high))


@final
@dataclass(frozen=True, slots=True)
class Guess:
    """Whoever tells two neighbours apart with so many false alarms misses at least so many."""

    alarms: Fraction
    misses: Fraction


def tradeoff(pld: PLD, alarms: Sequence[Number]) -> list[Guess]:
    """At each rate of false alarms, the rate of misses that is certain: the highest of the lines
    that the profile allows."""
    rates = [probability(rate, "a rate of false alarms") for rate in alarms]
    epsilons = [Fraction(float(each)) for each in np.linspace(0, _farthest(pld), _LINES)]
    lines = [
        (above(epsilon), 1 - _rational(each.high))
        for epsilon, each in zip(epsilons, profile(pld, epsilons), strict=True)
    ]
    return [Guess(rate, max(_misses(rate, *line) for line in lines)) for rate in rates]


def _misses(rate: Fraction, epsilon: float, left: Fraction) -> Fraction:
    """Of the two lines 1 − δ − e^ε·α and e^−ε·(1 − δ − α), the higher, or nothing."""
    steep = left - Fraction(exp(epsilon) * (1 + 8 * UNIT)) * rate
    flat = Fraction(exp(-epsilon) * (1 - 8 * UNIT)) * (left - rate)
    return max(steep, flat, Fraction(0))


def _farthest(pld: PLD) -> float:
    """Where delta is next to the least there is; beyond it no line is higher."""
    lost = max(
        (sum(count * Fraction(law.upper.infinite[1]) for law, count in way) for way in pld.ways()),
        default=Fraction(0),
    )
    least = max(_SMALLEST, 2 * lost)
    return float(_rational(pld.epsilon(least).high)) if pld.parts and least < 1 else 0.0


def _rational(number: Extended) -> Fraction:
    return number if isinstance(number, Fraction) else Fraction(1)
