"""Integers from a table: many points under the staircase at once.

The work is the same for every point: each is given a slot and a member, and a number of points
that was fixed beforehand is held against the curve, whether it needs it or not.  Only a point so
near the curve that doubles cannot tell (below one in 10^10) is decided in ball arithmetic, with the
same bits and further ones behind them.  Claim and proof: table.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.noise.reveal import Revealed
from discreet.noise.table import SLACK, TAIL_ROOM, Doubles, Integers, Table, table_of
from discreet.noise.weights import Sides, Weights
from discreet.noise.words import Words, top_bits, width_for, words
from discreet.numbers import ball

LARGEST: Final = 2**62
"""Arrays hold no noise beyond ±2^62: what would lie further out is put there."""
_LANES: Final = 2**15
"""So many points at a time: their arrays stay in the processor's cache."""
_SMALL: Final = 10
_LARGE: Final = 16
_MANY: Final = 300
"""From this count on, the table of 2^16 slots is worth its making."""
_HEIGHT_BITS: Final = 32


def draw(weights: Weights, count: int, entropy: Entropy) -> Integers:
    """`count` independent integers of the law of `weights`, put back to ±2^62 if beyond."""
    table = table_of(weights, _LARGE if count >= _MANY else _SMALL)
    drawn = np.empty(count, np.int64)
    done = 0
    while done < count:
        kept = _points(table, min(_LANES, _enough(table, count - done)), entropy)
        kept = kept[: count - done]
        drawn[done : done + len(kept)] = kept
        done += len(kept)
    return drawn


def draw_one(weights: Weights, entropy: Entropy) -> int:
    """One integer of the law, however large."""
    drawn = int(draw(weights, 1, entropy)[0])
    if abs(drawn) < LARGEST:
        return drawn
    sign = 1 if drawn > 0 else -1
    while (beyond := _beyond(weights, LARGEST, entropy)) is None:
        pass
    return sign * beyond


def _enough(table: Table, count: int) -> int:
    """So many points that `count` of them are nearly always kept."""
    return int(count / table.kept + 4 * sqrt(count * (1 - table.kept)) / table.kept) + 2


def _points(table: Table, lanes: int, entropy: Entropy) -> Integers:
    """The members of those among `lanes` uniform points that lie below the curve.

    Those over slots that are not sure are held against the curve, filled up from spare lanes to
    a number that does not depend on how many they are, so that time does not tell.
    """
    spare = np.full(_spare(table, lanes), table.sure, np.uint16)
    slots = np.concatenate([top_bits(entropy, lanes, table.slot_bits), spare])
    members = _as_if_sure(table, slots, lanes, entropy)
    unsure = slots >= table.sure
    many = int(np.count_nonzero(unsure[:lanes]))
    unsure[lanes + max(0, len(spare) - many) :] = False
    which = np.flatnonzero(unsure)
    place = np.where(which < lanes, slots[which].astype(np.int64) - table.sure, table.nowhere)
    points = _lifted(table, place, entropy)
    lost = points.settle(table, entropy)[:many]
    members[which] = points.member
    return _closed_up(members[:lanes], which[:many][lost])


def _as_if_sure(table: Table, slots: Words, lanes: int, entropy: Entropy) -> Integers:
    """A member for each point; what it is matters only where the slot is sure."""
    if table.sure == 0:
        return np.zeros(len(slots), np.int64)
    members = table.first.take(slots, mode="clip")
    if table.unit_bits:
        members[:lanes] += top_bits(entropy, lanes, table.unit_bits).astype(np.int64)
    return members


def _spare(table: Table, lanes: int) -> int:
    """More points than that are unsure less than once in 10^9 times; none, if all are."""
    if table.sure == 0:
        return 0
    part = 1 - table.sure / (1 << table.slot_bits)
    mean = lanes * part
    return min(lanes, int(mean + 6 * sqrt(mean * (1 - part)) + 8))


def _lifted(table: Table, place: Integers, entropy: Entropy) -> Points:
    """Points over the slots at `place` among those that are not sure, each with a height."""
    block = table.owner.take(place)
    bits = table.blocks.bits.take(block)
    widest = int(table.blocks.bits.max())
    offset = words(entropy, len(place), width_for(widest)).astype(np.int64) & ((1 << bits) - 1)
    return Points(
        block=block,
        member=table.blocks.lowest.take(block) + offset,
        level=table.level.take(place),
        height=words(entropy, len(place), _HEIGHT_BITS),
        height_bits=_HEIGHT_BITS,
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points that may lie above the curve, at level + (height + U)·2^-height_bits, where U is
    uniform in [0, 1) and not yet known."""

    block: Integers
    member: Integers
    level: Doubles
    height: Words
    height_bits: int

    def verdicts(self, table: Table) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which points surely lie below the curve, and which surely do not.  Never both; neither
        is an abstention."""
        step = 2.0**-self.height_bits
        lowest = self.level + self.height * step
        due = table.due_in_doubles(self.block, self.member)
        return lowest + step <= due * (1 - SLACK), lowest >= np.maximum(
            due * (1 + SLACK), TAIL_ROOM
        )

    def settle(self, table: Table, entropy: Entropy) -> NDArray[np.bool_]:
        """Which points do not lie below the curve.  Where doubles abstain, the same point is
        decided exactly; a point of a tail is given its member there."""
        kept, lost = self.verdicts(table)
        for i in np.flatnonzero(~(kept | lost)):
            member = self._exactly(table, int(i), entropy)
            lost[i] = member is None
            self.member[i] = max(-LARGEST, min(LARGEST, member or 0))
        return lost

    def _exactly(self, table: Table, i: int, entropy: Entropy) -> int | None:
        block, member, level = int(self.block[i]), int(self.member[i]), int(self.level[i])
        height = Revealed(entropy, self.height_bits, int(self.height[i]))
        sign = table.tail_sign(block)
        if sign is None:
            return member if height.below(lambda: table.due(block, member) - level) else None
        if not height.below(table.due_of_tail):
            return None
        beyond = _beyond(table.weights, table.tail, entropy)
        return None if beyond is None else sign * beyond


def _beyond(weights: Weights, start: int, entropy: Entropy) -> int | None:
    """start + d, where d follows the geometric envelope of the weights from `start` outwards;
    None where the weights do not fill the envelope."""
    envelope = Weights(weights.slope(start), Fraction(0), Sides.ONE)
    steps = draw_one(envelope, entropy)

    def filled() -> arb:
        return (-ball(weights.square * steps * steps)).exp()

    return start + steps if not weights.square or Revealed(entropy).below(filled) else None


def _closed_up(members: Integers, lost: NDArray[np.intp]) -> Integers:
    """`members` without the lost places: what is kept at the end moves into them.  Which places
    are lost is independent of the members that are kept."""
    length = len(members) - len(lost)
    holes = lost[lost < length]
    end = np.ones(len(lost), np.bool_)
    end[lost[lost >= length] - length] = False
    members[holes] = members[length:][end]
    return members[:length]
