"""What one run found out, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final, TypeAlias, final

from bench import entry
from bench.aims import Aim, passed
from bench.figures import Draw, Ratio, ratio
from bench.noise.aims import against
from bench.noise.measure import Bout, Calls, Memory
from bench.noise.plan import Effort, Setting
from bench.noise.roster import NUMPY, OURS, Entrant

FORMAT: Final = 2

Taker: TypeAlias = entry.Taker[Entrant]


@final
@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run found out."""

    machine: Mapping[str, object]
    effort: Effort
    takers: Sequence[Taker]
    bouts: Sequence[Bout]
    calls: Mapping[Setting, Mapping[str, Calls]]
    memory: Mapping[Setting, Memory]
    aims: Sequence[Aim]

    @property
    def passed(self) -> bool:
        return passed(self.aims)


def to_json(report: Report) -> dict[str, object]:
    """The report as plain values.  Rates are samples a second, sizes bytes, times seconds."""
    return {
        "bench": "noise",
        "format": FORMAT,
        "machine": dict(report.machine),
        "effort": asdict(report.effort),
        "contestants": {taker.entrant.name: taker.json() for taker in report.takers},
        "settings": [_bout(report, bout) for bout in report.bouts],
        "aims": [aim.json() for aim in report.aims],
        "passed": report.passed,
    }


def _bout(report: Report, bout: Bout) -> dict[str, object]:
    setting = bout.setting
    ratios = {name: against(bout, name) for name in bout.rounds if name != OURS}
    short = short_ratio(bout)
    return {
        "law": str(setting.law),
        "scale": str(setting.scale),
        "rates": {name: _rates(draws) for name, draws in bout.rounds.items()},
        "short_rates": {name: _rates(draws) for name, draws in bout.short.items()},
        "ours_over": {name: asdict(each) for name, each in ratios.items() if each is not None},
        "ours_over_numpy_short": None if short is None else asdict(short),
        "calls": {name: asdict(each) for name, each in report.calls.get(setting, {}).items()},
        "memory": asdict(report.memory[setting]) if setting in report.memory else None,
        "problems": dict(bout.problems),
    }


def _rates(draws: Sequence[Draw]) -> dict[str, object]:
    return {
        "count": draws[0].count,
        "median": median(draw.rate for draw in draws),
        "rounds": [draw.rate for draw in draws],
        "rounds_cpu": [draw.cpu_rate for draw in draws],
    }


def short_ratio(bout: Bout) -> Ratio | None:
    """Ours over NumPy in the short rounds."""
    if OURS not in bout.short or NUMPY not in bout.short:
        return None
    return ratio(bout.short[OURS], bout.short[NUMPY])
