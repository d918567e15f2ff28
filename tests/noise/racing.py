"""Races read a second time: when candidates ring by definition, and what law the words give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias, final

import flint
import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

import discreet.noise.race as module
from discreet.entropy import Replay
from discreet.noise.exponential import ExponentialMax, RateClock
from discreet.noise.gumbel import GumbelMax
from discreet.noise.noisy_max import clock_of
from discreet.noise.race import Clock, Integers, first_to_ring, lower_ends, upper_ends

Words: TypeAlias = NDArray[np.uint64]
Decide: TypeAlias = Callable[["Race", Words], Integers]
"""The columns that are chosen if these are the words, a race in each row."""

PRECISION: Final = 400
FURTHER: Final = np.random.default_rng(0).bytes(2**20)
_LARGEST: Final = float(np.finfo(np.float64).max)

POWERS: Final = [2**k for k in range(64)]
BOUNDARY: Final = sorted({0, 2**64 - 1, 2**64 - 2} | {p + d for p in POWERS for d in (-1, 0, 1)})
"""Words near the ends and near powers of two."""


@final
@dataclass(frozen=True)
class Race:
    """The same race in any number of rows, and when a candidate rings, by definition."""

    clock: Callable[[int], Clock]
    time: Callable[[int, arb], arb]
    columns: int


def _real(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def gumbel(unit: Fraction, scores: Sequence[int]) -> Race:
    """-(unit·score + Gumbel noise), and unit·top more."""

    def time(column: int, u: arb) -> arb:
        return (-(1 - u).log()).log() + _real(unit * (max(scores) - scores[column]))

    rows = np.array([scores], np.int64)
    return Race(lambda n: clock_of(GumbelMax(unit), rows.repeat(n, 0)), time, len(scores))


def exponential(unit: Fraction, scores: Sequence[int]) -> Race:
    """-(unit·score + exponential noise), and unit·top more."""

    def time(column: int, u: arb) -> arb:
        return u.log() + _real(unit * (max(scores) - scores[column]))

    rows = np.array([scores], np.int64)
    return Race(lambda n: clock_of(ExponentialMax(unit), rows.repeat(n, 0)), time, len(scores))


def rates(weights: Sequence[int]) -> Race:
    """Exponential times with these rates."""

    def time(column: int, u: arb) -> arb:
        return -(1 - u).log() / weights[column] if weights[column] else arb.pos_inf()

    rows = np.array([weights], np.int64)
    return Race(lambda n: RateClock(rows.repeat(n, 0)), time, len(weights))


# --- bounds in doubles ---------------------------------------------------------------------------


def lies(race: Race, words: Sequence[int], *, loose: float = 0) -> int:
    """How many bounds of doubles are wrong, for uniforms just inside the interval of each word of
    64 bits.  With `loose` also those that are further away than this part of the time, or of one,
    for words not near the ends.
    """
    fresh, zero = np.array(words, np.uint64), np.zeros(len(words), np.int64)
    clock, where = race.clock(1), (zero, np.arange(len(words)) % race.columns)
    early = clock.early(where, lower_ends(fresh, 64)).tolist()
    late = clock.late(where, upper_ends(fresh, 64)).tolist()
    wrong = 0
    with flint.ctx.workprec(PRECISION):
        for i, word in enumerate(words):
            first = race.time(i % race.columns, arb((word << 136 | 1, -200)))
            last = race.time(i % race.columns, arb(((word + 1 << 136) - 1, -200)))
            wrong += not arb(early[i]) <= first
            wrong += not arb(late[i]) >= last
            if loose and first.is_finite() and 2**40 < word < 2**64 - 2**54:
                wrong += not first - arb(early[i]) < loose * (1 + abs(first))
                wrong += not arb(late[i]) - last < loose * (1 + abs(last))
    return wrong


# --- the race as a function of its bits ----------------------------------------------------------


def by_hand(race: Race, data: bytes, rows: int, *, width: int, step: int) -> tuple[list[int], int]:
    """The winners, and how many bytes are read: words for all, row by row; after words of 32 bits,
    32 more for each whom doubles leave in; then `step` bits more for each whose interval of time
    does not surely begin after another one's end, until one is left.  Doubles leave in all those,
    and may leave in a few more."""
    size, start = width // 8, rows * race.columns * width // 8
    looks = 64 if width == 32 else width
    known: dict[tuple[int, int, int], tuple[arb, arb]] = {}
    winners: list[int] = []

    def span(column: int, word: int, bits: int) -> tuple[arb, arb]:
        key = column, word, bits
        if key not in known:
            low = race.time(column, arb((word, -bits))) if word else arb.neg_inf()
            high = race.time(column, arb((word + 1, -bits)))
            # Some clocks have a time for the uniform 1, at which only doubles look.
            if word + 1 == 1 << bits and not (high.is_finite() and bits <= looks):
                high = arb.pos_inf()
            never = not race.time(column, arb(0.5)).is_finite()
            known[key] = (arb.pos_inf(), arb.pos_inf()) if never else (low, high)
        return known[key]

    def left(words: dict[int, int], bits: int) -> dict[int, int]:
        spans = {c: span(c, word, bits) for c, word in words.items()}
        first = min(late for _, late in spans.values())
        return {c: words[c] for c, (early, _) in spans.items() if not early >= first}

    def longer(words: dict[int, int], by: int) -> dict[int, int]:
        nonlocal start
        found = {}
        for c, word in words.items():
            found[c] = word << by | _number(data[start : start + by // 8])
            start += by // 8
        return found

    with flint.ctx.workprec(PRECISION):
        first_words = [
            {
                c: _number(data[place : place + size])
                for c in range(race.columns)
                for place in [(row * race.columns + c) * size]
            }
            for row in range(rows)
        ]
        if width == 32:
            stay = _left_in_by_doubles(race, data, rows)
            assert all(set(left(first_words[row], width)) <= set(stay[row]) for row in range(rows))
            first_words = [longer({c: first_words[row][c] for c in stay[row]}, 32) for row in stay]
        for opening in first_words:
            words, bits = left(opening, looks), looks
            while len(words) > 1:
                words, bits = longer(words, step), bits + step
                words = left(words, bits)
            winners.extend(words)
    return winners, start


def _left_in_by_doubles(race: Race, data: bytes, rows: int) -> dict[int, list[int]]:
    left = module._left(race.clock(rows), slice(0, rows), Replay(data), 32, rows * race.columns)
    return {row: sorted(left.column[left.row == row].tolist()) for row in range(rows)}


def _number(piece: bytes) -> int:
    return int.from_bytes(piece, "little")


# --- the law of cells, which brackets ------------------------------------------------------------


@final
@dataclass(frozen=True)
class Cells:
    """The measure of the cells of two uniforms in which the first of two rings first, in which
    the second does, and which are open."""

    first: float
    second: float
    open: float


def in_cells(race: Race, depth: int) -> Cells:
    """Cells are halved both ways where the doubles of the clock do not decide them."""
    clock, one, two = race.clock(1), np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    first = second = 0.0
    for bits in range(depth + 1):
        if bits:
            one = np.concatenate([2 * one + a for a in (0, 0, 1, 1)])
            two = np.concatenate([2 * two + a for a in (0, 1, 0, 1)])
        wins, loses = verdicts(clock, one, two, bits)
        first += float(wins.sum()) * 4.0**-bits
        second += float(loses.sum()) * 4.0**-bits
        one, two = one[~(wins | loses)], two[~(wins | loses)]
    return Cells(first, second, len(one) * 4.0**-depth)


def verdicts(
    clock: Clock, one: Words, two: Words, bits: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the first wins and where the second does, as `first_to_ring` finds without balls."""
    zero = np.zeros(len(one), np.int64)
    early = [clock.early((zero, zero + c), lower_ends(w, bits)) for c, w in enumerate((one, two))]
    late = [clock.late((zero, zero + c), upper_ends(w, bits)) for c, w in enumerate((one, two))]
    latest = np.minimum(np.where(early[0] <= early[1], *late), _LARGEST)
    return early[1] > latest, early[0] > latest


# --- the law of words of 64 bits, by integration -------------------------------------------------


def decided(race: Race, words: Words) -> Integers:
    """The code's choice; what is appended is always the same, and not alike for two candidates."""
    data = words.astype("<u8").tobytes() + FURTHER
    return first_to_ring(race.clock(len(words)), Replay(data))


def law_of_words(
    race: Race, *, cuts: Sequence[float] = (), decide: Decide = decided, depth: int = 46
) -> dict[int, float]:
    """The probability of each candidate, found from choices alone.

    Given its uniform, candidate i wins if each other uniform lies above a boundary, which is found
    by halving; that choices are of this kind is what `by_hand` shows.  What lies above all of them
    is integrated over the uniform of i, piecewise between `cuts`, by the rule of Takahasi and Mori:
    for analytic functions its error falls faster than any power of the number of nodes.
    """
    ends = sorted({0.0, 1.0, *cuts})
    pieces = [_nodes(a, b) for a, b in pairwise(ends)]
    places = np.concatenate([place for place, _ in pieces])
    shares = np.concatenate([share for _, share in pieces])
    words = np.array([min(int(u * 2.0**64), 2**64 - 1) for u in places.tolist()], np.uint64)
    found = {}
    for i in range(race.columns):
        above = np.ones(len(words))
        for j in range(race.columns):
            if j != i:
                above *= 1 - _middle(boundary(race, words, (i, j), decide, depth=depth), depth)
        found[i] = float((shares * above).sum())
    return found


def _nodes(a: float, b: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    h = 0.12
    # Shifted, so that no node is a dyadic number at which two candidates could tie.
    t = (np.arange(-28, 28) + 0.37) * h
    s = 1 / (1 + np.exp(-np.pi * np.sinh(t)))
    rest = 1 / (1 + np.exp(np.pi * np.sinh(t)))
    return a + (b - a) * s, (b - a) * h * np.pi * np.cosh(t) * s * rest


def boundary(
    race: Race, words: Words, pair: tuple[int, int], decide: Decide = decided, *, depth: int = 64
) -> Words:
    """The last word, among those of `depth` bits, with which the second of a pair beats the first,
    when all others have the last word of all; or zero."""
    i, j = pair
    asked = np.full((len(words), race.columns), 2**64 - 1, np.uint64)
    asked[:, i] = words
    found = np.zeros(len(words), np.uint64)
    for bit in range(63, 63 - depth, -1):
        asked[:, j] = found | np.uint64(1 << bit)
        found = np.where(decide(race, asked) == i, found, asked[:, j])
    return found


def _middle(word: Words, depth: int) -> NDArray[np.float64]:
    middle: NDArray[np.float64] = (word.astype(np.float64) + 2.0 ** (63 - depth)) * 2.0**-64
    return middle


def in_bytes(race: Race, words: Words) -> Integers:
    """The choice between two when words of eight bits are read, and eight more at a time."""
    both = words.astype(">u8").view(np.uint8).reshape(-1, 2, 8).swapaxes(1, 2)
    clock = race.clock(1)
    read = [
        first_to_ring(clock, Replay(row.tobytes() + FURTHER[:64]), width=8, step=8)[0]
        for row in both
    ]
    return np.array(read)


def apart(found: Mapping[int, float], true: Mapping[int, float]) -> float:
    """The total variation between two laws."""
    return sum(abs(found.get(i, 0) - true.get(i, 0)) for i in found.keys() | true.keys()) / 2
