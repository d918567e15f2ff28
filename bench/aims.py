"""What a bench must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import assert_never, final

from bench.text import NOTHING, digits, table, time


class Kind(StrEnum):
    """A ratio of speeds must be so much at least, a time in seconds so much at most."""

    RATIO = "ratio"
    TIME = "time"


@final
@dataclass(frozen=True, slots=True)
class Aim:
    """A figure against its bound.  No bound: nothing is demanded.  Nothing measured: `missing`
    says why, and `excused` whether that is no fault of ours."""

    what: str
    bound: float | None
    measured: float | None
    missing: str = ""
    excused: bool = False
    kind: Kind = Kind.RATIO

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured" if self.excused or self.bound is None else "FAIL"
        if self.bound is None:
            return "reported"
        return "pass" if self._reaches(self.measured, self.bound) else "FAIL"

    def _reaches(self, measured: float, bound: float) -> bool:
        match self.kind:
            case Kind.RATIO:
                return measured >= bound
            case Kind.TIME:
                return measured <= bound
            case _:
                assert_never(self.kind)

    def cells(self) -> list[str]:
        """A row of the table of aims."""
        match self.kind:
            case Kind.RATIO:
                bound = NOTHING if self.bound is None else f"≥ {self.bound:g}"
                measured = NOTHING if self.measured is None else digits(self.measured)
            case Kind.TIME:
                bound = NOTHING if self.bound is None else f"≤ {time(self.bound)}"
                measured = NOTHING if self.measured is None else time(self.measured)
            case _:
                assert_never(self.kind)
        return [self.what, bound, measured, self.verdict]

    def json(self) -> dict[str, object]:
        return asdict(self) | {"verdict": self.verdict}


def passed(aims: Iterable[Aim]) -> bool:
    """No aim was missed."""
    return all(aim.verdict != "FAIL" for aim in aims)


def shown(aims: Sequence[Aim], head: str, effort: str) -> str:
    """The table of aims, or nothing if there are none."""
    if not aims:
        return ""
    note = "" if effort == "full" else f" (a {effort} run: not the proof)"
    return f"Aims{note}\n{table([head, 'aim', 'is', ''], [aim.cells() for aim in aims])}"
