"""From seconds to rates and ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median
from typing import Protocol, final


class Paced(Protocol):
    """A timed piece of work: how much of it a second, by the wall's clock and the processor's."""

    @property
    def rate(self) -> float: ...

    @property
    def cpu_rate(self) -> float: ...


@final
@dataclass(frozen=True, slots=True)
class Draw:
    """One timed piece of work: `count` samples, and two sums of them that betray another law."""

    count: int
    seconds: float
    cpu: float
    total: float
    total_abs: float

    @property
    def rate(self) -> float:
        return self.count / self.seconds

    @property
    def cpu_rate(self) -> float:
        """By the processor's own clock, which stands still while other programs run."""
        return self.count / self.cpu if self.cpu > 0 else self.rate


def draw_from(answer: Mapping[str, object]) -> Draw:
    """The draw that a contestant's answer describes."""
    numbers = {name: number(answer, name) for name in ("seconds", "cpu", "total", "total_abs")}
    count = number(answer, "count")
    if count < 1 or numbers["seconds"] <= 0:
        raise ValueError("a draw has samples and takes time")
    return Draw(count=int(count), **numbers)


def number(answer: Mapping[str, object], name: str) -> float:
    """The number called `name` in an answer."""
    value = answer.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"an answer without the number {name}")
    return float(value)


@final
@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as fast as another, round by round, since rounds lie close in time."""

    median: float
    low: float
    high: float
    best: float
    cpu: float


def ratio(ours: Sequence[Paced], theirs: Sequence[Paced]) -> Ratio:
    """Ours over theirs: the rounds' median and range, best against best, and by processor time."""
    rounds = _each(ours, theirs, lambda work: work.rate)
    return Ratio(
        median=median(rounds),
        low=min(rounds),
        high=max(rounds),
        best=max(work.rate for work in ours) / max(work.rate for work in theirs),
        cpu=median(_each(ours, theirs, lambda work: work.cpu_rate)),
    )


def _each(
    ours: Sequence[Paced], theirs: Sequence[Paced], speed: Callable[[Paced], float]
) -> list[float]:
    return [speed(our) / speed(their) for our, their in zip(ours, theirs, strict=True)]


def geometric_mean(values: Iterable[float]) -> float:
    """The mean of ratios: that of the inverses is its inverse."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))
