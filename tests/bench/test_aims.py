"""Which figures pass, which fail, and what is excused."""

from __future__ import annotations

import pytest

from bench.aims import Aim, Kind, passed, shown


def test_the_least_that_is_demanded_is_enough() -> None:
    assert Aim("x", 0.8, 0.8).verdict == "pass"
    assert Aim("x", 0.8, 0.7999).verdict == "FAIL"
    assert Aim("x", None, 0.1).verdict == "reported"


def test_of_a_time_the_most_that_is_allowed_is_enough() -> None:
    assert Aim("x", 2.0, 2.0, kind=Kind.TIME).verdict == "pass"
    assert Aim("x", 2.0, 2.0001, kind=Kind.TIME).verdict == "FAIL"
    assert Aim("x", 2.0, 0.1, kind=Kind.TIME).verdict == "pass"


def test_of_a_part_and_of_memory_the_most_that_is_allowed_is_enough() -> None:
    for kind in (Kind.PART, Kind.MEMORY):
        assert Aim("x", 1e9, 1e9, kind=kind).verdict == "pass"
        assert Aim("x", 1e9, 1.001e9, kind=kind).verdict == "FAIL"


def test_what_was_not_measured_fails_unless_it_is_excused() -> None:
    assert Aim("x", 1.0, None, "ours: gone").verdict == "FAIL"
    assert Aim("x", 1.0, None, "peer: gone", excused=True).verdict == "not measured"
    assert Aim("x", None, None, "ours: gone").verdict == "not measured"


@pytest.mark.parametrize(
    ("aim", "good"),
    [
        (Aim("x", 1.0, 1.1), True),
        (Aim("x", 1.0, 0.9), False),
        (Aim("x", 1.0, None), False),
        (Aim("x", 1.0, None, excused=True), True),
        (Aim("x", None, 0.0), True),
    ],
)
def test_one_missed_aim_is_enough_to_fail(aim: Aim, good: bool) -> None:
    assert passed([Aim("y", 1.0, 2.0), aim]) is good
    assert aim.json()["verdict"] == aim.verdict


def test_the_table_shows_bounds_in_their_own_units() -> None:
    aims = [Aim("speed", 0.8, 1.234), Aim("wait", 1e-3, 2e-3, kind=Kind.TIME), Aim("n", None, None)]
    aims += [Aim("w", 1e-3, 2e-4, kind=Kind.PART), Aim("m", 2**30, 2**20, kind=Kind.MEMORY)]
    rows = [line.split() for line in shown(aims, "what", "quick").splitlines()]
    assert ["speed", "≥", "0.8", "1.23", "pass"] in rows
    assert ["wait", "≤", "1.00", "ms", "2.00", "ms", "FAIL"] in rows
    assert ["w", "≤", "0.100", "%", "0.0200", "%", "pass"] in rows
    assert ["m", "≤", "1024.0", "MiB", "1.0", "MiB", "pass"] in rows
    assert ["n", "–", "–", "not", "measured"] in rows
    assert "not the proof" in shown(aims, "what", "quick")
    assert "not the proof" not in shown(aims, "what", "full")
    assert shown([], "what", "full") == ""
