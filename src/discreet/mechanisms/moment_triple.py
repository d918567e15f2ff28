"""Count, mean and variance from one release.  Claim and proof: moment_triple.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np

from discreet.mechanisms.fixed_sum import FixedSum, Range, Sums
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.rows import Table, bounds, rows_in
from discreet.numbers import MISSING, Number, positive, whole

PARTS: Final = 2**20


@final
@dataclass(frozen=True, slots=True, init=False)
class MomentTriple(FixedSum):
    """Each row is split into `parts` parts by (1 − t)², 2t(1 − t) and t², where t is its place
    between the bounds, and the three sums get noise: for one row ε = parts / scale.

    >>> from discreet.units import Rows
    >>> triple = MomentTriple(0, 10, 200, parts=100)
    >>> triple.loss(Rows(1)), triple.split(3)
    (loss('epsilon=0.5'), (49, 42, 9))
    >>> triple.mean((4900, 4200, 900)), triple.variance((5000, 0, 5000))
    (Fraction(3, 1), Fraction(25, 1))
    """

    low: int
    high: int
    scale: Fraction
    parts: int

    def __init__(
        self,
        low: Number = MISSING,
        high: Number = MISSING,
        scale: Number = MISSING,
        *,
        parts: Number = PARTS,
    ) -> None:
        lowest, highest = bounds(low, high, least=1)
        object.__setattr__(self, "low", lowest)
        object.__setattr__(self, "high", highest)
        object.__setattr__(self, "scale", positive(scale, "scale"))
        object.__setattr__(self, "parts", whole(parts, "parts", least=1))
        self.noisy  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @property
    def total(self) -> int:
        return self.parts

    @property
    def width(self) -> int:
        return 3

    @property
    def is_exact(self) -> bool:
        """Whether every row can be split without rounding."""
        return self.parts % (self.high - self.low) ** 2 == 0

    def split(self, row: int) -> Sums:
        """The parts of one row, rounded to integers that add up to `parts`."""
        first, second, third = self._splits(rows_in([row], self.low, self.high))[0]
        return int(first), int(second), int(third)

    def sums(self, x: Table) -> Sums:
        """The parts of all rows, each row put inside the bounds and rounded on its own."""
        values, counts = np.unique(rows_in(x, self.low, self.high), return_counts=True)
        found = [0, 0, 0]
        for parts, count in zip(self._splits(values).tolist(), counts.tolist(), strict=True):
            found = [each + count * part for each, part in zip(found, parts, strict=True)]
        return found[0], found[1], found[2]

    def _splits(self, values: Integers) -> Integers:
        """A row of three for each value: of the exact parts the floors, and one more for those
        with the largest remainders, as many as are missing."""
        reach = self.high - self.low
        # Where 64 bits could wrap, Python's integers do the same.
        kind = np.int64 if self.parts * reach**2 < 2**62 else object
        up = (values - self.low).astype(kind)
        down = reach - up
        exact = self.parts * np.stack([down * down, 2 * up * down, up * up], axis=1)
        floors, rests = exact // reach**2, exact % reach**2
        missing = self.parts - floors.sum(axis=1)
        one, other = rests[:, :, None], rests[:, None, :]
        earlier = np.tri(3, k=-1, dtype=bool)
        ahead = (other > one) | ((other == one) & earlier)
        more: Integers = floors + (ahead.sum(axis=2) < missing[:, None])
        return more

    # --- what follows from the three sums -------------------------------------------------------

    def count(self, told: Sums) -> Fraction:
        """How many rows there are: zero or more."""
        return max(Fraction(0), Fraction(sum(told), self.parts))

    def mean(self, told: Sums) -> Fraction:
        """The mean of the rows, between the bounds; their middle if the count is not positive."""
        shares = tuple(Fraction(max(0, each)) for each in told)
        place = _place(shares) if any(shares) else Fraction(1, 2)
        return self.low + (self.high - self.low) * place

    def variance(self, told: Sums) -> Fraction:
        """The mean square of what rows are away from their mean, at most a quarter of the squared
        width of the bounds; the half of that if the count is not positive."""
        shares = tuple(Fraction(max(0, each)) for each in told)
        spread = _spread(shares) if any(shares) else Fraction(1, 8)
        return (self.high - self.low) ** 2 * spread

    def count_range(self, told: Sums, confidence: Number) -> Range:
        """Holds the count of the rows with this probability, together with the other ranges."""
        low, high = map(sum, zip(*self._ranges(told, confidence), strict=True))
        return Fraction(low) / self.parts, Fraction(high) / self.parts

    def mean_range(self, told: Sums, confidence: Number) -> Range:
        """Holds the mean of the rows with this probability, together with the other ranges."""
        (a, a_most), middle, (c, c_most) = self._ranges(told, confidence)
        low, high = Fraction(0), Fraction(1)
        if a + middle[0] + c:  # else there may be no rows
            low = min(_place((a_most, b, c)) for b in middle)
            high = max(_place((a, b, c_most)) for b in middle)
        off, reach = self._rounding(1), self.high - self.low
        low, high = max(Fraction(0), low - off), min(Fraction(1), high + off)
        return self.low + reach * low, self.low + reach * high

    def variance_range(self, told: Sums, confidence: Number) -> Range:
        """Holds the variance of the rows with this probability, together with the other ranges."""
        first, (b, b_most), third = self._ranges(told, confidence)
        low, high = Fraction(0), Fraction(1, 4)
        if first[0] + b + third[0]:
            low = min(_spread((a, b_most, c)) for a in first for c in third)
            high = max(
                *(_spread((_inside(_top(b, c), first), b, c)) for c in third),
                *(_spread((a, b, _inside(_top(b, a), third))) for a in first),
            )
        off, square = self._rounding(3), (self.high - self.low) ** 2
        return square * max(Fraction(0), low - off), square * min(Fraction(1, 4), high + off)

    def _rounding(self, off: int) -> Fraction:
        """How far rounding can have moved a mean over rows, if it moves each by `off` parts."""
        return Fraction(0) if self.is_exact else Fraction(off, self.parts)


def _place(shares: tuple[Fraction, ...]) -> Fraction:
    """The mean of t."""
    return (shares[1] / 2 + shares[2]) / sum(shares)


def _spread(shares: tuple[Fraction, ...]) -> Fraction:
    """The variance of t, or zero for shares that no t has."""
    a, b, c = shares
    return max(Fraction(0), (a * c - b * b / 4) / (a + b + c) ** 2)


def _top(b: Fraction, c: Fraction) -> Fraction | None:
    """The `a` at which the variance is largest, if b and c stay; None if it grows for ever."""
    return b + c + b * b / (2 * c) if c else None


def _inside(wanted: Fraction | None, ends: Range) -> Fraction:
    return ends[1] if wanted is None else min(max(wanted, ends[0]), ends[1])
