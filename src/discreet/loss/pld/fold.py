"""Many grids added up at once by one Fourier transform.  Claim and proof: fold.md"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, expm1, fsum, inf, log, log1p, log2
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.errors import LossError
from discreet.loss.pld.curve import Curve, Window
from discreet.loss.pld.floats import SMALLEST, TRANSFORM, UNIT, Reals
from discreet.loss.pld.grid import Grid
from discreet.loss.pld.tilt import Reach, Tilted

Parts: TypeAlias = Sequence[tuple[Grid, int]]
Complexes: TypeAlias = NDArray[np.complex128]

LARGEST: Final = 3 * 2**20
MOST_TURNS: Final = 2**40
_FLOOR: Final = 1e-9
_STEEPEST: Final = 300.0
"""From one point of the grid to the next no tilt need be higher."""


def folded(parts: Parts, tilt: float, side: int) -> Curve:
    """The lower (−1) or upper (1) end of delta, of all parts, each so many times.  They share one
    step."""
    if tilt < 0:
        raise ValueError("a tilt is not negative")
    if sum(count for _, count in parts) > MOST_TURNS:
        raise LossError(
            "more than 2^40 answers cannot be composed one by one",
            cure="compose fewer answers at once, or add up rho: `1000 * dp.ZCDP('1/100')`",
            code="L55",
        )
    step = float(parts[0][0].step)
    tilt = min(tilt, _STEEPEST / step)
    if any(len(grid.masses) == 0 for grid, _ in parts):
        return Curve.of(_nothing(step, _infinite(parts, side)), side, 0.0)
    leaning = [(Tilted.of(grid, tilt), count) for grid, count in parts]
    reach = Reach.of(leaning, step)
    first, last = reach.edges()
    size = fast_size(last + 1 - first)
    masses, off = _transformed(leaning, first, size)
    window = Window(
        step=step,
        first=first,
        last=reach.ends[1],
        masses=masses,
        off=off,
        tilt=tilt,
        log_scale=sum(count * part.log_sum for part, count in leaning),
        above=reach.beyond(first + size, 1),
        below=reach.beyond(first - 1, -1),
        error=_grown(leaning),
        infinite=_infinite(parts, side),
    )
    return Curve.of(window, side, reach.mean)


def _nothing(step: float, infinite: float) -> Window:
    """Where nothing is finite."""
    return Window(step, 0, -1, np.zeros(1), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, infinite)


def _infinite(parts: Parts, side: int) -> float:
    """What lies at infinity in all of them together: T^n − F^n, for all that a part has and what
    of it is finite.  What a lower end has lost is as good as mass at minus infinity: T is one."""
    if not any(grid.infinite > 0 for grid, _ in parts):
        return 0.0
    grown = kept = 0.0
    for grid, count in parts:
        whole = 1.0
        if side > 0:
            whole = max(1.0, fsum(grid.masses.tolist()) + grid.infinite)
            grown += count * log(whole)
        share = min(1.0, grid.infinite / whole)
        kept += count * (log1p(-share) if share < 1 else -inf)
    turns = sum(count for _, count in parts) if side > 0 else 0
    slack = UNIT * (24 * turns + 64 + 16 * len(parts)) * (1 + grown)
    if grown + slack > 1:
        return 1.0
    found = -expm1(kept) * exp(grown) * (1 + side * slack) + side * SMALLEST
    return max(0.0, min(1.0, found))


def _grown(leaning: Sequence[tuple[Tilted, int]]) -> float:
    """How far the logarithm of a product of weights, and of their scale, is off."""
    each = sum(count * part.error for part, count in leaning)
    sums = sum(abs(count * part.log_sum) for part, count in leaning)
    return each * (1 + 1e-6) + 4 * UNIT * sums * (1 + len(leaning))


def _transformed(
    leaning: Sequence[tuple[Tilted, int]], first: int, size: int
) -> tuple[Reals, float]:
    """The masses of the sum in the window, and how far each may be off."""
    unit = TRANSFORM * log2(size)
    product: Complexes = np.ones(size // 2 + 1, np.complex128)
    bound: Reals = np.ones(size // 2 + 1)
    growth: Reals = np.zeros(size // 2 + 1)
    start = turns = 0
    for part, count in leaning:
        turned = part.index - int(part.index[0])
        wave = np.fft.rfft(np.bincount(turned % size, weights=part.weights, minlength=size))
        off = unit * (1 + 1e-8) + len(turned) * (SMALLEST + UNIT)
        height = np.maximum(np.abs(wave), _FLOOR) + off
        growth += (count * off) / height
        product = product * power(wave, count)
        bound = bound * height**count
        start, turns = start + count * int(part.index[0]), turns + count
    rolled = np.fft.irfft(product, size)
    once = np.full(size // 2 + 1, 2.0)
    once[0] = once[-1] = 1.0
    every = once * bound / size
    turns += len(leaning)
    off = _rounded(every, growth + 8 * UNIT * turns + unit) * (1 + 1e-6 + 32 * UNIT * turns)
    return np.roll(rolled, (start - first) % size), off + SMALLEST


def _rounded(sizes: Reals, errors: Reals) -> float:
    return float((sizes * errors).sum())


def power(wave: Complexes, count: int) -> Complexes:
    """Each number to the power of a whole number of at least one."""
    found: Complexes | None = None
    while True:
        if count & 1:
            found = wave if found is None else found * wave
        count >>= 1
        if count == 0:
            return wave if found is None else found
        wave = wave * wave


def fast_size(least: int) -> int:
    """The smallest 2^a or 3·2^a that is no smaller, and not too small."""
    power_of_two = 1 << max(6, (least - 1).bit_length())
    shorter = power_of_two // 4 * 3
    size = shorter if shorter >= least else power_of_two
    if size > LARGEST:
        raise LossError(
            "the privacy losses of all answers together do not fit into memory",
            cure="compose fewer kinds of answers at once, or add up rho: `1000 * dp.ZCDP('1/100')`",
            code="L51",
        )
    return size
