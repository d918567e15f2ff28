"""Discrete Gaussian noise and the same moved: two laws to tell apart.
Claim and proof: gaussian_pair.md"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, inf, isqrt, log, pi, sqrt
from typing import Final, TypeAlias

import numpy as np

from discreet.errors import MechanismError
from discreet.loss.pld import PLD, Atoms, Losses, Pair, Twins
from discreet.loss.pld.envelope import Envelope
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT, Reals, Whole

FARTHEST: Final = 36.5
"""So many deviations are listed, or"""
LONGEST: Final = 2**19
"""so many integers on each side,"""
LEAST_LISTED: Final = 12.0
"""but so many deviations at least."""
WORST: Final = 3
"""Up to this square of the distance one move is worst: one step in each of so many numbers."""
MANY: Final = 48
"""Up to this square all moves are tried one by one, unless those of one divisor are alike"""
SAME: Final = 2.0**-50
"""up to this part of each probability, or"""
ALIKE: Final = 1e-6
"""up to this part for larger squares.  Beyond it nothing is proven."""
FINE: Final = 256
"""Losses in one deviation, where they may be joined by chords."""
_UNSEEN: Final = 740.0
_LIFT: Final = 40.0
_STEEPEST: Final = 500.0


def known(variance: Fraction, square: int) -> bool:
    """Whether there is a distribution for moves of this square."""
    return square <= MANY or _unlike(variance, square) <= ALIKE


def told_apart(variance: Fraction, square: int) -> Twins:
    """No easier to tell apart than numbers with noise of this variance, and the same moved by
    whole steps of which the squares add up to `square`."""
    return attained(variance, square) if square <= WORST else _envelope(variance, square).twins()


def attained(variance: Fraction, square: int) -> Twins:
    """`square` numbers with noise, against the same numbers each moved by one step: by their sum,
    which says all."""
    _, masses, error, missing = _ones(variance, max(square, 1))
    return Twins.shifted(masses, square, error, missing)


def distribution(variance: Fraction, square: int) -> PLD:
    """The losses: for the noise n along the move, (square − 2n)/(2·variance)."""
    if square <= WORST:
        return square * PLD.of(Pair.even(Losses.exactly(_losses(variance, 1))))
    upper = _envelope(variance, square).atoms()
    return PLD.of(Pair.even(Losses(_losses(variance, square), upper)))


def _losses(variance: Fraction, square: int) -> Atoms:
    """If each of so many numbers moves by one step."""
    places, masses, error, missing = _ones(variance, square)
    return Atoms.on_lattice(
        1 / (2 * variance),
        square - 2 * places,
        (
            np.where(masses > SMALLEST, masses * (1 - 2 * error), 0.0),
            np.maximum(masses * (1 + 2 * error), SMALLEST),
        ),
        (0.0, missing),
    )


# --- the noise along one move --------------------------------------------------------------------


Along: TypeAlias = tuple[Reals, float]
"""The law of Σvᵢ·nᵢ for noises nᵢ and a move v with s = Σvᵢ²: but for a factor it is
e^(−k²/2sσ²)·weights[k mod s] at k.  The s weights, and how far each may be off as a part of it."""
Summed: TypeAlias = tuple[Whole, Reals, float, float]
"""The same as integers and their probabilities, how far off they may be, and how much there is
besides, at most."""


def one(by: int) -> Along:
    """Of a single number."""
    return np.where(np.arange(by * by) % by == 0, 1.0, 0.0), 0.0


def beside(some: Along, other: Along, variance: Fraction) -> Along:
    """Of both moves, each of numbers of its own."""
    ours, theirs = len(some[0]), len(other[0])
    both = ours + theirs
    spread = _double(2 * variance * ours * theirs * both)
    reach = ceil(sqrt(_UNSEEN * spread) / both) + 1
    total = np.arange(both)[:, None]
    here = ours * total // both + np.arange(-reach, reach + 1)
    exponents = (both * here - ours * total).astype(np.float64) ** 2 / spread
    sizes = np.where(exponents <= _UNSEEN, np.exp(_LIFT - exponents), 0.0)
    weights = (sizes * some[0][here % ours] * other[0][(total - here) % theirs]).sum(axis=1)
    rounding = ELEMENTARY + (4 * _UNSEEN + 2 * reach + 8) * UNIT
    error = (1 + some[1]) * (1 + other[1]) * (1 + 2 * rounding) - 1
    return weights / weights.max(), error


def summed(along: Along, variance: Fraction) -> Summed:
    """As probabilities."""
    square = len(along[0])
    reach = _reach(variance, square)
    places = np.arange(-reach, reach + 1)
    spread = _double(2 * variance * square)
    weights = np.exp(-(places.astype(np.float64) ** 2) / spread) * along[0][places % square]
    steepest = reach * reach / spread
    # P(|Σ vᵢnᵢ| ≥ t) ≤ 2·exp(−t²/2sσ²), as for the continuous law.
    missing = 2.0 * exp(-steepest) * (1 + 1e-6) + SMALLEST
    rounding = 4 * ELEMENTARY + (4 * min(steepest, _UNSEEN) + 2 * len(weights) + 16) * UNIT
    error = 2 * along[1] * (1 + along[1]) + rounding + missing
    return places, weights / weights.sum(), error, missing


def _reach(variance: Fraction, square: int) -> int:
    """How far to list."""
    if variance * square > Fraction(LONGEST / LEAST_LISTED) ** 2:
        raise MechanismError(
            "the noise has too many steps for a privacy-loss distribution",
            cure="count in a coarser step, or add up rho: `dp.Gaussian(10**6).zcdp(dp.L2(1))`",
            code="M95",
        )
    return max(2 * square, min(LONGEST, ceil(FARTHEST * sqrt(variance * square))))


def _double(number: Fraction) -> float:
    """About the number, or a smaller one than that makes any difference."""
    return max(float(number), 1e-290)


def _ones(variance: Fraction, square: int) -> Summed:
    """Of `square` numbers that each move by one step."""
    _reach(variance, square)  # refuses what would not fit into memory
    if _of_one_kind(variance, square):
        return summed((np.ones(square), _unlike(variance, square)), variance)
    return summed(_row(variance, square)[-1], variance)


def _row(variance: Fraction, most: int) -> list[Along]:
    """Of one number, of two, and so on, each moved by one step."""
    row = [one(1)]
    for _ in range(most - 1):
        row.append(beside(row[-1], row[0], variance))
    return row


def _moves(variance: Fraction, square: int) -> Iterator[Along]:
    """All moves of this square, up to what makes no difference."""
    if _of_one_kind(variance, square):
        unlike = _unlike(variance, square)
        for by in range(1, isqrt(square) + 1):
            if square % (by * by) == 0:
                yield np.where(np.arange(square) % by == 0, 1.0, 0.0), unlike
        return
    ones = _row(variance, square)

    def longer(found: Along | None, left: int, largest: int) -> Iterator[Along]:
        if found is None:
            yield ones[square - 1]
        else:
            yield found if left == 0 else beside(found, ones[left - 1], variance)
        for by in range(2, min(largest, isqrt(left)) + 1):
            more = one(by) if found is None else beside(found, one(by), variance)
            yield from longer(more, left - by * by, by)

    yield from longer(None, square, square)


def _of_one_kind(variance: Fraction, square: int) -> bool:
    """Whether moves of this square are told by their divisor alone."""
    return square > MANY or _unlike(variance, square) <= SAME


def _unlike(variance: Fraction, square: int) -> float:
    """How far the weights of a move that has no common divisor are from one number, at most."""
    if square == 1:
        return 0.0
    if variance * 2 < square:
        return inf
    tau, odd = 2 * pi * pi * float(min(variance, Fraction(10**6 * square))), log(2 * square)
    near = exp(-tau / square)
    return 1.001 * (
        2 * near / (1 - near)
        + square * exp(-tau / sqrt(square))
        + 2 * sqrt(square * odd) * exp(-(tau - odd) / 4)
    )


# --- the envelope of all moves -------------------------------------------------------------------


@lru_cache(maxsize=16)
def _envelope(variance: Fraction, square: int) -> Envelope:
    """Of all moves with this square."""
    _reach(variance, square)
    laws = (summed(along, variance) for along in _moves(variance, square))
    heights = np.max([_heights(law, variance, square) for law in laws], axis=0)
    apart = max(1, int(sqrt(variance * square) / FINE))
    chosen = np.arange(len(heights))[::apart]
    return Envelope.of(1 / (2 * variance), square % 2 + 2 * chosen, heights[chosen])


def _heights(law: Summed, variance: Fraction, square: int) -> Reals:
    """What δ is at most at the losses (square % 2 + 2j)/(2·variance), j = 0, 1, …

    With T the sums of masses it is f(k + 1) = (1 − e^−h)·T(k) + e^−h·f(k) at the noise k + 1.
    """
    h = 1 / _double(variance)
    places, masses, off, missing = law
    masses = masses[: -int(places[0]) + (square - square % 2) // 2]
    sums = np.cumsum(masses)
    found, last = [np.zeros(1)], 0.0
    if h > _STEEPEST:
        found.append(sums)
    else:
        block = max(1, int(_STEEPEST / h))
        growth = np.exp(h * np.arange(1, min(block, len(sums)) + 1))
        for start in range(0, len(sums), block):
            part = sums[start : start + block]
            shown = (last - np.expm1(-h) * np.cumsum(part * growth[: len(part)])) / growth[
                : len(part)
            ]
            found.append(shown)
            last = float(shown[-1])
    blocks = len(found)
    error = 2 * off + 8 * ELEMENTARY * blocks
    error += (2 * len(sums) + 3 * (_STEEPEST + 8) * blocks) * UNIT
    heights: Reals = np.concatenate(found)[::-1] * (1 + 2 * error) + 2 * missing
    return heights
