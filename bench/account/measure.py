"""Asks the contestants in turn, round after round, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final, TypeAlias, final

from bench import entry
from bench.account.plan import Effort
from bench.account.roster import OWN, Entrant
from bench.account.tasks import Task
from bench.contestant import NoAnswerError
from bench.figures import Ratio, number, ratio

Seat: TypeAlias = entry.Seat[Entrant]
FAILURES: Final = (NoAnswerError, TypeError, ValueError)


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """What a library tells of epsilon."""

    low: float | None
    high: float | None

    @property
    def width(self) -> float | None:
        """As a part of the upper end."""
        if self.low is None or not self.high:
            return None
        return (self.high - self.low) / self.high


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """The median time of a call in one turn, the processor's mean, and the answer."""

    calls: int
    seconds: float
    cpu: float
    ends: Ends

    @property
    def rate(self) -> float:
        return 1 / self.seconds

    @property
    def cpu_rate(self) -> float:
        return 1 / self.cpu if self.cpu > 0 else self.rate


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """One task: the turns of each contestant, by name, and their memory, and what went wrong."""

    task: Task
    turns: Mapping[str, Sequence[Turn]]
    peaks: Mapping[str, float]
    problems: Mapping[str, str]

    def seconds(self, name: str) -> float | None:
        """The median over the rounds."""
        turns = self.turns.get(name)
        return median(turn.seconds for turn in turns) if turns else None

    def ends(self, name: str) -> Ends | None:
        turns = self.turns.get(name)
        return turns[-1].ends if turns else None

    def against(self, own: str, peer: str) -> Ratio | None:
        """Our speed over theirs, in the rounds that both went through."""
        ours, theirs = self.turns.get(own), self.turns.get(peer)
        if not ours or not theirs:
            return None
        both = min(len(ours), len(theirs))
        return ratio(ours[:both], theirs[:both])


@final
@dataclass(slots=True)
class _Course:
    """One task while it is measured; whoever fails once is out of it."""

    task: Task
    effort: Effort
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)

    def time(self, seat: Seat, each: int) -> None:
        """One turn.  The one before the first round warms up, and tells how many there can be."""
        name, warm = seat.entrant.name, each < 0
        if name in self.problems or each >= self.rounds.get(name, self.effort.rounds):
            return
        seconds, most = (0.0, 1) if warm else (self.effort.seconds, 1_000)
        request = {"do": "time", "task": str(self.task), "seconds": seconds, "most": most}
        try:
            turn = turn_from(seat.contestant.ask(request, seconds=self.effort.patience))
        except FAILURES as problem:
            self.problems[name] = str(problem)
            return
        if warm:
            self.rounds[name] = self.effort.rounds_of(turn.seconds)
        else:
            self.turns.setdefault(name, []).append(turn)


def turn_from(answer: Mapping[str, object]) -> Turn:
    """The turn that an answer describes."""
    count, seconds = int(number(answer, "calls")), number(answer, "seconds")
    if count < 1 or seconds <= 0:
        raise ValueError("a turn has calls and takes time")
    return Turn(count, seconds, number(answer, "cpu"), ends_from(answer))


def ends_from(answer: Mapping[str, object]) -> Ends:
    """The ends that an answer tells."""
    low, high = (
        None if answer.get(name) is None else number(answer, name) for name in ("low", "high")
    )
    return Ends(low, high)


def contested(task: Task, seats: Sequence[Seat], effort: Effort) -> Outcome:
    """One task: everybody in turn, every second round backwards.  Memory comes last, in processes
    that have done nothing else."""
    course = _Course(task, effort)
    for each in range(-1, effort.rounds):
        for seat in seats if each % 2 == 0 else reversed(seats):
            course.time(seat, each)
    peaks: dict[str, float] = {}
    for seat in seats:
        if seat.entrant.name in OWN:
            try:
                peaks[seat.entrant.name] = peak(task, seat, effort)
            except FAILURES as problem:
                course.problems.setdefault(seat.entrant.name, str(problem))
    kept = {name: turns for name, turns in course.turns.items() if name not in course.problems}
    return Outcome(task, kept, peaks, course.problems)


def peak(task: Task, seat: Seat, effort: Effort) -> float:
    """The most memory of a process that did this task alone."""
    seat.contestant.end()
    request = {"do": "peak", "task": str(task)}
    answer = seat.contestant.ask(request, seconds=effort.memory_patience)
    seat.contestant.end()
    return number(answer, "peak")
