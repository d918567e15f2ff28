"""The claim of table.md about drawing: the fast path never lies, and the law is the law."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from flint import arb
from hypothesis import given, strategies as st

from discreet.entropy import SYSTEM, Entropy, Replay
from discreet.noise import draw as drawing
from discreet.noise.draw import LARGEST, Points, draw, draw_one
from discreet.noise.table import Integers, Table, table_of
from discreet.noise.weights import Sides, Weights
from discreet.numbers import at, ball
from tests.figures import Figure
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.reading import (
    FAMILIES,
    SCALES,
    Family,
    exact_law,
    gaussian,
    geometric,
    laplace,
    points,
    truly_below,
)

BITS = 32
LARGE_SCALES = [Fraction(1000), Fraction(10**6), Fraction(2**35), Fraction(2**40)]


def some_points(table: Table, count: int, rng: np.random.Generator) -> Points:
    """Points with random words over unsure slots, the void's and the tails' among them."""
    places = rng.integers(0, len(table.owner), count)
    offsets = rng.integers(0, 2**62, count)
    heights = rng.integers(0, 2**BITS, count, dtype=np.uint32)
    return points(table, places, offsets, heights, BITS)


def points_at_boundaries(table: Table, count: int, rng: np.random.Generator) -> Points:
    """Points whose word is within three of the word in which the curve passes."""
    found = some_points(table, count, rng)
    for i in range(count):
        block, n = int(found.block[i]), int(found.member[i])
        if table.tail_sign(block) is None and table.blocks.factor[block]:
            due = at(128, lambda: table.due(block, n))  # noqa: B023
            level = floor(float(due))
            if not (table.owner == block)[table.level == level].any():
                level = int(found.level[i])
            word = floor((float((due - level).mid())) * 2**BITS)
        else:
            level, word = int(found.level[i]), int(rng.choice([0, 2**BITS - 1]))
        found.level[i] = level
        found.height[i] = min(2**BITS - 1, max(0, word + int(rng.integers(-3, 4))))
    return found


def lies(table: Table, asked: Points) -> int:
    """How many verdicts of doubles are wrong."""
    kept, lost = asked.verdicts(table)
    step = Fraction(1, 2**asked.height_bits)
    wrong = int((kept & lost).sum())
    for i in np.flatnonzero(kept | lost):
        block, n, level = int(asked.block[i]), int(asked.member[i]), int(asked.level[i])
        low = int(asked.height[i]) * step
        if table.tail_sign(block) is not None:
            true = at(128, table.due_of_tail) > ball(low)
        elif not table.blocks.factor[block]:
            true = False
        else:
            true = truly_below(table, block, n, level, low + step if kept[i] else low)
        wrong += bool(kept[i]) != true
    return wrong


def look_for_lies(random: int, boundary: int) -> None:
    rng = np.random.default_rng(20)
    for scale in SCALES:
        for family in FAMILIES:
            table = table_of(family(scale), 16)
            assert lies(table, some_points(table, random, rng)) == 0
            asked = points_at_boundaries(table, boundary, rng)
            assert lies(table, asked) == 0
            kept, lost = asked.verdicts(table)
            assert (~(kept | lost)).any(), "the boundaries were not met"


def test_the_fast_path_never_lies() -> None:
    look_for_lies(random=400, boundary=100)


@pytest.mark.long
def test_the_fast_path_never_lies_on_a_million_words_for_each_of_twenty_scales() -> None:
    look_for_lies(random=1_000_000, boundary=100_000)


class TestVerdictsOfMutants:
    def test_a_sharp_comparison_made_blunt(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """≥ for >: a word counts as below the curve that the curve passes through."""

        def blunt(asked: Points, table: Table) -> tuple[np.ndarray, np.ndarray]:
            below = asked.level + asked.height * 2.0**-BITS <= table.due_in_doubles(
                asked.block, asked.member
            )
            return below, ~below

        table = table_of(laplace(Fraction(10)), 16)
        asked = points_at_boundaries(table, 300, np.random.default_rng(1))
        assert lies(table, asked) == 0
        monkeypatch.setattr(Points, "verdicts", blunt)
        assert lies(table, asked) > 0

    def test_an_exponential_that_is_off_by_a_billionth(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = table_of(gaussian(Fraction(1000)), 16)
        asked = points_at_boundaries(table, 300, np.random.default_rng(2))
        right = Table.due_in_doubles
        monkeypatch.setattr(
            Table, "due_in_doubles", lambda t, b, n: right(t, b, n) * (1 + 2.0**-30)
        )
        assert lies(table, asked) > 0


def test_doubles_err_far_less_than_the_slack() -> None:
    rng = np.random.default_rng(3)
    for scale in SCALES:
        for family in FAMILIES:
            table = table_of(family(scale), 16)
            asked = some_points(table, 200, rng)
            due = table.due_in_doubles(asked.block, asked.member)
            for i in np.flatnonzero(due):
                exact = at(128, lambda: table.due(int(asked.block[i]), int(asked.member[i])))  # noqa: B023
                assert abs(arb(float(due[i])) / exact - 1) < 2.0**-44


@pytest.mark.parametrize("slot_bits", [10, 16])
def test_abstentions_are_rarer_than_one_in_ten_billion(slot_bits: int) -> None:
    for family in FAMILIES:
        for scale in SCALES:
            assert abstention(table_of(family(scale), slot_bits)) < 1e-10


@pytest.mark.long
def test_abstentions_are_told_for_each_scale(figure: Figure) -> None:
    for scale in SCALES:
        worst = [
            max(abstention(table_of(family(scale), slot_bits)) for slot_bits in (10, 16))
            for family in FAMILIES
        ]
        shown = ", ".join(
            f"{family.__name__} {rate:.1e}" for family, rate in zip(FAMILIES, worst, strict=True)
        )
        figure(f"abstention per point, scale {scale}", shown)
        assert max(worst) < 1e-6


def abstention(table: Table) -> float:
    """A bound on the probability that a point abstains: for each block (or tail) the words that
    its highest curve leaves open, of which two may be open by their ends alone."""
    width = 2 * 2.0**-BITS + 2.0**-39 * (table.level + 1)
    touched: dict[int, float] = {}
    for block, share in zip(table.owner.tolist(), width.tolist(), strict=True):
        touched[block] = max(touched.get(block, 0.0), share)
    touched.pop(len(table.blocks.lowest) - 1, None)
    return float(sum(touched.values()) / 2**table.slot_bits)


def test_there_are_as_few_blocks_as_the_claim_says() -> None:
    edges = [Fraction(90 * 2**k) - Fraction(1, 1000) for k in (0, 1, 20, 33)]
    for family in FAMILIES:
        for scale in (*SCALES, *edges):
            assert len(table_of(family(scale), 16).blocks.lowest) - 1 < 1_200
            assert len(table_of(family(scale), 10).blocks.lowest) - 1 < 200


@pytest.mark.parametrize("scale", [Fraction(1, 10**9), Fraction(1, 3), Fraction(10)])
def test_what_fills_up_never_abstains(scale: Fraction) -> None:
    """Each word of the height, by its ends: 0, 1, the last but one, the last."""
    for family in FAMILIES:
        table = table_of(family(scale), 16)
        place = np.full(4, table.nowhere)
        heights = np.array([0, 1, 2**BITS - 2, 2**BITS - 1], np.uint32)
        kept, lost = points(table, place, np.zeros(4, np.int64), heights, BITS).verdicts(table)
        assert lost.all()
        assert not kept.any()


@pytest.mark.parametrize("family", FAMILIES)
def test_no_setting_of_numpy_makes_a_draw_fail(family: Family) -> None:
    with np.errstate(all="raise"):
        for scale in (Fraction(1, 10**300), Fraction(1, 1000), Fraction(1, 30), Fraction(10)):
            draw(family(scale), 200_000, SYSTEM)
            for _ in range(200):
                draw_one(family(scale), SYSTEM)


class Counted(Entropy):
    """The system's entropy, with a count of what was read."""

    def __init__(self) -> None:
        self.read = 0

    def take(self, count: int) -> bytes:
        self.read += count
        return SYSTEM.take(count)


@pytest.mark.parametrize("family", FAMILIES)
def test_points_read_the_same_number_of_bytes_whatever_they_are(family: Family) -> None:
    for scale in (Fraction(1), Fraction(1000), Fraction(2**40)):
        for bits, lanes in ((10, 5), (10, 300), (16, 10_000)):
            table = table_of(family(scale), bits)
            seen = set()
            for _ in range(50):
                source = Counted()
                drawing._points(table, lanes, source)
                seen.add(source.read)
            assert len(seen) == 1


@given(
    st.lists(st.booleans(), max_size=200),
)
def test_closing_up_keeps_what_is_not_lost(lost: list[bool]) -> None:
    members = np.arange(len(lost), dtype=np.int64)
    places = np.flatnonzero(np.array(lost, bool))
    kept = drawing._closed_up(members.copy(), places)
    assert sorted(kept.tolist()) == [i for i, gone in enumerate(lost) if not gone]


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 2**30))
def test_closing_up_does_not_look_at_the_members(lost: list[bool], salt: int) -> None:
    places = np.flatnonzero(np.array(lost, bool))
    by_place = drawing._closed_up(np.arange(len(lost), dtype=np.int64), places)
    members = np.random.default_rng(salt).integers(0, 5, len(lost))
    assert (drawing._closed_up(members.copy(), places) == members[by_place]).all()


def slow_points(table: Table, lanes: int, data: bytes) -> list[int]:
    """`_points` read again from its claim: slot, member, height, one point after the other, for
    bytes that never abstain."""

    def number(start: int, width: int) -> int:
        return int.from_bytes(data[start : start + width // 8], "little")

    def width_for(bits: int) -> int:
        return next(width for width in (8, 16, 32, 64) if bits <= width)

    slots = [number(2 * i, 16) >> (16 - table.slot_bits) for i in range(lanes)]
    at_byte, unit = 2 * lanes, width_for(table.unit_bits)
    shift = unit - table.unit_bits
    offsets = [0] * lanes
    if table.unit_bits and table.sure:
        offsets = [number(at_byte + i * unit // 8, unit) >> shift for i in range(lanes)]
        at_byte += lanes * unit // 8
    wide = width_for(int(table.blocks.bits.max()))
    room = (len(data) - at_byte) * 8 // (wide + BITS)
    kept, unsure = [], 0
    for slot, offset in zip(slots, offsets, strict=True):
        if slot < table.sure:
            kept.append(int(table.first[slot]) + offset)
            continue
        place = slot - table.sure
        block, level = int(table.owner[place]), int(table.level[place])
        member = number(at_byte + unsure * wide // 8, wide) % (1 << int(table.blocks.bits[block]))
        member += int(table.blocks.lowest[block])
        height = number(at_byte + room * wide // 8 + unsure * BITS // 8, BITS)
        unsure += 1
        if table.blocks.factor[block] and truly_below(
            table, block, member, level, Fraction(height, 2**BITS)
        ):
            kept.append(member)
    return kept


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "scale", [Fraction(1, 3), Fraction(22, 7), Fraction(10**6), Fraction(2**40)]
)
def test_points_are_a_fixed_function_of_the_bits(family: Family, scale: Fraction) -> None:
    rng = np.random.default_rng(4)
    for bits, lanes in ((10, 400), (16, 2_000)):
        table = table_of(family(scale), bits)
        source = Counted()
        drawing._points(table, lanes, source)
        data = rng.bytes(source.read)
        found = drawing._points(table, lanes, Replay(data))
        assert sorted(found.tolist()) == sorted(slow_points(table, lanes, data))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1), Fraction(22, 7), Fraction(10)])
def test_draws_follow_the_law_and_would_be_seen_if_not(family: Family, scale: Fraction) -> None:
    law = {n: p for n, p in exact_law(family(scale), 500).items() if p > 1e-9}
    wrong = exact_law(family(scale * Fraction(105, 100)), 500)
    for count, times in ((1_000_000, 1), (1, 5_000)):
        drawn = np.concatenate([draw(family(scale), count, SYSTEM) for _ in range(times)])
        assert doubt(drawn, law) > FALSE_ALARM
        if count > 1:
            assert doubt(drawn, {n: wrong[n] for n in law}) < FALSE_ALARM


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "scale", [Fraction(1000), Fraction(10**6), Fraction(2**35), Fraction(2**40)]
)
def test_large_scales_follow_the_law_in_coarse_cells(family: Family, scale: Fraction) -> None:
    """Cells of a quarter of the scale; the law is summed over each by the law's own tails."""
    count, width = 1_000_000, max(1, int(scale) // 4)
    law = in_cells(family(scale), width)
    drawn = np.floor_divide(draw(family(scale), count, SYSTEM), width)
    assert doubt(drawn, law) > FALSE_ALARM
    assert doubt(drawn, in_cells(family(scale * Fraction(105, 100)), width)) < FALSE_ALARM


def in_cells(weights: Weights, width: int) -> dict[int, float]:
    """The continuous approximation over [k·width, (k + 1)·width), by 2,000 points per cell: at
    these scales it differs from the law by less than the test can see."""
    step = width / 2_000
    grid = (np.arange(-120 * 2_000, 120 * 2_000) + 0.5) * step - 0.5
    exponent = float(weights.linear) * np.abs(grid) + float(weights.square) * grid**2
    weight = np.where((grid < -0.5) & (weights.sides is Sides.ONE), 0.0, np.exp(-exponent))
    cells = (weight / weight.sum()).reshape(-1, 2_000).sum(axis=1)
    return {k - 120: float(p) for k, p in enumerate(cells)}


@pytest.mark.parametrize(
    "weights", [gaussian(Fraction(10)), laplace(Fraction(3)), gaussian(Fraction(2, 3))]
)
def test_what_lies_beyond_a_start_follows_the_rest_of_the_law(weights: Weights) -> None:
    for start in (2, 9):
        whole = {n: p for n, p in exact_law(weights, 300).items() if n >= start}
        mass = sum(whole.values())
        law = {n: p / mass for n, p in whole.items() if p / mass > 1e-9}
        found = [drawing._beyond(weights, start, SYSTEM) for _ in range(6_000)]
        drawn = np.array([n for n in found if n is not None])
        assert doubt(drawn, law) > FALSE_ALARM
        assert doubt(drawn + 1, law) < FALSE_ALARM


def test_one_integer_goes_on_where_arrays_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the end at ±3 instead of ±2^62, one integer still follows the whole law."""
    monkeypatch.setattr(drawing, "LARGEST", 3)
    for family in FAMILIES:
        weights = family(Fraction(3))
        drawn = np.array([draw_one(weights, SYSTEM) for _ in range(4_000)])
        assert doubt(drawn, exact_law(weights, 150)) > FALSE_ALARM


def tail_point(table: Table, sign: int) -> Points:
    block = next(b for b in range(len(table.blocks.lowest)) if table.tail_sign(b) == sign)
    zero = np.zeros(1, np.int64)
    return Points(np.array([block]), zero.copy(), zero.astype(float), np.zeros(1, np.uint32), BITS)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_point_of_a_tail_is_decided_exactly_and_lands_there(family: Family) -> None:
    table = table_of(family(Fraction(5)), 16)
    for sign in table.weights.sides.signs:
        asked = tail_point(table, sign)
        kept, lost = asked.verdicts(table)
        assert not kept[0]
        assert not lost[0]
        # Further bits of zero put the height at the ground: the tail is due more than that.
        below = asked.settle(table, Scripted(bytes(8)))
        assert not below[0] or table.weights.square
        if not below[0]:
            assert sign * int(asked.member[0]) >= table.tail
        # Further bits of one lift it above what the tail is due.
        assert tail_point(table, sign).settle(table, Scripted(b"\xff" * 8))[0]


class Scripted(Entropy):
    """First these bytes, then the system's."""

    def __init__(self, first: bytes) -> None:
        self._first = first

    def take(self, count: int) -> bytes:
        given, self._first = self._first[:count], self._first[count:]
        return given + SYSTEM.take(count - len(given))


def test_arrays_end_at_two_to_the_sixty_two() -> None:
    """A tail that begins there, at a scale far above what can be asked for."""
    table = table_of(laplace(Fraction(5)), 16)

    def giant(weights: Weights, start: int, entropy: Entropy) -> int:
        del weights, start, entropy
        return 2**70

    asked = tail_point(table, -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_beyond", giant)
        assert not asked.settle(table, Scripted(bytes(8)))[0]
    assert int(asked.member[0]) == -LARGEST


def test_large_arrays_are_made_in_bounded_pieces() -> None:
    draw(geometric(Fraction(10)), 2_000, SYSTEM)
    tracemalloc.start()
    result: Integers = draw(geometric(Fraction(10)), 3_000_000, SYSTEM)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - result.nbytes < 8 * 2**20
