"""Sums of fixed weight: all tables of a few rows between narrow bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from discreet.lab.exact import Neighbours
from discreet.mechanisms.fixed_sum import FixedSum
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import MomentTriple
from discreet.numbers import ball, up
from discreet.units import Replace, Rows
from tests.mechanisms.cases import Case
from tests.mechanisms.cases_quantile import added, apart, changed


def known(mechanism: FixedSum, pairs: Iterable[Neighbours]) -> Iterator[Neighbours]:
    """One pair for each way in which the sums differ, since a law only moves along with them; and
    the largest ratio that sums so far apart can have, for what neither law lists."""
    seen = set()
    for pair in pairs:
        sums = zip(mechanism.sums(pair.x), mechanism.sums(pair.y), strict=True)
        move = tuple(b - a for a, b in sums)
        if (move, repr(pair.distance)) not in seen:
            seen.add((move, repr(pair.distance)))
            l1 = sum(map(abs, move))
            ratio = up(lambda: (ball(l1) / ball(mechanism.scale)).exp())  # noqa: B023
            yield replace(pair, beyond=ratio)


def case(mechanism: FixedSum, pairs: Sequence[Neighbours], *, long: bool = False) -> Case:
    return Case(mechanism, list(known(mechanism, pairs)), long=long)


FAR: Final = [apart((-9, 9), (-9,), Rows(1)), apart((9,), (-9,), Replace(1))]
"""Rows outside the bounds."""

CASES: Final = [
    case(MeanPair(0, 2, "1/12"), [*added(0, 2, 2), *changed(-1, 3, 2), *FAR]),
    case(MeanPair(0, 1, "1/12"), [*added(0, 1, 2, count=2), apart((0, 0), (1, 1), Replace(2))]),
    case(MeanPair(0, 1, "1/3"), [*added(0, 1, 1), *changed(0, 1, 1)], long=True),
    case(
        MomentTriple(0, 2, "1/20", parts=1),
        [apart((), (0,), Rows(1)), apart((9,), (-9,), Replace(1))],
    ),
    case(MomentTriple(0, 2, "1/10", parts=4), [*added(0, 2, 1), *changed(0, 2, 1)], long=True),
    case(MomentTriple(0, 3, "1/16", parts=2), [*added(0, 3, 1), *changed(0, 3, 1)], long=True),
]
