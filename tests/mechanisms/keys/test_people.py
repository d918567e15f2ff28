"""The claim of people.md."""

from __future__ import annotations

from datetime import date, datetime
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.mechanisms import Mechanism
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric, WeightedGaussian
from discreet.mechanisms.keys.people import in_order, present, rank

KEYS: list[Any] = [
    None, -3, 2, 2**70, "", "A", "a", "é", b"\x00", b"a", date(2020, 1, 1),
    date(2021, 1, 1), (), (None, 1), (None, "A"), ("A",), ("A", 2), ("A", "b"), ("B", 1),
]  # fmt: skip
NOTHING = Replay(b"")
MECHANISMS: list[Mechanism[Any, Any, Any]] = [
    ThresholdedRelease(1, 20),
    TruncatedGeometric(1, "1e-6"),
    WeightedGaussian(3, variance=4, threshold=20),
]


def test_keys_of_all_kinds_have_one_order() -> None:
    assert in_order(reversed(KEYS)) == KEYS
    mixed: list[Any] = ["b", 1, None, ("x", 1), "a"]
    assert {tuple(in_order(each)) for each in permutations(mixed)} == {
        (None, 1, "a", "b", ("x", 1))
    }


def test_no_two_keys_share_a_place() -> None:
    assert len({rank(key) for key in KEYS}) == len(KEYS)


def test_a_key_of_nobody_is_not_there() -> None:
    people: dict[Any, Any] = {"b": 3, "a": 0, None: np.int64(1)}
    there = present(people)
    assert there.keys == ["b", None]
    assert there.counts.tolist() == [3, 1]
    assert there.counts.dtype == np.int64


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda each: type(each).__name__)
def test_what_is_told_has_an_order_of_its_own(mechanism: Mechanism[Any, Any, Any]) -> None:
    everybody = 2**40
    told = {
        tuple(mechanism.release(dict.fromkeys(keys, everybody)))
        for keys in permutations(["d", "b", 3, "a"])
    }
    assert told == {(3, "a", "b", "d")}


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda each: type(each).__name__)
def test_keys_of_nobody_read_no_randomness(mechanism: Mechanism[Any, Any, Any]) -> None:
    assert not mechanism.release({})
    assert not mechanism.release({"a": 0})
    assert mechanism.law({}).outcomes == mechanism.law({"a": 0}).outcomes == ((),)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(
    ("people", "code"),
    [
        ({1.5: 40}, "M80"),
        ({True: 40}, "M80"),
        ({("x", False): 40}, "M80"),
        ({float("nan"): 40}, "M80"),
        ({np.int64(3): 40}, "M80"),
        ({np.str_("a"): 40}, "M80"),
        ({datetime(2020, 1, 1): 40}, "M80"),  # noqa: DTZ001
        ({("a", 1.5): 40}, "M80"),
        ({frozenset("a"): 40}, "M80"),
        ({"a": -1}, "M81"),
        ({"a": 2**62}, "M81"),
        ({"a": 1.0}, "M81"),
        ({"a": True}, "M81"),
        ({"a": "3"}, "M81"),
        ({"a": None}, "M81"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_drawn(
    mechanism: Mechanism[Any, Any, Any], people: dict[Any, Any], code: str
) -> None:
    with pytest.raises(MechanismError) as refused:
        mechanism.release({"fine": 40, **people}, entropy=NOTHING)
    assert refused.value.code == code
    assert "40" not in refused.value.problem
    with pytest.raises(MechanismError):
        mechanism.law(people)


@pytest.mark.parametrize("threshold", [0, -1, "1/2", None])
def test_a_threshold_counts_people(threshold: Any) -> None:  # noqa: ANN401
    with pytest.raises(NumberError):
        ThresholdedRelease(1, threshold)
    with pytest.raises(NumberError):
        WeightedGaussian(3, variance=4, threshold=threshold)


def test_a_threshold_beyond_all_numbers_is_refused() -> None:
    told = ThresholdedRelease(1, 2**62).release(dict.fromkeys(range(100), 2**62 - 1))
    assert all(2**62 <= number < 2**62 + 200 for number in told.values())
    with pytest.raises(MechanismError) as refused:
        ThresholdedRelease(1, 2**62 + 1)
    assert refused.value.code == "M84"
