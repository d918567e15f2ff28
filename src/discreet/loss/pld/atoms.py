"""A law of privacy losses as a list of atoms.  Claim and proof: atoms.md"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from math import inf
from typing import Final, Self, final

import numpy as np

from discreet.errors import LossError
from discreet.loss.divergence import Law
from discreet.loss.pld.floats import SMALLEST, UNIT, Reals, Whole, above, below, frozen
from discreet.numbers import ball, down, up

MOST: Final = 2**22
_LEAST: Final = 5e-324


@final
@dataclass(frozen=True, slots=True, init=False)
class Atoms:
    """Under the first of two laws, so much mass lies at each value of ln(first/second).

    Losses and masses lie between two doubles.  `infinite` is what lies where the second law has
    nothing, with all that is not listed at its upper end.  Losses are finite, and rise by their
    upper ends; on a lattice, each is exactly `index`·`step`.  Two lists are equal if all their
    numbers are.
    """

    digest: bytes
    losses: tuple[Reals, Reals] = field(compare=False, repr=False)
    masses: tuple[Reals, Reals] = field(compare=False, repr=False)
    infinite: tuple[float, float] = field(compare=False)
    step: Fraction | None = field(compare=False)
    index: Whole | None = field(compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.masses[0])

    @classmethod
    def scattered(
        cls,
        losses: tuple[Reals, Reals],
        masses: tuple[Reals, Reals],
        infinite: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """Atoms anywhere, each with the ends of its loss and of its mass."""
        (low, high), (less, more) = losses, masses
        endless = np.isposinf(high)
        away = float(more[endless].sum()) * (1 + len(more) * UNIT)
        kept = np.flatnonzero(~(more <= 0) & ~endless)
        kept = kept[np.argsort(high[kept], kind="stable")]
        low, high, less, more = low[kept], high[kept], less[kept], more[kept]
        vague = np.isneginf(low)
        return cls._made(
            (np.where(vague, high, low), high),
            (np.where(vague, 0.0, less), more),
            (infinite[0], min(1.0, (infinite[1] + away) * (1 + 4 * UNIT * (away > 0)))),
            None,
            None,
        )

    @classmethod
    def on_lattice(
        cls,
        step: Fraction,
        index: Whole,
        masses: tuple[Reals, Reals],
        infinite: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """Atoms whose losses are exact multiples of one step, none of them twice."""
        order = np.argsort(index)
        order = order[~(masses[1][order] <= 0)]
        index = np.array(index, np.int64)[order]
        with np.errstate(over="ignore", invalid="ignore"):
            middle = index * above(step)
            slack = 6 * UNIT * np.abs(middle) + _LEAST * np.abs(index)
            losses = middle - slack, middle + slack
        index.setflags(write=False)
        less, more = masses
        return cls._made(losses, (less[order], more[order]), infinite, step, index)

    @classmethod
    def of(cls, p: Law, q: Law) -> Self:
        """Of two exact laws.

        >>> coin, other = Law({1: "3/4", 0: "1/4"}), Law({1: "1/4", 0: "3/4"})
        >>> Atoms.of(coin, other).losses[1].round(4).tolist()
        [-1.0986, 1.0986]
        """
        theirs = dict(zip(q.outcomes, q.weights, strict=True))
        listed: list[tuple[float, float, float, float]] = []
        certain, possible = Fraction(0), p.missing[1]
        for outcome, (least, most) in zip(p.outcomes, p.weights, strict=True):
            other = theirs.get(outcome, (Fraction(0), q.missing[1]))
            if outcome not in theirs or other[1] == 0:
                certain += least if other[1] == 0 else 0
                possible += most
            elif most > 0:
                listed.append((*_log_ratio((least, most), other), below(least), above(most)))
        table = np.array(listed, np.float64).reshape(-1, 4).T
        return cls.scattered(
            (table[0], table[1]), (table[2], table[3]), (below(certain), above(possible))
        )

    @classmethod
    def _made(
        cls,
        losses: tuple[Reals, Reals],
        masses: tuple[Reals, Reals],
        infinite: tuple[float, float],
        step: Fraction | None,
        index: Whole | None,
    ) -> Self:
        if len(masses[0]) > MOST:
            raise LossError(
                "a privacy-loss distribution has more atoms than can be held",
                cure="use less noise or more, or add up rho: `1000 * dp.ZCDP('1/100')`",
                code="L50",
            )
        if not all(np.isfinite(array).all() for array in (*losses, *masses, infinite)):
            raise LossError(
                "a privacy loss, or the chance of one, is no number that can be computed with",
                cure="choose an epsilon below 10^300",
                code="L58",
            )
        infinite = float(infinite[0]) + 0.0, float(infinite[1]) + 0.0  # not −0.0
        made = cls.__new__(cls)
        sealed = blake2b(repr((infinite, step)).encode(), digest_size=16)
        for array in (*losses, *masses):
            sealed.update(np.ascontiguousarray(array).tobytes())
        object.__setattr__(made, "digest", sealed.digest())
        object.__setattr__(made, "losses", (frozen(losses[0]), frozen(losses[1])))
        object.__setattr__(made, "masses", (frozen(masses[0]), frozen(masses[1])))
        object.__setattr__(made, "infinite", infinite)
        object.__setattr__(made, "step", step)
        object.__setattr__(made, "index", index)
        return made

    # --- one after the other --------------------------------------------------------------------

    def times(self, other: Atoms) -> Atoms:
        """Both, one after the other: losses add up, masses multiply."""
        if self.step is not None and self.step == other.step and len(self) and len(other):
            return self._convolved(other)
        here, there = np.divmod(np.arange(len(self) * len(other)), max(1, len(other)))
        return self._paired(other, here, there, 1.0)

    def squared(self) -> Atoms:
        """The same twice."""
        if self.step is not None and len(self):
            return self._convolved(self)
        here, there = np.triu_indices(len(self))
        return self._paired(self, here, there, np.where(here == there, 1.0, 2.0))

    def _paired(self, other: Atoms, here: Whole, there: Whole, times: Reals | float) -> Atoms:
        low, high = (
            ours[here] + theirs[there]
            for ours, theirs in zip(self.losses, other.losses, strict=True)
        )
        less, more = (
            ours[here] * theirs[there] * times
            for ours, theirs in zip(self.masses, other.masses, strict=True)
        )
        return Atoms.scattered(
            (low - 2 * UNIT * np.abs(low), high + 2 * UNIT * np.abs(high)),
            (_lowered(less, 4 * UNIT), more * (1 + 4 * UNIT) + _LEAST),
            self._either(other),
        )

    def _convolved(self, other: Atoms) -> Atoms:
        """On one lattice, equal sums become one atom."""
        if self.step is None or self.index is None or other.index is None:
            raise ValueError("only atoms of one lattice are convolved")
        spread = UNIT * (min(len(self), len(other)) + 4)
        first = int(self.index[0]) + int(other.index[0])
        less, more = (
            np.convolve(_dense(self.index, ours), _dense(other.index, theirs))
            for ours, theirs in zip(self.masses, other.masses, strict=True)
        )
        # What is too small for a double is kept, too.
        kept = np.flatnonzero(
            np.convolve(
                _dense(self.index, np.ones(len(self))), _dense(other.index, np.ones(len(other)))
            )
        )
        return Atoms.on_lattice(
            self.step,
            kept + first,
            (_lowered(less[kept], spread), more[kept] * (1 + spread) + _LEAST * len(self)),
            self._either(other),
        )

    def _either(self, other: Atoms) -> tuple[float, float]:
        """Ends of the chance that one of two is infinite."""
        (low, high), (least, most) = self.infinite, other.infinite
        finite = float(self.masses[1].sum()) * (1 + (len(self) + 4) * UNIT)
        both = low + least * (1 - low)
        return (
            max(low, least, both * (1 - 8 * UNIT) if both > SMALLEST else 0.0),
            min(1.0, (high + most * finite) * (1 + 8 * UNIT) + _LEAST * (most > 0)),
        )

    def trimmed(self, low: int, high: int) -> Atoms:
        """Only those from `low` up to `high` in the order of losses: what lay above goes to
        infinity, and what lay below goes up to the lowest, but for lower ends, where both are
        nothing."""
        kept = slice(low, high)
        less, more = self.masses[0][kept], self.masses[1][kept].copy()
        more[0] = (more[0] + self.masses[1][:low].sum()) * (1 + (low + 2) * UNIT)
        away = float(self.masses[1][high:].sum()) * (1 + (len(self) + 2) * UNIT)
        infinite = self.infinite[0], min(1.0, (self.infinite[1] + away) * (1 + 4 * UNIT))
        if self.step is not None and self.index is not None:
            return Atoms.on_lattice(self.step, self.index[kept], (less, more), infinite)
        losses = self.losses[0][kept], self.losses[1][kept]
        return Atoms.scattered(losses, (less, more), infinite)

    @property
    def span(self) -> int:
        """How many points of its lattice it covers."""
        if self.index is None or len(self) == 0:
            return len(self)
        return int(self.index[-1] - self.index[0]) + 1


@final
@dataclass(frozen=True, slots=True)
class Losses:
    """The losses on the way from a table to its neighbour, as a list that tells no more and one
    that hides nothing.  Where atoms are the whole truth, both are one."""

    lower: Atoms
    upper: Atoms

    @classmethod
    def exactly(cls, atoms: Atoms) -> Self:
        return cls(atoms, atoms)


def _lowered(masses: Reals, by: float) -> Reals:
    """Less by a factor; what is minute, and may have lost its digits, is nothing."""
    return np.where(masses > SMALLEST, masses * (1 - by), 0.0)


def _dense(index: Whole, masses: Reals) -> Reals:
    found: Reals = np.zeros(int(index[-1] - index[0]) + 1)
    found[index - index[0]] = masses
    return found


def _log_ratio(
    ours: tuple[Fraction, Fraction], theirs: tuple[Fraction, Fraction]
) -> tuple[float, float]:
    least = ours[0] / theirs[1]
    low = -inf if least == 0 else below(down(lambda: ball(least).log()))
    if theirs[0] == 0:
        return low, inf
    most = ours[1] / theirs[0]
    return low, above(up(lambda: ball(most).log()))
