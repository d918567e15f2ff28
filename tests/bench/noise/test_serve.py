"""What a worker answers, with a sampler that is a plain list."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bench.figures import draw_from, number
from bench.noise.workers.serve import Sampler, Worker, calls, memory, sums


@pytest.fixture
def built() -> list[tuple[str, Fraction]]:
    """What the worker was made to build."""
    return []


@pytest.fixture
def worker(built: list[tuple[str, Fraction]]) -> Worker:
    def make(law: str, scale: Fraction) -> Sampler:
        built.append((law, scale))
        return Sampler(many=lambda count: [-2, 1] * (count // 2), one=lambda: 5)

    return Worker(make, ["numpy", "nobody-has-this"])


def test_hello_names_versions(worker: Worker) -> None:
    versions = worker.answer({"do": "hello"})["versions"]
    assert versions == {"numpy": np.__version__, "nobody-has-this": "from source"}


def test_a_draw_is_timed_and_summed(worker: Worker, built: list[tuple[str, Fraction]]) -> None:
    worker.answer({"do": "set", "law": "laplace", "scale": "22/7"})
    assert built == [("laplace", Fraction(22, 7))]
    drawn = draw_from(worker.answer({"do": "draw", "count": 1_000}))
    assert (drawn.count, drawn.total, drawn.total_abs) == (1_000, -500, 1_500)
    assert drawn.seconds > 0


def test_a_contestant_that_draws_too_few_is_caught(worker: Worker) -> None:
    worker.answer({"do": "set", "law": "laplace", "scale": "1"})
    assert worker.answer({"do": "draw", "count": 3}) == {
        "error": "ValueError: 3 were asked for, and 2 came"
    }


def test_new_scales_are_built_each(worker: Worker, built: list[tuple[str, Fraction]]) -> None:
    request = {"do": "fresh", "law": "gaussian", "scales": ["3", "4"], "count": None}
    assert number(worker.answer(request), "seconds") > 0
    assert built == [("gaussian", Fraction(3)), ("gaussian", Fraction(4))]


@pytest.mark.parametrize("request_", [{"do": "draw", "count": 1}, {"do": "dance"}, {}])
def test_what_cannot_be_done_is_an_error(worker: Worker, request_: dict[str, object]) -> None:
    assert "error" in worker.answer(request_)


def test_arrays_are_summed_like_lists() -> None:
    values = [-(2**35), 3, 2**40]
    assert sums(np.array(values)) == sums(values) == (2**40 - 2**35 + 3, 2**40 + 2**35 + 3)


def test_calls_stop_at_their_number_and_at_their_time() -> None:
    made: list[int] = []
    assert number(calls(lambda: made.append(1), 60.0, most=9), "seconds") > 0
    assert len(made) == 1 + 9
    made.clear()
    calls(lambda: made.append(1), 0.0)
    assert len(made) == 1 + 1


def test_memory_beyond_the_result_is_seen() -> None:
    def plain(count: int) -> object:
        return np.zeros(count)

    def wasteful(count: int) -> object:
        return np.ones(10 * count)[:count].copy()

    count = 100_000
    assert number(memory(plain, count), "result") == 8 * count
    assert number(memory(plain, count), "traced") < 0.1 * 8 * count
    assert number(memory(wasteful, count), "traced") > 9 * 8 * count
