"""Many quantiles of rows on a public lattice, by halving.  Claim and proof: many_quantiles.md"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import comb, lcm, prod
from typing import Final, TypeAlias, assert_never, final

from flint import arb

from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.lattice import LARGEST, Integers
from discreet.mechanisms.quantile import (
    MOST_LISTED,
    Quantile,
    fine_enough,
    of_change,
    of_row,
    too_many,
)
from discreet.mechanisms.rows import RowUnit, Table, bounds, checked, rows_in
from discreet.mechanisms.search import confidence_in
from discreet.noise.uniform import UniformInteger
from discreet.numbers import MISSING, Number, at, positive, probability, whole
from discreet.units import Replace, Rows

PARTS: Final = 2**16
_BITS: Final = 256
Answers: TypeAlias = tuple[int, ...]
Cost: TypeAlias = Callable[[Fraction], Fraction]
"""What one quantile costs if the moves of two distances differ by this much."""


@final
@dataclass(frozen=True, slots=True)
class Split:
    """The quantile that is asked first, in its range, and those asked on both sides of it; their
    q are counted anew in the ranges that it leaves them."""

    q: Fraction
    left: Split | None
    right: Split | None


@final
@dataclass(frozen=True, slots=True, init=False)
class ManyQuantiles(Mechanism[Table, Answers, RowUnit]):
    """Answers to rising quantiles, none below the one before: the middle one by `Quantile`, then
    those on its left from the rows up to it, and those on its right from the rows beyond it.

    Rows with one value would all go to one side.  So each place is cut into `parts`, and each row
    first goes to one of them, by a die of its own; what is told are places again.

    >>> from discreet.units import Rows
    >>> quarters = ManyQuantiles(["1/4", "1/2", "3/4"], 0, 100, 1)
    >>> quarters.release([50] * 10_000), quarters.loss(Rows(1)), quarters.levels
    ((50, 50, 50), loss('epsilon=2'), 2)
    """

    qs: tuple[Fraction, ...]
    low: int
    high: int
    scale: Fraction
    parts: int

    def __init__(
        self,
        qs: Sequence[Number] = (),
        low: Number = MISSING,
        high: Number = MISSING,
        scale: Number = MISSING,
        *,
        parts: Number = PARTS,
    ) -> None:
        wanted = tuple(probability(q, "q") for q in qs)
        if not wanted or any(after <= before for before, after in pairwise(wanted)):
            raise MechanismError(
                "quantiles must be listed, each larger than the one before",
                cure="sort them, and ask each once: `from discreet.mechanisms.many_quantiles "
                "import ManyQuantiles; ManyQuantiles(['1/4', '1/2', '3/4'], 0, 100, 1)`",
                code="M75",
            )
        fine_enough(Fraction(1, lcm(*(q.denominator for q in wanted))))
        lowest, highest = bounds(low, high)
        pieces = whole(parts, "parts", least=1)
        if max(1 - lowest, highest + 1) * pieces > LARGEST:
            raise MechanismError(
                "the bounds, counted in parts of places, must lie below 2^62 in size",
                cure="cut places into fewer parts, or count in a coarser step: `from discreet."
                "mechanisms.many_quantiles import ManyQuantiles; "
                "ManyQuantiles(['1/2'], 0, 2**60, 1, parts=2)`",
                code="M76",
            )
        object.__setattr__(self, "qs", wanted)
        object.__setattr__(self, "low", lowest)
        object.__setattr__(self, "high", highest)
        object.__setattr__(self, "scale", positive(scale, "scale"))
        object.__setattr__(self, "parts", pieces)

    @property
    def levels(self) -> int:
        """How many quantiles one row can take part in: ⌊log₂ of their number⌋ + 1."""
        return len(self.qs).bit_length()

    # --- what it costs --------------------------------------------------------------------------

    def loss(self, unit: RowUnit) -> Pure:
        """The sum of what the quantiles cost on the dearest way down, for one row that is added or
        removed; for a changed one, of the two ways that its two values take."""
        each = Pure(self._cost(unit, lambda unequal: unequal / self.scale))
        return each.group(unit.count)

    def zcdp(self, unit: RowUnit) -> ZCDP:
        each = ZCDP(self._cost(unit, lambda unequal: (unequal / self.scale) ** 2 / 8))
        return min(each.group(unit.count), self.loss(unit).to(ZCDP), key=lambda found: found.rho)

    def _cost(self, unit: RowUnit, cost: Cost) -> Fraction:
        split = split_of(self.qs)
        match checked(unit, "ManyQuantiles"):
            case Rows():
                return one_row(split, cost)
            case Replace():
                return one_change(split, cost)
            case _:
                assert_never(unit)

    # --- the answers ----------------------------------------------------------------------------

    def release(self, x: Table, *, entropy: Entropy | None = None) -> Answers:
        source = SYSTEM if entropy is None else entropy
        rows = rows_in(x, self.low, self.high)
        pieces = UniformInteger(self.parts).sample(rows.size, entropy=source)
        told = self._asked(split_of(self.qs), rows * self.parts + pieces, self._ends, source)
        return tuple(place // self.parts for place in told)

    @property
    def _ends(self) -> tuple[int, int]:
        """The bounds in parts of places."""
        return self.low * self.parts, (self.high + 1) * self.parts - 1

    def _asked(
        self, split: Split | None, rows: Integers, ends: tuple[int, int], entropy: Entropy
    ) -> Iterator[int]:
        if split is None:
            return
        v = Quantile(split.q, *ends, self.scale).release(rows, entropy=entropy)
        yield from self._asked(split.left, rows[rows <= v], (ends[0], v), entropy)
        yield v
        yield from self._asked(split.right, rows[rows > v], (v, ends[1]), entropy)

    def law(self, x: Table) -> Law:
        """The law of the answers: over all throws of the dice, the product of what each split
        does."""
        rows = rows_in(x, self.low, self.high).tolist()
        places = (self.high - self.low + 1) * self.parts
        throws = self.parts ** len(rows)
        if throws * comb(places + len(self.qs) - 1, len(self.qs)) > MOST_LISTED:
            raise too_many()
        split, found = split_of(self.qs), dict[Answers, list[arb]]()
        for dice in product(range(self.parts), repeat=len(rows)):
            fine = [row * self.parts + die for row, die in zip(rows, dice, strict=True)]
            for told, chance in self._chances(split, fine, self._ends).items():
                found.setdefault(tuple(place // self.parts for place in told), []).append(chance)
        return Law(
            {
                told: at(_BITS, lambda: sum(chances, start=arb(0)) / throws)  # noqa: B023
                for told, chances in found.items()
            }
        )

    def _chances(
        self, split: Split | None, rows: list[int], ends: tuple[int, int]
    ) -> dict[Answers, arb]:
        if split is None:
            return {(): arb(1)}
        found: dict[Answers, arb] = {}
        for v, chance in Quantile(split.q, *ends, self.scale).chances(rows).items():
            left = self._chances(split.left, [row for row in rows if row <= v], (ends[0], v))
            right = self._chances(split.right, [row for row in rows if row > v], (v, ends[1]))
            for (before, p), (after, q) in product(left.items(), right.items()):
                found[*before, v, *after] = at(_BITS, lambda: prod((chance, p, q), start=arb(1)))  # noqa: B023
        return found

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """So many ranks is each of `count`·m answers off at most, all at once, with this
        probability, if no two rows fell into one part of a place."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        asked = times * len(self.qs)
        worst = max(
            Quantile(split.q, *self._ends, self.scale).accuracy(sure, asked)
            for split in splits(split_of(self.qs))
        )
        return self.levels * worst + self.levels - 1


def split_of(qs: Sequence[Fraction]) -> Split | None:
    """The middle of rising quantiles, and both sides of it, of which none has more than half."""
    if not qs:
        return None
    middle = len(qs) // 2
    q = qs[middle]
    left = split_of([each / q for each in qs[:middle]])
    right = split_of([(each - q) / (1 - q) for each in qs[middle + 1 :]])
    return Split(q, left, right)


def splits(split: Split | None) -> Iterator[Split]:
    """The split and all below it."""
    if split is not None:
        yield split
        yield from splits(split.left)
        yield from splits(split.right)


def one_row(split: Split | None, cost: Cost) -> Fraction:
    """Of one row that is there or not: it goes to one side."""
    if split is None:
        return Fraction(0)
    below = max(one_row(split.left, cost), one_row(split.right, cost))
    return cost(of_row(split.q)) + below


def one_change(split: Split | None, cost: Cost) -> Fraction:
    """Of one row with two values: both go to one side, or one goes to each."""
    if split is None:
        return Fraction(0)
    apart = one_row(split.left, cost) + one_row(split.right, cost)
    below = max(one_change(split.left, cost), one_change(split.right, cost), apart)
    return cost(of_change(split.q)) + below
