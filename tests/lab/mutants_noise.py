"""Noise that is drawn, placed or charged wrongly: one number that moves by one step."""

from __future__ import annotations

from typing import Final

from flint import arb

from discreet.distances import L1
from discreet.lab.exact import Neighbours
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.numbers import up
from tests.lab.mutants import (
    ENDLESS,
    UNLISTED,
    Mutant,
    at_least,
    e_to,
    folded,
    laplace,
    ln,
    number,
    plus,
    times,
    told,
    undercharged,
)

STEP: Final = number(1, 1)
RIGHT: Final = Laplace(1)


def one_sided(x: int) -> Law:
    """Geometric noise: P(n) = (1 − q)·q^n for n ≥ 0."""
    half = {n: p for n, p in laplace(1).items() if n >= 0}
    # (1 − q)/(1 + q)·q^n, over their sum 1/(1 + q).
    whole = at_least(1, 0)
    return told({n: times(p, 1 / whole) for n, p in half.items()}, lambda n: x + n, range(-9, x))


def zero_twice(x: int) -> Law:
    """A geometric size, then a sign by a fair coin: zero is kept, whatever its sign."""
    size = {n: times(p, 1 / at_least(1, 0)) for n, p in laplace(1).items()}
    return told({n: p / 2 if n else p for n, p in size.items()}, lambda n: x + n)


def modulo(x: int) -> Law:
    """Noise is reduced to −8 … 7 before it is added."""
    return folded(laplace(1), lambda n: x + (n + 8) % 16 - 8, range(-9, 10))


def wrapped(x: int) -> Law:
    """The sum is reduced, which is computed from what could be told."""
    return folded(laplace(1), lambda n: (x + n + 8) % 16 - 8)


def every_second(x: int) -> Law:
    """Noise in steps of two, of the right size, for answers in steps of one."""
    return told(laplace("1/2"), lambda n: x + 2 * n, range(-9, 10))


def finer_if_odd(x: int) -> Law:
    """What is told of one is odd or even; of zero, even only."""
    return told(laplace(1), lambda n: x + n) if x else in_twos(x)


def in_twos(x: int) -> Law:
    """The answer is rounded down to an even number."""
    noise = laplace(1)
    even = {n: plus(noise[n - x], noise[n + 1 - x]) for n in range(-80, 81, 2)}
    odd = dict.fromkeys(range(-79, 80, 2), arb(0))
    return Law(even | odd, 2 * at_least(1, 79))


def redrawn(x: int) -> Law:
    """Until what is told is not negative."""
    kept = {n: p for n, p in laplace(1).items() if x + n >= 0}
    return told({n: times(p, 1 / at_least(1, -x)) for n, p in kept.items()}, lambda n: x + n)


def lifted(x: int) -> Law:
    """What is told is moved up to zero."""
    above = {x + n: p for n, p in laplace(1).items() if x + n > 0}
    return Law({0: at_least(1, x), **above}, UNLISTED)


def capped(x: int) -> Law:
    """Noise of at most three in size, larger noise being put there."""
    return folded(laplace(1), lambda n: x + max(-3, min(3, n)), range(-9, 10))


def capped_after(x: int) -> Law:
    """What is told is kept between −3 and 3."""
    return folded(laplace(1), lambda n: max(-3, min(3, x + n)))


def together(x: tuple[int, int]) -> Law:
    """One noise for two sums: their difference is told exactly."""
    return told(laplace("1/4"), lambda n: (x[0] + n, x[1] + n), [(n, n) for n in range(-3, 4)])


MUTANTS: Final = [
    undercharged(
        "Integer noise is charged as continuous noise",
        "ε + e^−ε − 1 of the continuous Laplace law",
        STEP,
        RIGHT.law,
        claimed=ZCDP(up(lambda: arb(-1).exp())),
        keeps=RIGHT.zcdp(L1(1)),
        truth=ZCDP(up(lambda: (arb(1) / 2).tanh())),
    ),
    Mutant(
        name="The noise is a tenth short",
        stands_for="a scale of 0.9 in the place of one",
        claimed=Pure(1),
        pair=STEP,
        broken=lambda x: told(laplace("9/10"), lambda n: x + n),
        sound=RIGHT.law,
        truth=Pure("10/9"),
    ),
    Mutant(
        name="Noise goes up only",
        stands_for="geometric noise in the place of its difference",
        claimed=Pure(1),
        pair=STEP,
        broken=one_sided,
        sound=RIGHT.law,
        truth=ENDLESS,
    ),
    Mutant(
        name="The sign is drawn even for zero",
        stands_for="Canonne, Kamath and Steinke 2020 without the rejection of −0",
        claimed=Pure(1),
        pair=STEP,
        broken=zero_twice,
        sound=RIGHT.law,
        truth=Pure(1 + ln(2)),
    ),
    Mutant(
        name="Noise is reduced modulo a number before it is added",
        stands_for="noise in a narrow integer type",
        claimed=Pure(1),
        pair=STEP,
        broken=modulo,
        sound=wrapped,
        truth=ENDLESS,
    ),
    Mutant(
        name="Noise that is too large is put to the largest",
        stands_for="noise clipped in the place of the answer",
        claimed=Pure(1),
        pair=STEP,
        broken=capped,
        sound=capped_after,
        truth=ENDLESS,
    ),
    Mutant(
        name="Noise is coarser than the answers",
        stands_for="Mironov 2012: outputs that only one neighbour reaches",
        claimed=Pure(1),
        pair=STEP,
        broken=every_second,
        sound=RIGHT.law,
        truth=ENDLESS,
    ),
    Mutant(
        name="How finely the answer is rounded depends on it",
        stands_for="Haney, Desfontaines, Hartman, Shrestha and Hay 2022: precision",
        claimed=Pure(1),
        pair=STEP,
        broken=finer_if_odd,
        sound=in_twos,
        truth=ENDLESS,
    ),
    Mutant(
        name="Noise is redrawn until the answer is not negative",
        stands_for="Croft and others 2019: a truncated law that is normalised anew",
        claimed=Pure(1),
        pair=STEP,
        broken=redrawn,
        sound=lifted,
        # P₀(0)/P₁(0) = e·P(Z ≥ −1)/P(Z ≥ 0) = e·(1 + q − q²)
        truth=Pure(up(lambda: 1 + (1 + arb(-1).exp() - arb(-2).exp()).log())),
    ),
    Mutant(
        name="One noise serves two sums",
        stands_for="noise that is used again for another group",
        claimed=Pure(4),
        pair=Neighbours((0, 0), (0, 1), L1(1), beyond=e_to(4)),
        broken=together,
        sound=Laplace("1/4").law,
        truth=ENDLESS,
    ),
    undercharged(
        "A row that changes is charged as one that enters",
        "a histogram under Replace, of which two counts move",
        Neighbours((0, 0), (1, -1), L1(2), beyond=e_to(8)),
        Laplace("1/4").law,
        claimed=Pure(4),
        keeps=Laplace("1/4").loss(L1(2)),
        truth=Pure(8),
    ),
]
