"""One run, from environments to report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import machine
from bench.choice.aims import aims
from bench.choice.measure import contested, judged
from bench.choice.plan import CONTESTS, Effort
from bench.choice.report import Report, to_json, to_text
from bench.choice.roster import ENTRANTS, OURS, Entrant
from bench.choice.tasks import Task
from bench.entry import progress, seated
from bench.report import tell

_CHOSEN = tuple(task for task in Task if task not in (Task.LAPLACE, Task.GAUSSIAN))


def run(effort: Effort, folder: Path, entrants: Sequence[Entrant] = ENTRANTS) -> bool:
    """Measure, print the tables, write the JSON.  True if no aim was missed."""
    report = _measure(entrants, effort, folder)
    tell("choice", effort.name, to_json(report), to_text(report), folder)
    return report.passed


def _measure(entrants: Sequence[Entrant], effort: Effort, folder: Path) -> Report:
    with seated(entrants, "bench.choice.workers", folder) as (takers, seats):
        before = machine.load()
        progress("laws …")
        wrong = judged(seats, _CHOSEN, effort)
        outcomes = []
        for contest in CONTESTS:
            progress(f"{contest} …")
            outcomes.append(contested(contest, seats, effort, wrong))
    loads = {"load_before": before, "load_after": machine.load()}
    measured = aims(outcomes) if OURS in {entrant.name for entrant in entrants} else []
    return Report(machine.describe() | loads, effort, takers, outcomes, measured)
