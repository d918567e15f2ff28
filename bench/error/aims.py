"""What the errors must reach, and whether they do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final, final

from bench.error.estimate import Estimate, over
from bench.text import NOTHING, digits, table

TOLERANCE: Final = 5.0
"""So many standard errors may a measured ratio lie below its aim: beyond them lie fewer than one in
a million of the runs that truly reach it."""


@final
@dataclass(frozen=True, slots=True)
class Aim:
    """The rival's error over ours, and the least it must be: `least` is None where nothing is
    demanded, `found` where nothing could be measured, for the reason in `missing`."""

    what: str
    least: float | None
    found: Estimate | None
    missing: str = ""
    excused: bool = False

    @property
    def verdict(self) -> str:
        if self.found is None:
            return "not measured" if self.excused or self.least is None else "FAIL"
        if self.least is None:
            return "reported"
        reached = self.found.value + TOLERANCE * self.found.error >= self.least
        return "pass" if reached else "FAIL"

    def cells(self) -> list[str]:
        """A row of the table of aims."""
        least = NOTHING if self.least is None else f"≥ {self.least:.4g}"
        if self.found is None:
            return [self.what, least, NOTHING, NOTHING, self.verdict]
        error = digits(self.found.error, 2) if self.found.error else "exact"
        return [self.what, least, digits(self.found.value), error, self.verdict]

    def json(self) -> dict[str, object]:
        return asdict(self) | {"verdict": self.verdict}


def beats(what: str, theirs: Estimate, ours: Estimate, least: float | None = 1.0) -> Aim:
    """That the rival's error is at least so many times ours."""
    if ours.value == 0:
        return Aim(what, least, None, "ours was never off", excused=True)
    return Aim(what, least, over(theirs, ours))


def passed(aims: Iterable[Aim]) -> bool:
    """No aim was missed."""
    return all(aim.verdict != "FAIL" for aim in aims)


def shown(aims: Sequence[Aim]) -> str:
    """The table of aims."""
    head = ["the other's error over ours", "aim", "is", "±", ""]
    return table(head, [aim.cells() for aim in aims])
