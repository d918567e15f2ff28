"""What one run found out, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from statistics import median

from bench.aims import shown
from bench.figures import Draw, Ratio
from bench.noise.aims import against
from bench.noise.measure import Bout, Calls, Memory
from bench.noise.plan import Law
from bench.noise.report import Report, short_ratio
from bench.noise.roster import ENTRANTS, NOTE, NUMPY, OURS, Entrant
from bench.report import heading
from bench.text import NOTHING, digits, mebibytes, rate, table, time


def to_text(report: Report) -> str:
    """The report: speeds and ratios by law, single calls, aims, and what went wrong."""
    parts = [_head(report)]
    for law in Law:
        bouts = [bout for bout in report.bouts if bout.setting.law is law]
        if bouts:
            parts += [_speeds(law, bouts, report), _ratios(law, bouts, report)]
    aims = shown(report.aims, "ours over theirs", report.effort.name)
    parts += [_calls(report), aims, _problems(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(report: Report) -> str:
    effort = report.effort
    slow = digits(effort.seconds / effort.rounds, 2)
    how = [
        f"{effort.rounds} rounds of {effort.size:,}, or of what a slow one draws in {slow} s",
        f"{effort.short_rounds} short rounds of {effort.short_size:,}, for the fast ones alone",
    ]
    return heading("Noise", report.machine, how, report.takers) + "\n" + NOTE


def _present(report: Report) -> list[Entrant]:
    here = {taker.entrant.name for taker in report.takers if taker.missing is None}
    return [entrant for entrant in ENTRANTS if entrant.name in here]


def _speeds(law: Law, bouts: Sequence[Bout], report: Report) -> str:
    entrants = _present(report)
    rows = [
        [bout.setting.label, *(_speed(bout.rounds.get(entrant.name)) for entrant in entrants)]
        for bout in bouts
    ]
    shown = table(["scale", *(entrant.title for entrant in entrants)], rows)
    return f"Discrete {law.title()}: samples a second, median of the rounds\n{shown}"


def _speed(draws: Sequence[Draw] | None) -> str:
    return rate(median(draw.rate for draw in draws)) if draws else NOTHING


def _ratios(law: Law, bouts: Sequence[Bout], report: Report) -> str:
    present = _present(report)
    peers = [entrant for entrant in present if entrant.name not in (OURS, NUMPY)]
    if len(present) < 2 or OURS not in {entrant.name for entrant in present}:
        return ""
    head = ["scale", "NumPy*", "lowest", "highest", "best/best", "cpu time", "short"]
    rows = []
    for bout in bouts:
        short = short_ratio(bout)
        found = [against(bout, peer.name) for peer in peers]
        rows.append(
            [
                bout.setting.label,
                *_in_full(against(bout, NUMPY)),
                NOTHING if short is None else digits(short.median),
                *(NOTHING if each is None else digits(each.median) for each in found),
            ]
        )
    shown = table([*head, *(peer.title for peer in peers)], rows)
    return f"Discrete {law.title()}: Discreet is so many times as fast as …\n{shown}"


def _in_full(found: Ratio | None) -> list[str]:
    if found is None:
        return [NOTHING] * 5
    return [digits(x) for x in (found.median, found.low, found.high, found.best, found.cpu)]


def _calls(report: Report) -> str:
    entrants = [entrant for entrant in _present(report) if entrant.calls]
    head = ["one call"]
    for entrant in entrants:
        own = ["new scale", "of 100", "new, 100"] if entrant.name == OURS else ["of 100"]
        head += [entrant.title, *own]
    head += ["peak", "in Python"]
    rows = []
    for setting, calls in report.calls.items():
        cells = [_times(entrant, calls.get(entrant.name)) for entrant in entrants]
        rows.append([str(setting), *chain(*cells), *_peak(report.memory.get(setting))])
    size = report.effort.size
    return f"One call, and the memory of {size:,} beyond the result\n{table(head, rows)}"


def _times(entrant: Entrant, calls: Calls | None) -> list[str]:
    """A scalar and 100; for ours, each also with a scale that was never used before."""
    if calls is None:
        return [NOTHING] * (4 if entrant.name == OURS else 2)
    if entrant.name != OURS:
        return [time(calls.one), time(calls.hundred)]
    shown = (calls.one, calls.fresh_one, calls.hundred, calls.fresh_hundred)
    return [time(seconds) for seconds in shown]


def _peak(memory: Memory | None) -> list[str]:
    if memory is None:
        return [NOTHING, NOTHING]
    resident = NOTHING if memory.resident is None else mebibytes(memory.resident)
    return [resident, mebibytes(memory.traced)]


def _problems(report: Report) -> str:
    return "\n".join(
        f"{bout.setting}, {name}: {problem}"
        for bout in report.bouts
        for name, problem in bout.problems.items()
    )
