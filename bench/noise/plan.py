"""What is drawn, how often, and how many."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, final


class Law(StrEnum):
    """A law, by the name that contestants know it by."""

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A law with its scale (for the Gaussian: sigma), and how the scale is written."""

    law: Law
    label: str
    scale: Fraction

    def __str__(self) -> str:
        return f"discrete {self.law.title()} {self.label}"


_LAPLACE: Final = (
    ("1", Fraction(1)),
    ("22/7", Fraction(22, 7)),
    ("10", Fraction(10)),
    ("10^3", Fraction(10**3)),
    ("10^6", Fraction(10**6)),
    ("2^35", Fraction(2**35)),
)
_GAUSSIAN: Final = (("1/2", Fraction(1, 2)), *_LAPLACE)
ONLY_REPORTED: Final = "2^35"
"""The scale for which no aim is set."""

SETTINGS: Final = (
    *(Setting(Law.LAPLACE, *scale) for scale in _LAPLACE),
    *(Setting(Law.GAUSSIAN, *scale) for scale in _GAUSSIAN),
)


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How much is drawn for each setting.

    In each of `rounds`, those who can draw `size`; the others draw what they can in
    `seconds / rounds`.  Then in each of `short_rounds`, the fast ones draw `short_size`.
    """

    name: str
    rounds: int
    size: int
    short_rounds: int
    short_size: int
    seconds: float
    patience: float

    def slow_size(self, rate: float) -> int:
        """How many a slow contestant of this rate draws in a round."""
        return max(1, min(self.size, round(rate * self.seconds / self.rounds)))


FULL: Final = Effort(
    name="full",
    rounds=7,
    size=10**7,
    short_rounds=10,
    short_size=10**6,
    seconds=2.0,
    patience=10.0,
)
QUICK: Final = Effort(
    name="quick",
    rounds=3,
    size=10**6,
    short_rounds=3,
    short_size=10**5,
    seconds=0.3,
    patience=3.0,
)
