"""From what may be spent to how much noise: the split between threshold and questions.

Claim: split.md
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from discreet.distances import LInf, Monotone, require
from discreet.errors import MechanismError
from discreet.loss import advanced
from discreet.mechanisms.lattice import not_a_step
from discreet.mechanisms.search import least
from discreet.numbers import Number, positive, probability

GRAIN: Final = 2**20
"""Losses are searched for, and irrational splits rounded, to one part in this."""
_SMALL: Final = Fraction(7, 10)
"""Above ln 2 advanced composition of pure losses is worse than their sum."""
_CURE: Final = (
    "`from discreet.mechanisms.sparse import AboveThreshold; AboveThreshold(2, 4).loss(dp.LInf(1))`"
)


def moved(distance: LInf | Monotone, what: str) -> tuple[Fraction, int]:
    """By how many steps answers move, and how often an answer above pays for that: twice, unless
    all of them move the same way."""
    if type(distance) is Monotone:
        by, pays = distance.by, 1
    else:
        by, pays = require(LInf, distance, what).by, 2
    if by.denominator != 1:
        raise not_a_step(str(distance), _CURE)
    return by, pays


def apart(distance: LInf | Monotone, what: str) -> tuple[Fraction, int]:
    """The same of a distance that noise is to be made for."""
    by, pays = moved(distance, what)
    if by == 0:
        raise MechanismError(
            "no noise belongs to a distance of zero",
            cure="state how far answers move at most, such as `from discreet.mechanisms.sparse "
            "import AboveThreshold; AboveThreshold.best(1, dp.LInf(1))`",
            code="M65",
        )
    return by, pays


def for_each(epsilon: Number, positives: int, delta: Number) -> Fraction:
    """What each of so many answers may cost: ε over their number, or what advanced composition
    allows for δ, if that is more."""
    whole, slack = positive(epsilon, "epsilon"), probability(delta, "delta")
    equal = whole / positives
    if slack == 0:
        return equal

    def part(n: int) -> Fraction:
        return whole * GRAIN / (GRAIN + n)

    def enough(n: int) -> bool:
        each = part(n)
        return each <= equal or (
            each <= _SMALL and advanced(positives, each, 0, slack).epsilon <= whole
        )

    return max(equal, part(least(enough)))


def best_split(epsilon: Fraction, times: int) -> tuple[Fraction, Fraction]:
    """ε in two parts, for the threshold and for `times` noises that it is compared with: as 1 to
    times^(2/3), rounded, but adding up exactly."""
    ratio = Fraction(least(lambda n: n**3 >= times**2 * GRAIN**3), GRAIN)
    first = epsilon / (1 + ratio)
    return first, epsilon - first
