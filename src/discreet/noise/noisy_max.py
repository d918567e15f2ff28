"""The candidate with the largest unit·score + noise, where scores are integers.

Only differences of scores matter, and they are exact: integers below 2^64, times one rational.
Seen as a race, candidate i rings at (top - score i)·unit - noise i, and the first one is chosen.
Claim and proof: noisy_max.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy
from discreet.noise.race import Clock, Doubles, Integers, Where, candidates, first_to_ring
from discreet.numbers import ball

Row: TypeAlias = Sequence[int] | NDArray[np.integer]
Rows: TypeAlias = Sequence[Sequence[int]] | NDArray[np.integer]

SLACK: Final = 2.0**-34
"""What doubles may err by in the time of a candidate that is not behind; noisy_max.md proves it,
given that log and log1p err by less than one part in 2^40."""
_PART: Final = 2.0**-40


class NoisyMax(ABC):
    """A choice among candidates by their integer scores, in units of `unit`."""

    __slots__ = ()

    @property
    @abstractmethod
    def scale(self) -> Fraction:
        """What one step of a score is worth."""

    @abstractmethod
    def time(self, uniform: Doubles) -> Doubles:
        """Minus the noise, as an increasing function of a uniform in [0, 1]: in doubles."""

    @abstractmethod
    def exact_time(self, uniform: arb) -> arb:
        """The same in balls, for a uniform inside (0, 1)."""

    @abstractmethod
    def law(self, scores: Row) -> dict[int, arb]:
        """The exact law: the probability of each index, as a ball at the present precision."""

    def choose(self, scores: Row, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one."""
        row = candidates(scores, "scores", dimensions=1)
        return int(self._choose(row[None, :], entropy)[0])

    def choose_rows(self, scores: Rows, *, entropy: Entropy | None = None) -> Integers:
        """The index of the chosen one in each row; the choices are independent."""
        return self._choose(candidates(scores, "scores", dimensions=2), entropy)

    def _choose(self, scores: Integers, entropy: Entropy | None) -> Integers:
        return first_to_ring(clock_of(self, scores), SYSTEM if entropy is None else entropy)


def clock_of(chooser: NoisyMax, scores: Integers) -> ScoreClock:
    """The race in each row of `scores`."""
    return ScoreClock(chooser, scores, scores.max(axis=1, keepdims=True))


@final
@dataclass(frozen=True, slots=True, eq=False)
class ScoreClock(Clock):
    """Candidate i rings at time(uniform) + behind·unit: how far it is behind the top score."""

    chooser: NoisyMax
    scores: Integers
    top: Integers

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.scores.shape
        return rows, columns

    def early(self, where: Where, low: Doubles) -> Doubles:
        least, _ = doubles_around(self.chooser.scale)
        with np.errstate(divide="ignore"):
            return self.chooser.time(low) + (self._behind(where) * least - SLACK)

    def late(self, where: Where, high: Doubles) -> Doubles:
        _, most = doubles_around(self.chooser.scale)
        behind = self._behind(where)
        # 0·inf is no number, and who is not behind is not late, whatever the unit.
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.chooser.time(high) + (np.where(behind > 0, behind * most, 0) + SLACK)

    def ring(self, row: int, column: int, uniform: arb) -> arb:
        behind = int(self.top[row, 0]) - int(self.scores[row, column])
        return self.chooser.exact_time(uniform) + ball(behind * self.chooser.scale)

    def _behind(self, where: Where) -> Doubles:
        top = np.broadcast_to(self.top, self.scores.shape)[where]
        # Differences of int64 lie below 2^64.  What wraps around is right if read without a sign.
        behind = top - self.scores[where]
        wrapped = bool((behind < 0).any())
        return (behind.view(np.uint64) if wrapped else behind).astype(np.float64)


@lru_cache(maxsize=64)
def doubles_around(unit: Fraction) -> tuple[float, float]:
    """Two doubles around a positive `unit`, apart enough to absorb the rounding of products; the
    lower one at most 2^900, so that no product overflows."""
    if unit > 2**900:
        return 2.0**900 * (1 - _PART), inf
    nearest = float(unit)
    return nearest * (1 - _PART), max(nearest * (1 + _PART), 2.0**-1000)


def worth(unit: Fraction, scores: Row) -> list[Fraction]:
    """How far each candidate is behind the top, in units of noise, exactly."""
    row = candidates(scores, "scores", dimensions=1).tolist()
    top = max(row)
    return [unit * (top - score) for score in row]
