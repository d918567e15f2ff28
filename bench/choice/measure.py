"""Asks the contestants in turn, round after round, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final, TypeAlias, assert_never, final

from bench import entry
from bench.choice.laws import cell_moments, law, longest_fall, objection
from bench.choice.plan import Contest, Effort
from bench.choice.roster import Entrant
from bench.choice.tasks import Task
from bench.contestant import NoAnswerError
from bench.figures import Draw, number
from bench.noise.laws import objection as objection_to_sums

Seat: TypeAlias = entry.Seat[Entrant]
Player: TypeAlias = tuple[str, Task]
"""A contestant's name and a task that it can do."""
ANSWERS: Final = (NoAnswerError, TypeError, ValueError)


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """The median time of a call in one turn, and the processor's mean."""

    calls: int
    seconds: float
    cpu: float

    @property
    def rate(self) -> float:
        return 1 / self.seconds

    @property
    def cpu_rate(self) -> float:
        return 1 / self.cpu if self.cpu > 0 else self.rate


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """All turns of one contest, and what went wrong."""

    contest: Contest
    turns: Mapping[Player, Sequence[Turn]]
    problems: Mapping[Player, str]

    def seconds(self, player: Player) -> float | None:
        """The median over the rounds."""
        turns = self.turns.get(player)
        return median(turn.seconds for turn in turns) if turns else None


@final
@dataclass(slots=True)
class _Course:
    """One contest while it is measured; whoever fails once is out of it."""

    contest: Contest
    effort: Effort
    problems: dict[Player, str]
    turns: dict[Player, list[Turn]] = field(default_factory=dict)
    noise: dict[Player, list[Draw]] = field(default_factory=dict)

    def set(self, seat: Seat, players: Sequence[Player], seed: int) -> None:
        """The scores of a round, the same for everybody."""
        contest = self.contest
        request = {"do": "set", "scores": str(contest.scores), "size": contest.size}
        try:
            seat.contestant.ask(
                request | {"k": contest.k, "seed": seed}, seconds=self.effort.patience
            )
        except ANSWERS as problem:
            own = [player for player in players if player[0] == seat.entrant.name]
            self.problems |= dict.fromkeys(own, str(problem))

    def time(self, seat: Seat, task: Task, *, warm: bool) -> None:
        player = seat.entrant.name, task
        if player in self.problems:
            return
        seconds, most = (0.0, 1) if warm else (self.effort.seconds, self.contest.most)
        request = {"do": "time", "task": str(task), "seconds": seconds, "most": most}
        try:
            answer = seat.contestant.ask(request, seconds=self.effort.patience)
            turn = turn_from(answer)
            self._look(player, answer)
        except ANSWERS as problem:
            self.problems[player] = str(problem)
            return
        if turn.seconds > self.effort.slowest:
            self.problems[player] = f"too slow: {turn.seconds:.1f} s for one"
        if not warm:
            self.turns.setdefault(player, []).append(turn)

    def _look(self, player: Player, answer: Mapping[str, object]) -> None:
        """At what was answered."""
        _, task = player
        match task:
            case Task.NOISY_MAX | Task.EXPONENTIAL | Task.PERMUTE_AND_FLIP | Task.TOP_K:
                fall = number(answer, "short")
                if fall > longest_fall(task, self.contest.size, self.contest.k):
                    self.problems[player] = f"another law: it fell short by {fall:g}"
            case Task.LAPLACE | Task.GAUSSIAN:
                named = {name: number(answer, name) for name in ("total", "total_abs")}
                count = int(number(answer, "count"))
                self.noise.setdefault(player, []).append(Draw(count, 1.0, 1.0, **named))
            case Task.ABOVE_THRESHOLD:
                pass  # the worker itself refuses an answer above
            case _:
                assert_never(task)


def turn_from(answer: Mapping[str, object]) -> Turn:
    """The turn that an answer describes."""
    calls, seconds = int(number(answer, "calls")), number(answer, "seconds")
    if calls < 1 or seconds <= 0:
        raise ValueError("a turn has calls and takes time")
    return Turn(calls, seconds, number(answer, "cpu"))


def contested(
    contest: Contest, seats: Sequence[Seat], effort: Effort, wrong: Mapping[Player, str]
) -> Outcome:
    """One contest: task by task, everybody in turn, with other scores in each round.  Those who
    are `wrong` are not asked."""
    players = [(seat.entrant.name, task) for seat, task in _players(contest, seats)]
    known = {player: wrong[player] for player in players if player in wrong}
    course = _Course(contest, effort, known)
    for each in range(-1, effort.rounds_of(contest)):
        for seat in seats:
            course.set(seat, players, seed=each + 1)
        turns = _players(contest, seats)
        for seat, task in turns if each % 2 == 0 else reversed(turns):
            course.time(seat, task, warm=each < 0)
    floats = {seat.entrant.name: seat.entrant.continuous for seat in seats}
    for player, noise in course.noise.items():
        name, task = player
        objected = objection_to_sums(noise, cell_moments(task, continuous=floats[name]))
        if objected is not None:
            course.problems.setdefault(player, objected)
    kept = {who: turns for who, turns in course.turns.items() if who not in course.problems}
    return Outcome(contest, kept, course.problems)


def _players(contest: Contest, seats: Sequence[Seat]) -> list[tuple[Seat, Task]]:
    return [(seat, task) for task in contest.tasks for seat in seats if task in seat.tasks]


def judged(seats: Sequence[Seat], tasks: Sequence[Task], effort: Effort) -> dict[Player, str]:
    """Who chooses by another law than it should, among few, and how that was seen."""
    wrong: dict[Player, str] = {}
    for seat in seats:
        for task in (task for task in tasks if task in seat.tasks):
            request = {"do": "law", "task": str(task), "repeats": effort.repeats}
            try:
                answer = seat.contestant.ask(request, seconds=effort.patience)
                expected = law(task, continuous=seat.entrant.continuous)
                objected = objection(counts(answer), expected)
            except ANSWERS as problem:
                objected = str(problem)
            if objected is not None:
                wrong[seat.entrant.name, task] = objected
    return wrong


def counts(answer: Mapping[str, object]) -> dict[str, int]:
    """How often each answer was given."""
    told = answer.get("told")
    if not isinstance(told, dict) or not told:
        raise TypeError("an answer without counts")
    return {str(name): int(number(told, name)) for name in told}
