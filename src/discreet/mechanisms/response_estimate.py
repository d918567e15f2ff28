"""What the randomised answers of many people say of the truth.

`Tally` is made of the answers: it costs nothing more, as they are private already.  The functions
below it are for planning: errors before anybody was asked.  Claim: response_estimate.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Final, Self, final

import flint
import numpy as np
from flint import arb, arb_poly

from discreet.errors import MechanismError
from discreet.mechanisms.response import MOST_OUTCOMES, Answers, Response, answers_in, array_of
from discreet.mechanisms.response_keep import HOW, Chance, real
from discreet.mechanisms.search import confidence_in, least
from discreet.numbers import Number, at, ball, down, positive, up, whole

MOST_COUNTED: Final = 2**10
"""For no more people than this an interval is made of the exact law of the count."""
_BITS: Final = 128
_HOW: Final = f"{HOW}from discreet.mechanisms.response_estimate import Tally; "


@final
@dataclass(frozen=True, slots=True, init=False)
class Tally:
    """How many people told each value.

    >>> yes = Tally(Response.truth("3/4"), [400, 600])
    >>> yes.estimate(), yes.share(), yes.people
    (Fraction(700, 1), Fraction(7, 10), 1000)
    """

    response: Response
    told: tuple[int, ...]

    def __init__(self, response: Response, told: Sequence[int]) -> None:
        response.informs()
        counts = tuple(whole(each, "how many told a value") for each in told)
        if len(counts) != response.values:
            raise MechanismError(
                "a tally has one count for each value, also for those that nobody told",
                cure=f"give a count for each, such as `{_HOW}Tally(Response.truth('3/4'), "
                f"[400, 600])`, or the answers: `{_HOW}Tally.of(Response.truth('3/4'), [0, 1, 1])`",
                code="M43",
            )
        object.__setattr__(self, "response", response)
        object.__setattr__(self, "told", counts)

    @classmethod
    def of(cls, response: Response, answers: Answers | Sequence[int]) -> Self:
        """The tally of what `release` gave for many people."""
        if response.values > MOST_OUTCOMES:
            raise MechanismError(
                "there are too many values for a count of each",
                cure="hash the values to at most 2^20 before they are told, such as "
                f"`{HOW}Response.pure(1, values=2**10)`",
                code="M45",
            )
        read = answers_in(array_of(answers), response.values).reshape(-1)
        return cls(response, np.bincount(read, minlength=response.values).tolist())

    @property
    def people(self) -> int:
        return sum(self.told)

    def estimate(self, value: int = 1) -> Fraction:
        """How many people have `value`: right on average.  It may be below zero, or above all."""
        return self._estimate(value)[1]

    def share(self, value: int = 1) -> Fraction:
        """`estimate` as a part of all who answered."""
        return self.estimate(value) / whole(self.people, "the number of people", least=1)

    def interval(self, value: int = 1, *, confidence: Number = Fraction(19, 20)) -> tuple[int, int]:
        """Two counts between which the number of people who have `value` lies with this
        probability, whatever it is.  It is about one value that was chosen beforehand."""
        sure = confidence_in(confidence)
        if self.people <= MOST_COUNTED:
            return self._by_law(value, (1 - sure) / 2)
        low, high = self._estimate(value)
        by = self.response.accuracy(sure, self.people)
        least_count = min(max(0, ceil(low - by)), self.people)
        return least_count, max(least_count, min(floor(high + by), self.people))

    def _by_law(self, value: int, beta: Fraction) -> tuple[int, int]:
        """All counts under which neither so many who tell `value`, nor so few, is rarer."""
        chances, people = _chances(self.response, value), self.people
        told, rare = self.told[value], partial(at, _BITS, partial(ball, beta))

        def not_too_small(have: int) -> bool:
            return have >= people or not _tails(chances, have, people - have, told)[1] <= rare()

        def too_large(have: int) -> bool:
            return have > people or _tails(chances, have, people - have, told)[0] <= rare()

        return least(not_too_small), max(0, least(too_large) - 1)

    def _estimate(self, value: int) -> tuple[Fraction, Fraction]:
        """Two ends, which are the same if the probabilities are rational."""
        own, other = _chances(self.response, value)
        told, people = self.told[value], self.people
        if isinstance(own, Fraction) and isinstance(other, Fraction):
            estimated = (told - people * other) / (own - other)
            return estimated, estimated
        high, low = real(own), real(other)

        def real_estimate() -> arb:
            return (told - people * low()) / (high() - low())

        return down(real_estimate), up(real_estimate)


# --- before anybody is asked ----------------------------------------------------------------------


def standard_error(response: Response, have: Number, lack: Number, value: int = 1) -> Fraction:
    """The standard deviation of `Tally.estimate` if `have` people have the value and `lack` do
    not, rounded up.

    >>> float(standard_error(Response.truth("3/4"), have=300, lack=0))
    15.0
    """
    response.informs()
    having, lacking = whole(have, "have"), whole(lack, "lack")
    if having + lacking == 0:
        return Fraction(0)
    own, other = map(real, _chances(response, value))

    def deviation() -> arb:
        a, b = own(), other()
        return (having * a * (1 - a) + lacking * b * (1 - b)).sqrt() / (a - b)

    return up(deviation)


def worst_standard_error(response: Response, people: Number, value: int = 1) -> Fraction:
    """The largest that it can be with so many people: all of them have the value, or none."""
    return max(
        standard_error(response, people, 0, value), standard_error(response, 0, people, value)
    )


def people_for(response: Response, error: Number, confidence: Number = Fraction(19, 20)) -> int:
    """So many people that the estimated share of one value is off by no more than `error`, with
    this probability, whatever the truth is: the least number for which `accuracy` says so."""
    wanted, sure = positive(error, "error"), confidence_in(confidence)
    return least(lambda n: n > 0 and response.accuracy(sure, n) <= wanted * n)


# --- the law of a count ---------------------------------------------------------------------------


def _chances(response: Response, value: int) -> tuple[Chance, Chance]:
    """The probabilities that it is told by who has it, and by who has another."""
    which = int(answers_in(array_of(value), response.values))
    return response.keep.own(which, response.values), response.keep.other(which, response.values)


def _tails(chances: tuple[Chance, Chance], have: int, lack: int, told: int) -> tuple[arb, arb]:
    """P(N ≤ told) and P(N ≥ told) for the number N of people who tell a value."""

    def law() -> arb_poly:
        own, other = (real(chance)() for chance in chances)
        by_have, by_lack = arb_poly([1 - own, own]), arb_poly([1 - other, other])
        law: arb_poly = by_have**have * by_lack**lack
        return law

    with flint.ctx.workprec(_BITS):
        terms = law().coeffs()
        return sum(terms[: told + 1], start=arb(0)), sum(terms[told:], start=arb(0))
