"""Quantiles: all tables of a few rows on a few places, and long lattices that use the loss up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any, Final, TypeAlias, cast

from discreet.lab.exact import Neighbours
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.quantile import Quantile
from discreet.units import Replace, Rows
from tests.mechanisms.cases import Case, own, zcdp

Rows_: TypeAlias = tuple[int, ...]


def apart(x: Rows_, y: Rows_, unit: Rows | Replace, **more: Any) -> Neighbours:  # noqa: ANN401
    """Neighbours under a unit, which stands where other mechanisms have a distance."""
    return Neighbours(x, y, cast("Any", unit), **more)


def tables(low: int, high: int, rows: int) -> Iterator[Rows_]:
    """All tables with so many rows, of which the order does not matter."""
    return combinations_with_replacement(range(low, high + 1), rows)


def added(low: int, high: int, most: int, count: int = 1) -> Iterator[Neighbours]:
    """Every table of up to `most` rows, with `count` rows and without them."""
    for rows in range(most - count + 1):
        for x in tables(low, high, rows):
            for more in tables(low, high, count):
                yield apart(x, tuple(sorted(x + more)), Rows(count))


def changed(low: int, high: int, rows: int) -> Iterator[Neighbours]:
    """Every table of `rows` rows, with the last one changed."""
    for rest in tables(low, high, rows - 1):
        for one, other in combinations_with_replacement(range(low, high + 1), 2):
            if one != other:
                yield apart((*rest, one), (*rest, other), Replace(1))


FEW: Final = "few places: some that get better always hold a part of the probability"
PATHS: Final = "a row goes down the dearest path with a probability below one"
SMALL: Final = [*added(0, 2, 3), *added(0, 2, 2, count=2), *changed(0, 2, 2)]

CASES: Final = [
    *(Case(Quantile(q, 0, 2, "1/2"), SMALL, slack=FEW) for q in ("0", "1/3", "1/2", "1")),
    Case(Quantile("9/10", 0, 2, 3), SMALL, slack=FEW),
    Case(
        Quantile("1/2", 0, 799, 1),
        [
            apart((798,), (798, 799), Rows(1)),
            apart((0, 2), (2, 799), Replace(1)),
        ],
        claims=(own,),
    ),
    Case(
        Quantile("2/3", 0, 1199, 1),
        [apart((1197, 1197), (1197, 1197, 1199), Rows(1))],
        claims=(own,),
    ),
    Case(Quantile(1, 0, 799, 1), [apart((), (799,), Rows(1))], claims=(own,)),
    Case(Quantile(0, 0, 799, 1), [apart((799,), (0,), Replace(1))], claims=(own,)),
    Case(Quantile("1/2", 0, 799, 10), [apart((399,), (399, 799), Rows(1))], claims=(zcdp,)),
    Case(
        Quantile("1/2", 0, 799, 20),
        [apart((0, 400), (400, 799), Replace(1))],
        claims=(zcdp,),
    ),
    Case(
        ManyQuantiles(["1/4", "1/2", "3/4"], 0, 2, 1, parts=1),
        [*added(0, 2, 2), *added(0, 2, 2, count=2), *changed(0, 2, 2)],
        slack=PATHS,
    ),
    Case(
        ManyQuantiles(["1/3", "2/3"], 0, 1, "1/2", parts=2),
        [*added(0, 1, 2), *changed(0, 1, 2)],
        slack=PATHS,
    ),
    Case(
        ManyQuantiles(["1/5", "2/5", "3/5", "4/5"], 0, 2, 1, parts=1),
        [*added(0, 2, 3), *added(0, 2, 2, count=2), *changed(0, 2, 2)],
        slack=PATHS,
    ),
    Case(
        ManyQuantiles(["1/9", "1/3", "1/2", "3/5", "8/9"], 0, 1, "1/3", parts=1),
        [*added(0, 1, 6), *added(0, 1, 4, count=2), *changed(0, 1, 6)],
        slack=PATHS,
    ),
    Case(
        ManyQuantiles(["1/10", "1/2"], 0, 3, "1/2", parts=1),
        [*added(0, 3, 3), *changed(0, 3, 3)],
        slack=PATHS,
        long=True,
    ),
    Case(
        ManyQuantiles(["1/4", "1/2"], 0, 299, 1, parts=1),
        [apart((298,), (298, 299), Rows(1))],
        claims=(own,),
        long=True,
    ),
    Case(
        ManyQuantiles(["1/3", "2/3"], 0, 299, 10, parts=1),
        [
            apart((297, 297), (297, 297, 299), Rows(1)),
            apart((1, 298, 298, 299), (0, 1, 298, 298), Replace(1)),
        ],
        claims=(own,),
        long=True,
    ),
]
