"""What one run found out, as JSON and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias, final

from bench import entry
from bench.aims import Aim, passed, shown
from bench.choice.aims import against
from bench.choice.measure import Outcome, Player, Turn
from bench.choice.plan import Effort
from bench.choice.roster import ENTRANTS, NOTE, OPENDP, OURS, Entrant, rival
from bench.choice.tasks import Task
from bench.figures import Ratio
from bench.report import heading
from bench.text import NOTHING, digits, table, time

FORMAT: Final = 1
Taker: TypeAlias = entry.Taker[Entrant]


@final
@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run found out."""

    machine: Mapping[str, object]
    effort: Effort
    takers: Sequence[Taker]
    outcomes: Sequence[Outcome]
    aims: Sequence[Aim]

    @property
    def passed(self) -> bool:
        return passed(self.aims)


def to_json(report: Report) -> dict[str, object]:
    """The report as plain values.  Times are seconds for one call."""
    return {
        "bench": "choice",
        "format": FORMAT,
        "machine": dict(report.machine),
        "effort": asdict(report.effort),
        "contestants": {taker.entrant.name: taker.json() for taker in report.takers},
        "contests": [_outcome(outcome) for outcome in report.outcomes],
        "aims": [aim.json() for aim in report.aims],
        "passed": report.passed,
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    contest = outcome.contest
    return {
        "contest": str(contest),
        "size": contest.size,
        "scores": str(contest.scores),
        "k": contest.k,
        "turns": {_name(player): _turns(turns) for player, turns in outcome.turns.items()},
        "ours_over": {
            f"{task} / {name}": asdict(found)
            for task in contest.tasks
            for name in _peers(outcome)
            if (found := against(outcome, task, name)) is not None
        },
        "problems": {_name(player): problem for player, problem in outcome.problems.items()},
    }


def _name(player: Player) -> str:
    return f"{player[0]} {player[1]}"


def _turns(turns: Sequence[Turn]) -> dict[str, object]:
    return {
        "calls": [turn.calls for turn in turns],
        "seconds": [turn.seconds for turn in turns],
        "cpu": [turn.cpu for turn in turns],
    }


def _peers(outcome: Outcome) -> list[str]:
    return list(dict.fromkeys(name for name, _ in outcome.turns if name != OURS))


def to_text(report: Report) -> str:
    """The report: times, ratios, aims, and what went wrong."""
    effort = report.effort
    how = [
        f"{effort.rounds} rounds, {effort.other_rounds} where no aim is set",
        f"a turn lasts {digits(effort.seconds, 2)} s, or one call",
    ]
    parts = [
        heading("Choices", report.machine, how, report.takers) + "\n" + NOTE,
        _times(report),
        _ratios(report),
        shown(report.aims, "ours over theirs, or our time", effort.name),
        _problems(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _present(report: Report) -> list[Entrant]:
    here = {taker.entrant.name for taker in report.takers if taker.missing is None}
    return [entrant for entrant in ENTRANTS if entrant.name in here]


def _rows(report: Report) -> list[tuple[Outcome, Task]]:
    return [(outcome, task) for outcome in report.outcomes for task in outcome.contest.tasks]


def _times(report: Report) -> str:
    entrants = _present(report)
    rows = [
        [str(outcome.contest), str(task), *(_time(outcome, task, who.name) for who in entrants)]
        for outcome, task in _rows(report)
    ]
    shown_rows = table(["", "", *(entrant.title for entrant in entrants)], rows)
    return f"Time for one, median of the rounds (¹ has exponential noise)\n{shown_rows}"


def _time(outcome: Outcome, task: Task, name: str) -> str:
    other = rival(task, name)
    seconds = outcome.seconds((name, other))
    if seconds is None:
        return NOTHING
    return time(seconds) + ("¹" if other is not task else "")


def _ratios(report: Report) -> str:
    peers = [entrant for entrant in _present(report) if entrant.name != OURS]
    if len(peers) == len(_present(report)):
        return ""
    others = [entrant for entrant in peers if entrant.name != OPENDP]
    head = ["", "", "OpenDP", "lowest", "highest", "best/best", "cpu time"]
    rows = []
    for outcome, task in _rows(report):
        found = [against(outcome, task, entrant.name) for entrant in others]
        rows.append(
            [
                str(outcome.contest),
                str(task),
                *_in_full(against(outcome, task, OPENDP)),
                *(NOTHING if each is None else digits(each.median) for each in found),
            ]
        )
    shown_rows = table([*head, *(entrant.title for entrant in others)], rows)
    return f"Discreet is so many times as fast as …\n{shown_rows}"


def _in_full(found: Ratio | None) -> list[str]:
    if found is None:
        return [NOTHING] * 5
    return [digits(x) for x in (found.median, found.low, found.high, found.best, found.cpu)]


def _problems(report: Report) -> str:
    return "\n".join(
        f"{outcome.contest}, {_name(player)}: {problem}"
        for outcome in report.outcomes
        for player, problem in outcome.problems.items()
    )
