"""Delta of what was composed, in balls: from binomial sums, from the error function, and by going
through all outcomes.  Nothing here is taken from the code that is tested."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import floor
from typing import Final, TypeAlias, final

import flint
from flint import arb, fmpq

from discreet.loss.divergence import Bracket, Extended

BITS: Final = 500
TwoPoints: TypeAlias = tuple[Fraction, Fraction]
"""The chance of the first of two outcomes under either law."""
Profile: TypeAlias = Callable[[Fraction], arb]
"""Delta at an epsilon, which may be negative."""


def real(number: Fraction | int) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def end(number: Extended) -> arb:
    return real(number) if isinstance(number, Fraction) else arb("+inf")


def holds(found: Bracket, truth: arb) -> bool:
    """Whether no end is for certain on the wrong side.  The truth is known to 100 bits or more, or
    is below 2^-400."""
    with flint.ctx.workprec(BITS):
        known = truth.rel_accuracy_bits() > 100 or truth < real(Fraction(1, 2**400))
        return (
            bool(known) and not bool(end(found.high) < truth) and not bool(end(found.low) > truth)
        )


def contradicts(high: Extended, low: Extended) -> bool:
    """Whether an upper end lies below a lower end of the same number."""
    return bool(high < low)


def width(found: Bracket) -> float:
    """Of a bracket, over its upper end."""
    assert isinstance(found.low, Fraction)
    assert isinstance(found.high, Fraction)
    return float((found.high - found.low) / found.high) if found.high else 0.0


# --- many equal responses -------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Responses:
    """So many answers, each told apart with odds e^epsilon, or given away with chance `leak`."""

    epsilon: Fraction
    count: int
    leak: Fraction = Fraction(0)

    def profile(self) -> Profile:
        """Of the j answers that agree with the first law the loss is (2j − n)·epsilon."""
        with flint.ctx.workprec(BITS):
            n, odds = self.count, real(self.epsilon).exp()
            kept = real(1 - self.leak) ** n
            mine = [kept / (1 + odds) ** n]
            for j in range(n):
                mine.append(mine[-1] * odds * (n - j) / (j + 1))
            over = [arb(0), *accumulate(reversed(mine))]
            under = [arb(0), *accumulate(mine)]  # with the roles turned
            lost = 1 - kept

        def delta(epsilon: Fraction) -> arb:
            with flint.ctx.workprec(BITS):
                first = max(0, floor((epsilon / self.epsilon + n) / 2) + 1)
                k = max(0, n + 1 - first)
                return lost + over[k] - real(epsilon).exp() * under[k]

        return delta


# --- normal laws ----------------------------------------------------------------------------------


def below(x: arb) -> arb:
    """The chance that a normal number is below x."""
    return (-x / arb(2).sqrt()).erfc() / 2


def normal_profile(square: Fraction) -> Profile:
    """Of two normal laws whose distance is the root of `square`."""

    def delta(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            mu, loss = real(square).sqrt(), real(epsilon)
            return below(mu / 2 - loss / mu) - loss.exp() * below(-mu / 2 - loss / mu)

    return delta


def mixture_profiles(mu: Fraction, rate: Fraction) -> tuple[Profile, Profile]:
    """Of (1 − rate)·N(0, 1) + rate·N(mu, 1) against N(0, 1), and the other way."""

    def place(ratio: arb) -> arb:
        return ((ratio - real(1 - rate)) / real(rate)).log() / real(mu) + real(mu / 2)

    def mixed(x: arb) -> arb:
        return real(1 - rate) * below(x) + real(rate) * below(x - real(mu))

    def mixed_above(x: arb) -> arb:
        return real(1 - rate) * below(-x) + real(rate) * below(real(mu) - x)

    def forward(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            ratio = real(epsilon).exp()
            if not ratio > real(1 - rate):
                return 1 - ratio
            x = place(ratio)
            return mixed_above(x) - ratio * below(-x)

    def backward(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            ratio = (-real(epsilon)).exp()
            if not ratio > real(1 - rate):
                return arb(0)
            x = place(ratio)
            return below(x) - mixed(x) / ratio

    return forward, backward


def after_responses(responses: Responses, last: Profile) -> Profile:
    """Of responses that give nothing away, and one more answer: the loss of the responses is known
    exactly, and what is missing from epsilon is left to the last."""
    assert responses.leak == 0
    n = responses.count

    def delta(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            odds = real(responses.epsilon).exp()
            weight, total = (1 + odds) ** -n, arb(0)
            for j in range(n + 1):
                total += weight * last(epsilon - (2 * j - n) * responses.epsilon)
                weight = weight * odds * (n - j) / (j + 1)
            return total

    return delta


# --- all outcomes of different laws ---------------------------------------------------------------


def all_outcomes(laws: Sequence[TwoPoints]) -> Profile:
    """Of answers with two outcomes each: every one of the 2^n outcomes, in whole numbers."""
    joint: list[tuple[int, int]] = [(1, 1)]
    over = under = 1
    for p, q in laws:
        a, b = p.denominator, q.denominator
        yes, no = (p.numerator, q.numerator), (a - p.numerator, b - q.numerator)
        joint = [(m * u, o * v) for (m, o), (u, v) in product(joint, (yes, no))]
        over, under = over * a, under * b
    ratios = sorted((Fraction(m * under, o * over), m, o) for m, o in joint if o and m)
    certain = sum(m for m, o in joint if not o)
    ours = [0, *accumulate(m for _, m, _ in reversed(ratios))]
    theirs = [0, *accumulate(o for _, _, o in reversed(ratios))]
    rising = [ratio for ratio, _, _ in ratios]

    def delta(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            t = real(epsilon).exp()
            middle = Fraction(_floor(t * 2**400), 2**400)
            k = len(rising) - bisect_right(rising, middle)  # a tie adds nothing
            return real(Fraction(certain + ours[k], over)) - t * real(Fraction(theirs[k], under))

    return delta


def turned(laws: Sequence[TwoPoints]) -> list[TwoPoints]:
    return [(q, p) for p, q in laws]


# --- a distribution of losses, cut coarsely -------------------------------------------------------


@final
@dataclass(frozen=True)
class Coarse:
    """The chances of the cells from `first`·step on, and what lies in none of them, at most."""

    chances: Sequence[arb]
    lost: arb
    first: int
    step: Fraction


def coarsely(cells: Coarse, count: int, side: int) -> Profile:
    """`count` times a law of losses, by powers of a polynomial with whole coefficients: each loss
    is moved up (1) or down (−1) to the next point, and each mass is rounded that way."""
    bits = 80
    with flint.ctx.workprec(BITS):
        ends = [x.upper() + 1 if side > 0 else x.lower() for x in _scaled(cells.chances, bits)]
        each = flint.fmpz_poly([max(0, _floor(x)) for x in ends])
        powered = each**count
        unit = arb(2) ** (-bits * count)
        start = count * (cells.first + (side > 0))
        away = 1 - (1 - cells.lost.upper()) ** count if side > 0 else arb(0)
        masses = [arb(c) * unit for c in powered]
        falls = (-real(cells.step)).exp()

    def delta(epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            k = max(0, floor(epsilon / cells.step) + 1 - start)
            total, factor = away, (real(epsilon) - real((start + k) * cells.step)).exp()
            for mass in masses[k:]:
                total += mass * (1 - factor)
                factor *= falls
            return total

    return delta


def mixture_cells(mu: Fraction, rate: Fraction, step: Fraction, way: int) -> Coarse:
    """The chances of the losses of `mixture_profiles`, from one multiple of the step to the next,
    as far as a loss of eight."""
    with flint.ctx.workprec(BITS):

        def up_to(loss: Fraction) -> tuple[arb, arb]:
            """What either law has where the loss of the first way is no larger."""
            ratio = real(loss).exp()
            if not ratio > real(1 - rate):
                return arb(0), arb(0)
            x = ((ratio - real(1 - rate)) / real(rate)).log() / real(mu) + real(mu / 2)
            return real(1 - rate) * below(x) + real(rate) * below(x - real(mu)), below(x)

        first, last = floor(-1 / step), floor(8 / step)
        points = [up_to(k * step)[way < 0] for k in range(first, last + 1)]
        chances = [above - under for under, above in pairwise(points)]
        lost = 1 - points[-1] + points[0]
    if way > 0:
        return Coarse(chances, lost, first, step)
    return Coarse(chances[::-1], lost, -last, step)


def _scaled(chances: Sequence[arb], bits: int) -> list[arb]:
    return [chance * arb(2) ** bits for chance in chances]


def _floor(x: arb) -> int:
    found = x.floor().unique_fmpz()
    assert found is not None
    return int(found)
