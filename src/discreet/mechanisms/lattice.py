"""Exact answers on a lattice: whole numbers of steps, and nothing else."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.errors import MechanismError
from discreet.numbers import Number, exact

Integers: TypeAlias = NDArray[np.int64]

LARGEST: Final = 2**62
"""Arrays hold exact answers below this in size, and noise up to it: no sum passes 2^63."""


def steps_in(x: Number, step: Fraction) -> int:
    """How many steps an exact answer is."""
    steps = exact(x, "the exact answer") / step
    if steps.denominator != 1:
        raise MechanismError(
            "the exact answer must be a whole number of steps",
            cure="put it on the lattice first, by a rule fixed beforehand: "
            '`dp.Laplace("1/2", step="0.01").release("12.34")`',
            code="M31",
        )
    return steps.numerator


def integers_in(x: NDArray[np.integer]) -> Integers:
    """`x` as int64, so small that no noise can make it wrap."""
    # A masked array would hand on its mask, which is data, and adds and sorts by rules of its own.
    masked = isinstance(x, np.ma.MaskedArray)
    if masked or x.dtype.kind not in "iu" or not np.can_cast(x.dtype, np.int64):
        raise MechanismError(
            "exact answers in an array must be integers that fit in 64 bits with a sign",
            cure="put them on a lattice first: `import numpy as np; "
            "dp.Laplace(10).release(np.array([3, 5]))`",
            code="M32",
        )
    if x.size and (x.max() >= LARGEST or x.min() <= -LARGEST):
        raise MechanismError(
            "exact answers in an array must lie below 2^62 in size, or the noise could wrap",
            cure="measure in a coarser step, or release them one by one: "
            "`dp.Laplace(10).release(2**62)`",
            code="M33",
        )
    return np.asarray(x, np.int64)


def not_a_step(what: str, cure: str) -> MechanismError:
    """For a distance that the lattice cannot hold."""
    return MechanismError(
        f"answers on a lattice move by whole numbers of steps, and {what} is none",
        cure=cure,
        code="M34",
    )
