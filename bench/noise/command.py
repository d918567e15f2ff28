"""One run, from environments to report."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import machine
from bench.contestant import ROOT, Command, Contestant, NoAnswerError
from bench.environments import Environment, Missing, Ready, prepare
from bench.noise.aims import aims
from bench.noise.measure import Calls, Memory, Seat, bout, peak, single_calls
from bench.noise.plan import Effort, Setting
from bench.noise.report import Report, Taker, to_json
from bench.noise.roster import OURS, Entrant
from bench.noise.tables import to_text

_FIRST_ANSWER = 120.0


def run(
    entrants: Sequence[Entrant], settings: Sequence[Setting], effort: Effort, folder: Path
) -> bool:
    """Measure, print the tables, write the JSON.  True if no aim was missed."""
    report = _measure(entrants, settings, effort, folder)
    told = folder / ("noise.json" if effort.name == "full" else f"noise-{effort.name}.json")
    text = json.dumps(to_json(report), indent=2, ensure_ascii=False)
    told.write_text(text + "\n", encoding="utf-8")
    print(to_text(report))
    return report.passed


def _measure(
    entrants: Sequence[Entrant], settings: Sequence[Setting], effort: Effort, folder: Path
) -> Report:
    environments = _environments(entrants, folder)
    with ExitStack() as stack:
        takers, seats = [], []
        for entrant in entrants:
            taker, seat = _enter(entrant, environments[entrant.requirements], folder)
            takers.append(taker)
            if seat is not None:
                seats.append(seat)
                stack.callback(seat.contestant.end)
        before = machine.load()
        bouts = []
        for setting in settings:
            _progress(f"{setting} …")
            bouts.append(bout(setting, seats, effort))
        _progress("single calls and memory …")
        calls = {setting: _calls(setting, seats, effort) for setting in settings}
        memory = _memory(settings, seats, effort)
    loads = {"load_before": before, "load_after": machine.load()}
    described = machine.describe() | loads
    measured = aims(bouts) if OURS in {entrant.name for entrant in entrants} else []
    return Report(described, effort, takers, bouts, calls, memory, measured)


def _environments(entrants: Sequence[Entrant], folder: Path) -> dict[str | None, Environment]:
    found: dict[str | None, Environment] = {None: Ready(Path(sys.executable))}
    for name in wanted(entrants):
        _progress(f"environment of {name} …")
        file = ROOT / "bench" / "peers" / f"{name}.txt"
        found[name] = prepare(file, folder / "envs" / name)
    return found


def wanted(entrants: Sequence[Entrant]) -> Collection[str]:
    """The names of the requirements that are needed, each once."""
    named = (entrant.requirements for entrant in entrants)
    return dict.fromkeys(name for name in named if name is not None)


def _enter(entrant: Entrant, environment: Environment, folder: Path) -> tuple[Taker, Seat | None]:
    match environment:
        case Missing(reason):
            return Taker(entrant, {}, f"it does not install: {reason}"), None
        case Ready(python):
            own = ROOT / "src" if entrant.requirements is None else None
            command = Command(python, f"bench.noise.workers.{entrant.module}", own)
            log = folder / "logs" / f"{entrant.name}.log"
            contestant = Contestant(command, log)
    try:
        hello = contestant.ask({"do": "hello"}, seconds=_FIRST_ANSWER)
    except NoAnswerError as problem:
        contestant.end()
        return Taker(entrant, {}, f"it does not start: {problem}"), None
    versions = hello.get("versions")
    named = {str(k): str(v) for k, v in versions.items()} if isinstance(versions, dict) else {}
    return Taker(entrant, named), Seat(entrant, contestant)


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


def _progress(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
