"""What a worker answers, with plays that are plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest

from bench.choice.tasks import BELOW, CLOSE, FEW, HIGHEST, Scores, Task
from bench.choice.workers.serve import Play, Worker, calls, conversation, made, short
from bench.figures import number


def last(_: int) -> Callable[[Any], int]:
    return lambda scores: len(scores) - 1


def worker(**plays: Play) -> Worker:
    named = {Task(name.replace("_", "-")): play for name, play in plays.items()}
    return Worker(named, ["numpy", "nobody-has-this"])


def spread(asked: Worker, size: int = 50, k: int = 1) -> np.ndarray[Any, Any]:
    request = {"do": "set", "scores": "spread", "size": size, "k": k, "seed": 3}
    assert asked.answer(request) == {}
    return made(Scores.SPREAD, size, 3)


def timed(asked: Worker, task: str, most: int = 4) -> dict[str, object]:
    return asked.answer({"do": "time", "task": task, "seconds": 60.0, "most": most})


def test_hello_names_versions_and_tasks() -> None:
    answer = worker(noisy_max=Play(last), laplace=Play(last)).answer({"do": "hello"})
    assert answer["versions"] == {"numpy": np.__version__, "nobody-has-this": "from source"}
    assert answer["tasks"] == ["noisy-max", "laplace"]


def test_a_choice_is_timed_and_its_shortfall_is_told() -> None:
    asked = worker(noisy_max=Play(last))
    scores = spread(asked)
    answer = timed(asked, "noisy-max")
    assert answer["short"] == scores.max() - scores[-1] > 0
    assert answer["calls"] == 4
    assert number(answer, "seconds") > 0


def test_scores_are_given_in_the_form_that_is_wanted_before_the_clock() -> None:
    forms: list[type] = []

    def choose(_: int) -> Callable[[Any], int]:
        def first(scores: object) -> int:
            forms.append(type(scores))
            return 0

        return first

    asked = worker(exponential=Play(choose, given=lambda scores: scores.tolist()))
    spread(asked)
    timed(asked, "exponential", most=2)
    assert forms == [list, list]


def test_all_see_the_same_scores_and_each_round_has_others() -> None:
    one, again, other = (made(Scores.SPREAD, 1_000, seed) for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).mean() > 0.9
    assert 0 <= one.min() < HIGHEST / 50
    assert HIGHEST - HIGHEST / 50 < one.max() <= HIGHEST
    assert not made(Scores.LEVEL, 10, 1).any()


@pytest.mark.parametrize(
    ("chosen", "fall"), [([3, 1], 0), ([1, 3], 0), ([3, 0], 2), ((2, 1), 1), (np.array([0, 2]), 2)]
)
def test_the_shortfall_of_several_is_that_of_the_worst(chosen: Any, fall: int) -> None:  # noqa: ANN401
    assert short(np.array([5, 7, 6, 9]), 2, chosen) == fall


@pytest.mark.parametrize("chosen", [[3, 3], [3], 3, [-1, 2], [3, 4], [0, 1, 2]])
def test_what_is_no_choice_of_two_is_refused(chosen: Any) -> None:  # noqa: ANN401
    with pytest.raises((ValueError, IndexError)):
        short(np.array([5, 7, 6, 9]), 2, chosen)


def test_cells_are_judged_by_their_noise() -> None:
    asked = worker(laplace=Play(lambda _: lambda cells: cells + np.resize([2, -1], len(cells))))
    spread(asked)
    answer = timed(asked, "laplace")
    assert (answer["count"], answer["total"], answer["total_abs"]) == (200, 100, 300)
    fewer = worker(laplace=Play(lambda _: lambda cells: cells[:1]))
    spread(fewer)
    assert "error" in timed(fewer, "laplace")


def test_each_question_depends_on_the_answers_before() -> None:
    heard: list[int] = []

    def above(value: int) -> bool:
        heard.append(value)
        return len(heard) % 2 == 0

    with pytest.raises(ValueError, match="far below"):
        conversation(above, 6)
    assert heard == [BELOW, BELOW, BELOW + 1, BELOW + 1, BELOW + 2, BELOW + 2]


def test_a_session_is_new_for_each_call_and_is_asked_all_questions() -> None:
    sessions: list[Iterator[int]] = []

    def start(_: int) -> Callable[[int], bool]:
        own = count()
        sessions.append(own)
        return lambda _value: next(own) < 0

    asked = worker(above_threshold=Play(start))
    spread(asked, size=1_000)
    assert timed(asked, "above-threshold", most=3)["calls"] == 3
    assert [next(session) for session in sessions] == [1_000] * 3


def test_the_law_is_told_on_few_candidates() -> None:
    asked = worker(
        noisy_max=Play(last),
        top_k=Play(lambda k: lambda scores: np.argsort(-scores)[:k]),
        above_threshold=Play(lambda _: lambda value: value > CLOSE),
        laplace=Play(last),
    )

    def law(task: str) -> object:
        return asked.answer({"do": "law", "task": task, "repeats": 5}).get("told")

    assert law("noisy-max") == {str(len(FEW) - 1): 5}
    assert law("top-k") == {"2 1": 5}
    assert law("above-threshold") == {"none": 5}
    assert law("laplace") is None


def test_calls_stop_at_their_number_and_at_their_time() -> None:
    answer, results = calls(lambda: 7, 60.0, most=9)
    assert (answer["calls"], results) == (9, [7] * 9)
    answer, results = calls(lambda: 7, 0.0, most=9)
    assert (answer["calls"], results) == (1, [7])


@pytest.mark.parametrize(
    "request_",
    [{"do": "dance"}, {}, {"do": "time", "task": "top-k", "seconds": 1.0, "most": 1}],
)
def test_what_cannot_be_done_is_an_error(request_: dict[str, object]) -> None:
    assert "error" in worker(noisy_max=Play(last)).answer(request_)
