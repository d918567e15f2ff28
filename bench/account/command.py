"""One run, from environments to report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import machine
from bench.account.agreement import surveyed
from bench.account.aims import aims
from bench.account.measure import contested
from bench.account.plan import Effort
from bench.account.report import Report, to_json, to_text
from bench.account.roster import ENTRANTS, Entrant
from bench.account.tasks import Task
from bench.entry import progress, seated
from bench.report import tell


def run(effort: Effort, folder: Path, entrants: Sequence[Entrant] = ENTRANTS) -> bool:
    """Measure, print the tables, write the JSON.  True if no aim was missed."""
    report = _measure(entrants, effort, folder)
    tell("account", effort.name, to_json(report), to_text(report), folder)
    return report.passed


def _measure(entrants: Sequence[Entrant], effort: Effort, folder: Path) -> Report:
    asked = [entrant for entrant in entrants if effort.slow_cases or not entrant.slow]
    with seated(asked, "bench.account.workers", folder) as (takers, seats):
        before = machine.load()
        outcomes = []
        for task in Task:
            progress(f"{task} …")
            outcomes.append(contested(task, seats, effort))
        progress("random compositions …")
        survey = surveyed(seats, effort)
    loads = {"load_before": before, "load_after": machine.load()}
    described = machine.describe() | loads
    return Report(described, effort, takers, outcomes, survey, aims(outcomes, survey))
