"""Choices by score: all moves of small score vectors, and vectors on which each claim is tight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from discreet.distances import LInf, Monotone
from discreet.lab.exact import Neighbours
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.mechanisms.top_k import TopK
from tests.mechanisms.cases import Case, own, zcdp

Vector: TypeAlias = tuple[int, ...]
SEMI: Final = "a claim that follows from pure privacy alone; only small losses use it up"


def moves(n: int, by: int) -> Iterator[tuple[Vector, LInf | Monotone]]:
    """Every move of n scores by up to `by`, with the least distances that it keeps."""
    for v in product(range(-by, by + 1), repeat=n):
        far = max(map(abs, v))
        yield v, LInf(far)
        if min(v) >= 0 or max(v) <= 0:
            yield v, Monotone(far)


def pairs(bases: Iterable[Sequence[int]], by: int = 1) -> list[Neighbours]:
    return [
        Neighbours(tuple(x), tuple(a + b for a, b in zip(x, v, strict=True)), distance)
        for x in bases
        for v, distance in moves(len(x), by)
    ]


SQUARES: Final = [(0, b) for b in range(-2, 3)]
"""Up to a common addend, every pair of scores that are at most two apart."""
CUBES: Final = [(0, b, c) for b in range(3) for c in range(3)]


def split(n: int) -> Neighbours:
    """Equal scores, of which half rise and half fall."""
    half = n // 2
    return Neighbours((0,) * n, (1,) * half + (-1,) * (n - half), LInf(1))


CASES: Final = [
    Case(Exponential(1), pairs([*SQUARES, (0, -30), (0, 0, 1)]), claims=(own,)),
    Case(Exponential("22/7"), pairs([(0, -30, 1), (0, 90)]), claims=(own,)),
    Case(Exponential(10), pairs([*SQUARES, (0, 1, 7)]), claims=(zcdp,)),
    Case(Exponential(10, [1, 3]), pairs([(-11, 0), (5, -6), (-200, 0)])),
    Case(Exponential("1/2", [1, "1/2", 7]), pairs([(0, 0, 0), (0, 3, -30)]), claims=(own,)),
    Case(PermuteAndFlip(1), pairs([*SQUARES, (0, 0, 1), (0, 2, 2)]), claims=(own,)),
    Case(PermuteAndFlip(300), pairs([(0, 0), (0, 1), (0, 0, 2)])),
    Case(NoisyMax(1), pairs([*SQUARES, (0, 1, 1)]), claims=(own,), slack="needs long distances"),
    Case(NoisyMax("1/2"), pairs([(0, 150), (150, 0)]), claims=(own,)),
    Case(NoisyMax(1), pairs([(0, 0), (0, 1)]), claims=(zcdp,), slack=SEMI),
    Case(TopK(2, 1), pairs([(0, 0, 0), (0, 1, 2), (-30, -31, 0)]), claims=(own,)),
    Case(TopK(2, 10), [split(20), *pairs([(0, 1, 3)])], claims=(zcdp,)),
    Case(Exponential(2), pairs(CUBES, 2), slack="far candidates are in other cases", long=True),
    Case(PermuteAndFlip(2), pairs(CUBES, 2), slack=SEMI, long=True),
    Case(NoisyMax(2), pairs(CUBES), slack="needs long distances", long=True),
    Case(TopK(2, 2), pairs(CUBES), slack="far candidates are in other cases", long=True),
    Case(TopK(3, 2), pairs([(0, 1, 1, 3)]), slack="far candidates are in other cases", long=True),
]
