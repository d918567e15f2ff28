"""One run, from environments to report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import machine
from bench.entry import progress, seated
from bench.noise.aims import aims
from bench.noise.measure import Calls, Memory, Seat, bout, peak, single_calls
from bench.noise.plan import Effort, Setting
from bench.noise.report import Report, to_json
from bench.noise.roster import OURS, Entrant
from bench.noise.tables import to_text
from bench.report import tell


def run(
    entrants: Sequence[Entrant], settings: Sequence[Setting], effort: Effort, folder: Path
) -> bool:
    """Measure, print the tables, write the JSON.  True if no aim was missed."""
    report = _measure(entrants, settings, effort, folder)
    tell("noise", effort.name, to_json(report), to_text(report), folder)
    return report.passed


def _measure(
    entrants: Sequence[Entrant], settings: Sequence[Setting], effort: Effort, folder: Path
) -> Report:
    with seated(entrants, "bench.noise.workers", folder) as (takers, seats):
        before = machine.load()
        bouts = []
        for setting in settings:
            progress(f"{setting} …")
            bouts.append(bout(setting, seats, effort))
        progress("single calls and memory …")
        calls = {setting: _calls(setting, seats, effort) for setting in settings}
        memory = _memory(settings, seats, effort)
    loads = {"load_before": before, "load_after": machine.load()}
    described = machine.describe() | loads
    measured = aims(bouts) if OURS in {entrant.name for entrant in entrants} else []
    return Report(described, effort, takers, bouts, calls, memory, measured)


def _calls(setting: Setting, seats: Sequence[Seat], effort: Effort) -> dict[str, Calls]:
    asked = [seat for seat in seats if seat.entrant.calls]
    found = {seat.entrant.name: single_calls(setting, seat, effort) for seat in asked}
    return {name: calls for name, calls in found.items() if calls is not None}


def _memory(
    settings: Sequence[Setting], seats: Sequence[Seat], effort: Effort
) -> dict[Setting, Memory]:
    ours = next((seat for seat in seats if seat.entrant.name == OURS), None)
    if ours is None:
        return {}
    found = {setting: peak(setting, ours, effort) for setting in settings}
    return {setting: memory for setting, memory in found.items() if memory is not None}
