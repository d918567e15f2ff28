"""What a bench must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import assert_never, final

from bench.text import NOTHING, digits, mebibytes, percent, table, time


class Kind(StrEnum):
    """A ratio of speeds must be so much at least; a time in seconds, a part of the whole and bytes
    of memory so much at most."""

    RATIO = "ratio"
    TIME = "time"
    PART = "part"
    MEMORY = "memory"


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
            case Kind.TIME | Kind.PART | Kind.MEMORY:
                return measured <= bound
            case _:
                assert_never(self.kind)

    def cells(self) -> list[str]:
        """A row of the table of aims."""
        sign = "≥" if self.kind is Kind.RATIO else "≤"
        bound = NOTHING if self.bound is None else f"{sign} {self._bound(self.bound)}"
        measured = NOTHING if self.measured is None else self._measured(self.measured)
        return [self.what, bound, measured, self.verdict]

    def _bound(self, value: float) -> str:
        return f"{value:g}" if self.kind is Kind.RATIO else self._measured(value)

    def _measured(self, value: float) -> str:
        match self.kind:
            case Kind.RATIO:
                return digits(value)
            case Kind.TIME:
                return time(value)
            case Kind.PART:
                return percent(value)
            case Kind.MEMORY:
                return mebibytes(value)
            case _:
                assert_never(self.kind)

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
