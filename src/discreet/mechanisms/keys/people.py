"""What comes in, and in which order keys go out.  Claim: people.md"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from operator import index
from types import NoneType
from typing import Any, Final, SupportsIndex, TypeAlias, final

import numpy as np

from discreet.errors import MechanismError
from discreet.mechanisms.lattice import LARGEST, Integers
from discreet.numbers import Number, whole

Key: TypeAlias = int | str | bytes | date | tuple["Key", ...] | None
People: TypeAlias = Mapping[Any, int]
"""From keys to what all people of a key add to it: one each, or their weights."""

_PLACES: Final = {
    kind: place for place, kind in enumerate((NoneType, int, str, bytes, date, tuple))
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Present:
    """The keys that somebody has, each with its number."""

    keys: list[Key]
    counts: Integers


def present(people: People) -> Present:
    """The keys of numbers above zero; a key without people does not exist."""
    keys = list(people)
    for key in keys:
        rank(key)
    counts = np.fromiter(map(_count, people.values()), np.int64, len(keys))
    there = np.flatnonzero(counts)
    return Present([keys[i] for i in there], counts[there])


def in_order(keys: Iterable[Key]) -> list[Key]:
    """Keys by kind and value, whatever the order in which they came."""
    return sorted(keys, key=rank)


def rank(key: Key) -> tuple[int, Any]:
    """Where a key stands among all keys.  No two keys of a mapping share a place."""
    place = _PLACES.get(type(key))
    if place is None:
        raise MechanismError(
            "a key is text, bytes, a whole number, a date, None, or a tuple of them",
            cure="turn other keys into text first, such as `from discreet.mechanisms.keys import "
            'ThresholdedRelease; ThresholdedRelease(1, 20).release({str(1.5): 40, "2.5": 3})`',
            code="M80",
        )
    if key is None:
        return place, 0
    return place, tuple(map(rank, key)) if isinstance(key, tuple) else key


def _count(number: SupportsIndex) -> int:
    try:
        found = -1 if isinstance(number, bool) else index(number)
    except TypeError:
        found = -1
    if not 0 <= found < LARGEST:
        raise MechanismError(
            "the number of a key is a whole number from zero up, below 2^62",
            cure="count the people of each key, such as `from discreet.mechanisms.keys import "
            'ThresholdedRelease; ThresholdedRelease(1, 20).release({"A": 40, "B": 3})`',
            code="M81",
        )
    return found


def threshold_of(value: Number) -> int:
    """A threshold that noisy numbers can be compared with."""
    threshold = whole(value, "threshold", least=1)
    if threshold > LARGEST:
        raise MechanismError(
            "a threshold is at most 2^62, beyond which no number of people lies",
            cure="let the budget set it, such as `from discreet.mechanisms.keys import "
            'ThresholdedRelease; ThresholdedRelease.within(dp.L0(1), dp.Approx(1, "1e-6"))`',
            code="M84",
        )
    return threshold
