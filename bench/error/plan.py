"""How often each contest is held."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never, final


class Effort(StrEnum):
    """A first look in half a minute, or the proof in a few minutes."""

    QUICK = "quick"
    FULL = "full"


@final
@dataclass(frozen=True, slots=True)
class Trials:
    """How many releases each figure is taken from."""

    means: int
    variances: int
    medians: int
    many: int
    peers: int


def trials_of(effort: Effort) -> Trials:
    match effort:
        case Effort.QUICK:
            return Trials(means=4_000, variances=2_000, medians=300, many=40, peers=40)
        case Effort.FULL:
            return Trials(means=60_000, variances=20_000, medians=4_000, many=600, peers=400)
        case _:
            assert_never(effort)
