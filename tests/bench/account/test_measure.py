"""Rounds in turn, fewer for the slow, and memory in a process of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.account.measure import Ends, Outcome, contested, turn_from
from bench.account.plan import QUICK
from bench.account.tasks import Task
from tests.bench.account.scripted import Scripted, seat

EFFORT = replace(QUICK, rounds=4, allowance=1.0)
OURS, LIMIT, PEER = "discreet", "limit", "dp-accounting"


def held(*scripted: Scripted) -> Outcome:
    return contested(Task.SAMPLED, [seat(each) for each in scripted], EFFORT)


def test_all_take_turns_and_none_is_always_first() -> None:
    diary: list[str] = []
    found = held(Scripted("a", 0.5, diary=diary), Scripted("b", diary=diary))
    # The first round warms up; whoever needs half a second has two more, of four.
    assert diary == [*"ba", *"ab", *"ba", "b", "b"]
    assert {name: len(turns) for name, turns in found.turns.items()} == {"a": 2, "b": 4}
    assert found.seconds("a") == 0.5
    assert found.seconds("c") is None
    assert found.ends("b") == Ends(1.0, 1.001)


def test_ratios_are_of_the_rounds_that_both_had() -> None:
    found = held(Scripted(OURS, 0.02), Scripted(PEER, 0.5))
    ratio = found.against(OURS, PEER)
    assert ratio is not None
    assert abs(ratio.median - 25) < 1e-9
    assert found.against(OURS, "c") is None


def test_even_the_slowest_has_one_round() -> None:
    assert len(held(Scripted("a", 50.0)).turns["a"]) == 1


def test_who_fails_once_is_out() -> None:
    found = held(Scripted("a", fails_at=3), Scripted("b"))
    assert found.problems == {"a": "no answer within 9 s"}
    assert set(found.turns) == {"b"}
    silent = Scripted("a", fails_at=1)
    held(silent)
    assert len(silent.asked) == 1


def test_who_is_too_slow_to_be_timed_still_tells_its_memory() -> None:
    found = held(Scripted(OURS, fails_at=1))
    assert found.problems == {OURS: "no answer within 9 s"}
    assert found.peaks == {OURS: 5e7}


def test_memory_is_of_a_new_process_and_of_ours_alone() -> None:
    ours, peer = Scripted(OURS), Scripted(PEER)
    found = held(ours, peer)
    assert found.peaks == {OURS: 5e7}
    assert (ours.ended, peer.ended) == (2, 0)
    assert ours.asked[-1] == {"do": "peak", "task": str(Task.SAMPLED)}
    assert peer.asked[-1]["do"] == "time"


def test_unknown_memory_is_no_memory() -> None:
    found = held(Scripted(OURS, peak=None))
    assert not found.peaks
    assert "peak" in found.problems[OURS]


def test_a_width_is_a_part_of_the_upper_end() -> None:
    assert Ends(1.5, 2.0).width == 0.25
    assert Ends(None, 2.0).width is None
    assert Ends(1.5, None).width is None
    assert Ends(0.0, 0.0).width is None


def test_an_answer_that_is_no_turn_is_refused() -> None:
    good: dict[str, object] = {"calls": 2, "seconds": 0.5, "cpu": 0.0, "low": None, "high": 3}
    turn = turn_from(good)
    assert (turn.rate, turn.cpu_rate, turn.ends) == (2, 2, Ends(None, 3.0))
    wrongs: list[dict[str, object]] = [{"calls": 0}, {"seconds": 0}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="takes time"):
            turn_from(good | wrong)
    with pytest.raises(TypeError, match="high"):
        turn_from(good | {"high": "3"})
