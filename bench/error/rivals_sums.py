"""Mean and variance as other libraries release them: a few noisy sums, each for a share of ε.

Rows are integers between low and high, moved to the middle of both; in half steps, so that the
middle is one: y = 2x − low − high lies in [−R, R], R = high − low.  A row that is added or removed
moves Σ y by at most R, Σ y² by at most R², Σ (2y² − R²) by at most R², and n by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np

from bench.error.estimate import Floats
from discreet.entropy import SYSTEM, Entropy
from discreet.loss import Pure
from discreet.mechanisms.lattice import Integers
from discreet.noise import DiscreteLaplace


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """A sum, how far one row moves it at most, and its share of ε: noise has the scale by/ε."""

    exact: int
    by: int
    epsilon: Fraction

    @property
    def scale(self) -> Fraction:
        return self.by / self.epsilon


@dataclass(frozen=True, slots=True)
class SplitSums(ABC):
    """Noisy sums for ε in equal shares: one row that is added or removed costs the sum of them."""

    low: int
    high: int
    epsilon: Fraction

    @abstractmethod
    def sums(self, rows: Integers) -> tuple[Sum, ...]:
        """What is told, before the noise."""

    def loss(self) -> Pure:
        """Of one row: what each sum costs that moves as far as it can, added up."""
        return Pure(sum((each.by / each.scale for each in self.sums(_NONE)), start=Fraction(0)))

    def release(
        self, rows: Integers, count: int, *, entropy: Entropy = SYSTEM
    ) -> tuple[Floats, ...]:
        """The sums with noise, `count` times."""
        return tuple(
            each.exact + DiscreteLaplace(each.scale).sample(count, entropy=entropy).astype(float)
            for each in self.sums(rows)
        )

    def _centred(self, rows: Integers) -> Integers:
        moved: Integers = 2 * np.clip(rows, self.low, self.high) - self.low - self.high
        return moved

    def _mean(self, total: Floats, count: Floats) -> Floats:
        """From Σ y and n, put between the bounds."""
        middle = (self.low + self.high) / 2
        found: Floats = np.clip(middle + total / 2 / np.maximum(1, count), self.low, self.high)
        return found

    @property
    def reach(self) -> int:
        return self.high - self.low


@final
@dataclass(frozen=True, slots=True)
class SplitMean(SplitSums):
    """Σ y and n, ε/2 each: Google, PipelineDP and Tumult."""

    def sums(self, rows: Integers) -> tuple[Sum, ...]:
        half = self.epsilon / 2
        total = int(self._centred(rows).sum())
        return Sum(total, self.reach, half), Sum(len(rows), 1, half)

    def mean(self, told: tuple[Floats, ...]) -> Floats:
        return self._mean(*told)


@final
@dataclass(frozen=True, slots=True)
class SplitVariance(SplitSums):
    """Σ y², Σ y and n, ε/3 each: Google's.  With `squares_centred` it is Σ (2y² − R²), which has
    half the noise: no library does that, but it is what splitting can do."""

    squares_centred: bool = False

    def sums(self, rows: Integers) -> tuple[Sum, ...]:
        third, y = self.epsilon / 3, self._centred(rows)
        squares, reach = int((y * y).sum()), self.reach
        if self.squares_centred:
            squares = 2 * squares - len(rows) * reach**2
        return (
            Sum(squares, reach**2, third),
            Sum(int(y.sum()), reach, third),
            Sum(len(rows), 1, third),
        )

    def mean(self, told: tuple[Floats, ...]) -> Floats:
        return self._mean(told[1], told[2])

    def variance(self, told: tuple[Floats, ...]) -> Floats:
        """From squares, sum and count, put between zero and a quarter of R²."""
        squares, total, count = told[0], told[1], np.maximum(1, told[2])
        mean_square = squares / count
        if self.squares_centred:
            mean_square = (mean_square + self.reach**2) / 2
        found: Floats = np.clip((mean_square - (total / count) ** 2) / 4, 0, self.reach**2 / 4)
        return found


_NONE: Final[Integers] = np.zeros(0, np.int64)
