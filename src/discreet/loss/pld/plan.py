"""From many laws of losses to few grids: what is multiplied out, and how fine the grid is.

Nothing here can be wrong, only slow or wide: each step it takes claims for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import exp, gcd, lcm, log, sqrt
from typing import Final, TypeAlias

from discreet.errors import LossError
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.contract import contracted
from discreet.loss.pld.curve import Curve
from discreet.loss.pld.dots import connected
from discreet.loss.pld.fold import folded
from discreet.loss.pld.grid import Grid, aligned, dyadic, in_cells, on_points
from discreet.loss.pld.listed import Listed
from discreet.loss.pld.saddle import Leaning, Many

End: TypeAlias = Listed | Curve
Aim: TypeAlias = Callable[[Leaning], float]
"""From laws to the tilt that suits the question."""

TOGETHER: Final = 2**15
"""Scattered lists are multiplied out to so many atoms,"""
CONVOLVED: Final = 2**12
"""and lists on one lattice to so many points."""
COMMON: Final = 2**19
"""So many points may a window of the common lattice have."""
FINE: Final = 3e-4
"""The variance that the grid may add, about, over the variance there is."""
NEAR: Final = 3e-4
"""A step over epsilon, about."""
FARTHEST: Final = 1e12
"""Larger sums of losses are refused: a double counts them in steps that are worth something."""
_WINDOW: Final = 20.0
_LEANS: Final = (1.0, 0.5, 0.25, 0.0)
"""Shares of the tilt at which the grid is to be fine enough."""
_FINER: Final = 64.0
"""A grid need not be so much finer to be fine beside a small epsilon."""
_FINEST: Final = 2.0**-40
"""A step over the largest sum of losses, at least."""
_SMALLEST: Final = 1e-280
_COARSER: Final = 40
"""So often the step is doubled, at most, until all fits into memory."""


def curves(many: Sequence[tuple[Losses, int]], aim: Aim, most: float = 1.0) -> tuple[End, End]:
    """The lower and the upper end of delta, as functions of epsilon; for a delta of at most so
    much, if that is known."""
    if all(losses.lower is losses.upper for losses, _ in many):
        both = _curves([(losses.upper, count) for losses, count in many], aim, most, (-1, 1))
        return both[0], both[1]
    lower = _curves([(losses.lower, count) for losses, count in many], aim, most, (-1,))
    upper = _curves([(losses.upper, count) for losses, count in many], aim, most, (1,))
    return lower[0], upper[0]


def _curves(many: Many, aim: Aim, most: float, sides: Sequence[int]) -> list[End]:
    empty = [atoms for atoms, _ in many if len(atoms) == 0]
    if empty:
        return [Listed.of(empty[0], side) for side in sides]
    _refuse_far(many)
    small = _few if _all_together(many) <= TOGETHER else _on_one_lattice
    laws = _packed(_powers(many, small), small)
    if _single(laws):
        return [Listed.of(laws[0][0], side) for side in sides]
    leaning = Leaning.of(laws)
    tilt = aim(leaning)
    spreads = [leaning.sums(share * tilt)[1:] for share in _LEANS]
    laws = _trimmed(laws, leaning.ranges(tilt, most))
    window = _WINDOW * sqrt(max(variance for _, variance in spreads))
    step = _common_step(laws)
    if step is None or window > COMMON * step:
        laws = _packed(_powers(laws, _few), _few)
        if _single(laws):
            return [Listed.of(laws[0][0], side) for side in sides]
        groups = sum(count for _, count in laws)
        fine = sqrt(min(variance for _, variance in spreads) * FINE / groups)
        fine = min(fine, max(NEAR * abs(spreads[0][0]), fine / _FINER))
        step = Fraction(dyadic(max(fine, window / COMMON, _farthest(laws) * _FINEST)))
    return [_folded(laws, step, tilt, side) for side in sides]


def _folded(laws: Many, step: Fraction, tilt: float, side: int) -> Curve:
    """On this grid, or on a coarser one if this does not fit into memory."""
    for _ in range(_COARSER):
        try:
            return folded([(_gridded(law, step, side), count) for law, count in laws], tilt, side)
        except LossError:
            step = Fraction(dyadic(2 * float(step)))
    return folded([(_gridded(law, step, side), count) for law, count in laws], tilt, side)


def _refuse_far(many: Many) -> None:
    if not _farthest(many) < FARTHEST:
        raise LossError(
            "privacy losses beyond 10^12 are not computed",
            cure="such an answer tells all: add more noise, such as that of `dp.Laplace(10)`",
            code="L54",
        )


def _farthest(many: Many) -> float:
    """The largest sum of losses, or less than the smallest of doubles."""
    return max(sum(count * float(abs(atoms.losses[1]).max()) for atoms, count in many), _SMALLEST)


def _all_together(many: Many) -> float:
    """How many atoms there would be if all were multiplied out."""
    return exp(min(sum(count * log(len(atoms)) for atoms, count in many), 700.0))


def _trimmed(laws: Many, ranges: Sequence[tuple[int, int]]) -> Many:
    return [
        (atoms if (low, high) == (0, len(atoms)) else atoms.trimmed(low, high), count)
        for (atoms, count), (low, high) in zip(laws, ranges, strict=True)
    ]


def _single(laws: Many) -> bool:
    return len(laws) == 1 and laws[0][1] == 1


def _gridded(atoms: Atoms, step: Fraction, side: int) -> Grid:
    end = (side + 1) // 2
    if aligned(atoms, step):
        return on_points(atoms, step, end)
    cells = in_cells(atoms, float(step), end)
    return connected(cells) if side > 0 else contracted(cells)


def _common_step(laws: Many) -> Fraction | None:
    """The coarsest lattice on which all losses lie."""
    steps = [atoms.step for atoms, _ in laws]
    known = [step for step in steps if step is not None]
    if len(known) < len(steps):
        return None
    step = Fraction(
        gcd(*(step.numerator for step in known)), lcm(*(step.denominator for step in known))
    )
    return step if step > _SMALLEST else None


# --- what is multiplied out ----------------------------------------------------------------------

_Small: TypeAlias = Callable[[Atoms, Atoms], bool]


def _on_one_lattice(one: Atoms, other: Atoms) -> bool:
    return one.step is not None and one.step == other.step and one.span + other.span <= CONVOLVED


def _few(one: Atoms, other: Atoms) -> bool:
    if one.step is not None and one.step == other.step:
        return _on_one_lattice(one, other)
    return len(one) * len(other) <= TOGETHER * (1 + (one is other))


def _powers(laws: Many, small: _Small) -> list[tuple[Atoms, int]]:
    """Each law squared while it is small; what an odd count leaves over stays beside it."""
    found: list[tuple[Atoms, int]] = []
    for law, times in laws:
        atoms, count = law, times
        while count > 1 and small(atoms, atoms):
            if count % 2:
                found.append((atoms, 1))
            atoms, count = atoms.squared(), count // 2
        found.append((atoms, count))
    return found


def _packed(laws: Many, small: _Small) -> Sequence[tuple[Atoms, int]]:
    """Laws that are taken once, multiplied together while they are small."""
    many = [(atoms, count) for atoms, count in laws if count > 1]
    return [*many, *((atoms, 1) for atoms in _bundles(_singles(laws), small))]


def _singles(laws: Many) -> list[Atoms]:
    once = [atoms for atoms, count in laws if count == 1]
    return sorted(once, key=lambda atoms: (atoms.step is None, atoms.step or 0, len(atoms)))


def _bundles(singles: Iterable[Atoms], small: _Small) -> list[Atoms]:
    bundles: list[Atoms] = []
    for atoms in singles:
        if bundles and small(bundles[-1], atoms):
            bundles[-1] = bundles[-1].times(atoms)
        else:
            bundles.append(atoms)
    return bundles
