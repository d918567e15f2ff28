"""Who takes part: entrants become processes, or it is told why not."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar, final

from bench.contestant import ROOT, Asked, Command, Contestant, NoAnswerError
from bench.environments import Environment, Missing, Ready, prepare

_FIRST_ANSWER: Final = 120.0


class Entrant(Protocol):
    """A contestant before it is started.

    `module` is what it runs.  `requirements` names a file in bench/peers; without one, it runs
    where the bench runs.
    """

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def module(self) -> str: ...

    @property
    def requirements(self) -> str | None: ...


E = TypeVar("E", bound=Entrant)


@final
@dataclass(frozen=True)  # Python 3.11 cannot make a generic one with slots by its alias
class Taker(Generic[E]):
    """An entrant that takes part, with what it said first, or the reason why it does not."""

    entrant: E
    versions: Mapping[str, str]
    missing: str | None = None

    def json(self) -> dict[str, object]:
        return {"versions": dict(self.versions), "missing": self.missing}


@final
@dataclass(frozen=True)
class Seat(Generic[E]):
    """An entrant with its process, and the tasks that it named, if it has several."""

    entrant: E
    contestant: Asked
    tasks: Collection[str] = ()


@contextmanager
def seated(
    entrants: Sequence[E], package: str, folder: Path
) -> Iterator[tuple[list[Taker[E]], list[Seat[E]]]]:
    """All entrants, and those of them that could be started, until the end of the block.  Their
    modules are in `package`; environments and logs are kept in `folder`."""
    environments = _environments(entrants, folder)
    takers, seats = [], []
    with ExitStack() as stack:
        for entrant in entrants:
            taker, seat = enter(entrant, package, environments[entrant.requirements], folder)
            takers.append(taker)
            if seat is not None:
                seats.append(seat)
                stack.callback(seat.contestant.end)
        yield takers, seats


def _environments(entrants: Sequence[Entrant], folder: Path) -> dict[str | None, Environment]:
    found: dict[str | None, Environment] = {None: Ready(Path(sys.executable))}
    named = (entrant.requirements for entrant in entrants)
    for name in dict.fromkeys(name for name in named if name is not None):
        progress(f"environment of {name} …")
        file = ROOT / "bench" / "peers" / f"{name}.txt"
        found[name] = prepare(file, folder / "envs" / name)
    return found


def enter(
    entrant: E, package: str, environment: Environment, folder: Path
) -> tuple[Taker[E], Seat[E] | None]:
    """One entrant, asked for its versions."""
    match environment:
        case Missing(reason):
            return Taker(entrant, {}, f"it does not install: {reason}"), None
        case Ready(python):
            own = ROOT / "src" if entrant.requirements is None else None
            command = Command(python, f"{package}.{entrant.module}", own)
            contestant = Contestant(command, folder / "logs" / f"{entrant.name}.log")
    try:
        hello = contestant.ask({"do": "hello"}, seconds=_FIRST_ANSWER)
    except NoAnswerError as problem:
        contestant.end()
        return Taker(entrant, {}, f"it does not start: {problem}"), None
    versions, tasks = hello.get("versions"), hello.get("tasks")
    named = {str(k): str(v) for k, v in versions.items()} if isinstance(versions, dict) else {}
    can = frozenset(map(str, tasks)) if isinstance(tasks, list) else frozenset()
    return Taker(entrant, named), Seat(entrant, contestant, can)


def progress(words: str) -> None:
    """What the bench is doing now, apart from its tables."""
    print(words, file=sys.stderr, flush=True)
