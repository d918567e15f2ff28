"""What a worker answers, with a library that is a line, and with ours against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, erfc, exp, sqrt

import pytest

from bench.account.tasks import DELTA, PARTS, Law, Part, Parts, Task
from bench.account.workers import with_discreet, with_limit
from bench.account.workers.serve import Ends, Worker, calls, resident
from bench.figures import number


@pytest.fixture
def asked() -> list[tuple[Parts, Fraction]]:
    return []


@pytest.fixture
def worker(asked: list[tuple[Parts, Fraction]]) -> Worker:
    def timed(parts: Parts, delta: Fraction) -> Ends:
        asked.append((parts, delta))
        return None, 2.0

    return Worker(timed, lambda _, delta: (float(delta), 1.0), ["nobody-has-this"])


def test_hello_names_versions_and_tasks(worker: Worker) -> None:
    answer = worker.answer({"do": "hello"})
    assert answer == {"versions": {"nobody-has-this": "from source"}, "tasks": list(Task)}


def test_a_task_is_timed_with_its_parts(
    worker: Worker, asked: list[tuple[Parts, Fraction]]
) -> None:
    request = {"do": "time", "task": str(Task.MIXED), "seconds": 60.0, "most": 3}
    answer = worker.answer(request)
    assert asked == [(PARTS[Task.MIXED], DELTA)] * 3
    assert (answer["calls"], answer["low"], answer["high"]) == (3, None, 2.0)
    assert number(answer, "seconds") > 0


def test_calls_stop_at_their_time_but_one_is_made() -> None:
    made: list[int] = []

    def call() -> Ends:
        made.append(1)
        return 1.0, 2.0

    assert calls(call, 0.0, 9)["calls"] == len(made) == 1


def test_an_account_is_asked_for_other_parts(worker: Worker) -> None:
    parts = [Part(Law.RESPONSE, Fraction(1, 3), 7).json()]
    answer = worker.answer({"do": "account", "parts": parts, "delta": "1/4"})
    assert answer == {"low": 0.25, "high": 1.0}


def test_memory_is_that_of_the_whole_process(worker: Worker) -> None:
    before = resident()
    assert before is not None
    assert before > 10 * 2**20
    large = bytearray(b"x" * (before + 30 * 2**20))
    answer = worker.answer({"do": "peak", "task": str(Task.SAMPLED)})
    assert number(answer, "peak") > len(large)


@pytest.mark.parametrize(
    "request_", [{"do": "dance"}, {}, {"do": "time", "task": "none", "seconds": 1, "most": 1}]
)
def test_what_cannot_be_done_is_an_error(worker: Worker, request_: dict[str, object]) -> None:
    assert "error" in worker.answer(request_)


# --- ours, by closed forms ------------------------------------------------------------------------


def least(curve: Callable[[float], float], delta: float) -> float:
    """Where a falling curve reaches delta."""
    low, high = 0.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) > delta else (low, middle)
    return high


def responses(count: int, epsilon: float) -> Callable[[float], float]:
    truth = 1 / (1 + exp(-epsilon))

    def delta(at: float) -> float:
        losses = [(count - 2 * lies) * epsilon for lies in range(count + 1)]
        return sum(
            comb(count, lies) * truth ** (count - lies) * (1 - truth) ** lies * (1 - exp(at - loss))
            for lies, loss in enumerate(losses)
            if loss > at
        )

    return delta


def bell(mu: float) -> Callable[[float], float]:
    def below(x: float) -> float:
        return erfc(-x / sqrt(2)) / 2

    return lambda at: below(mu / 2 - at / mu) - exp(at) * below(-mu / 2 - at / mu)


def once(law: Law, size: Fraction, count: int) -> Ends:
    return with_limit.epsilon((Part(law, size, count),), DELTA)


@pytest.mark.parametrize("count", [1, 9, 60])
def test_ours_agrees_with_closed_forms(count: int) -> None:
    laws = [
        (once(Law.RESPONSE, Fraction(1, 5), count), responses(count, 0.2)),
        (once(Law.GAUSSIAN, Fraction(3), count), bell(sqrt(count) / 3)),
    ]
    for (low, high), curve in laws:
        assert low is not None
        assert high is not None
        truth = least(curve, float(DELTA))
        assert low * (1 - 1e-7) <= truth <= high * (1 + 1e-7)
        assert high - low < 1e-3 * high


def test_integer_noise_on_a_step_is_a_response_of_its_epsilon() -> None:
    # A count that moves by one has two losses only.
    low, high = with_discreet.epsilon((Part(Law.LAPLACE, Fraction(5), 60),), DELTA)
    assert low is not None
    assert high is not None
    truth = least(responses(60, 0.2), float(DELTA))
    assert low * (1 - 1e-9) <= truth <= high * (1 + 1e-9)


def test_samples_are_taken_at_their_rate() -> None:
    whole, sampled = (
        with_discreet.epsilon((Part(Law.SAMPLED, Fraction(3), 9, rate),), DELTA)
        for rate in (Fraction(1), Fraction(1, 10))
    )
    assert whole[1] is not None
    assert sampled[1] is not None
    truth = least(bell(1.0), float(DELTA))
    assert abs(whole[1] - truth) < 0.01 * truth
    assert sampled[1] < whole[1] / 3


def test_responses_are_not_asked_of_integer_noise() -> None:
    with pytest.raises(ValueError, match="responses"):
        with_discreet.epsilon((Part(Law.RESPONSE, Fraction(1)),), DELTA)
