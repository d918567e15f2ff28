"""Sums of rows that have each been split into whole parts which add up to a fixed number.

Whatever a row is, it adds that number to all sums together: no row weighs more than another, and
the count comes along for nothing.  Claim: fixed_sum.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar, TypeAlias, assert_never

from discreet.distances import L1
from discreet.entropy import SYSTEM, Entropy
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.rows import RowUnit, Table, checked, moved
from discreet.numbers import Number, whole
from discreet.units import Replace, Rows

Sums: TypeAlias = tuple[int, ...]
Range: TypeAlias = tuple[Fraction, Fraction]


class FixedSum(Mechanism[Table, Sums, RowUnit], ABC):
    """A few sums to which every row adds `total` altogether, each with discrete Laplace noise."""

    nearest: ClassVar = Rows(1)

    __slots__ = ()
    scale: Fraction

    @property
    @abstractmethod
    def total(self) -> int:
        """What one row adds to all sums together."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many sums there are."""

    @abstractmethod
    def sums(self, x: Table) -> Sums:
        """The sums without noise, which must not be told."""

    @property
    def noisy(self) -> Laplace:
        """How each sum is told."""
        return Laplace(self.scale)

    def loss(self, unit: RowUnit) -> Pure:
        total = Fraction(self.total)
        l1 = moved(unit, row=total, change=2 * total, what=type(self).__name__)
        return self.noisy.loss(L1(l1))

    def zcdp(self, unit: RowUnit) -> ZCDP:
        """Of a change, what goes up goes up by `total`, and what goes down falls by as much."""
        one_way = self.noisy.zcdp(L1(checked(unit, type(self).__name__).count * self.total))
        match unit:
            case Rows():
                return one_way
            case Replace():
                return 2 * one_way
            case _:
                assert_never(unit)

    def release(self, x: Table, *, entropy: Entropy | None = None) -> Sums:
        """The sums with noise; all else is computed from them, and costs nothing."""
        source = SYSTEM if entropy is None else entropy
        return tuple(int(self.noisy.release(each, entropy=source)) for each in self.sums(x))

    def law(self, x: Table) -> Law:
        return self.noisy.law(self.sums(x))

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least t such that all sums of `count` answers err by at most t, with this
        probability."""
        return self.noisy.accuracy(confidence, self.width * whole(count, "count", least=1))

    def _ranges(self, told: Sums, confidence: Number) -> tuple[Range, ...]:
        """Where the sums lie, all at once, with this probability."""
        t = self.accuracy(confidence)
        return tuple((max(Fraction(0), each - t), max(Fraction(0), each + t)) for each in told)


def added(values: Integers) -> int:
    """The sum of integers below 2^62 in size, in two halves of 32 bits: neither can wrap for fewer
    than 2^31 rows, and the way is the same for every number of rows."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFF_FFFF).sum())
