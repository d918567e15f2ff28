"""Integer noise: what the geometric, the Laplace and the Gaussian law have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Final, overload

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.noise.draw import draw, draw_one
from discreet.noise.law import IntegerLaw
from discreet.noise.shape import Size, count_of, shape_of
from discreet.noise.table import Integers
from discreet.noise.weights import Weights
from discreet.numbers import Number, positive

LARGEST_SCALE: Final = 2**40


class IntegerNoise(ABC):
    """Noise on the integers, made from the operating system's bits, exactly as its law says."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """The weights that define the law."""

    def law(self) -> IntegerLaw:
        """The exact law: what `sample` draws by, read a second time."""
        return IntegerLaw(self.weights)

    @overload
    def sample(self, size: None = None, *, entropy: Entropy | None = None) -> int: ...

    @overload
    def sample(self, size: Size, *, entropy: Entropy | None = None) -> Integers: ...

    def sample(self, size: Size | None = None, *, entropy: Entropy | None = None) -> int | Integers:
        """One integer, or an int64 array of this size.

        An array holds no noise beyond ±2^62; what would lie further out (at the largest scale once
        in 2^6000000 draws) is put there.  A single integer has no such end.
        """
        source = SYSTEM if entropy is None else entropy
        if size is None:
            return draw_one(self.weights, source)
        shape = shape_of(size)
        return draw(self.weights, count_of(shape), source).reshape(shape)


def scale_of(value: Number, kind: str) -> Fraction:
    """`value` as a scale: above zero, and at most 2^40."""
    scale = positive(value, "scale")
    if scale > LARGEST_SCALE:
        raise MechanismError(
            "scale must be at most 2^40, about 10^12, steps of the lattice",
            cure="measure in a coarser step, so that the same noise has a smaller scale, such as "
            f"`dp.{kind}(2**40)`",
            code="M21",
        )
    return scale
