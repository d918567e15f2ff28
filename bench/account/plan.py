"""How often all is repeated, and what is compared with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from bench.account.tasks import Task

NARROW: Final = (Task.SAMPLED, Task.THOUSAND)
"""Whose brackets must be narrow; the others' are told."""
MILLIONS: Final = (Task.MILLION_SAMPLED, Task.MILLION_GAUSSIAN, Task.MILLION_LAPLACE)


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """In each round everybody's turn at a task lasts `seconds`, or one call if that is longer.  Who
    would need more than `allowance` in all has fewer rounds; who gives no answer in `patience` is
    out, and tells its memory if that comes in `memory_patience`.  `cases` random compositions are
    compared, and `slow_cases` with slow libraries."""

    name: str
    rounds: int
    seconds: float
    allowance: float
    patience: float
    memory_patience: float
    cases: int
    slow_cases: int

    def rounds_of(self, seconds: float) -> int:
        """For whoever needs so long for one call."""
        return max(1, min(self.rounds, int(self.allowance / max(seconds, 1e-9))))


FULL: Final = Effort("full", 5, 0.1, 4.0, 8.0, 60.0, cases=200, slow_cases=10)
QUICK: Final = Effort("quick", 1, 0.03, 0.3, 2.5, 2.5, cases=4, slow_cases=0)
