"""Curves of delta from their definition: exact rationals, and balls where e^loss is irrational.

A measure of losses is mass at real losses and at infinity.  With the ratio r = e^L of a loss L its
curve is delta(x) = infinite + sum of mass·(1 - x/r) over all r > x, for x = e^epsilon ≥ 0.  It is
piecewise linear in x, bends at its own ratios only, starts at the total mass and ends at what is
infinite.  So one measure dominates another everywhere if it does so at x = 0, at the ratios of
both, and in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from math import floor
from typing import Final, Self, TypeAlias, final

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import NDArray

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import Reals
from discreet.loss.pld.grid import Cells, Grid, dyadic

Weights: TypeAlias = dict[str, Fraction]
BITS: Final = 400
MOST_BITS: Final = 2**15
MOST: Final = 2_000
STEPS: Final = (1e-12, 60.0)


@final
@dataclass(frozen=True)
class Ratios:
    """Mass at rational ratios of two laws, and where the second law has nothing."""

    masses: Mapping[Fraction, Fraction]
    infinite: Fraction = Fraction(0)

    @classmethod
    def of(cls, p: Mapping[str, Fraction], q: Mapping[str, Fraction]) -> Self:
        """Under the first law, of the ratio to the second."""
        masses: dict[Fraction, Fraction] = {}
        infinite = Fraction(0)
        for outcome, mass in p.items():
            other = q.get(outcome, Fraction(0))
            if other == 0:
                infinite += mass
            elif mass > 0:
                masses[mass / other] = masses.get(mass / other, Fraction(0)) + mass
        return cls(masses, infinite)

    @property
    def total(self) -> Fraction:
        return self.infinite + sum(self.masses.values(), Fraction(0))

    def times(self, other: Ratios) -> Ratios:
        """Both, one after the other: every pair of outcomes by itself."""
        if len(self.masses) * len(other.masses) > MOST**2:
            raise ValueError("too many atoms for an enumeration")
        masses: dict[Fraction, Fraction] = {}
        for (r, m), (s, n) in product(self.masses.items(), other.masses.items()):
            masses[r * s] = masses.get(r * s, Fraction(0)) + m * n
        finite = sum(masses.values(), Fraction(0))
        return Ratios(masses, self.total * other.total - finite)

    def delta(self, x: Fraction) -> Fraction:
        """At e^epsilon = x."""
        over = (mass * (1 - x / ratio) for ratio, mass in self.masses.items() if ratio > x)
        return self.infinite + sum(over, Fraction(0))

    def delta_at(self, epsilon: Fraction) -> arb:
        """A ball around delta at `epsilon`."""
        with ctx.workprec(BITS):
            x = _ball(epsilon).exp()
            over = (
                _ball(mass) * (1 - x / _ball(ratio))
                for ratio, mass in self.masses.items()
                if x < _ball(ratio)
            )
            return sum(over, _ball(self.infinite))

    def dominates(self, other: Ratios) -> bool:
        knots = {Fraction(0), *self.masses, *other.masses}
        everywhere = all(self.delta(x) >= other.delta(x) for x in knots)
        return everywhere and self.infinite >= other.infinite


def composed(parts: Iterable[tuple[Ratios, int]]) -> Ratios:
    """Each so many times, one after the other."""
    each = [part for part, count in parts for _ in range(count)]
    return reduce(Ratios.times, each, Ratios({Fraction(1): Fraction(1)}))


@final
@dataclass(frozen=True)
class Points:
    """Mass at rational losses, and at infinity."""

    masses: Mapping[Fraction, Fraction]
    infinite: Fraction = Fraction(0)

    @classmethod
    def made(
        cls, losses: Iterable[Fraction], masses: Iterable[Fraction], infinite: Fraction
    ) -> Self:
        found: dict[Fraction, Fraction] = {}
        for loss, mass in zip(losses, masses, strict=True):
            if mass < 0:
                raise ValueError("a mass below zero")
            found[loss] = found.get(loss, Fraction(0)) + mass
        return cls(found, infinite)

    @classmethod
    def of_atoms(cls, atoms: Atoms, end: int) -> Self:
        """The lower (0) or upper (1) ends, as the doubles they are."""
        losses = exact(atoms.losses[end])
        if atoms.step is not None and atoms.index is not None:
            losses = [i * atoms.step for i in atoms.index.tolist()]
        return cls.made(losses, exact(atoms.masses[end]), Fraction(atoms.infinite[end]))

    @classmethod
    def of_grid(cls, grid: Grid) -> Self:
        losses = [i * grid.step for i in grid.index.tolist()]
        return cls.made(losses, exact(grid.masses), Fraction(grid.infinite))

    @property
    def total(self) -> Fraction:
        return self.infinite + sum(self.masses.values(), Fraction(0))

    def times(self, other: Points) -> Points:
        """Both, one after the other."""
        if len(self.masses) * len(other.masses) > MOST**2:
            raise ValueError("too many atoms for an enumeration")
        masses: dict[Fraction, Fraction] = {}
        for (loss, m), (more, n) in product(self.masses.items(), other.masses.items()):
            masses[loss + more] = masses.get(loss + more, Fraction(0)) + m * n
        finite = sum(masses.values(), Fraction(0))
        return Points(masses, self.total * other.total - finite)

    def delta(self, epsilon: Fraction, bits: int = BITS) -> arb:
        """A ball around delta at `epsilon`."""
        with ctx.workprec(bits):
            over = (
                -_ball(mass) * _ball(epsilon - loss).expm1()
                for loss, mass in self.masses.items()
                if loss > epsilon
            )
            return sum(over, _ball(self.infinite))

    def dominates(self, other: Points) -> bool:
        """Whether its curve is never below the other; decided, however many bits it takes."""
        if self.infinite < other.infinite or self.total < other.total:
            return False
        bits = BITS
        while bits <= MOST_BITS:
            found = _above(self, other, bits)
            if found is not None:
                return found
            bits *= 4
        raise ArithmeticError("two curves too close to tell")


def _above(one: Points, other: Points, bits: int) -> bool | None:
    """Whether one curve is above the other at all of their knots, from the top: with M the masses
    above a knot and R their sum of mass·e^-loss, delta is M - e^epsilon·R.  None: not decided."""
    gap: dict[Fraction, Fraction] = dict(one.masses)
    for loss, mass in other.masses.items():
        gap[loss] = gap.get(loss, Fraction(0)) - mass
    with ctx.workprec(bits):
        ahead, slope = _ball(one.infinite - other.infinite), arb(0)
        seen, unsure = False, False
        for loss, more in sorted(gap.items(), reverse=True):
            down = (-_ball(loss)).exp()
            found = ahead - slope / down
            if seen and found < 0:
                return False
            unsure = unsure or (seen and not found >= 0)
            each = _ball(more)
            ahead, slope, seen = ahead + each, slope + each * down, True
    return None if unsure else True


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def exact(numbers: Reals) -> list[Fraction]:
    """Doubles as the rationals that they are."""
    return [Fraction(number) for number in np.asarray(numbers, np.float64).tolist()]


# --- lists to try -------------------------------------------------------------------------------


def listed(losses: Iterable[float], masses: Iterable[float], infinite: float = 0.0) -> Atoms:
    """Atoms that are known exactly."""
    at, mass = np.array(list(losses), np.float64), np.array(list(masses), np.float64)
    return Atoms.scattered((at, at), (mass, mass), (infinite, infinite))


def lists(seed: int, count: int) -> Iterator[tuple[Atoms, float]]:
    """Lists of atoms, and a grid step for each: dense, sparse, alone, many in one cell, on the
    points of the grid and next to them, next to zero; masses from one down to the smallest."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(count):
        step = dyadic(float(np.exp(rng.uniform(np.log(STEPS[0]), np.log(STEPS[1])))))
        size = int(rng.choice([1, 2, 3, 8, 30]))
        losses = _places(rng, size, step)
        masses = _weights(rng, size)
        yield listed(losses, masses, float(rng.choice([0.0, 1e-9, 0.25]))), step


def _places(rng: np.random.Generator, size: int, step: float) -> NDArray[np.floating]:
    point = rng.integers(-6, 7, size) * step
    places: NDArray[np.floating]
    match rng.integers(8):
        case 0:
            places = rng.uniform(-3, 3, size) * step
        case 1:
            places = np.clip(rng.standard_cauchy(size) * step * 50, -3e3, 3e3)
        case 2:
            places = rng.integers(-3, 3) * step + rng.uniform(0, 1, size) * step
        case 3:
            places = point
        case 4:
            places = np.nextafter(point, rng.choice([-np.inf, np.inf], size))
        case 5:
            places = rng.choice([-1, 1], size) * step * 2.0 ** -rng.integers(1, 900, size)
        case 6:
            places = point + step * rng.choice([0, 1], size) * 2.0 ** -rng.integers(30, 60, size)
        case _:
            far = min(float(rng.choice([1e-3, 1.0, 1e3])), 2.0**44 * step)
            places = rng.choice([-1, 1]) * far + rng.uniform(-20, 20, size) * step
    return places


def _weights(rng: np.random.Generator, size: int) -> NDArray[np.floating]:
    weights: NDArray[np.floating]
    match rng.integers(4):
        case 0:
            weights = rng.dirichlet(np.ones(size))
        case 1:
            weights = 10.0 ** -rng.uniform(0, 20, size)
        case 2:
            weights = 10.0 ** -rng.uniform(0, 323, size)
        case _:
            weights = rng.choice([1.0, 1e-8, 1e-16, 1e-300, 5e-324], size)
    return weights / max(1.0, float(weights.sum()) * 2)


def blurred(atoms: Atoms, end: int, step: float, error: float, seed: int) -> Cells:
    """Cells of one to nine steps, whose numbers are wrong by as much as they say."""
    rng = np.random.Generator(np.random.PCG64(seed))
    losses, masses = exact(atoms.losses[end]), exact(atoms.masses[end])
    first, last = floor(min(losses) / Fraction(step)), floor(max(losses) / Fraction(step))
    cuts = [first]
    places = sorted({floor(loss / Fraction(step)) for loss in losses})
    for place in places:
        while cuts[-1] <= place:
            near = place - cuts[-1] < 10
            cuts.append(cuts[-1] + int(rng.integers(1, 10)) if near else place)
    rows = [_cell(losses, masses, a, b, Fraction(step)) for a, b in pairwise(cuts)]
    kept = [(a, b, *row) for (a, b), row in zip(pairwise(cuts), rows, strict=True) if row[0] > 0]
    table = np.array([row[2:] for row in kept], np.float64).reshape(-1, 3).T
    table *= 1 + error * rng.choice([-1, 1], table.shape) * rng.choice([0.999, 0.5], table.shape)
    low, high = (np.array([row[k] for row in kept], np.int64) for k in (0, 1))
    if last >= cuts[-1]:
        raise ArithmeticError("a cell is missing")
    mass, over, under = table
    return Cells(step, low, high - low, mass, over, under, error, atoms.infinite[end])


def _cell(
    losses: Sequence[Fraction], masses: Sequence[Fraction], low: int, high: int, step: Fraction
) -> tuple[float, float, float]:
    """What lies from one point up to another: mass, over and under, to the nearest."""
    inside = [
        (loss, mass)
        for loss, mass in zip(losses, masses, strict=True)
        if low * step <= loss < high * step
    ]
    with ctx.workprec(BITS):
        mass = sum((_ball(m) for _, m in inside), arb(0))
        over = sum((-_ball(m) * _ball(low * step - loss).expm1() for loss, m in inside), arb(0))
        under = sum((_ball(m) * _ball(high * step - loss).expm1() for loss, m in inside), arb(0))
        return float(mass), float(over), float(under)


# --- lists against rational laws ------------------------------------------------------------------


def encloses(atoms: Atoms, truth: Ratios) -> bool:
    """Whether the curve of a pair of laws lies between those of the ends, wherever one bends."""
    with ctx.workprec(4 * BITS):
        true = [(_ball(r), _ball(m)) for r, m in truth.masses.items()]
        ends = [
            [(_ball(loss).exp(), _ball(m)) for loss, m in points.masses.items()]
            for points in (Points.of_atoms(atoms, 0), Points.of_atoms(atoms, 1))
        ]
        low, high = (_ball(Fraction(infinite)) for infinite in atoms.infinite)
        knots = [arb(0), *(r for part in (true, *ends) for r, _ in part)]
        middle = _ball(truth.infinite)
        return bool(low <= middle <= high) and all(
            not _height(ends[0], low, x) > _height(true, middle, x)
            and not _height(true, middle, x) > _height(ends[1], high, x)
            for x in knots
        )


def _height(measure: Sequence[tuple[arb, arb]], infinite: arb, x: arb) -> arb:
    """A ball around the curve at x; where x is the ratio itself, a ball around zero is added."""
    over = (mass * (1 - x / ratio) for ratio, mass in measure if not x > ratio)
    return sum(over, infinite)


def random_law(rng: np.random.Generator, size: int, names: str = "abcdefghijkl") -> Weights:
    """Rational weights, some zero, that differ by orders of magnitude now and then."""
    parts = rng.integers(0, 40, size) ** rng.choice([1, 3])
    parts[int(rng.integers(size))] += 1
    whole = int(parts.sum())
    return {name: Fraction(int(part), whole) for name, part in zip(names, parts, strict=False)}
