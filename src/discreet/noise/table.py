"""The staircase: a roof over the curve of weights, made of blocks that are whole slots high.

The integers are cut into *blocks* of neighbours.  Over the member n of a block that is 2^bits wide
stands the curve

    due(n) = fill · 2^(bits - unit_bits) · weight(n)

and over the block a flat roof, a whole number of slots high, that no due(n) exceeds.  A *slot* is
one block at one whole level below its roof; there are at most 2^slot_bits of them.  A uniform slot,
a uniform member and a uniform height within the slot are a uniform point under the staircase, and
if the point lies below the curve its member follows the law.  A slot that lies below the curve of
every member is *sure*: there the height need not be looked at.  Claim and proof: table.md

The counts are made in doubles and moved outwards by `SLACK`, far beyond what doubles can err.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log, sqrt
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.noise.weights import Weights
from discreet.numbers import ball, up

Integers: TypeAlias = NDArray[np.int64]
Doubles: TypeAlias = NDArray[np.float64]

SLACK: Final = 2.0**-40
"""The relative error that is allowed to `due` in doubles; the proven one is below 2^-44."""
TAIL_ROOM: Final = 2.0**-40
"""No tail is due more than this part of a slot; checked for each table."""
_FAR: Final = 46
"""Blocks reach out to where the exponent is 46, a weight of 2^-66; beyond lie the tails."""
_GROWTH: Final = 2.0
"""How much the exponent may grow in a block that is due less than one slot."""
_FILL_PARTS: Final = 2**8
"""The fill is a whole number of these parts of one, so a double holds it exactly."""
_WORTH: Final = 16
"""With fewer slot bits no slot is sure: a small table is for few points, and then it costs little
to hold each of them against the curve, which takes the same time whatever comes out."""
_STEEP: Final = 2**20
"""A coefficient above this puts all integers but 0 into the tails, where no double is used."""


@final
@dataclass(frozen=True, slots=True)
class Coefficients:
    """The coefficients of the weights, nearly, and no larger than `_STEEP`."""

    linear: float
    square: float

    @classmethod
    def of(cls, weights: Weights) -> Coefficients:
        most = Fraction(_STEEP)
        return cls(float(min(weights.linear, most)), float(min(weights.square, most)))

    def weight(self, n: Integers) -> Doubles:
        """weight(n) with a relative error below 2^-44, as long as its exponent is at most 48; it
        stays at exp(-64) where the exponent is larger, so that nothing underflows."""
        size = np.abs(n).astype(np.float64)
        exponent = self.linear * size + (self.square * size) * size
        weight: Doubles = np.exp(-np.minimum(exponent, 64))
        return weight


@final
@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks lowest, …, lowest + 2^bits - 1.  Zero is a block of its own; then come the blocks
    of each sign, the tails, and last the void, which owns the slots that are left over."""

    lowest: Integers
    bits: Integers
    factor: Doubles
    """due(n) / weight(n), exactly; zero for the tails and the void."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Which slot belongs to whom.  The sure slots come first."""

    weights: Weights
    coefficients: Coefficients
    slot_bits: int
    unit_bits: int
    fill: Fraction
    tail: int
    """The tails hold the integers from ±tail outwards; each owns one slot."""
    blocks: Blocks
    sure: int
    """How many slots are sure."""
    first: Integers
    """For each sure slot the lowest member of its block, which is 2^unit_bits wide."""
    owner: Integers
    """For each slot that is not sure, its block; and last the void, for points to throw away."""
    level: Doubles
    """For each of `owner` the level of the slot below the roof, counted from the ground."""
    kept: float
    """The part of the points that is kept, nearly.  Nothing but speed depends on it."""

    @property
    def nowhere(self) -> int:
        """The place in `owner` and `level` of points that are surely not kept."""
        return len(self.owner) - 1

    def tail_sign(self, block: int) -> int | None:
        """The side of a tail; None for any other block."""
        signs = self.weights.sides.signs
        place = block - (len(self.blocks.lowest) - 1 - len(signs))
        return signs[place] if 0 <= place < len(signs) else None

    def due(self, block: int, n: int) -> arb:
        """A ball around due(n), for a member n of a block that is neither tail nor void."""
        return ball(Fraction(float(self.blocks.factor[block]))) * self.weights.at(n)

    def due_of_tail(self) -> arb:
        """A ball around what the envelope of a tail is due."""
        return ball(self.fill / 2**self.unit_bits) * self.weights.beyond(self.tail)

    def due_in_doubles(self, block: Integers, n: Integers) -> Doubles:
        """due(n) with a relative error below `SLACK`; zero for the tails and the void."""
        due: Doubles = self.blocks.factor.take(block) * self.coefficients.weight(n)
        return due


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """Where the blocks lie, on the side from zero upwards; the other side mirrors it."""

    weights: Weights
    coefficients: Coefficients
    slot_bits: int
    unit_bits: int
    starts: Integers
    bits: Integers
    tail: int

    @property
    def signs(self) -> tuple[int, ...]:
        return self.weights.sides.signs

    @property
    def factor(self) -> Doubles:
        """due(n) / weight(n) when the fill is one."""
        factor: Doubles = np.ldexp(1.0, (self.bits - self.unit_bits).astype(np.int32))
        return factor

    def roofs(self, fill: Fraction) -> Integers:
        """A whole number of slots that the heaviest member of each block is not due more than."""
        heaviest = self.factor * float(fill) * self.coefficients.weight(self.starts)
        return np.ceil(heaviest * (1 + SLACK)).astype(np.int64)

    def sure(self, fill: Fraction) -> Integers:
        """A whole number of slots that the lightest member of each block is due.  Only blocks of
        the unit's width have sure slots, for their members are read from unit_bits bits."""
        last = self.starts + (1 << self.bits) - 1
        lightest = self.factor * float(fill) * self.coefficients.weight(last)
        below = np.floor(lightest * (1 - SLACK)).astype(np.int64)
        return np.where(self.bits == self.unit_bits, below, 0)

    def fits(self, fill: Fraction) -> bool:
        """Whether the staircase has slots enough."""
        copies = np.where(self.starts == 0, 1, len(self.signs))
        used = int((self.roofs(fill) * copies).sum()) + len(self.signs)
        return used <= 1 << self.slot_bits

    def both_sides(self) -> NDArray[np.intp]:
        """The blocks beyond zero again for each sign, after zero."""
        beyond = np.arange(1, len(self.starts))
        return np.concatenate([np.zeros(1, np.intp), *(beyond for _ in self.signs)])

    def lowest(self) -> Integers:
        """The lowest member of each block of `both_sides`."""
        up, down = self.starts[1:], -(self.starts[1:] + (1 << self.bits[1:]) - 1)
        return np.concatenate([[0], *(up if sign > 0 else down for sign in self.signs)])


@lru_cache(maxsize=24)
def table_of(weights: Weights, slot_bits: int) -> Table:
    """The table of `weights` with 2^slot_bits slots, as full as it can be."""
    cut = _cut(weights, slot_bits)
    fill = _largest(cut.fits)
    order, tails = cut.both_sides(), [sign * cut.tail for sign in cut.signs]
    below, roof = cut.sure(fill)[order], cut.roofs(fill)[order]
    sure = below if slot_bits >= _WORTH else np.zeros_like(below)
    blocks = Blocks(
        lowest=np.concatenate([cut.lowest(), tails, [0]]),
        bits=np.concatenate([cut.bits[order], 0 * np.array(tails), [0]]),
        factor=np.concatenate([cut.factor[order] * float(fill), 0.0 * np.array(tails), [0.0]]),
    )
    # The slots that are not sure: of each block, of each tail, and of the void.
    void = (1 << slot_bits) - int(roof.sum()) - len(tails)
    unsure = np.concatenate([roof - sure, np.ones(len(tails), np.int64), [void + 1]])
    ground = np.concatenate([sure, np.zeros(len(tails), np.int64), [1]])
    owner = np.repeat(np.arange(len(unsure)), unsure)
    level = np.arange(len(owner)) - (np.cumsum(unsure) - unsure - ground)[owner]
    table = Table(
        weights,
        cut.coefficients,
        slot_bits,
        cut.unit_bits,
        fill,
        cut.tail,
        blocks,
        sure=int(sure.sum()),
        first=np.repeat(blocks.lowest[: len(sure)], sure),
        owner=owner,
        level=level.astype(np.float64),
        kept=float((below + roof).sum() / 2) / (1 << slot_bits),
    )
    for array in (blocks.lowest, blocks.bits, blocks.factor, table.first, owner, table.level):
        array.setflags(write=False)
    if up(table.due_of_tail) >= TAIL_ROOM:
        raise RuntimeError("the tail of a table is due too much: a defect of the cut")
    return table


def _largest(fits: Callable[[Fraction], bool]) -> Fraction:
    """The largest fill that fits, by bisection: roofs only rise with it."""
    low, high = 1, 2**16 * _FILL_PARTS
    if not fits(Fraction(low, _FILL_PARTS)):
        raise RuntimeError("a table has too few slots for its blocks: a defect of the cut")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(Fraction(middle, _FILL_PARTS)) else (low, middle)
    return Fraction(low, _FILL_PARTS)


def _cut(weights: Weights, slot_bits: int) -> _Cut:
    """Blocks have the unit's width as long as they are due a slot.  Further out no slot is sure
    anyway, and blocks are as wide as `_GROWTH` allows.  A poor cut costs time, never truth."""
    coefficients = Coefficients.of(weights)
    linear, square = coefficients.linear, coefficients.square
    scale = 1 / linear if linear else sqrt(1 / (2 * square))
    fineness = 45 / 2 ** ((16 - slot_bits) / 2)
    unit_bits = max(0, int(scale / fineness).bit_length() - 1)
    unit = 1 << unit_bits
    fill = (1 << slot_bits) / (len(weights.sides.signs) * 1.25 * scale / unit + 1)
    reach = log(max(fill, 2.0))
    near = int((reach if linear else sqrt(2 * reach)) * scale / unit)
    starts = [0, *range(1, 1 + near * unit, unit)]
    bits = [0] + [unit_bits] * near
    start = 1 + near * unit
    while weights.exponent(start) < _FAR:
        slope, width = linear + 2 * square * start, unit_bits
        while (slope + square * 2 ** (width + 1)) * 2 ** (width + 1) <= _GROWTH:
            width += 1
        starts.append(start)
        bits.append(width)
        start += 1 << width
    places, widths = np.array(starts, np.int64), np.array(bits, np.int64)
    return _Cut(weights, coefficients, slot_bits, unit_bits, places, widths, start)
