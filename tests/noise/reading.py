"""A second reading of the staircase, slow and plain, that the fast one is held against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

import flint
import numpy as np

from discreet.noise.draw import Points
from discreet.noise.table import Table
from discreet.noise.weights import Sides, Weights
from discreet.numbers import at, ball

SCALES = tuple(
    [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 2), Fraction(22, 7)]
    + [Fraction(n) for n in (1, 5, 10, 45, 91, 100, 1000, 10**6, 2**20, 2**30, 2**35, 2**40)]
    + [Fraction(89, 2), Fraction(12345, 7), Fraction(2**38, 3)]
)
"""Twenty scales from 1/3 to 2^40."""


def laplace(scale: Fraction) -> Weights:
    return Weights(1 / scale, Fraction(0), Sides.BOTH)


def gaussian(scale: Fraction) -> Weights:
    return Weights(Fraction(0), 1 / (2 * scale**2), Sides.BOTH)


def geometric(scale: Fraction) -> Weights:
    return Weights(1 / scale, Fraction(0), Sides.ONE)


Family: TypeAlias = Callable[[Fraction], Weights]
FAMILIES: tuple[Family, ...] = (laplace, gaussian, geometric)


def points(
    table: Table, places: np.ndarray, offsets: np.ndarray, heights: np.ndarray, bits: int
) -> Points:
    """Points over the unsure slots at `places`, with the given offsets (reduced to the block)."""
    block = table.owner[places]
    member = table.blocks.lowest[block] + offsets % (1 << table.blocks.bits[block])
    return Points(block, member, table.level[places], heights, bits)


def truly_below(table: Table, block: int, n: int, level: int, height: Fraction) -> bool:
    """Whether level + height < due(n), by balls that are made narrow enough to tell."""
    factor = Fraction(float(table.blocks.factor[block]))
    place, bits = level + height, 100
    while True:
        due = at(bits, lambda: ball(factor) * (-ball(table.weights.exponent(n))).exp())
        if due > ball(place):
            return True
        if due <= ball(place):
            return False
        bits *= 2


def law_of(
    table: Table, *, depth: int, drop: bool = False, reuse: bool = False
) -> dict[int, float]:
    """The law that `Points.verdicts` gives, by going down the bits of the height: what is
    undecided at one depth is decided with one more bit.  What doubles never decide is handed to
    balls.  Two mutants: with `drop` it is thrown away instead, as a sampler does that draws anew;
    with `reuse` the member is read from the first bits of the height.
    """
    mass: dict[int, float] = defaultdict(float)
    for lowest in table.first.tolist():
        for n in range(lowest, lowest + (1 << table.unit_bits)):
            mass[n] += 2.0 ** -(table.slot_bits + table.unit_bits)
    rest = 1 + len(table.weights.sides.signs)
    inner = np.flatnonzero(table.owner < len(table.blocks.lowest) - rest)
    widths = 1 << table.blocks.bits[table.owner[inner]]
    members = int(widths.max())
    bits = members.bit_length() - 1 if reuse else 0
    if reuse:
        places = np.repeat(inner, members)
        heights = np.tile(np.arange(members, dtype=np.uint64), len(inner))
        offsets = heights.astype(np.int64) // np.repeat(members // widths, members)
    else:
        places = np.repeat(inner, widths)
        heights = np.zeros(len(places), np.uint64)
        offsets = np.concatenate([np.arange(width) for width in widths.tolist()])
    while len(places) and bits < depth:
        bits += 1
        places, offsets = np.repeat(places, 2), np.repeat(offsets, 2)
        heights = 2 * np.repeat(heights, 2) + np.tile(np.array([0, 1], np.uint64), len(heights))
        found = points(table, places, offsets, heights, bits)
        kept, lost = found.verdicts(table)
        shares = 1 if reuse else 1 << table.blocks.bits[found.block]
        each = np.broadcast_to(2.0 ** -(table.slot_bits + bits) / shares, kept.shape)
        for n, weight in zip(found.member[kept].tolist(), each[kept].tolist(), strict=True):
            mass[n] += weight
        undecided = ~(kept | lost)
        places, offsets, heights = places[undecided], offsets[undecided], heights[undecided]
    if not (drop or reuse):
        _finish(mass, table, points(table, places, offsets, heights, bits))
    whole = sum(mass.values())
    return {n: weight / whole for n, weight in mass.items()}


def _finish(mass: dict[int, float], table: Table, undecided: Points) -> None:
    """What doubles left open, decided by the ball of `Table.due` itself."""
    for i in range(len(undecided.block)):
        block, n = int(undecided.block[i]), int(undecided.member[i])
        low = Fraction(int(undecided.height[i]), 2**undecided.height_bits) + int(undecided.level[i])
        with flint.ctx.workprec(160):
            due = table.due(block, n)
        part = float((due - ball(low)) * 2**undecided.height_bits)
        share = 2.0 ** -(table.slot_bits + undecided.height_bits + int(table.blocks.bits[block]))
        mass[n] += share * min(1.0, max(0.0, part))


def exact_law(weights: Weights, reach: int) -> dict[int, float]:
    """P(n) for |n| ≤ reach, from the definition, with 60 digits on the way."""
    signs = (1, -1) if weights.sides is Sides.BOTH else (1,)
    support = sorted({sign * n for sign in signs for n in range(reach + 1)})
    with flint.ctx.workprec(200):
        plain = {n: (-ball(weights.exponent(n))).exp() for n in support}
        whole = sum(plain.values(), start=ball(0))
        return {n: float(weight / whole) for n, weight in plain.items()}


def total_variation(one: Mapping[int, float], two: Mapping[int, float]) -> float:
    return sum(abs(one.get(n, 0.0) - two.get(n, 0.0)) for n in one.keys() | two.keys()) / 2
