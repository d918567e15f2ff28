"""Many quantiles of rows on a public lattice, by halving.  Claim and proof: many_quantiles.md"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import comb, lcm, prod
from typing import ClassVar, Final, TypeAlias, assert_never, final

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
"""What one quantile costs that keeps this ε."""


@final
@dataclass(frozen=True, slots=True)
class Split:
    """The quantile that is asked first, in its range, and those asked on both sides of it; their
    q are counted anew in the ranges that it leaves them, and each has a scale of its own."""

    q: Fraction
    scale: Fraction
    left: Split | None
    right: Split | None


@final
@dataclass(frozen=True, slots=True, init=False)
class ManyQuantiles(Mechanism[Table, Answers, RowUnit]):
    """Answers to rising quantiles, none below the one before: the middle one by `Quantile`, then
    those on its left from the rows up to it, and those on its right from the rows beyond it.

    Rows with one value would all go to one side.  So each place is cut into `parts`, and each row
    first goes to one of them, by a die of its own; what is told are places again.

    `scale` is what all would have if they shared it.  But then only the dearest way down would
    spend the whole loss; so each takes an equal part of what is left on its way, and all ways that
    end at a last quantile cost one row the same.

    >>> from discreet.units import Rows
    >>> quarters = ManyQuantiles(["1/4", "1/2", "3/4"], 0, 100, 1)
    >>> quarters.release([50] * 10_000), quarters.loss(Rows(1)), quarters.levels
    ((50, 50, 50), loss('epsilon=2'), 2)
    """

    nearest: ClassVar = Rows(1)

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
        """The sum of what the quantiles cost on the way down, for one row that is added or
        removed; for a changed one, of the two ways that its two values take."""
        each = Pure(self._cost(unit, lambda epsilon: epsilon))
        return each.group(unit.count)

    def zcdp(self, unit: RowUnit) -> ZCDP:
        each = ZCDP(self._cost(unit, lambda epsilon: epsilon**2 / 8))
        return min(each.group(unit.count), self.loss(unit).to(ZCDP), key=lambda found: found.rho)

    def _cost(self, unit: RowUnit, cost: Cost) -> Fraction:
        match checked(unit, "ManyQuantiles"):
            case Rows():
                return one_row(self._split, cost)
            case Replace():
                return one_change(self._split, cost)
            case _:
                assert_never(unit)

    # --- the answers ----------------------------------------------------------------------------

    def release(self, x: Table, *, entropy: Entropy | None = None) -> Answers:
        source = SYSTEM if entropy is None else entropy
        rows = rows_in(x, self.low, self.high)
        pieces = UniformInteger(self.parts).sample(rows.size, entropy=source)
        told = self._asked(self._split, rows * self.parts + pieces, self._ends, source)
        return tuple(place // self.parts for place in told)

    @property
    def _split(self) -> Split | None:
        return split_of(self.qs, dearest(self.qs) / self.scale)

    @property
    def _ends(self) -> tuple[int, int]:
        """The bounds in parts of places."""
        return self.low * self.parts, (self.high + 1) * self.parts - 1

    def _asked(
        self, split: Split | None, rows: Integers, ends: tuple[int, int], entropy: Entropy
    ) -> Iterator[int]:
        if split is None:
            return
        v = Quantile(split.q, *ends, split.scale).release(rows, entropy=entropy)
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
        split, found = self._split, dict[Answers, list[arb]]()
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
        for v, chance in Quantile(split.q, *ends, split.scale).chances(rows).items():
            left = self._chances(split.left, [row for row in rows if row <= v], (ends[0], v))
            right = self._chances(split.right, [row for row in rows if row > v], (v, ends[1]))
            for (before, p), (after, q) in product(left.items(), right.items()):
                found[*before, v, *after] = at(_BITS, lambda: prod((chance, p, q), start=arb(1)))  # noqa: B023
        return found

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """So many ranks is each of `count`·m answers off at most, all at once, with this
        probability, if no two rows fell into one part of a place."""
        sure, times = confidence_in(confidence), whole(count, "count", least=1)
        asked, none = times * len(self.qs), Fraction(0)

        def most(split: Split | None, first: Fraction, last: Fraction) -> Fraction:
            """How far answers are off in a range whose ends are off by at most so many ranks."""
            if split is None:
                return none
            far = Quantile(split.q, *self._ends, split.scale).accuracy(sure, asked)
            off = (1 - split.q) * first + split.q * last + far
            return max(off, most(split.left, first, off + 1), most(split.right, off + 1, last))

        return most(self._split, none, none)


def halves(qs: Sequence[Fraction]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The middle of rising quantiles, and both sides of it, of which none has more than half."""
    middle = len(qs) // 2
    q = qs[middle]
    left = [each / q for each in qs[:middle]]
    right = [(each - q) / (1 - q) for each in qs[middle + 1 :]]
    return q, left, right


def dearest(qs: Sequence[Fraction]) -> Fraction:
    """What one row costs on the dearest way down, if all quantiles have scale one."""
    if not qs:
        return Fraction(0)
    q, left, right = halves(qs)
    return of_row(q) + max(dearest(left), dearest(right))


def split_of(qs: Sequence[Fraction], epsilon: Fraction) -> Split | None:
    """Rising quantiles, by halving, such that one row costs ε on each way down to a last one: the
    first takes an equal part of it, as if all ways were as long as the longest."""
    if not qs:
        return None
    q, left, right = halves(qs)
    own = epsilon / len(qs).bit_length()
    return Split(q, of_row(q) / own, split_of(left, epsilon - own), split_of(right, epsilon - own))


def one_row(split: Split | None, cost: Cost) -> Fraction:
    """Of one row that is there or not: it goes to one side."""
    if split is None:
        return Fraction(0)
    below = max(one_row(split.left, cost), one_row(split.right, cost))
    return cost(of_row(split.q) / split.scale) + below


def one_change(split: Split | None, cost: Cost) -> Fraction:
    """Of one row with two values: both go to one side, or one goes to each."""
    if split is None:
        return Fraction(0)
    apart = one_row(split.left, cost) + one_row(split.right, cost)
    below = max(one_change(split.left, cost), one_change(split.right, cost), apart)
    return cost(of_change(split.q) / split.scale) + below
