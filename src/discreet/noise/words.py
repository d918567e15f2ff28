"""Bytes of an entropy source read as arrays of unsigned words."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy

Words: TypeAlias = NDArray[np.unsignedinteger]

_TYPES: Final[dict[int, np.dtype[Any]]] = {
    8: np.dtype("<u1"),
    16: np.dtype("<u2"),
    32: np.dtype("<u4"),
    64: np.dtype("<u8"),
}


def width_for(bits: int) -> int:
    """The narrowest word, of 8, 16, 32 or 64 bits, that holds `bits` bits."""
    return next(width for width in _TYPES if bits <= width)


def words(entropy: Entropy, count: int, width: int) -> Words:
    """`count` independent uniform words of `width` bits."""
    read: Words = np.frombuffer(entropy.take(count * (width // 8)), _TYPES[width])
    return read


def top_bits(entropy: Entropy, count: int, bits: int) -> Words:
    """`count` independent uniform integers below 2^bits: the upper bits of words."""
    width = width_for(bits)
    upper: Words = words(entropy, count, width) >> np.uint8(width - bits)
    return upper


def word(entropy: Entropy, width: int = 64) -> int:
    """One uniform word of `width` bits, as an int."""
    return int.from_bytes(entropy.take(width // 8), "little")
