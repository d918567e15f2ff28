"""Laplace and Gaussian: every move of a small domain, in one and in two coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Final

from flint import arb

from discreet.distances import L1, L2
from discreet.lab.exact import ORDERS, Neighbours
from discreet.mechanisms import Gaussian, Laplace
from discreet.numbers import ball, exact, up
from tests.mechanisms.cases import Case


def laplace_pairs(scale: Fraction, most: int) -> Iterator[Neighbours]:
    """One number that moves by up to `most`, and two that share the move."""
    for k in range(most + 1):
        # Where neither law lists an outcome, the ratio of both is exp(±k/scale).
        ratio = up(lambda: (ball(k) / ball(scale)).exp())  # noqa: B023
        yield Neighbours(0, k, L1(k), beyond=ratio)
        if 0 < k <= 2 and scale <= Fraction(1, 3):
            for a in range(1, k + 1):
                yield Neighbours((0, 0), (a, a - k), L1(k), beyond=ratio)


def gaussian_pair(mechanism: Gaussian, moves: tuple[int, ...]) -> Neighbours:
    """One move of a vector.

    P(n)^α·P(n − μ)^(1−α) is e^(α(α−1)μ²/2s²) times P around (1 − α)μ.  Both laws list n if it lies
    within `reach` of 0 and of μ; the others are more than reach − α|μ| from (1 − α)μ.
    """
    one = mechanism.law(0)
    reach = max(n for n in range(1000) if n in one.outcomes)
    square, law, spread = sum(m * m for m in moves), mechanism.noise.law(), mechanism.variance

    def unlisted(order: Fraction) -> Fraction:
        near = [reach + 1 - ceil(order * abs(move)) for move in moves]
        part = order * (order - 1) * square / (2 * spread)
        return up(lambda: ball(part).exp() * sum((law.at_least(t) for t in near), start=arb(0)))

    farthest = max(map(abs, moves))
    inside = tuple(o for o in ORDERS if law.at_least(reach - ceil(o * farthest)) < 1e-15)
    zero, there = ((0,) * len(moves), moves) if len(moves) > 1 else (0, moves[0])
    return Neighbours(zero, there, L2.root(square), tail_moment=unlisted, orders=inside)


def gaussian_case(variance: str, most: int, *, long: bool = False) -> Case:
    mechanism = Gaussian(variance=variance)
    pairs = [gaussian_pair(mechanism, (k,)) for k in range(1, most + 1)]
    if exact(variance) < 1:
        pairs += [
            gaussian_pair(mechanism, moves) for moves in product((-1, 0, 2), repeat=2) if any(moves)
        ]
    return Case(mechanism, pairs, long=long)


CASES: Final = [
    *(Case(Laplace(scale), list(laplace_pairs(exact(scale), 4))) for scale in ("1/3", "1", "22/7")),
    Case(Laplace(30), list(laplace_pairs(Fraction(30), 40)), long=True),
    gaussian_case("1/2", 1),
    gaussian_case("1", 2),
    gaussian_case("16", 4),
    gaussian_case("400", 30, long=True),
]
