"""The claim of warnings.md, on all neighbours of small tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from discreet.errors import DiscreetError
from discreet.lab.warnings import NameAndShame, SubsampleAndPublish
from discreet.loss.divergence import Extended, either_way, hockey_stick, total_variation

RECORDS = "abc"


@pytest.mark.parametrize("chance", ["0", "1/10", "1/2", "1"])
def test_name_and_shame_is_as_private_as_its_chance(chance: str) -> None:
    warning = NameAndShame(chance)
    found: list[Extended] = []
    for size in (1, 2, 3):
        for table in product(RECORDS, repeat=size):
            added = [*table, "d"]
            changed = ["d", *table[1:]]
            found += [
                total_variation(warning.law(table), warning.law(other)).high
                for other in (added, changed)
            ]
    assert max(found) == warning.loss().delta == Fraction(chance)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_a_sample_is_as_private_as_its_part(size: int) -> None:
    warning = SubsampleAndPublish(size)
    for records in (1, 2, 3, 4):
        found = [
            total_variation(warning.law(table), warning.law(["d", *table[1:]])).high
            for table in product(RECORDS, repeat=records)
        ]
        assert max(found) == warning.loss(records).delta


def test_no_epsilon_lessens_the_delta() -> None:
    """The mutant: a claim of (1, δ/2)."""
    warning = NameAndShame("1/10")
    found = either_way(lambda p, q: hockey_stick(p, q, 3), warning.law("ab"), warning.law("abc"))
    assert found.low == Fraction(1, 10)


def test_somebody_is_exposed_all_the_same() -> None:
    assert NameAndShame("1/1000").harm(10_000) > Fraction(9999, 10_000)
    assert SubsampleAndPublish(1).harm(10) == 1
    exposed = [NameAndShame("1/2").publish(RECORDS) for _ in range(200)]
    assert any(exposed)
    assert not all(len(out) == 3 for out in exposed)
    assert {tuple(out) for out in exposed} <= set(NameAndShame("1/2").law(RECORDS).outcomes)


@pytest.mark.parametrize("bad", [-1, 2, "nan", None])
def test_bad_chances_are_refused(bad: int) -> None:
    with pytest.raises(DiscreetError):
        NameAndShame(bad)
    if bad != 2:
        with pytest.raises(DiscreetError):
            SubsampleAndPublish(bad)
