"""How many draws are wanted: one integer, or an array of a shape."""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from discreet.errors import MechanismError, NumberError
from discreet.numbers import whole

Size: TypeAlias = int | tuple[int, ...]


def shape_of(size: Size) -> tuple[int, ...]:
    """The shape of the array that `size` asks for."""
    try:
        sides = size if isinstance(size, tuple) else (size,)
        return tuple(whole(side, "size") for side in sides)
    except NumberError as refused:
        raise MechanismError(
            "size must be a whole number, zero or more, or a tuple of them",
            cure="leave size out for one draw, or write `dp.DiscreteLaplace(2).sample(size=10)`",
            code="M20",
        ) from refused


def count_of(shape: tuple[int, ...]) -> int:
    """How many draws fill the shape."""
    return prod(shape)
