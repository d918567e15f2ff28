"""An answer that is fixed in advance: which mechanism, how far it moves, from which rows, how
often."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, assert_never, final

from discreet.distances import Distance, Monotone
from discreet.errors import MechanismError
from discreet.loss.pld import PLD, Atoms, Losses, Pair, Twins, subset
from discreet.mechanisms.base import (
    Mechanism,
    not_of_groups,
    not_of_samples,
    not_of_subsets,
)
from discreet.numbers import Number, positive, whole
from discreet.units import Replace, Rows


@final
@dataclass(frozen=True, slots=True)
class AllRows:
    """From the whole table."""

    def __str__(self) -> str:
        return ""


@final
@dataclass(frozen=True, slots=True)
class Poisson:
    """Each row is taken with this probability, apart from all others."""

    rate: Fraction

    def __str__(self) -> str:
        return f".poisson({str(self.rate)!r})"


@final
@dataclass(frozen=True, slots=True)
class Subset:
    """So many of so many rows, each set of them alike."""

    taken: int
    rows: int

    def __str__(self) -> str:
        return f".without_replacement({self.taken}, {self.rows})"


Sampling: TypeAlias = AllRows | Poisson | Subset
Move: TypeAlias = Distance | Rows | Replace


@final
@dataclass(frozen=True, slots=True)
class Event:
    """Made by `1000 * dp.Laplace(10)` and the like, for `dp.compose`.

    >>> from discreet.mechanisms import Gaussian
    >>> print(50 * Gaussian(20).poisson("1/100"))
    50 * Gaussian(variance=400).at(L2(1)).poisson('1/100')
    """

    mechanism: Mechanism[Any, Any, Any]
    distance: Move | None = None
    sampling: Sampling = AllRows()
    count: int = 1

    def __post_init__(self) -> None:
        if self.distance is None:
            object.__setattr__(self, "distance", self.mechanism.nearest)
        # Each of several rows is taken by a chance of its own, so they are seen more often.
        several = isinstance(self.moved, Rows | Replace) and self.moved.count > 1
        if several and self.sampling != AllRows():
            raise not_of_groups()
        if len(self.neighbours) > 1:
            raise (
                not_of_subsets()
                if isinstance(self.sampling, Subset)
                else not_of_samples("a change of rows")
            )

    def __rmul__(self, n: Number) -> Event:
        return replace(self, count=self.count * whole(n, "the number of times"))

    __mul__ = __rmul__

    def at(self, distance: Move) -> Event:
        """The exact answer moves by so much between neighbours."""
        self.mechanism.loss(distance)  # a distance of another norm is refused here
        return replace(self, distance=distance)

    def poisson(self, rate: Number) -> Event:
        """From rows of which each is taken with this probability.  Neighbours are tables with and
        without one row, and the distance is how far that one row moves the exact answer."""
        share = positive(rate, "rate")
        if share > 1:
            raise MechanismError(
                "a rate is a probability, at most one",
                cure='give it as a part of one: `dp.Gaussian(20).poisson("1/100")`',
                code="M96",
            )
        return replace(self, sampling=Poisson(share))

    def without_replacement(self, taken: Number, rows: Number) -> Event:
        """From so many of all rows, drawn without replacement.  Neighbours differ in one row, whose
        change moves the exact answer by the distance."""
        drawn, size = whole(taken, "rows taken", least=1), whole(rows, "all rows", least=1)
        if drawn > size:
            raise MechanismError(
                "more rows are to be taken than there are",
                cure="give first how many are taken: "
                "`dp.Gaussian(20).without_replacement(10, 1000)`",
                code="M96",
            )
        return replace(self, sampling=Subset(drawn, size))

    def __str__(self) -> str:
        often = f"{self.count} * " if self.count != 1 else ""
        return f"{often}{_short(self.mechanism)}.at({self.moved}){self.sampling}"

    @property
    def neighbours(self) -> frozenset[type[Rows | Replace]]:
        """Whose protection the event's theorem is about, if it is about one kind alone."""
        kinds: set[type[Rows | Replace]] = set()
        match self.sampling:
            case AllRows():
                pass
            case Poisson():
                kinds.add(Rows)
            case Subset():
                kinds.add(Replace)
            case _:
                assert_never(self.sampling)
        if isinstance(self.moved, Rows | Replace):
            kinds.add(type(self.moved))
        if isinstance(self.moved, Monotone):  # a change may raise one score and lower another
            kinds.add(Rows)
        return frozenset(kinds | self.mechanism.protects)

    @property
    def moved(self) -> Move:
        return self.mechanism.nearest if self.distance is None else self.distance

    def pld(self) -> PLD:
        """What all of it costs."""
        match self.sampling:
            case AllRows():
                return self.count * self.mechanism.pld(self.moved)
            case Poisson(rate):
                return self.count * self._of_samples(lambda twins: _taken(twins.mixed(rate)))
            case Subset(taken, rows):
                rate = Fraction(taken, rows)
                return self.count * self._of_samples(
                    lambda twins: (subset(twins, rate), subset(twins.turned(), rate))
                )
            case _:
                assert_never(self.sampling)

    def _of_samples(self, ways: Callable[[Twins], tuple[Atoms, Atoms]]) -> PLD:
        """Twins that no neighbours have give upper ends alone."""
        upper = ways(self.mechanism.twins(self.moved))
        seen = self.mechanism.attained(self.moved)
        lower = upper if seen is None else ways(seen)
        return PLD.of(Pair(*map(Losses, lower, upper)))


def _taken(mixed: Twins) -> tuple[Atoms, Atoms]:
    return mixed.losses(), mixed.turned().losses()


def _short(mechanism: Mechanism[Any, Any, Any]) -> str:
    """The mechanism with its numbers as they are written in code."""
    return re.sub(r"Fraction\((-?\d+), (\d+)\)", _ratio, repr(mechanism)).replace(", step=1)", ")")


def _ratio(found: re.Match[str]) -> str:
    return found[1] if found[2] == "1" else f"'{found[1]}/{found[2]}'"
