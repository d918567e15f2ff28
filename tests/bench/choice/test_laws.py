"""The laws of choices on few candidates, and that another law is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import exp
from typing import Any

import numpy as np
import pytest

from bench.choice.laws import (
    cell_moments,
    first_of_two,
    law,
    longest_fall,
    noisy_max,
    objection,
    permute_and_flip,
    top_k,
)
from bench.choice.plan import FULL, QUICK
from bench.choice.tasks import CLOSE, FEW, FEW_K, QUERY_SCALE, SCALE, THRESHOLD_SCALE, Task
from bench.choice.workers.serve import told
from bench.choice.workers.with_discreet import PLAYS
from bench.figures import Draw
from bench.noise.laws import objection as objection_to_sums

CHOSEN = [task for task in Task if task not in (Task.LAPLACE, Task.GAUSSIAN)]
MANY = 400_000


def drawn(noise: Callable[..., Any]) -> Any:  # noqa: ANN401 - an array
    return np.array(FEW) + noise(scale=SCALE, size=(MANY, len(FEW)))


def counted(names: Any) -> Counter[str]:  # noqa: ANN401
    return Counter(" ".join(map(str, np.ravel(each))) for each in names.tolist())


def simulated(task: Task) -> Counter[str]:
    """What NumPy's continuous noise chooses."""
    generator = np.random.default_rng(7)
    match task:
        case Task.NOISY_MAX:
            return counted(drawn(generator.laplace).argmax(axis=1))
        case Task.EXPONENTIAL:
            return counted(drawn(generator.gumbel).argmax(axis=1))
        case Task.PERMUTE_AND_FLIP:
            return counted(drawn(generator.exponential).argmax(axis=1))
        case Task.TOP_K:
            return counted(np.argsort(-drawn(generator.gumbel), axis=1)[:, :FEW_K])
        case _:
            bar = generator.laplace(scale=THRESHOLD_SCALE, size=MANY)
            above = CLOSE + generator.laplace(scale=QUERY_SCALE, size=(2, MANY)) >= bar
            names = np.where(above[0], "0", np.where(above[1], "1", "none"))
            return Counter(names.tolist())


@pytest.mark.parametrize("task", CHOSEN)
def test_the_law_is_that_of_noise_that_was_drawn(task: Task) -> None:
    expected = law(task, continuous=True)
    assert sum(expected.values()) == pytest.approx(1)
    assert objection(simulated(task), expected) is None


def test_discrete_noise_is_summed_over_all_outcomes() -> None:
    """Scores 1, 0, 1 with P(Z = n) in proportion to e^-|n|, as triples."""
    chances = {n: exp(-abs(n)) for n in range(-25, 26)}
    mass = sum(chances.values())
    expected = dict.fromkeys("012", 0.0)
    for a, b, c in product(chances, repeat=3):
        heights = (1 + a, b, 1 + c)
        expected[str(heights.index(max(heights)))] += chances[a] * chances[b] * chances[c]
    found = noisy_max([1, 0, 1], 1, 1)
    assert found == pytest.approx({i: each / mass**3 for i, each in expected.items()}, abs=1e-9)
    assert found["0"] > found["2"]  # of several that are largest, the first


def test_two_questions_share_a_threshold() -> None:
    chances = {n: exp(-abs(n)) for n in range(-25, 26)}
    mass = sum(chances.values())
    expected = {"0": 0.0, "1": 0.0, "none": 0.0}
    for bar, a, b in product(chances, repeat=3):
        told_first = "0" if a - 1 >= bar else "1" if b - 1 >= bar else "none"
        expected[told_first] += chances[bar] * chances[a] * chances[b] / mass**3
    assert first_of_two(-1, (1, 1), 1) == pytest.approx(expected, abs=1e-9)


def test_two_candidates_by_hand() -> None:
    a = exp(-0.7)
    # The better one is met first, or it is met second and the other was passed.
    assert permute_and_flip([7, 0], 10)["0"] == pytest.approx(1 / 2 + (1 - a) / 2)
    assert top_k([7, 0], 10, 1) == pytest.approx({"0": 1 / (1 + a), "1": a / (1 + a)})
    assert top_k([7, 0], 10, 2) == pytest.approx({"0 1": 1 / (1 + a), "1 0": a / (1 + a)})


@pytest.mark.parametrize(
    ("repeats", "tasks"),
    [
        (FULL.repeats, [Task.NOISY_MAX, Task.EXPONENTIAL, Task.PERMUTE_AND_FLIP]),
        (QUICK.repeats, [Task.EXPONENTIAL, Task.PERMUTE_AND_FLIP]),
    ],
)
def test_each_law_is_told_from_the_others_and_from_another_scale(
    repeats: int, tasks: Sequence[Task]
) -> None:
    laws = {task.value: law(task) for task in tasks}
    laws["half the scale"] = top_k(FEW, SCALE / 2, 1)
    laws["twice the scale"] = permute_and_flip(FEW, 2 * SCALE)
    laws["a variance for a scale"] = noisy_max(FEW, SCALE**2, 1)
    for name, chances in laws.items():
        told_counts = {each: round(repeats * chance) for each, chance in chances.items()}
        for other in tasks:
            expected = laws[other]
            assert (objection(told_counts, expected) is None) == (name == other), (name, other)


def test_an_answer_that_cannot_be_is_seen() -> None:
    expected = law(Task.TOP_K)
    assert "chose 2 2" in (objection({"2 2": 1}, expected) or "")


@pytest.mark.parametrize("task", CHOSEN)
def test_ours_chooses_by_the_law(task: Task) -> None:
    assert objection(told(task, PLAYS[task], 2_000), law(task)) is None


def test_nobody_falls_short_so_far() -> None:
    # P(X ≥ t) = e^(-t/scale) for exponential noise: 10^6 of them, once in 10^12 runs.
    assert 10**6 * exp(-longest_fall(Task.PERMUTE_AND_FLIP, 10**6, 1) / SCALE) < 1e-12
    assert longest_fall(Task.NOISY_MAX, 100, 1) == 2 * longest_fall(Task.EXPONENTIAL, 100, 1)


def test_sums_of_cells_show_a_variance_taken_for_sigma() -> None:
    generator = np.random.default_rng(3)
    for sigma, wrong in ((SCALE, False), (SCALE**2, True)):
        noise = generator.normal(scale=sigma, size=10_000)
        draw = Draw(len(noise), 1.0, 1.0, float(noise.sum()), float(np.abs(noise).sum()))
        found = objection_to_sums([draw], cell_moments(Task.GAUSSIAN, continuous=True))
        assert (found is not None) == wrong
