"""Many answers, fixed in advance, and what they cost together.  Claim and proof: compose.md"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias, final

from discreet.errors import MechanismError
from discreet.loss.approx import Approx
from discreet.loss.divergence import Bracket, Extended
from discreet.loss.pld import PLD, Guess, profile, tradeoff
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.event import Event
from discreet.numbers import Number, exact

Answer: TypeAlias = Event | Mechanism[Any, Any, Any]
ALARMS: Final = tuple(Fraction(k, 100) for k in range(100))
"""Rates of false alarms, one in a hundred apart."""


def compose(*answers: Answer) -> Composition:
    """What many answers cost together, if all were fixed before the first was given.

    >>> from discreet.mechanisms import Gaussian, Laplace
    >>> year = compose(1000 * Laplace(10), 50 * Gaussian(20).poisson("1/100"))
    >>> f"{float(year.epsilon('1e-6').high):.3f}"
    '19.345'
    """
    return Composition(tuple(each if isinstance(each, Event) else Event(each) for each in answers))


@final
@dataclass(frozen=True, slots=True)
class Part:
    """One kind of answer among others, at one delta: what it would cost alone, and what all the
    others would cost without it."""

    answers: str
    alone: Bracket
    others: Bracket


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """What each part of a composition contributes.  In print, upper ends."""

    delta: Fraction
    total: Bracket
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        rows = [("answers", "alone", "without them")]
        rows += [
            (part.answers, short(part.alone.high), short(part.others.high)) for part in self.parts
        ]
        rows += [("all together", short(self.total.high), "")]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            f"{name:<{widths[0]}}  {alone:>{widths[1]}}  {others:>{widths[2]}}".rstrip()
            for name, alone, others in rows
        ]
        return "\n".join([f"epsilon at delta {float(self.delta):g}", *lines])


@final
@dataclass(frozen=True, slots=True)
class Composition:
    """Answers that were fixed in advance.  `epsilon` and `delta` are brackets around the truth, of
    which only the upper end may be charged; a question that is chosen by the answers before it
    belongs into no composition, but before a budget that adds up."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        if len(frozenset[object]().union(*(event.neighbours for event in self.events))) > 1:
            raise MechanismError(
                "rows that come or go and rows that change are two kinds of neighbours, and no "
                "single list protects both at these prices",
                cure="choose one of them for all answers: "
                "`dp.compose(dp.MeanPair(0, 9, 3), dp.Laplace(2).poisson('1/100'))`",
                code="M90",
            )

    @property
    def pld(self) -> PLD:
        return _together([event.pld() for event in self.events])

    def epsilon(self, delta: Number) -> Bracket:
        return self.pld.epsilon(delta)

    def delta(self, epsilon: Number) -> Bracket:
        return self.pld.delta(epsilon)

    def approx(self, delta: Number) -> Approx:
        """What may be charged for all of them, as one (epsilon, delta)."""
        return self.pld.approx(delta)

    def explain(self, delta: Number) -> Explanation:
        """What each part would cost alone, and the others without it."""
        plds = [event.pld() for event in self.events]
        parts = [
            Part(
                str(event),
                alone.epsilon(delta),
                _together([*plds[:k], *plds[k + 1 :]]).epsilon(delta),
            )
            for k, (event, alone) in enumerate(zip(self.events, plds, strict=True))
        ]
        total = _together(plds).epsilon(delta)
        return Explanation(exact(delta, "delta"), total, tuple(parts))

    def profile(self, epsilons: Sequence[Number]) -> list[Bracket]:
        """Delta at each of these epsilons."""
        return profile(self.pld, epsilons)

    def tradeoff(self, alarms: Sequence[Number] = ALARMS) -> list[Guess]:
        """For whoever guesses which of two neighbours it was: at each rate of false alarms the
        rate of misses that is certain."""
        return tradeoff(self.pld, alarms)

    def plot(self) -> Any:  # noqa: ANN401 - a chart of Altair, which is an extra
        """The trade-off curve, as a chart of Altair; the dashed line is who knows nothing."""
        import altair as alt  # noqa: PLC0415  an extra

        def rows(points: Sequence[tuple[float, float]]) -> object:
            return alt.InlineData([{"alarms": x, "misses": y} for x, y in points])

        guesses = [(float(guess.alarms), float(guess.misses)) for guess in self.tradeoff()]
        axes = {
            "x": alt.X("alarms:Q", title="false alarms", scale=alt.Scale(domain=[0, 1])),
            "y": alt.Y("misses:Q", title="misses, at least", scale=alt.Scale(domain=[0, 1])),
        }
        curve = alt.Chart(rows(guesses)).mark_line().encode(**axes)
        blind = alt.Chart(rows([(0, 1), (1, 0)])).mark_line(strokeDash=[4, 4], color="grey")
        return alt.LayerChart(
            layer=[blind.encode(**axes), curve], title="Who guesses which of two neighbours it was"
        )


def _together(plds: Sequence[PLD]) -> PLD:
    return PLD(part for pld in plds for part in pld.parts)


def short(number: Extended, rounding: str = ROUND_CEILING) -> str:
    """A number in six digits, rounded up, or down if that is asked for.

    >>> from decimal import ROUND_FLOOR
    >>> short(Fraction(2, 3)), short(Fraction(2, 3), ROUND_FLOOR), short(Fraction(1, 4))
    ('0.666667', '0.666666', '0.25')
    """
    if not isinstance(number, Fraction):
        return "endless"
    digits = Context(prec=6, rounding=rounding)
    found = digits.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{found.normalize():f}" if -4 <= found.adjusted() < 7 else f"{found.normalize():e}"
