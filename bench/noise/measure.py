"""Asks the contestants in turn, round after round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias, final

from bench import entry
from bench.contestant import NoAnswerError
from bench.figures import Draw, draw_from, number
from bench.noise.laws import moments, objection
from bench.noise.plan import Effort, Setting
from bench.noise.roster import Entrant

_WARM: Final = 0.02
"""A first draw this long tells a rate well enough to choose the size of a round."""
_CALLS: Final = 0.1
_FRESH: Final = 7

Seat: TypeAlias = entry.Seat[Entrant]


@final
@dataclass(frozen=True, slots=True)
class Bout:
    """All that was drawn in one setting, by the contestants' names, and what went wrong."""

    setting: Setting
    rounds: Mapping[str, Sequence[Draw]]
    short: Mapping[str, Sequence[Draw]]
    problems: Mapping[str, str]


@final
@dataclass(slots=True)
class _Course:
    """One setting while it is measured; whoever fails once is out of it."""

    setting: Setting
    effort: Effort
    problems: dict[str, str] = field(default_factory=dict)

    def ask(self, seat: Seat, request: Mapping[str, object], *, waits: float = 1) -> Draw | None:
        name = seat.entrant.name
        if name in self.problems:
            return None
        try:
            answer = seat.contestant.ask(request, seconds=self.effort.patience * waits)
            return draw_from(answer) if request["do"] == "draw" else None
        except (NoAnswerError, TypeError, ValueError) as problem:
            self.problems[name] = str(problem)
            return None


def bout(setting: Setting, seats: Sequence[Seat], effort: Effort) -> Bout:
    """One setting: everybody in turn, in long rounds, then the fast ones in short rounds."""
    course = _Course(setting, effort)
    sizes = {seat.entrant.name: _size(course, seat) for seat in seats}
    rounds = _rounds(course, seats, effort.rounds, sizes)
    fast = [seat for seat in seats if seat.entrant.fast]
    short_sizes = {seat.entrant.name: effort.short_size for seat in fast}
    short = _rounds(course, fast, effort.short_rounds, short_sizes)
    for seat in seats:
        name = seat.entrant.name
        expected = moments(setting.law, setting.scale, continuous=seat.entrant.continuous)
        objected = objection([*rounds[name], *short.get(name, ())], expected)
        if objected is not None and name not in course.problems:
            course.problems[name] = objected
    kept = {name: draws for name, draws in rounds.items() if name not in course.problems}
    kept_short = {name: draws for name, draws in short.items() if name not in course.problems}
    return Bout(setting, kept, kept_short, course.problems)


def _size(course: _Course, seat: Seat) -> int:
    """Set the law, warm up with ever larger draws, and choose how many make a round."""
    law, scale = str(course.setting.law), str(course.setting.scale)
    # Its first question also waits for the imports.
    course.ask(seat, {"do": "set", "law": law, "scale": scale}, waits=6)
    count = 1
    while True:
        drawn = course.ask(seat, {"do": "draw", "count": count})
        if drawn is None:
            return 0
        if drawn.seconds >= _WARM or count >= course.effort.short_size:
            fast = seat.entrant.fast
            return course.effort.size if fast else course.effort.slow_size(drawn.rate)
        count *= 4


def _rounds(
    course: _Course, seats: Sequence[Seat], count: int, sizes: Mapping[str, int]
) -> dict[str, list[Draw]]:
    """Every second round goes through the contestants backwards, so that none is always first."""
    found: dict[str, list[Draw]] = {seat.entrant.name: [] for seat in seats}
    for turn in range(count):
        for seat in seats if turn % 2 == 0 else reversed(seats):
            name = seat.entrant.name
            drawn = course.ask(seat, {"do": "draw", "count": sizes[name]}, waits=6)
            if drawn is not None:
                found[name].append(drawn)
    return found


@final
@dataclass(frozen=True, slots=True)
class Calls:
    """Seconds for one call: a scalar and a vector of 100, with a new scale and with a known one."""

    fresh_one: float
    one: float
    fresh_hundred: float
    hundred: float


def single_calls(setting: Setting, seat: Seat, effort: Effort) -> Calls | None:
    """The cost of small requests, or None if the contestant failed."""
    patience = 6 * effort.patience
    law, scale = str(setting.law), setting.scale

    def known(count: int | None) -> float:
        request = {"do": "calls", "count": count, "seconds": _CALLS}
        return number(seat.contestant.ask(request, seconds=patience), "seconds")

    def fresh(count: int | None, first: int) -> float:
        scales = new_scales(scale, first)
        request = {"do": "fresh", "law": law, "scales": scales, "count": count}
        return number(seat.contestant.ask(request, seconds=patience), "seconds")

    try:
        seat.contestant.ask({"do": "set", "law": law, "scale": str(scale)}, seconds=patience)
        return Calls(fresh(None, 1), known(None), fresh(100, 1 + _FRESH), known(100))
    except (NoAnswerError, TypeError, ValueError):
        return None


def new_scales(scale: Fraction, first: int) -> list[str]:
    """Scales near `scale` that nobody was asked for: a cache must not know them."""
    return [str(scale * (1 + Fraction(step, 1000))) for step in range(first, first + _FRESH)]


@final
@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of the result, and of the peak beyond it: by the system's count and by Python's."""

    result: float
    resident: float | None
    traced: float


def peak(setting: Setting, seat: Seat, effort: Effort) -> Memory | None:
    """The memory of one large draw in a process that has done nothing else."""
    seat.contestant.end()
    law, scale = str(setting.law), str(setting.scale)
    patience = 6 * effort.patience
    try:
        seat.contestant.ask({"do": "set", "law": law, "scale": scale}, seconds=patience)
        answer = seat.contestant.ask({"do": "memory", "count": effort.size}, seconds=patience)
        resident = None if answer.get("resident") is None else number(answer, "resident")
        return Memory(number(answer, "result"), resident, number(answer, "traced"))
    except (NoAnswerError, TypeError, ValueError):
        return None
