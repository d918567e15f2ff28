"""Discrete Gaussian noise that is charged or made by the wrong formula."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

from flint import arb

from discreet.distances import L2
from discreet.lab.exact import Neighbours
from discreet.loss import GDP, ZCDP, Approx
from discreet.mechanisms import Gaussian
from discreet.numbers import Number, ball, exact, up
from tests.lab.mutants import Mutant, undercharged
from tests.mechanisms.cases_additive import gaussian_pair

ONE: Final = Gaussian(1)
HALF: Final = Gaussian("1/2")
NINE: Final = Gaussian(variance=9)
RISK: Final = Fraction(1, 10**5)
CLASSIC: Final = Gaussian(variance=up(lambda: 10_000 * 2 * ball(1 / (RISK * 4 / 5)).log() / 400))
"""σ = √(2 ln(1.25/δ))·Δ/ε at δ = 10^−5, Δ = 100 and ε = 20."""


def delta(variance: Number, move: int, epsilon: Number) -> Fraction:
    """Σ (P(n) − e^ε·P(n − move))₊ by its definition, in decimals."""
    spread, loss = exact(variance), exact(epsilon)
    with localcontext(prec=50):
        ratio = (Decimal(loss.numerator) / loss.denominator).exp()

        def weight(n: int) -> Decimal:
            return (-Decimal(n * n * spread.denominator) / (2 * spread.numerator)).exp()

        reach = 20 * int(float(spread) ** 0.5 + 1) + move
        chances = {n: weight(n) for n in range(-reach, reach + 1)}
        whole = sum(chances.values(), Decimal(0))
        over = (p - ratio * weight(n - move) for n, p in chances.items())
        # Cut off are less than 10^−40.
        least = sum((each for each in over if each > 0), Decimal(0)) / whole
        return Fraction(least) + Fraction(1, 10**40)


def continuous(scale: Number, epsilon: Number) -> Fraction:
    """Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ), of a move by one."""
    s, loss = exact(scale), exact(epsilon)

    def phi(x: Fraction) -> arb:
        return (-ball(x) / arb(2).sqrt()).erfc() / 2

    return up(lambda: phi(1 / (2 * s) - loss * s) - ball(loss).exp() * phi(-1 / (2 * s) - loss * s))


def moved(mechanism: Gaussian, by: int) -> Neighbours:
    return gaussian_pair(mechanism, (by,))


def implied(mechanism: Gaussian, by: int, epsilon: Number) -> Approx:
    """What follows from the mechanism's own ρ at this ε."""
    return mechanism.loss(L2(by)).to(Approx, epsilon=epsilon)


MUTANTS: Final = [
    undercharged(
        "Discrete Gaussian noise is charged as Gaussian privacy",
        "Dong, Roth and Su 2022, μ = Δ/σ of the continuous law",
        moved(ONE, 1),
        ONE.law,
        claimed=GDP(1),
        keeps=ONE.loss(L2(1)),
        truth=Approx(2, delta(1, 1, 2)),
    ),
    undercharged(
        "The delta of continuous Gaussian noise is charged for integers",
        "Balle and Wang 2018, the analytic Gaussian mechanism, at σ = 1/2",
        moved(HALF, 1),
        HALF.law,
        claimed=Approx("9.5", continuous("1/2", "9.5")),
        keeps=implied(HALF, 1, "9.5"),
        truth=Approx("9.5", delta("1/4", 1, "9.5")),
    ),
    Mutant(
        name="The scale is passed as the variance",
        stands_for="an argument that means σ in one place and σ² in another",
        claimed=ZCDP("1/32"),
        pair=moved(Gaussian(4), 1),
        broken=Gaussian(variance=4).law,
        sound=Gaussian(4).law,
        truth=ZCDP("1/8"),
    ),
    Mutant(
        name="Gaussian noise is a tenth short",
        stands_for="a scale of 0.9 in the place of one",
        claimed=ZCDP("1/2"),
        pair=moved(ONE, 1),
        broken=Gaussian("9/10").law,
        sound=ONE.law,
        truth=ZCDP("50/81"),
    ),
    undercharged(
        "The move enters the concentrated loss, not its square",
        "group privacy of k people at k times ρ",
        moved(NINE, 3),
        NINE.law,
        claimed=ZCDP("1/6"),
        keeps=ZCDP("1/18").group(3),
        truth=ZCDP("1/2"),
    ),
    undercharged(
        "The classic Gaussian formula is used at epsilon 20",
        "Dwork and Roth 2014, appendix A, which is for ε < 1; used for every ε by Qrlew",
        Neighbours(0, 100, L2(100)),
        CLASSIC.law,
        claimed=Approx(20, RISK),
        keeps=implied(CLASSIC, 100, 20),
        truth=Approx(20, delta(CLASSIC.variance, 100, 20)),
    ),
]
