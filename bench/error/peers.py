"""Other libraries, asked for medians in environments of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol, final

import numpy as np

from bench.contestant import Asked, NoAnswerError
from bench.entry import Seat, Taker, seated
from bench.error.data import Column
from bench.error.estimate import Floats

_PATIENCE: Final = 60.0


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A library before its process is started."""

    name: str
    title: str
    module: str
    requirements: str | None


ENTRANTS: Final = (
    Entrant("diffprivlib", "diffprivlib", "with_diffprivlib", "diffprivlib"),
    Entrant("opendp", "OpenDP", "with_opendp", "opendp"),
)


class Peer(Protocol):
    """What a contest asks of a library."""

    @property
    def name(self) -> str: ...

    @property
    def missing(self) -> str: ...

    def medians(self, column: Column, epsilon: Fraction, count: int) -> Floats | str: ...


@final
@dataclass(frozen=True, slots=True)
class Library:
    """A library that runs, or the reason why it does not."""

    name: str
    contestant: Asked | None
    missing: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def medians(self, column: Column, epsilon: Fraction, count: int) -> Floats | str:
        """So many releases, or what went wrong."""
        if self.contestant is None:
            return self.missing
        request = {"do": "median", "rows": column.rows.tolist(), "count": count}
        request |= {"low": column.low, "high": column.high, "epsilon": float(epsilon)}
        try:
            told = self.contestant.ask(request, seconds=_PATIENCE).get("told")
        except NoAnswerError as problem:
            return str(problem)
        answers = np.array(told, dtype=float)
        if answers.shape != (count,) or not np.isfinite(answers).all():
            return "it answered with something that is not so many numbers"
        return answers


@contextmanager
def libraries(folder: Path) -> Iterator[list[Library]]:
    """All of them, until the end of the block."""
    with seated(ENTRANTS, "bench.error.workers", folder) as (takers, seats):
        yield [_library(taker, seats) for taker in takers]


def _library(taker: Taker[Entrant], seats: list[Seat[Entrant]]) -> Library:
    found = next((seat for seat in seats if seat.entrant == taker.entrant), None)
    asked = None if found is None else found.contestant
    return Library(taker.entrant.title, asked, taker.missing or "", taker.versions)
