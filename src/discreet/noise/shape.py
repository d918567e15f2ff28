"""How many draws are wanted: one integer, or an array of a shape."""

from __future__ import annotations

from math import prod
from typing import Final, TypeAlias

from discreet.errors import MechanismError, NumberError
from discreet.numbers import whole

Size: TypeAlias = int | tuple[int, ...]

_MOST_SIDES: Final = 32
_MOST: Final = 2**40
"""More draws than any machine holds."""


def shape_of(size: Size) -> tuple[int, ...]:
    """The shape of the array that `size` asks for."""
    try:
        sides = size if isinstance(size, tuple) else (size,)
        shape = tuple(whole(side, "size") for side in sides)
    except NumberError as refused:
        raise MechanismError(
            "size must be a whole number, zero or more, or a tuple of them",
            cure="leave size out for one draw, or write `dp.DiscreteLaplace(2).sample((2, 3))`",
            code="M20",
        ) from refused
    if len(shape) > _MOST_SIDES or max((*shape, prod(shape))) > _MOST:
        raise MechanismError(
            "size asks for more draws than memory holds",
            cure="draw a part at a time, such as `dp.DiscreteLaplace(2).sample(10**6)`",
            code="M20",
        )
    return shape


def count_of(shape: tuple[int, ...]) -> int:
    """How many draws fill the shape."""
    return prod(shape)
