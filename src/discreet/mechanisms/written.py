"""Compositions as text: `1000 * laplace(10) + 50 * gaussian(20).poisson(1/100)`.

| text | answer |
|---|---|
| `laplace(10)`, `gaussian(20)` | noise of this scale |
| `response(1)`, `response(1, 5)` | randomised response, ε = 1, of two or so many values |
| `exponential(3)`, `permute_and_flip(3)`, `noisy_max(3)` | a choice |
| `….at(3)`, `….at(sqrt(3))` | the exact answer moves by so much, in the mechanism's own norm |
| `….poisson(1/100)` | from rows of which each is taken with this probability |
| `….without_replacement(10, 1000)` | from so many of so many rows |
| `100 * …` | so many of them |

Nothing of the text is run: it is read word by word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from discreet.distances import L0, L1, L2, Distance, LInf
from discreet.errors import MechanismError
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.compose import Composition
from discreet.mechanisms.event import Event
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.gaussian import Gaussian
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.mechanisms.response import Response
from discreet.numbers import Number

LONGEST: Final = 100_000
_KINDS: Final[Mapping[str, Callable[..., Mechanism[Any, Any, Any]]]] = {
    "laplace": Laplace,
    "gaussian": Gaussian,
    "response": Response.pure,
    "exponential": Exponential,
    "permute_and_flip": PermuteAndFlip,
    "noisy_max": NoisyMax,
}
_NORMS: Final[Mapping[str, Callable[[Number], Distance]]] = {
    "laplace": L1,
    "gaussian": L2,
    "response": L0,
    "exponential": LInf,
    "permute_and_flip": LInf,
    "noisy_max": LInf,
}
_NUMBER: Final = r"\s*([\d._/eE+-]+)\s*"
_TERM: Final = re.compile(
    rf"\s*(?:(\d[\d_]*)\s*\*\s*)?([a-z_]+)\s*\({_NUMBER}(?:,{_NUMBER})?\)", re.ASCII
)
_MOVED: Final = re.compile(rf"\s*\.\s*at\s*\((?:\s*(sqrt)\s*\()?{_NUMBER}\)\s*", re.ASCII)
_SAMPLED: Final = re.compile(rf"\s*\.\s*poisson\s*\({_NUMBER}\)\s*", re.ASCII)
_DRAWN: Final = re.compile(
    r"\s*\.\s*without_replacement\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*", re.ASCII
)
_PLUS: Final = re.compile(r"\s*\+")


def composition(text: str) -> Composition:
    """The composition that `text` writes.

    >>> from discreet.mechanisms.compose import compose
    >>> composition("2 * laplace(1/2) + gaussian(20).poisson(1/100)") == compose(
    ...     2 * Laplace("1/2"), Gaussian(20).poisson("1/100")
    ... )
    True
    """
    if len(text) > LONGEST:
        raise _unreadable(LONGEST)
    events: list[Event] = []
    place = 0
    while True:
        event, place = _event(text, place)
        events.append(event)
        plus = _PLUS.match(text, place)
        if plus is None:
            break
        place = plus.end()
    if text[place:].strip():
        raise _unreadable(place)
    return Composition(tuple(events))


def _event(text: str, place: int) -> tuple[Event, int]:
    term = _TERM.match(text, place)
    if term is None or term[2] not in _KINDS:
        raise _unreadable(place)
    count, name, *numbers = term.groups()
    given = [number for number in numbers if number is not None]
    if len(given) > 1 and name != "response":
        raise _unreadable(term.start(4))
    event, place = Event(_KINDS[name](*given)), term.end()
    if moved := _MOVED.match(text, place):
        place = moved.end()
        if moved[1]:
            place = _closed(text, place)
            if name != "gaussian":
                raise _unreadable(moved.start(1))
            event = event.at(L2.root(moved[2]))
        else:
            event = event.at(_NORMS[name](moved[2]))
    if sampled := _SAMPLED.match(text, place):
        event, place = event.poisson(sampled[1]), sampled.end()
    elif drawn := _DRAWN.match(text, place):
        event, place = event.without_replacement(drawn[1], drawn[2]), drawn.end()
    return (int(count) if count else 1) * event, place


def _closed(text: str, place: int) -> int:
    """After the bracket that ends `at(`, when a root ended before it."""
    if text[place : place + 1] != ")":
        raise _unreadable(place)
    return place + 1


def _unreadable(place: int) -> MechanismError:
    return MechanismError(
        f"the composition cannot be read from its character {place + 1} on",
        cure="write it like `from discreet.mechanisms.written import composition; "
        'composition("1000 * laplace(10) + 50 * gaussian(20).at(1).poisson(1/100)")`; known are '
        f"{', '.join(_KINDS)}",
        code="M98",
    )
