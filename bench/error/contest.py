"""One contest: its figures, as a table for each measure, and its aims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import final

from bench.error.aims import Aim
from bench.error.estimate import Estimate
from bench.text import NOTHING, digits, table


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """What one contestant reached in one setting; smaller is better."""

    measure: str
    setting: str
    who: str
    found: Estimate


@final
@dataclass(frozen=True, slots=True)
class Contest:
    """Figures and aims; `how` says what was measured and how often, `problems` what did not run,
    and why."""

    name: str
    title: str
    how: str
    figures: Sequence[Figure]
    aims: Sequence[Aim]
    problems: Sequence[str] = field(default=())

    def text(self) -> str:
        tables = [self._table(measure) for measure in _each(f.measure for f in self.figures)]
        return "\n\n".join(["\n".join([self.title, self.how, *self.problems]), *tables])

    def _table(self, measure: str) -> str:
        figures = [each for each in self.figures if each.measure == measure]
        settings, whos = _each(f.setting for f in figures), _each(f.who for f in figures)
        found = {(each.setting, each.who): cell(each.found) for each in figures}
        rows = [[s, *(found.get((s, who), NOTHING) for who in whos)] for s in settings]
        return table([measure, *whos], rows)

    def json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "how": self.how,
            "figures": [asdict(each) for each in self.figures],
            "aims": [aim.json() for aim in self.aims],
            "problems": list(self.problems),
        }


def cell(found: Estimate) -> str:
    """A figure, with its standard error if it has one; whole numbers without a point."""
    if found.error:
        return f"{digits(found.value)} ± {digits(found.error, 2)}"
    return f"{found.value:.0f}" if found.value.is_integer() else digits(found.value, 4)


def _each(names: Iterable[str]) -> list[str]:
    """The names in the order in which they first come."""
    return list(dict.fromkeys(names))
