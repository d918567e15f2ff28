"""Uniform integers by rejection: never a remainder, which would favour some.  Claim: uniform.md"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final, final, overload

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.noise.shape import Size, count_of, shape_of
from discreet.noise.words import Words, width_for, words
from discreet.numbers import MISSING, Number, whole

_LANES: Final = 2**15
_LARGEST: Final = 2**63
"""Arrays are of int64: 0 … 2^63 - 1."""


@final
@dataclass(frozen=True, slots=True)
class UniformInteger:
    """One of 0, 1, …, below - 1, each with the same probability.

    >>> UniformInteger(6).sample(size=1000).max() < 6
    np.True_
    >>> 0 <= UniformInteger(10**30).sample() < 10**30
    True
    """

    below: int

    def __init__(self, below: Number = MISSING) -> None:
        object.__setattr__(self, "below", whole(below, "below", least=1))

    def law(self) -> EvenLaw:
        """The exact law: what `sample` draws by, read a second time."""
        return EvenLaw(self.below)

    @overload
    def sample(self, size: None = None, *, entropy: Entropy | None = None) -> int: ...

    @overload
    def sample(self, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.int64]: ...

    def sample(
        self, size: Size | None = None, *, entropy: Entropy | None = None
    ) -> int | NDArray[np.int64]:
        """One integer, or an int64 array of this size (for `below` up to 2^63)."""
        source = SYSTEM if entropy is None else entropy
        if size is None:
            return _one(self.below, source)
        if self.below > _LARGEST:
            raise MechanismError(
                "an array holds integers below 2^63 only",
                cure="draw larger ones one by one: `from discreet.noise.uniform import "
                "UniformInteger; UniformInteger(2**70).sample()`",
                code="M04",
            )
        shape = shape_of(size)
        return _many(self.below, count_of(shape), source).reshape(shape)


@final
@dataclass(frozen=True, slots=True)
class EvenLaw(Mapping[int, Fraction]):
    """0, 1, …, below - 1, each with probability 1/below, as a mapping that is never written out."""

    below: int

    def __getitem__(self, outcome: object) -> Fraction:
        if not isinstance(outcome, int) or outcome not in range(self.below):
            raise KeyError(outcome)
        return Fraction(1, self.below)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.below))

    def __len__(self) -> int:
        return self.below


def _one(below: int, entropy: Entropy) -> int:
    bits = (below - 1).bit_length()
    mask = (1 << bits) - 1
    while True:
        trial = int.from_bytes(entropy.take((bits + 7) // 8), "little") & mask
        if trial < below:
            return trial


def _many(below: int, count: int, entropy: Entropy) -> NDArray[np.int64]:
    drawn = np.zeros(count, np.int64)
    if below == 1:
        return drawn
    bits = (below - 1).bit_length()
    done = 0
    while done < count:
        trials = min(_LANES, _enough(count - done, below, 1 << bits))
        kept = accepted(words(entropy, trials, width_for(bits)), below)[: count - done]
        drawn[done : done + len(kept)] = kept
        done += len(kept)
    return drawn


def accepted(fresh: Words, below: int) -> Words:
    """The lowest bits of those words whose lowest bits are below `below`, which is at least 2."""
    bits = (below - 1).bit_length()
    trials = fresh & fresh.dtype.type((1 << bits) - 1)
    if below == 1 << bits:
        return trials
    return np.compress(trials < below, trials)


def _enough(count: int, below: int, among: int) -> int:
    """So many trials that `count` of them are nearly always below `below`, of `among` values.
    The number of trials is independent of what they give."""
    mean = -(-count * among // below)
    return mean + 4 * isqrt(mean) * (below != among)
