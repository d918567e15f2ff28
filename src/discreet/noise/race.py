"""Who rings first: a selection among many clocks, each an increasing function of its own uniform.

A fast path reads a word for each candidate, bounds each time from below in doubles, and drops
whoever surely rings later than another.  Among many candidates a word has 32 bits, and those left
get 32 more and are looked at again.  Nearly always one is left.  If not, those left are
decided in ball arithmetic: the same words, with further bits appended until one interval lies
before all others.  Nobody is drawn anew.  Claim and proof: race.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.noise.reveal import STEP, Revealed
from discreet.noise.words import Words, words
from discreet.numbers import at

Doubles: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Where: TypeAlias = tuple[slice, slice] | tuple[Integers, Integers]
"""A block of cells of a matrix, or cells one by one."""

LANES: Final = 2**13
"""Chunks so small that the allocator keeps their memory and does not return it to the system."""
MANY: Final = 2**14
"""Among more candidates nearly all are out after half a word."""
_GUARD: Final = 128
_HALF: Final = 32
_LARGEST: Final = float(np.finfo(np.float64).max)


class Clock(ABC):
    """A matrix of candidates, a race in each row.  Candidate (row, column) rings at an increasing
    function of its own uniform in [0, 1)."""

    __slots__ = ()

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """How many races, and how many candidates in each."""

    @abstractmethod
    def early(self, where: Where, low: Doubles) -> Doubles:
        """No later than they ring if the uniforms are at least `low`; +inf if they never ring."""

    @abstractmethod
    def late(self, where: Where, high: Doubles) -> Doubles:
        """No earlier than they ring if the uniforms are at most `high`."""

    @abstractmethod
    def ring(self, row: int, column: int, uniform: arb) -> arb:
        """When the candidate rings, exactly; `uniform` lies inside (0, 1)."""


def first_to_ring(
    clock: Clock,
    entropy: Entropy,
    *,
    width: int | None = None,
    step: int = STEP,
    lanes: int = LANES,
) -> Integers:
    """For each row the column that rings first.  `width` and `step` are the bits that are read
    first and appended later; the law is the same for all of them."""
    rows, columns = clock.shape
    if width is None:
        width = 64 if columns <= MANY else _HALF
    winners = np.empty(rows, np.int64)
    tall = max(1, lanes // columns)
    for start in range(0, rows, tall):
        block = slice(start, min(start + tall, rows))
        left, bits = _left(clock, block, entropy, width, lanes), width
        if width == _HALF:
            left, bits = _looked_again(clock, left, entropy), 2 * _HALF
        winners[left.row] = left.column
        for row in start + np.flatnonzero(np.bincount(left.row - start) > 1):
            several = left.among(left.row == row)
            winners[row] = _settled(clock, several, entropy, bits, step)
    return winners


@final
@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """Candidates that may still win, with their words and with times they cannot ring before."""

    row: Integers
    column: Integers
    word: Words
    early: Doubles

    def among(self, which: NDArray[np.bool_]) -> Left:
        return Left(self.row[which], self.column[which], self.word[which], self.early[which])


def _left(clock: Clock, rows: slice, entropy: Entropy, width: int, lanes: int) -> Left:
    """Those of the races `rows` who may win.  Whoever wins is among them, since no time is late
    that does not come after the best, and the winner rings no later than any."""
    height = rows.stop - rows.start
    every = np.arange(height)
    # Below +inf, so that who never rings never stays; all others have finite early times.
    latest = np.full(height, _LARGEST)
    found: list[Left] = []
    wide = max(1, lanes // height)
    for start in range(0, clock.shape[1], wide):
        columns = slice(start, min(start + wide, clock.shape[1]))
        fresh = words(entropy, height * (columns.stop - start), width).reshape(height, -1)
        early = clock.early((rows, columns), lower_ends(fresh, width))
        best = early.argmin(axis=1)
        picked = rows.start + every, start + best
        late = clock.late(picked, upper_ends(fresh[every, best], width))
        latest = np.minimum(latest, late)
        row, column = np.divmod(np.flatnonzero(early <= latest[:, None]), early.shape[1])
        found.append(Left(rows.start + row, start + column, fresh[row, column], early[row, column]))
    left = Left(*(np.concatenate([getattr(part, name) for part in found]) for name in _PARTS))
    return left.among(left.early <= latest[left.row - rows.start])


def _looked_again(clock: Clock, left: Left, entropy: Entropy) -> Left:
    """Half a word more for each who is left; again the winner is among those who stay.  It is done
    even if one is left alone, so that the time tells nothing."""
    whole = (left.word.astype(np.uint64) << np.uint64(_HALF)) | words(
        entropy, len(left.word), _HALF
    )
    width, where = 2 * _HALF, (left.row, left.column)
    early = clock.early(where, lower_ends(whole, width))
    races, race = np.unique(left.row, return_inverse=True)
    latest = np.full(len(races), _LARGEST)
    np.minimum.at(latest, race, clock.late(where, upper_ends(whole, width)))
    return Left(left.row, left.column, whole, early).among(early <= latest[race])


_PARTS: Final = ("row", "column", "word", "early")


def lower_ends(fresh: Words, width: int) -> Doubles:
    """Doubles no larger than word·2^-width: the uniforms are at least that."""
    if width < 64:
        return fresh.astype(np.float64) * np.float64(2.0**-width)
    # Rounding to the nearest double may enlarge a word, by less than what the factor takes away.
    return _upper_63(fresh) * np.float64((1 - 2.0**-52) * 2.0**-63)


def upper_ends(fresh: Words, width: int) -> Doubles:
    """Doubles no smaller than (word + 1)·2^-width, and at most 1: the uniforms are below that."""
    if width < 64:
        return (fresh.astype(np.float64) + 1) * np.float64(2.0**-width)
    return np.minimum((_upper_63(fresh) + 1) * np.float64((1 + 2.0**-51) * 2.0**-63), 1)


def _upper_63(fresh: Words) -> Doubles:
    """The first 63 of 64 bits: a signed integer becomes a double ten times faster than one
    without a sign."""
    return (fresh >> np.uint64(1)).view(np.int64).astype(np.float64)


def _settled(clock: Clock, left: Left, entropy: Entropy, width: int, step: int) -> int:
    """The column of the first of several candidates of one race, decided in balls."""
    racing = [
        (int(row), int(column), Revealed(entropy, width, int(word), step=step))
        for row, column, word in zip(left.row, left.column, left.word, strict=True)
    ]
    while True:
        spans = [_span(clock, *racer) for racer in racing]
        first = min(late for _, late in spans)
        racing = [r for r, (early, late) in zip(racing, spans, strict=True) if early < first]
        if len(racing) == 1:
            return racing[0][1]
        for _, _, uniform in racing:
            uniform.more()


def _span(clock: Clock, row: int, column: int, uniform: Revealed) -> tuple[arb, arb]:
    """Two exact numbers between which the candidate rings; it does not ring at the second."""
    low, high = uniform.ends()
    early, late = arb.neg_inf(), arb.pos_inf()
    if low > 0:
        early = at(uniform.bits + _GUARD, lambda: clock.ring(row, column, low).lower())
    if high < 1:
        late = at(uniform.bits + _GUARD, lambda: clock.ring(row, column, high).upper())
    return early, late


_FORMS: Final = {1: "one dimension", 2: "two dimensions, a race in each row"}


def candidates(values: object, name: str, *, dimensions: int) -> Integers:
    """`values` as int64, in one dimension or two, with at least one candidate."""
    try:
        found = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise _no_race(name, dimensions) from None
    except (TypeError, OverflowError):
        raise _not_integers(name) from None
    if found.ndim != dimensions or found.shape[-1] == 0:
        raise _no_race(name, dimensions)
    if isinstance(values, np.ma.MaskedArray):
        raise _not_integers(name)
    if found.dtype.kind not in "iu" or not np.can_cast(found.dtype, np.int64):
        raise _not_integers(name)
    return found.astype(np.int64, copy=False)


_EXAMPLES: Final = {
    "scores": "from discreet.noise.gumbel import GumbelMax; GumbelMax('1/2').choose([31, 5, 27])",
    "weights": "from discreet.noise.exponential import ExponentialRace; "
    "ExponentialRace().choose(['0.25', '1/3', 2])",
}
_FITS: Final = {
    "scores": "put them on a lattice and give its step as the unit",
    "weights": "give a list, whose numbers may be decimals and ratios",
}


def _no_race(name: str, dimensions: int) -> MechanismError:
    return MechanismError(
        f"{name} must have {_FORMS[dimensions]}, with at least one candidate",
        cure=f"give one row to choose, rows of equal length to choose_rows: `{_EXAMPLES[name]}`",
        code="M02",
    )


def _not_integers(name: str) -> MechanismError:
    return MechanismError(
        f"{name} must be whole numbers that fit in 64 bits with a sign",
        cure=f"{_FITS[name]}: `{_EXAMPLES[name]}`",
        code="M01",
    )
