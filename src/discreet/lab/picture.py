"""A picture of what a mechanism tells of two neighbours: how likely each outcome is for both, and
below it the privacy loss of each.

The rows are read off `law` and enclose the truth; floats are for drawing only.  A picture shows
the two exact answers, so draw invented ones.  Claim: picture.md
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import ceil, floor, inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias, assert_never, final

from discreet.errors import MechanismError
from discreet.lab.exact import Neighbours
from discreet.lab.picture_drawing import Place, Sheet, Spec, spec_of
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.loss.divergence import INFINITY, Bracket, Infinity, Law
from discreet.mechanisms import Mechanism
from discreet.numbers import ball, nearest_float

if TYPE_CHECKING:
    import altair as alt

MOST_NAMES: Final = 24
"""So many outcomes have their names written below them; more numbers get an axis."""
MOST_NUMBERS: Final = 500
RARE: Final = Fraction(1, 10_000)
"""The axis of numbers ends where no number is likelier, or at a hundredth of the likeliest."""
AROUND: Final = 2
LONGEST: Final = 88
"""So many letters of an exact answer are shown."""

Ends: TypeAlias = tuple[Fraction, Fraction]


# --- rows: what is drawn --------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Row:
    """An outcome, and the ends between which its probability lies for both neighbours."""

    outcome: Hashable
    here: Ends
    there: Ends

    @property
    def ratio(self) -> Bracket:
        """How many times likelier it is from x than from the neighbour."""
        (p, p_most), (q, q_most) = self.here, self.there
        low = p / q_most if q_most else INFINITY if p else Fraction(0)
        return Bracket(low, p_most / q if q else INFINITY)

    @property
    def loss(self) -> float:
        """ln of the ratio, for drawing: of its middle, and infinite where it may be."""
        low, high = self.ratio.low, self.ratio.high
        if isinstance(low, Infinity) or isinstance(high, Infinity):
            return inf
        middle = (low + high) / 2
        # Rounded, so that zero is zero: balls leave 2^-250 of it.
        return round(nearest_float(lambda: ball(middle).log()), 6) + 0.0 if low else -inf

    @property
    def text(self) -> str:
        return text_of(self.outcome)

    @property
    def most(self) -> Fraction:
        """No neighbour tells it with a larger probability."""
        return max(self.here[1], self.there[1])


def rows(p: Law, q: Law) -> tuple[Row, ...]:
    """All outcomes that one of two laws lists and does not rule out, in their order."""
    of_p, of_q = (dict(zip(law.outcomes, law.weights, strict=True)) for law in (p, q))
    if of_p.keys().isdisjoint(of_q):
        raise MechanismError(
            "the laws of these neighbours list no outcome in common, so no ratio can be drawn",
            cure="give two exact answers of one kind that are near each other, such as "
            "`from discreet.lab.exact import Neighbours; from discreet.lab.picture import picture; "
            "picture(dp.Laplace(2), Neighbours(10, 11, dp.L1(1)))`",
            code="M92",
        )
    nothing = Fraction(0)
    found = (
        Row(
            outcome,
            of_p.get(outcome, (nothing, p.missing[1])),
            of_q.get(outcome, (nothing, q.missing[1])),
        )
        for outcome in {**of_p, **of_q}
    )
    return tuple(sorted((row for row in found if row.most), key=lambda row: _rank(row.outcome)))


def _rank(outcome: object) -> tuple[int, Any]:
    """Outcomes of one kind by their values, tuples part by part."""
    match outcome:
        case None:
            return 0, 0
        case int() | Fraction():
            return 1, outcome
        case tuple():
            return 2, tuple(map(_rank, outcome))
        case _:
            return 3, str(outcome)


def _numbers(every: Sequence[Row]) -> tuple[tuple[Row, ...], str]:
    """From the first number that is not rare to the last, and some around the likeliest."""
    places = range(len(every))
    level = _rare(every)
    tops = [max(places, key=lambda i: every[i].here), max(places, key=lambda i: every[i].there)]
    near = [i for i in places if every[i].most >= level]
    near += [i + off for i in tops for off in (-AROUND, AROUND) if i + off in places]
    first, last = min(near), max(near)
    step = ceil((last + 1 - first) / MOST_NUMBERS)
    notes = [f"farther out none is likelier than 1 in {floor(1 / level):,}"]
    notes = notes if last + 1 - first < len(every) else []
    notes += [f"one of {step} is drawn"] if step > 1 else []
    return tuple(every[first : last + 1 : step]), "; ".join(notes)


def _names(every: Sequence[Row]) -> tuple[tuple[Row, ...], str]:
    """All, or if they are many the likeliest, in their order."""
    if len(every) <= MOST_NAMES:
        return tuple(every), ""
    by_chance = sorted(range(len(every)), key=lambda i: every[i].most, reverse=True)
    level = _rare(every)
    likeliest = sorted(i for i in by_chance[:MOST_NAMES] if every[i].most >= level)
    left = len(every) - len(likeliest)
    return tuple(every[i] for i in likeliest), f"{left:,} less likely outcomes are left out"


def _rare(every: Sequence[Row]) -> Fraction:
    return min(RARE, max(row.most for row in every) / 100)


# --- words ----------------------------------------------------------------------------------------


def text_of(outcome: object) -> str:
    """An outcome as it stands below its bars."""
    match outcome:
        case None:
            return "none"
        case bool():
            return "yes" if outcome else "no"
        case int() | Fraction():
            return _plain(Fraction(outcome))
        case tuple():
            parts = (f"({text_of(o)})" if isinstance(o, tuple) else text_of(o) for o in outcome)
            return ", ".join(parts) or "nothing"
        case _:
            return str(outcome)


def _plain(number: Fraction) -> str:
    short = str(number) if number.denominator <= 100 else f"{float(number):.4g}"
    return short.replace("-", "−")


def described(value: object) -> str:
    """A `repr` with short numbers, and cut off if it is long."""
    text = re.sub(
        r"Fraction\((-?\d+), (\d+)\)",
        lambda found: _plain(Fraction(int(found[1]), int(found[2]))),
        re.sub(r", \w+=None", "", repr(value)),
    )
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _claim(loss: AnyLoss) -> str:
    match loss:
        case Pure():
            return f"claimed: ε = {_plain(loss.epsilon)}"
        case Approx():
            return f"claimed: ε = {_plain(loss.epsilon)}, δ = {_plain(loss.delta)}"
        case ZCDP():
            purse = f", δ = {_plain(loss.delta)}" if loss.delta else ""
            return f"claimed: ρ = {_plain(loss.rho)}{purse}"
        case Renyi() | GDP():
            return f"claimed: {described(loss)}"
        case _:
            assert_never(loss)


def _line(loss: AnyLoss) -> Fraction | None:
    """The privacy loss that no outcome may exceed (but for δ), if the claim is one about it."""
    match loss:
        case Pure() | Approx():
            return loss.epsilon
        case ZCDP() | Renyi() | GDP():
            return None
        case _:
            assert_never(loss)


# --- the picture ----------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn: rows, how many others are left out, and what was claimed.

    >>> from discreet.distances import L1
    >>> from discreet.mechanisms import Laplace
    >>> seen = picture(Laplace(2), Neighbours(10, 11, L1(1)))
    >>> seen.rows[0].text, seen.rows[-1].text, seen.limit
    ('−5', '26', Fraction(1, 2))
    """

    rows: tuple[Row, ...]
    left_out: int
    numeric: bool
    claimed: AnyLoss
    names: tuple[str, str]
    title: str
    subtitle: tuple[str, str]
    note: str

    @property
    def limit(self) -> Fraction | None:
        """ε, where the claim has one: the dashed lines."""
        return _line(self.claimed)

    def spec(self) -> Spec:
        """The picture in the language of Vega-Lite."""
        return spec_of(self._sheet())

    def _sheet(self) -> Sheet:
        places = (_placed(row, i, numeric=self.numeric) for i, row in enumerate(self.rows))
        limit = None if self.limit is None else float(self.limit)
        words = self.names, self.title, self.subtitle, self.note
        return Sheet(tuple(places), self.numeric, limit, *words)

    def digest(self) -> str:
        """A fingerprint of all that is drawn."""
        return sha256(json.dumps(self.spec(), sort_keys=True).encode()).hexdigest()

    def plot(self) -> alt.VConcatChart:
        """The picture as a chart of Altair, which the extra `plot` brings."""
        try:
            from altair import VConcatChart  # noqa: PLC0415
        except ImportError:
            raise MechanismError(
                "pictures are drawn by Altair, which is not installed",
                cure="install Discreet with its extra “plot”; the rows are there without it: "
                "`from discreet.lab.exact import Neighbours; from discreet.lab.picture import "
                "picture; picture(dp.Laplace(2), Neighbours(10, 11, dp.L1(1))).rows`",
                code="M91",
            ) from None
        return VConcatChart.from_dict(self.spec())


def picture(mechanism: Mechanism[Any, Any, Any], pair: Neighbours, *, title: str = "") -> Picture:
    """What `mechanism` tells of two neighbours, by their laws."""
    every = rows(mechanism.law(pair.x), mechanism.law(pair.y))
    numbers = all(isinstance(row.outcome, int | Fraction) for row in every)
    numeric = numbers and len(every) > MOST_NAMES
    shown, note = _numbers(every) if numeric else _names(every)
    claimed = mechanism.loss(pair.distance)
    return Picture(
        shown,
        len(every) - len(shown),
        numeric,
        claimed,
        (f"x = {described(pair.x)}", f"neighbour = {described(pair.y)}"),
        title or f"What {type(mechanism).__name__} tells of two neighbours",
        (described(mechanism), f"distance {described(pair.distance)} · {_claim(claimed)}"),
        note,
    )


def _placed(row: Row, index: int, *, numeric: bool) -> Place:
    number = row.outcome if numeric and isinstance(row.outcome, int | Fraction) else index
    here, there = (float(f"{float(sum(ends) / 2):.6g}") for ends in (row.here, row.there))
    return Place(row.text, float(number), here, there, row.loss)
