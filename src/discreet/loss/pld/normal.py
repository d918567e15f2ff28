"""Two normal laws a distance apart, the limit of Gaussian noise.  Claim and proof: normal.md"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import expm1, floor, log2, sqrt
from typing import Final, final

import flint
import numpy as np
from flint import arb

from discreet.errors import LossError
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.contract import contracted
from discreet.loss.pld.dots import connected
from discreet.loss.pld.floats import SMALLEST, UNIT, Reals
from discreet.loss.pld.grid import Cells, Grid, dyadic
from discreet.loss.pld.pld import PLD, Pair
from discreet.numbers import Number, ball, nearest_float, nonnegative, probability

FARTHEST: Final = Fraction(40)
LEAST: Final = Fraction(1, 2**40)
"""A smaller distance or rate is this one for upper ends, and zero for lower ones; a rate so near to
one is one for upper ends, and this far from it for lower ones."""
FINE: Final = 40
"""Points of the grid in one deviation of the loss,"""
_CELLS: Final = 64
"""and cells in one deviation of the noise;"""
_NEAR: Final = 9.0
_COARSE: Final = 8
"""from so many deviations on, so many cells in one;"""
_FAR: Final = 35.0
"""and from so many on, none.  What lies there is below 10^-267."""
_MASS: Final = 1e-280
_MOVED: Final = 1e-300
"""A cell of less mass, or with less to move, may lose digits in a double."""
_ACCURATE: Final = 60
_BITS: Final = 192
_MOST_BITS: Final = 2**13


def normal(mu: Number, rate: Number = 1) -> PLD:
    """Deviation one, and `mu` apart by a row that is taken with probability `rate`.

    >>> found = normal(1).epsilon("1e-6")
    >>> f"{float(found.low):.2f} {float(found.high):.2f}"
    '4.89 4.89'
    """
    apart, share = nonnegative(mu, "mu"), probability(rate, "rate")
    if apart > FARTHEST:
        raise LossError(
            "normal laws more than 40 deviations apart are not computed",
            cure="add more noise, or charge the curve itself: `dp.GDP(50)`",
            code="L54",
        )
    if apart == 0 or share == 0:
        return PLD()
    most = Fraction(1) if share > 1 - LEAST else max(share, LEAST)
    upper = _Mixture.of(max(apart, LEAST), most).losses()
    lower = upper
    if min(apart, share) < LEAST:
        lower = [Losses.exactly(_nothing())] * 2
    elif share < most:
        lower = _Mixture.of(apart, 1 - LEAST).losses()
    return PLD.of(
        Pair(*(Losses(less.lower, more.upper) for less, more in zip(lower, upper, strict=True)))
    )


def _nothing() -> Atoms:
    one = np.ones(1)
    return Atoms.on_lattice(Fraction(1), np.zeros(1, np.int64), (one, one))


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """A point, as seen from the middle of a bell: what lies above it, or what lies below it."""

    above: bool
    tail: arb

    @classmethod
    def of(cls, x: arb) -> _Place:
        above = bool(x > 0)
        return cls(above, ((x if above else -x) / arb(2).sqrt()).erfc() / 2)

    def up_to(self, other: _Place) -> arb:
        """The bell's mass between here and a higher point."""
        if self.above == other.above:
            return self.tail - other.tail if self.above else other.tail - self.tail
        return 1 - self.tail - other.tail


_LOWEST: Final = _Place(above=False, tail=arb(0))
_HIGHEST: Final = _Place(above=True, tail=arb(0))


@final
@dataclass(frozen=True, slots=True)
class _Cut:
    """The place where the loss is `index`·step, under the bell and under the moved one; and the
    ratio there, which is e^loss."""

    index: int
    ratio: arb
    bell: _Place
    moved: _Place


@final
@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell, as in `Cells`."""

    index: int
    width: int
    mass: arb
    over: arb
    under: arb

    @property
    def large(self) -> bool:
        return bool(self.mass > _MASS and self.over > _MOVED and self.under > _MOVED)

    @property
    def accurate(self) -> bool:
        parts = (self.mass, self.over, self.under)
        return all(part.rel_accuracy_bits() >= _ACCURATE for part in parts)


@final
@dataclass(frozen=True, slots=True)
class _Way:
    """All cells in rising order, and what lies outside of them."""

    cells: Sequence[_Cell]
    outside: Sequence[arb]

    @property
    def accurate(self) -> bool:
        return all(cell.accurate for cell in self.cells if not cell.mass < _MASS)

    def losses(self, step: Fraction) -> Losses:
        """Cells that a double cannot hold are lost to the lower end, and infinite to the upper."""
        kept = [cell for cell in self.cells if cell.large and cell.accurate]
        lost = [cell.mass for cell in self.cells if not (cell.large and cell.accurate)]
        away = sum(float(mass.upper()) + SMALLEST for mass in (*lost, *self.outside))
        made = Cells(
            step=float(step),
            index=np.array([cell.index for cell in kept], np.int64),
            width=np.array([cell.width for cell in kept], np.int64),
            mass=_reals(cell.mass for cell in kept),
            over=_reals(cell.over for cell in kept),
            under=_reals(cell.under for cell in kept),
            error=4 * UNIT,
            infinite=min(1.0, away * (1 + (len(lost) + 8) * UNIT)),
        )
        return Losses(_atoms(contracted(made), 0.0), _atoms(connected(made), made.infinite))


@final
@dataclass(frozen=True, slots=True)
class _Mixture:
    """(1 − share)·N(0, 1) + share·N(apart, 1), and N(0, 1), on a grid of losses."""

    apart: Fraction
    share: Fraction
    step: Fraction

    @classmethod
    def of(cls, apart: Fraction, share: Fraction) -> _Mixture:
        mu = float(apart)
        lowest = -nearest_float(lambda: ball(1 - share).log()) if share < 1 else mu
        spread = min(mu, float(share) * sqrt(expm1(min(mu * mu, 100.0))), lowest)
        return cls(apart, share, Fraction(dyadic(spread / FINE)))

    def losses(self) -> list[Losses]:
        """Of the mixture against the bell, and of the bell against the mixture."""
        bits = _BITS + 2 * max(0, -floor(log2(self.step)))
        ways = self._ways(bits)
        while bits < _MOST_BITS and not all(way.accurate for way in ways):
            bits *= 2
            ways = self._ways(bits)
        return [way.losses(self.step) for way in ways]

    def _ways(self, bits: int) -> list[_Way]:
        with flint.ctx.workprec(bits):
            cuts = list(self._cuts())
            return [self._forward(cuts), self._backward(cuts)]

    def _forward(self, cuts: Sequence[_Cut]) -> _Way:
        cells = []
        for low, high in pairwise(cuts):
            bell, mixed = self._between(low, high)
            over, under = mixed - low.ratio * bell, high.ratio * bell - mixed
            cells.append(_Cell(low.index, high.index - low.index, mixed, over, under))
        return _Way(cells, [mixed for _, mixed in self._outside(cuts)])

    def _backward(self, cuts: Sequence[_Cut]) -> _Way:
        cells = []
        for low, high in pairwise(cuts):
            bell, mixed = self._between(low, high)
            over, under = bell - mixed / high.ratio, mixed / low.ratio - bell
            cells.append(_Cell(-high.index, high.index - low.index, bell, over, under))
        return _Way(cells[::-1], [bell for bell, _ in self._outside(cuts)])

    def _outside(self, cuts: Sequence[_Cut]) -> list[tuple[arb, arb]]:
        lowest = _Cut(cuts[0].index, arb(0), _LOWEST, _LOWEST)
        highest = _Cut(cuts[-1].index, arb(0), _HIGHEST, _HIGHEST)
        return [self._between(lowest, cuts[0]), self._between(cuts[-1], highest)]

    def _between(self, low: _Cut, high: _Cut) -> tuple[arb, arb]:
        """The masses of the bell and of the mixture between two cuts."""
        bell, moved = low.bell.up_to(high.bell), low.moved.up_to(high.moved)
        return bell, ball(1 - self.share) * bell + ball(self.share) * moved

    # --- where to cut ---------------------------------------------------------------------------

    def _cuts(self) -> Iterator[_Cut]:
        """In rising order.  Which they are is of no matter to what is proven."""
        indices = self._indices()
        if self.share < 1:
            lowest = floor(nearest_float(lambda: ball(1 - self.share).log()) / float(self.step))
            while not self._rest(lowest) < 0:
                lowest -= 1
            yield _Cut(lowest, ball(lowest * self.step).exp(), _LOWEST, _LOWEST)
            indices = [index for index in indices if index > lowest]
        for index in indices:
            loss = ball(index * self.step)
            grown = loss if self.share == 1 else (self._rest(index) / ball(self.share)).log()
            place = grown / ball(self.apart) + ball(self.apart / 2)
            if place.is_finite():
                moved = _Place.of(place - ball(self.apart))
                yield _Cut(index, loss.exp(), _Place.of(place), moved)

    def _rest(self, index: int) -> arb:
        """What a ratio has over 1 − share, which no ratio goes below."""
        return ball(index * self.step).expm1() + ball(self.share)

    def _indices(self) -> list[int]:
        mu, share, step = float(self.apart), float(self.share), float(self.step)
        near = np.arange(-_NEAR, mu + _NEAR, 1 / _CELLS)
        far = np.arange(_NEAR, _FAR, 1 / _COARSE)
        places = np.concatenate([-far[::-1], near, mu + far])
        grown = mu * places - mu * mu / 2
        losses = grown if share == 1 else np.logaddexp(np.log1p(-share), np.log(share) + grown)
        return [int(index) for index in np.unique(np.rint(losses / step))]


def _reals(parts: Iterable[arb]) -> Reals:
    return np.array([float(part.mid()) for part in parts], np.float64)


def _atoms(grid: Grid, infinite: float) -> Atoms:
    masses = grid.masses
    return Atoms.on_lattice(grid.step, grid.index, (masses, masses), (0.0, infinite))
