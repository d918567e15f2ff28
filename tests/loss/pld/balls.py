"""Sums of many losses in balls of 300 bits: nothing here is rounded unseen, tilted or wrapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, TypeAlias, final

import numpy as np
from flint import acb, arb, arb_poly, ctx, fmpq

from discreet.loss.pld.floats import UNIT, Reals, Whole
from discreet.loss.pld.grid import Grid

BITS: Final = 300
Parts: TypeAlias = Sequence[tuple[Grid, int]]


def ball(number: Fraction | float) -> arb:
    """A ball around a number that is exact."""
    exactly = Fraction(number)
    return arb(fmpq(exactly.numerator, exactly.denominator))


def in_units(found: float, true: arb) -> float:
    """The relative error in roundings; of what is below the normal numbers, the absolute one."""
    error = abs(ball(found) - true)
    size = abs(true)
    least = arb(2) ** -1021
    return float((error / size if size > least else error / least) / UNIT)


def transformed(numbers: Sequence[float] | Reals) -> list[acb]:
    """The Fourier transform, by a program that shares nothing with NumPy's."""
    with ctx.workprec(120):
        return list(acb.dft([acb(float(number)) for number in numbers]))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """The law of a sum of losses: a mass at each (`first` + j)·`step`, and two at infinity: of the
    measures as they are, and of measures that have the rest of one at minus infinity."""

    step: Fraction
    first: int
    masses: list[arb]
    infinite: arb
    completed: arb
    above: list[arb]
    falling: list[arb]

    @classmethod
    def of(cls, parts: Parts) -> Sum:
        with ctx.workprec(BITS):
            step = parts[0][0].step
            found = arb_poly([1])
            first = 0
            finite = whole = missed = arb(1)
            for grid, count in parts:
                found = found * _polynomial(grid) ** count
                first += count * int(grid.index[0])
                mass = _total(grid.masses)
                finite, whole = finite * mass**count, whole * (mass + grid.infinite) ** count
                missed = missed * (1 - ball(grid.infinite)) ** count
            masses = [found[k] for k in range(found.degree() + 1)]
            above, falling = [arb(0)], [arb(0)]
            for k in range(len(masses) - 1, -1, -1):
                loss = ball((first + k) * step)
                above.append(above[-1] + masses[k])
                falling.append(falling[-1] + masses[k] * (-loss).exp())
            return cls(step, first, masses, whole - finite, 1 - missed, above[::-1], falling[::-1])

    def delta(self, epsilon: Fraction, side: int) -> arb:
        with ctx.workprec(BITS):
            k = (epsilon / self.step).__floor__() + 1 - self.first
            k = min(max(k, 0), len(self.masses))
            infinite = self.infinite if side > 0 else self.completed
            return infinite + self.above[k] - self.falling[k] * ball(epsilon).exp()

    def tilted(self, tilt: float, log_scale: float) -> list[arb]:
        with ctx.workprec(BITS):
            return [
                mass * (ball(tilt) * ball((self.first + k) * self.step) - ball(log_scale)).exp()
                for k, mass in enumerate(self.masses)
            ]


def _polynomial(grid: Grid) -> arb_poly:
    low = int(grid.index[0])
    found = [arb(0)] * (int(grid.index[-1]) - low + 1)
    for index, mass in zip(grid.index.tolist(), grid.masses.tolist(), strict=True):
        found[index - low] = ball(mass)
    return arb_poly(found)


def _total(masses: Reals) -> arb:
    return sum((ball(mass) for mass in masses.tolist()), arb(0))


def two_atoms(
    chances: tuple[float, float], losses: tuple[Fraction, Fraction], count: int, epsilon: Fraction
) -> tuple[arb, arb]:
    """Two numbers around delta of so many equal answers with two losses each, the higher last:
    binomial weights are added until what is left is nothing."""
    low, high = losses
    k = ((epsilon - count * low) / (high - low)).__floor__() + 1
    with ctx.workprec(BITS):
        less, more = map(ball, chances)
        odds, found = more / less, arb(0)
        k = max(k, 0)
        if k > count:
            return arb(0), arb(0)
        weight = _choose(count, k) * more**k * less ** (count - k)
        while k <= count:
            found += weight * (1 - (ball(epsilon) - ball(k * high + (count - k) * low)).exp())
            ratio = odds * (count - k) / (k + 1)
            if ratio < 1 and weight * ratio / (1 - ratio) < found / 2**200:
                return found, found + weight * ratio / (1 - ratio)
            weight, k = weight * ratio, k + 1
        return found, found


def _choose(count: int, k: int) -> arb:
    if min(k, count - k) < 100:
        return ball(Fraction(comb(count, k)))
    one = arb(count + 1).lgamma()
    return (one - arb(k + 1).lgamma() - arb(count - k + 1).lgamma()).exp()


def grid(
    rng: np.random.Generator, step: Fraction, index: Whole, infinite: float, deep: float
) -> Grid:
    """Masses over `deep` powers of ten, that add up to less than what is not infinite."""
    masses = 10.0 ** rng.uniform(-deep, 0.0, len(index))
    masses = np.maximum(masses * ((1 - infinite) * (1 - 1e-9) / masses.sum()), 1e-300)
    return Grid.of(step, index.astype(np.int64), masses, infinite)
