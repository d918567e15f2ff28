"""The orders at which a Rényi curve is laid down when none are chosen."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

DEFAULT: Final = tuple(
    1 + Fraction(2) ** octave * Fraction(part, 8)
    for octave in range(-4, 12)
    for part in range(8, 16)
)
"""From 1 + 1/16 to 3,841, eight to each doubling of (order − 1)."""
