"""The claim of table.md, part by part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from discreet.noise.table import TAIL_ROOM, Table, table_of
from discreet.noise.weights import Sides, Weights
from discreet.numbers import at, ball
from tests.noise.reading import (
    FAMILIES,
    SCALES,
    Family,
    exact_law,
    gaussian,
    geometric,
    laplace,
    law_of,
    total_variation,
)

CLOSE = 1e-12
SMALL = tuple(scale for scale in SCALES if scale <= 100)
ODD = (Fraction(1, 10**30), Fraction(1, 1000), Fraction(1, 45), Fraction(2**40 - 1, 3))


def every_table() -> list[Table]:
    return [
        table_of(family(scale), bits)
        for family in FAMILIES
        for scale in (*SCALES, *ODD)
        for bits in (10, 16)
    ]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("slot_bits", [10, 16])
def test_the_blocks_tile_the_integers(family: Family, slot_bits: int) -> None:
    for scale in (*SCALES, *ODD):
        table = table_of(family(scale), slot_bits)
        signs = table.weights.sides.signs
        inner = slice(0, len(table.blocks.lowest) - 1 - len(signs))
        order = np.argsort(table.blocks.lowest[inner])
        lowest = table.blocks.lowest[inner][order]
        next_one = lowest + (1 << table.blocks.bits[inner][order])
        assert (lowest[1:] == next_one[:-1]).all()
        assert next_one[-1] == table.tail
        assert lowest[0] == (0 if table.weights.sides is Sides.ONE else 1 - table.tail)
        assert [table.tail_sign(len(lowest) + i) for i in range(len(signs))] == list(signs)
        assert table.tail_sign(0) is None
        assert table.tail_sign(len(lowest) + len(signs)) is None


def slots_of(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """How many slots of each block are sure, and how many there are."""
    count = len(table.blocks.lowest)
    start = {lowest: i for i, lowest in enumerate(table.blocks.lowest[: count - 1].tolist())}
    sure = np.zeros(count, np.int64)
    for lowest, times in zip(*np.unique(table.first, return_counts=True), strict=True):
        sure[start[int(lowest)]] += times
    return sure, sure + np.bincount(table.owner, minlength=count)


def broken_blocks(table: Table) -> list[int]:
    """The blocks that break s ≤ due(n) ≤ r, or whose unsure slots are not the levels from s."""
    sure, roof = slots_of(table)
    found = []
    for block in range(len(table.blocks.lowest) - 1 - len(table.weights.sides.signs)):
        low = int(table.blocks.lowest[block])
        ends = (low, low + (1 << int(table.blocks.bits[block])) - 1)
        near, far = sorted(ends, key=abs)
        factor = table.fill * Fraction(2) ** (int(table.blocks.bits[block]) - table.unit_bits)
        heaviest = at(120, lambda: ball(factor) * (-ball(table.weights.exponent(near))).exp())  # noqa: B023
        lightest = at(120, lambda: ball(factor) * (-ball(table.weights.exponent(far))).exp())  # noqa: B023
        levels = sorted(table.level[table.owner == block].tolist())
        right = (
            lightest >= int(sure[block])
            and heaviest <= int(roof[block])
            and levels == list(range(int(sure[block]), int(roof[block])))
            and (sure[block] == 0 or table.blocks.bits[block] == table.unit_bits)
            and factor == Fraction(float(table.blocks.factor[block]))
        )
        if not right:
            found.append(block)
    return found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [*SCALES, *ODD], ids=str)
def test_roofs_are_high_and_sure_slots_low_enough(family: Family, scale: Fraction) -> None:
    for slot_bits in (10, 16):
        table = table_of(family(scale), slot_bits)
        assert broken_blocks(table) == []
        assert len(table.first) + table.nowhere == 1 << slot_bits
        assert len(table.first) == table.sure


def test_a_roof_that_is_one_slot_too_low_is_found() -> None:
    table = table_of(gaussian(Fraction(10)), 10)
    block = int(table.owner[0])
    top = int(np.flatnonzero(table.owner == block)[-1])
    void = np.append(np.delete(table.owner, top), len(table.blocks.lowest) - 1)
    mutant = replace(table, owner=void, level=np.append(np.delete(table.level, top), 1.0))
    assert broken_blocks(mutant) == [block]


def test_a_slot_moved_from_unsure_to_sure_is_found() -> None:
    table = table_of(laplace(Fraction(10)), 16)
    block = int(table.owner[0])
    mutant = replace(
        table,
        first=np.append(table.first, table.blocks.lowest[block]),
        owner=table.owner[1:],
        level=table.level[1:],
        sure=table.sure + 1,
    )
    assert broken_blocks(mutant) == [block]


@pytest.mark.parametrize("family", FAMILIES)
def test_tails_are_due_nearly_nothing_and_their_envelope_covers_them(family: Family) -> None:
    for scale in (*SCALES, *ODD):
        table = table_of(family(scale), 16)
        assert at(200, table.due_of_tail) < TAIL_ROOM
        slope, start = table.weights.slope(table.tail), table.weights.exponent(table.tail)
        for d in (0, 1, 2, 17, 10**6, 2**50):
            rest = table.weights.exponent(table.tail + d) - start - slope * d
            assert rest == table.weights.square * d * d
        envelope = at(200, lambda: envelope_of(table))  # noqa: B023
        assert envelope.overlaps(at(200, lambda: table.weights.beyond(table.tail)))  # noqa: B023


def envelope_of(table: Table) -> arb:
    """weight(tail)·exp(-slope·d) over d = 0, …, 4, and the rest as one geometric series from 5."""
    slope, first = ball(table.weights.slope(table.tail)), table.weights.at(table.tail)
    terms = [first * (-slope * d).exp() for d in range(5)]
    return sum(terms, start=first * (-slope * 5).exp() / (1 - (-slope).exp()))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", SMALL, ids=str)
def test_the_law_of_reduced_words_is_the_closed_form(family: Family, scale: Fraction) -> None:
    """Slots of 10 bits, heights of 1 to 36 bits and then balls: total variation below 1e-12."""
    weights = family(scale)
    table = table_of(weights, 10)
    drawn = law_of(table, depth=36)
    assert total_variation(drawn, exact_law(weights, table.tail)) < CLOSE


@pytest.mark.parametrize("family", FAMILIES)
def test_the_law_of_larger_tables(family: Family) -> None:
    for scale in (Fraction(22, 7), Fraction(100)):
        weights = family(scale)
        table = table_of(weights, 13)
        assert total_variation(law_of(table, depth=35), exact_law(weights, table.tail)) < CLOSE


class TestMutants:
    """Each wrong sampler is rejected by the same measure."""

    def test_zero_counted_once_for_each_sign(self) -> None:
        weights = laplace(Fraction(2))
        table = table_of(weights, 16)
        zeros = table.first[table.first == 0]
        mutant = replace(table, first=np.append(table.first, zeros))
        assert total_variation(law_of(mutant, depth=36), exact_law(weights, table.tail)) > 0.05

    @pytest.mark.parametrize("family", FAMILIES)
    def test_a_scale_that_is_five_percent_off(self, family: Family) -> None:
        for scale in (Fraction(1), Fraction(10)):
            table = table_of(family(scale * Fraction(95, 100)), 10)
            exact = exact_law(family(scale), table.tail)
            assert total_variation(law_of(table, depth=36), exact) > 1e-3

    @pytest.mark.parametrize("family", FAMILIES)
    def test_points_drawn_anew_when_doubles_abstain(self, family: Family) -> None:
        weights = family(Fraction(22, 7))
        table = table_of(weights, 10)
        anew = law_of(table, depth=32, drop=True)
        assert total_variation(anew, exact_law(weights, table.tail)) > CLOSE

    @pytest.mark.parametrize("family", FAMILIES)
    def test_a_member_read_from_the_bits_of_the_height(self, family: Family) -> None:
        weights = family(Fraction(100))
        table = table_of(weights, 10)
        assert total_variation(law_of(table, depth=36), exact_law(weights, table.tail)) < CLOSE
        mutant = law_of(table, depth=36, reuse=True)
        assert total_variation(mutant, exact_law(weights, table.tail)) > 1e-6


def test_all_tables_together_use_most_of_their_slots() -> None:
    for table in every_table():
        if table.weights.linear > 1000 or table.weights.square > 1000:
            continue
        assert table.kept > (0.95 if table.slot_bits == 16 else 0.8)


def test_geometric_tables_have_one_side_only() -> None:
    table = table_of(geometric(Fraction(7)), 10)
    assert (table.first >= 0).all()
    assert (table.blocks.lowest >= 0).all()
    assert Weights(Fraction(1), Fraction(0), Sides.ONE).sides.signs == (1,)
