"""Right answers with a wrong account: groups, samples, answers that add up, refunds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations, product
from typing import Final

from flint import arb

from discreet.distances import L0, L1
from discreet.lab.exact import Neighbours
from discreet.loss import ZCDP, Approx, Pure, Renyi
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.mechanisms.keys import TruncatedGeometric
from discreet.mechanisms.response import Response
from discreet.numbers import up
from discreet.units import Replace
from tests.lab.mutants import (
    UNLISTED,
    Mutant,
    at_least,
    e_to,
    laplace,
    number,
    plus,
    times,
    undercharged,
)

RARE: Final = TruncatedGeometric(1, "1/50")
COIN: Final = Response.pure(1)
Rows_ = tuple[int, ...]


def drawn(rows: Rows_, samples: Callable[[Rows_], Iterable[Rows_]]) -> Law:
    """The sum of a fair one of the samples, with noise of scale one."""
    sums, noise = [sum(sample) for sample in samples(rows)], laplace(1)
    mixed = {n: plus(*(noise[n - each] for each in sums)) / len(sums) for n in range(-80, 81)}
    return Law(mixed, 2 * at_least(1, 79))


def with_replacement(rows: Rows_) -> Law:
    """Two draws of four; one row may be drawn twice."""
    return drawn(rows, lambda given: product(given, repeat=2))


def without_replacement(rows: Rows_) -> Law:
    return drawn(rows, lambda given: permutations(given, 2))


def refunded(x: int) -> Law:
    """An answer below zero is refused, and asked again; at the second refusal it ends."""
    refused = plus(arb(1), -at_least(1, -x))
    positive = {n: p for n, p in ((x + z, p) for z, p in laplace(1).items()) if n >= 0}
    return Law(
        {
            **{("told", n): p for n, p in positive.items()},
            **{("refused", n): times(refused, p) for n, p in positive.items()},
            ("refused", "refused"): times(refused, refused),
        },
        2 * UNLISTED,
    )


def twice(people: int) -> Law:
    """Whether a key is told, by two coins."""
    chance = RARE.chance(people)
    coin = {True: chance, False: 1 - chance}
    return Law({(a, b): coin[a] * coin[b] for a, b in product(coin, repeat=2)})


def remembered(people: int) -> Law:
    """The first answer is told again."""
    chance = RARE.chance(people)
    return Law({(True, True): chance, (False, False): 1 - chance})


def second_order() -> arb:
    """ln(p²/q + q²/p) of randomised response with p = e/(1 + e)."""
    p, q = arb(1).exp() / (1 + arb(1).exp()), 1 / (1 + arb(1).exp())
    return (p**2 / q + q**2 / p).log()


MUTANTS: Final = [
    undercharged(
        "A group of two costs twice the delta",
        "(kε, kδ) in the place of (kε, δ(e^kε − 1)/(e^ε − 1))",
        Neighbours({}, {"a": 2}, L0(1)),
        RARE.law,
        claimed=Approx(2, "1/25"),
        keeps=Approx(1, "1/50").group(2),
        truth=Approx(2, up(lambda: (1 + arb(1).exp()) / 50)),
    ),
    Mutant(
        name="Sampling with replacement is charged as without",
        stands_for="Balle, Barthe and Gaboardi 2018: ln(1 + (m/n)(e^ε − 1))",
        claimed=Pure(up(lambda: ((1 + arb(1).exp()) / 2).log())),
        pair=Neighbours(
            (0, 0, 0, 0), (1, 0, 0, 0), Replace(1), beyond=up(lambda: (1 + arb(1).exp()) / 2)
        ),
        broken=with_replacement,
        sound=without_replacement,
        truth=Pure(up(lambda: 2 * ((3 + arb(1).exp()) / 4).log())),
    ),
    undercharged(
        "Overlapping groups are charged as if they were disjoint",
        "parallel composition of groups that share a row",
        Neighbours((0, 0), (1, 1), L1(2), beyond=e_to(8)),
        Laplace("1/4").law,
        claimed=Pure(4),
        keeps=Laplace("1/4").loss(L1(2)),
        truth=Pure(8),
    ),
    undercharged(
        "A refused answer is refunded",
        "a refund where a query failed on the data",
        number(1, "1/2"),
        refunded,
        claimed=Pure(1),
        keeps=Pure(2),
        truth=Pure(2),
    ),
    Mutant(
        name="Of two answers only one delta is counted",
        stands_for="δ that is dropped in composition",
        claimed=Approx(2, "1/50"),
        pair=Neighbours(0, 1, L0(1)),
        broken=twice,
        sound=remembered,
        truth=Approx(2, 1 - Fraction(49, 50) ** 2),
    ),
    undercharged(
        "A pure loss is charged as a bounded range",
        "ρ = ε²/8 for noise",
        number(1, 1),
        Laplace(1).law,
        claimed=ZCDP("1/8"),
        keeps=Laplace(1).zcdp(L1(1)),
        truth=ZCDP(up(lambda: (arb(1) / 2).tanh())),
    ),
    undercharged(
        "A Rényi loss of order two is charged as one of order one",
        "the divergence of Kullback and Leibler, ε·tanh(ε/2)",
        Neighbours(0, 1, L0(1)),
        COIN.law,
        claimed=Renyi({2: up(lambda: (arb(1) / 2).tanh())}),
        keeps=Renyi({2: up(second_order)}),
        truth=Renyi({2: up(second_order)}),
    ),
]
