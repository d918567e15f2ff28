"""One quantile of rows on a public lattice, by the exponential mechanism.  Claim: quantile.md"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, final

import numpy as np
from flint import arb

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.rows import RowUnit, Table, bounds, moved, rows_in
from discreet.mechanisms.search import confidence_in, least
from discreet.noise.uniform import UniformInteger
from discreet.noise.weighted_gumbel import WeightedGumbelMax
from discreet.numbers import MISSING, Number, at, ball, down, positive, probability, whole
from discreet.units import Rows

FINEST: Final = 10**6
"""The largest denominator of quantiles: with it, wanted ranks of 2^43 rows fit in 64 bits."""
MOST_LISTED: Final = 2**20
_BITS: Final = 256


@final
@dataclass(frozen=True, slots=True, init=False)
class Quantile(Mechanism[Table, int, RowUnit]):
    """A place v of the lattice, with probability proportional to exp(−d(v) / scale), where d(v) is
    how far q·n lies from the ranks that v has: from #{x < v} to #{x ≤ v}.

    >>> from discreet.units import Replace, Rows
    >>> median = Quantile("1/2", 0, 100, 1)
    >>> median.release([50] * 1000), median.loss(Rows(1)), median.loss(Replace(1))
    (50, loss('epsilon=1'), loss('epsilon=2'))
    """

    nearest: ClassVar = Rows(1)

    q: Fraction
    low: int
    high: int
    scale: Fraction

    def __init__(
        self,
        q: Number = MISSING,
        low: Number = MISSING,
        high: Number = MISSING,
        scale: Number = MISSING,
    ) -> None:
        object.__setattr__(self, "q", fine_enough(probability(q, "q")))
        lowest, highest = bounds(low, high)
        object.__setattr__(self, "low", lowest)
        object.__setattr__(self, "high", highest)
        object.__setattr__(self, "scale", positive(scale, "scale"))

    @property
    def cells(self) -> int:
        """How many places there are."""
        return self.high - self.low + 1

    def loss(self, unit: RowUnit) -> Pure:
        """ε is how unequally distances d(v) move, over the scale: twice max(q, 1 − q) for a row
        that is added or removed, two for one that is changed; for minimum and maximum one."""
        unequal = moved(unit, row=of_row(self.q), change=of_change(self.q), what="Quantile")
        return Pure(unequal / self.scale)

    def zcdp(self, unit: RowUnit) -> ZCDP:
        """ε²/8, as of every choice by softmax, or what follows from ε alone if that is less."""
        pure = self.loss(unit)
        return min(ZCDP(pure.epsilon**2 / 8), pure.to(ZCDP), key=lambda each: each.rho)

    def release(self, x: Table, *, entropy: Entropy | None = None) -> int:
        source = SYSTEM if entropy is None else entropy
        runs = runs_of(rows_in(x, self.low, self.high), self)
        softmax = WeightedGumbelMax(1 / (self.q.denominator * self.scale))
        chosen = softmax.choose(-runs.behind, runs.length, entropy=source)
        return int(runs.start[chosen]) + UniformInteger(runs.length[chosen]).sample(entropy=source)

    def law(self, x: Table) -> Law:
        if self.cells > MOST_LISTED:
            raise too_many()
        return Law(self.chances(x))

    def chances(self, x: Table) -> dict[int, arb]:
        """The probability of each place, by the definition alone."""
        rows = sorted(rows_in(x, self.low, self.high).tolist())
        places = {v: self._distance(rows, v) for v in range(self.low, self.high + 1)}
        counts = Counter(places.values())
        weights = {d: at(_BITS, lambda: (-ball(d / self.scale)).exp()) for d in counts}  # noqa: B023
        total = at(_BITS, lambda: sum((counts[d] * weights[d] for d in counts), start=arb(0)))
        chances = {d: at(_BITS, lambda: weights[d] / total) for d in counts}  # noqa: B023
        return {v: chances[d] for v, d in places.items()}

    def _distance(self, rows: list[int], v: int) -> Fraction:
        """d(v), for sorted rows."""
        wanted = self.q * len(rows)
        return max(Fraction(0), bisect_left(rows, v) - wanted, wanted - bisect_right(rows, v))

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least t such that, whatever the rows are, d is at most t in all of `count` answers
        with this probability: so many ranks is the answer off."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        step, others = Fraction(1, self.q.denominator), self.cells - 1

        def enough(k: int) -> bool:
            far = (k + 1) * step / self.scale
            return down(lambda: (1 / (1 + others * (-ball(far)).exp())) ** times) >= sure

        return least(enough) * step


def of_row(q: Fraction) -> Fraction:
    """How far the moves of two distances d(v) differ, if one row is added or removed."""
    return Fraction(1) if q in {0, 1} else 2 * max(q, 1 - q)


def of_change(q: Fraction) -> Fraction:
    """The same if one row is changed."""
    return Fraction(1) if q in {0, 1} else Fraction(2)


def fine_enough(q: Fraction) -> Fraction:
    """A quantile whose wanted ranks can be counted in 64 bits."""
    if q.denominator > FINEST:
        raise MechanismError(
            "quantiles must have a common denominator of at most 10^6",
            cure="round them to six digits: `from discreet.mechanisms.quantile import Quantile; "
            "Quantile('0.333333', 0, 100, 1)`",
            code="M73",
        )
    return q


def too_many() -> MechanismError:
    return MechanismError(
        "the law has more outcomes than can be listed",
        cure="ask for the law of a mechanism with fewer places: `from discreet.mechanisms.quantile "
        "import Quantile; Quantile('1/2', 0, 1000, 1).law([31, 50, 7])`",
        code="M74",
    )


# --- runs of places with equal scores -------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Neighbouring places with the same ranks: the first place of each run, how far they are behind
    in parts 1/(denominator of q) of a rank, and how many places there are."""

    start: Integers
    behind: Integers
    length: Integers


def runs_of(rows: Integers, quantile: Quantile) -> Runs:
    """A run for each value of a row, and one for each gap between them."""
    values, counts = np.unique(rows, return_counts=True)
    upto = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    # Alternately a gap, in which all before are smaller, and a value.
    start = np.empty(2 * len(values) + 1, np.int64)
    start[0], start[1::2], start[2::2] = quantile.low, values, values + 1
    length = np.diff(start, append=np.int64(quantile.high + 1))
    below, to = np.repeat(upto, 2)[:-1], np.repeat(upto, 2)[1:]
    wanted, part = quantile.q.numerator * int(upto[-1]), quantile.q.denominator
    behind = np.maximum(0, np.maximum(below * part - wanted, wanted - to * part))
    there = length > 0
    return Runs(start[there], behind[there], length[there])
