"""Sparse vector: all neighbours of small domains, and pairs that use the claims up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, cast

from discreet.distances import LInf, Monotone
from discreet.lab.exact import Neighbours
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse, SparseOnce
from discreet.numbers import ball, up
from tests.mechanisms.cases import Case, own, zcdp

Values = tuple[int, ...]
Told = tuple[bool, ...]
Moves = LInf | Monotone
ONE, TWO, UP = LInf(1), LInf(2), Monotone(1)


def neighbours(values: Sequence[int], questions: int, distance: Moves) -> Iterator[Neighbours]:
    """All sequences of these exact answers, and all moves of them, each pair once."""
    by = int(distance.by)
    steps = range(-by if isinstance(distance, LInf) else 0, by + 1)
    moves = [each for each in product(steps, repeat=questions) if each > (0,) * questions]
    for x in product(values, repeat=questions):
        for move in moves:
            yield Neighbours(x, tuple(a + b for a, b in zip(x, move, strict=True)), distance)


def far(run: int, high: int, positives: int, distance: Moves, *, runs: int = 1) -> Neighbours:
    """The pair of comparing.md: so many far above the threshold, to be told below, then those just
    below it, to be told above; they move towards each other, or the last not at all."""
    by = int(distance.by)
    back = by if isinstance(distance, LInf) else 0
    x = ((high,) * run + (-1,) * positives) * runs
    y = ((high + by,) * run + (-1 - back,) * positives) * runs
    return Neighbours(x, y, distance)


def shifted(run: int, high: int, last: int, then: int) -> Neighbours:
    """All move up by one: so many far above the threshold, then one."""
    return Neighbours((high,) * run + (last,), (high + 1,) * run + (then,), UP)


def still(run: int, high: int, last: int, then: int) -> Neighbours:
    """Only the last one moves up."""
    return Neighbours((high,) * run + (last,), (high,) * run + (then,), UP)


def numeric(mechanism: NumericSparse, pair: Neighbours) -> Neighbours:
    """The same with a bound for what is not listed: for each sequence of tests, whose law is listed
    in full, its ratio times the largest that the Laplace noise of its numbers can have."""
    one, other = (mechanism.tests.law(each) for each in (pair.x, pair.y))
    moves = [abs(a - b) for a, b in zip(pair.x, pair.y, strict=True)]
    beyond = Fraction(1)
    for told, (low, high), (least, most) in zip(
        one.outcomes, one.weights, other.weights, strict=True
    ):
        path = sum(move for move, above in zip(moves, cast("Told", told), strict=False) if above)
        numbers = up(lambda: ball(Fraction(path) / mechanism.answer_scale).exp())  # noqa: B023
        beyond = max(beyond, high / least * numbers, most / low * numbers)
    return Neighbours(pair.x, pair.y, pair.distance, beyond=beyond)


def numeric_case(mechanism: NumericSparse, pairs: Sequence[Neighbours]) -> Case:
    return Case(mechanism, [numeric(mechanism, pair) for pair in pairs], claims=(own,))


NOT_TIGHT: Final = "no run is randomised response, whose divergence ε·tanh(ε/2) is"
ADVANCED: Final = "advanced composition is not tight, least of all for few questions"

CASES: Final = [
    Case(AboveThreshold.textbook(1), [far(6, 8, 1, ONE)], claims=(own,)),
    Case(AboveThreshold.best(2, TWO), [far(6, 12, 1, TWO)], claims=(own,)),
    Case(AboveThreshold.best(1, UP), [far(6, 12, 1, UP)], claims=(own,)),
    Case(
        AboveThreshold.textbook(6),
        list(neighbours((0, 1), 3, ONE)),
        (own,),
        slack="three questions",
    ),
    Case(AboveThreshold("1/3", "1/2"), list(neighbours((-1, 1), 2, TWO)), slack="two questions"),
    Case(
        AboveThreshold("1/3", "1"),
        list(neighbours((-1, 0), 3, UP)),
        (own,),
        slack="three questions",
    ),
    Case(
        AboveThreshold.textbook(1),
        list(neighbours(range(-2, 3), 3, ONE)),
        claims=(own,),
        slack="three questions",
        long=True,
    ),
    Case(Sparse.textbook(2, 2), [far(6, 8, 1, ONE, runs=2)], claims=(own,)),
    Case(Sparse.best(3, 2, UP), [far(6, 8, 1, UP, runs=2)], claims=(own,)),
    Case(Sparse.best(20, 2), list(neighbours((0, 1), 3, ONE)), (own,), slack="three questions"),
    Case(Sparse.best(2, 2), [far(6, 8, 1, ONE, runs=2)], claims=(zcdp,), slack=NOT_TIGHT),
    Case(Sparse(4, 8, 16, delta="1/2"), [far(2, 9, 1, ONE)], slack=ADVANCED),
    Case(SparseOnce.best(2, 2), [far(9, 6, 2, ONE)], claims=(own,)),
    Case(SparseOnce.best(2, 3, UP), [far(9, 8, 3, UP)], claims=(own,)),
    Case(SparseOnce.best(20, 2), list(neighbours((0, 1), 3, ONE)), (own,), slack="three questions"),
    numeric_case(NumericSparse.textbook(4, 1), [far(6, 4, 1, ONE)]),
    numeric_case(NumericSparse.best(2, 1, UP), [far(4, 6, 1, UP)]),
    numeric_case(NumericSparse(1, 1, 2, "1/2"), [shifted(5, 6, -1, 0)]),
    numeric_case(NumericSparse(1, 3, "1/2", 1), [still(8, 6, -2, -1)]),
    numeric_case(NumericSparse(2, "1/4", "1/4", "1/10"), [far(3, 2, 1, ONE, runs=2)]),
]
