"""Random compositions of laws that all know, the same in every run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1, log, sqrt
from random import Random
from typing import Final, assert_never, final

from bench.account.tasks import Law, Part, Parts

_SEED: Final = 20_260
_MOST_PARTS: Final = 5
_MOST_TIMES: Final = 1_000
_COST: Final = (1e-3, 4.0)
"""Between these, about, is the rho of all together; so epsilon stays between 0.1 and 25."""
_DELTAS: Final = (1e-9, 1e-3)


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A composition, and at which delta its epsilon is asked for."""

    parts: Parts
    delta: Fraction


def cases(count: int) -> list[Case]:
    """So many; fewer are the first of more."""
    chance = Random(_SEED)
    return [_case(chance) for _ in range(count)]


def _case(chance: Random) -> Case:
    number = chance.randint(1, _MOST_PARTS)
    rho = _between(chance, *_COST) / number
    parts = tuple(_part(chance, rho) for _ in range(number))
    return Case(parts, _digits(_between(chance, *_DELTAS)))


def _part(chance: Random, rho: float) -> Part:
    law = chance.choice(tuple(Law))
    count = round(_between(chance, 1, _MOST_TIMES))
    each = rho / count
    match law:
        case Law.GAUSSIAN:
            return Part(law, _digits(1 / sqrt(2 * each)), count)
        case Law.SAMPLED:
            size = _between(chance, 0.7, 5)
            rate = min(0.5, sqrt(2 * each / expm1(1 / size**2)))
            return Part(law, _digits(size), count, _digits(rate))
        case Law.LAPLACE:
            return Part(law, _digits(1 / sqrt(2 * each)), count)
        case Law.RESPONSE:
            return Part(law, _digits(sqrt(2 * each)), count)
        case _:
            assert_never(law)


def _between(chance: Random, low: float, high: float) -> float:
    """Each order of size is as likely."""
    return exp(chance.uniform(log(low), log(high)))


def _digits(value: float) -> Fraction:
    """To four digits: a number as people write it."""
    return Fraction(f"{value:.3e}")
