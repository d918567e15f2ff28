"""Randomised response: all pairs of values of one person, and all of two or three persons."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Final

from discreet.distances import L0
from discreet.lab.exact import ORDERS, Neighbours
from discreet.mechanisms.response import Response
from tests.mechanisms.cases import Case

CLOSE: Final = (
    Fraction(1001, 1000),
    *ORDERS,
    *(Fraction(k, 4) for k in range(5, 60)),
    *(Fraction(k) for k in range(16, 50, 4)),
)
"""The largest D_α/α may lie at any order; these are near one another."""


def one_person(values: int) -> Iterator[Neighbours]:
    for x, y in permutations(range(values), 2):
        yield Neighbours(x, y, L0(1), orders=CLOSE)


def people(values: int, count: int) -> Iterator[Neighbours]:
    everybody = list(product(range(values), repeat=count))
    for x, y in product(everybody, everybody):
        moved = sum(a != b for a, b in zip(x, y, strict=True))
        # Who does not move, and which value is which, is all alike: each sort of pair once.
        if x == tuple(sorted(x)) and x <= y:
            yield Neighbours(x, y, L0(moved), orders=ORDERS)


ONE: Final = (
    Response.truth("3/4"),
    Response.truth("1/2", values=3),
    Response.flip("0.501"),
    Response.pure("1/2"),
    Response.pure(1, values=3),
    Response.pure(2, values=20),
    Response.pure(8, values=5),
    Response.resample("1/3"),
    Response.resample("1/3", values=4),
    Response.resample_one_in(3),
    Response.resample_one_in("5/4", values=7),
    Response.two_coins("1/2", yes="1/2"),
    Response.two_coins("1/2", yes="1/10"),
    Response.two_coins("1/100", yes="9/10"),
)
MANY: Final = (
    (Response.truth("3/4"), 3),
    (Response.pure(1, values=3), 2),
    (Response.two_coins("2/3", yes="1/4"), 3),
)
NOTHING: Final = (
    Response.resample(1, values=3),
    Response.pure(0),
    Response.two_coins(0, yes="1/4"),
)

CASES: Final = [
    *(Case(each, list(one_person(min(each.values, 4)))) for each in ONE),
    *(Case(each, [*people(each.values, count), *one_person(each.values)]) for each, count in MANY),
    *(Case(each, list(one_person(each.values)), slack="it tells nothing") for each in NOTHING),
]
