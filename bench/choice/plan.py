"""Which contests there are, and how often each is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from bench.choice.tasks import Scores, Task

CHOICES: Final = (Task.NOISY_MAX, Task.EXPONENTIAL, Task.PERMUTE_AND_FLIP)


@final
@dataclass(frozen=True, slots=True)
class Contest:
    """Tasks on the same scores, and whether aims are set for them.  `most` is how often a task is
    done in a turn at most, however quick it is."""

    label: str
    tasks: tuple[Task, ...]
    size: int
    scores: Scores = Scores.LEVEL
    k: int = 1
    aimed: bool = False
    most: int = 1_000

    def __str__(self) -> str:
        return self.label


def _choice(power: int, scores: Scores) -> Contest:
    label = f"1 of 10^{power}, {scores}"
    return Contest(label, CHOICES, 10**power, scores, aimed=power == 5)


CONTESTS: Final = (
    *(_choice(power, scores) for power in (3, 5, 6) for scores in Scores),
    Contest("100 of 10^4, spread", (Task.TOP_K,), 10**4, Scores.SPREAD, k=100, most=20),
    Contest("10^6 questions", (Task.ABOVE_THRESHOLD,), 10**6, aimed=True, most=1),
    Contest("10^4 cells", (Task.LAPLACE, Task.GAUSSIAN), 10**4, Scores.SPREAD, aimed=True, most=99),
)


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """In each round everybody's turn at a task lasts `seconds` or one call, if that is longer.
    Contests without an aim have fewer rounds.  Who needs more than `slowest` for one call is out.
    The law is judged by `repeats` choices of few.
    """

    name: str
    rounds: int
    other_rounds: int
    seconds: float
    slowest: float
    patience: float
    repeats: int

    def rounds_of(self, contest: Contest) -> int:
        return self.rounds if contest.aimed else self.other_rounds


FULL: Final = Effort("full", 11, 5, seconds=0.1, slowest=3.0, patience=20.0, repeats=20_000)
QUICK: Final = Effort("quick", 3, 1, seconds=0.03, slowest=3.0, patience=10.0, repeats=4_000)
