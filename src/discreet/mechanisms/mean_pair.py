"""Mean and count from one release.  Claim and proof: mean_pair.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from discreet.mechanisms.fixed_sum import FixedSum, Range, Sums, added
from discreet.mechanisms.rows import Table, bounds, rows_in
from discreet.numbers import MISSING, Number, positive


@final
@dataclass(frozen=True, slots=True, init=False)
class MeanPair(FixedSum):
    """How far the rows lie above `low`, and how far below `high`, all together, with noise: for
    one row ε = (high − low) / scale, and the variance of a mean is half of what two releases have.

    >>> from discreet.units import Replace, Rows
    >>> pair = MeanPair(0, 100, 50)
    >>> pair.loss(Rows(1)), pair.loss(Replace(1))
    (loss('epsilon=2'), loss('epsilon=4'))
    >>> pair.mean((3000, 1000)), pair.count((3000, 1000))
    (Fraction(75, 1), Fraction(40, 1))
    """

    low: int
    high: int
    scale: Fraction

    def __init__(
        self, low: Number = MISSING, high: Number = MISSING, scale: Number = MISSING
    ) -> None:
        lowest, highest = bounds(low, high, least=1)
        object.__setattr__(self, "low", lowest)
        object.__setattr__(self, "high", highest)
        object.__setattr__(self, "scale", positive(scale, "scale"))
        self.noisy  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @property
    def total(self) -> int:
        return self.high - self.low

    @property
    def width(self) -> int:
        return 2

    def sums(self, x: Table) -> Sums:
        """Σ(x − low) and Σ(high − x) of the rows, each put inside the bounds first."""
        above = rows_in(x, self.low, self.high) - self.low
        lower = added(above)
        return lower, above.size * self.total - lower

    def count(self, told: Sums) -> Fraction:
        """How many rows there are: zero or more."""
        return max(Fraction(0), Fraction(sum(told), self.total))

    def mean(self, told: Sums) -> Fraction:
        """The mean of the rows, between the bounds; their middle if the count is not positive."""
        above, below = (max(0, each) for each in told)
        share = Fraction(above, above + below) if above + below else Fraction(1, 2)
        return self.low + self.total * share

    def count_range(self, told: Sums, confidence: Number) -> Range:
        """Holds the count of the rows with this probability, together with `mean_range`."""
        low, high = map(sum, zip(*self._ranges(told, confidence), strict=True))
        return Fraction(low) / self.total, Fraction(high) / self.total

    def mean_range(self, told: Sums, confidence: Number) -> Range:
        """Holds the mean of the rows with this probability, together with `count_range`; it is as
        wide as the bounds where there may be no rows."""
        (above, more), (below, further) = self._ranges(told, confidence)
        least = above / (above + further) if above + further else Fraction(0)
        most = more / (more + below) if more + below else Fraction(1)
        return self.low + self.total * least, self.low + self.total * most
