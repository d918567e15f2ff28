"""Randomised response that is charged or thrown wrongly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp
from typing import Final

from discreet.distances import L0
from discreet.lab.exact import Neighbours
from discreet.loss import GDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.response import Response
from discreet.numbers import ball, up
from tests.lab.mutants import ENDLESS, Mutant, ln, undercharged

ONE: Final = Neighbours(0, 1, L0(1))
FAIR: Final = Response.resample("1/2")
FOUR: Final = Response.resample("1/3", values=4)
SEVEN: Final = Response.resample_one_in(2, values=7)
COINS: Final = Response.two_coins("1/2", yes="9/10")
STRONG: Final = Response.pure(6)
UNIT: Final = Response.pure(1)


def anew(x: int) -> Law:
    """Two answers to the same question, each with three quarters for the truth."""
    chance = {x: Fraction(3, 4), 1 - x: Fraction(1, 4)}
    return Law({(a, b): chance[a] * chance[b] for a, b in product((0, 1), repeat=2)})


def remembered(x: int) -> Law:
    """The first answer is told again."""
    return Law({(x, x): "3/4", (1 - x, 1 - x): "1/4"})


def rounded(x: int) -> Law:
    """The chance of a lie, 1/(1 + e^6), in two decimal digits."""
    lie = Fraction(str(round(1 / (1 + exp(6)), 2)))
    return Law({x: 1 - lie, 1 - x: lie})


MUTANTS: Final = [
    undercharged(
        "Resampling with chance p is charged as ln(1/p)",
        "the chance that nothing is resampled, taken for the ratio",
        ONE,
        FAIR.law,
        claimed=Pure(ln(2)),
        keeps=FAIR.loss(L0(1)),
        truth=Pure(ln(3)),
    ),
    undercharged(
        "Four values are charged as two",
        "ln(2/p − 1) in the place of ln(1 + k(1/p − 1))",
        ONE,
        FOUR.law,
        claimed=Pure(ln(5)),
        keeps=FOUR.loss(L0(1)),
        truth=Pure(ln(9)),
    ),
    undercharged(
        "One answer in two is resampled, which is charged as two",
        "the rate taken for the loss, of seven values",
        ONE,
        SEVEN.law,
        claimed=Pure(2),
        keeps=SEVEN.loss(L0(1)),
        truth=Pure(ln(8)),
    ),
    undercharged(
        "Of two coins only yes is charged",
        "ln(1 + t/((1 − t)·s)) with s the larger chance",
        ONE,
        COINS.law,
        claimed=Pure(ln(Fraction(19, 9))),
        keeps=COINS.loss(L0(1)),
        truth=Pure(ln(11)),
    ),
    Mutant(
        name="An answer is randomised anew each time, and paid once",
        stands_for="Erlingsson, Pihur and Korolova 2014: what the permanent response is for",
        claimed=Pure(ln(3)),
        pair=ONE,
        broken=anew,
        sound=remembered,
        truth=Pure(2 * ln(3)),
    ),
    Mutant(
        name="The chance of a lie is rounded to two digits",
        stands_for="pure-LDP RAPPOR, whose f is zero at ε = 12",
        claimed=Pure(6),
        pair=ONE,
        broken=rounded,
        sound=STRONG.law,
        truth=ENDLESS,
    ),
    undercharged(
        "Pure privacy is charged as Gaussian privacy with the same number",
        "μ = ε in the place of 2Φ⁻¹(e^ε/(1 + e^ε))",
        ONE,
        UNIT.law,
        claimed=GDP(1),
        keeps=UNIT.loss(L0(1)).to(GDP),
        truth=UNIT.loss(L0(1)).to(GDP),
    ),
    undercharged(
        "A loss is rounded down",
        "ln 3 in six digits",
        ONE,
        Response.truth("3/4").law,
        claimed=Pure("1.09861"),
        keeps=Response.truth("3/4").loss(L0(1)),
        truth=Pure(up(lambda: ball(3).log())),
    ),
]
