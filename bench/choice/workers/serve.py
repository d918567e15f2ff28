"""What is asked of a library that chooses.  The standard library and NumPy only.

`{"do": "hello"}`                                              versions and tasks
`{"do": "set", "scores": "spread", "size": 1000, "k": 1, "seed": 7}`  makes the scores
`{"do": "time", "task": "noisy-max", "seconds": 0.1, "most": 99}`     times calls on these scores
`{"do": "law", "task": "noisy-max", "repeats": 4000}`          what is chosen of few, how often
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, TypeAlias, assert_never, final

import numpy as np
from numpy.typing import NDArray

from bench.choice.tasks import BELOW, CLOSE, FEW, FEW_K, HIGHEST, Scores, Task
from bench.serving import Answer, Request, answered, serve, undisturbed, versions

Array: TypeAlias = NDArray[np.int64]
CHOICES: Final = (Task.NOISY_MAX, Task.EXPONENTIAL, Task.PERMUTE_AND_FLIP, Task.TOP_K)


@final
@dataclass(frozen=True, slots=True)
class Play:
    """How a library does a task: `build` a mechanism for this k, then call it, which is timed, on
    scores in the form `given`, in which the library reads them fastest.

    It answers with an index, with k of them, or with an array.  For AboveThreshold, `build` is a
    session's start with threshold 0, and what is called is its answer to one question.
    """

    build: Callable[[int], Callable[[Any], Any]]
    given: Callable[[Array], Any] = lambda scores: scores


def serve_plays(plays: Mapping[Task, Play], *, packages: Sequence[str]) -> None:
    """Answer for this library until the input ends."""
    serve(Worker(plays, packages).answer)


@final
class Worker:
    """The scores that were set last, and what can be asked about them."""

    def __init__(self, plays: Mapping[Task, Play], packages: Sequence[str]) -> None:
        self._plays = plays
        self._packages = packages
        self._scores = np.zeros(1, np.int64)
        self._k = 1

    def answer(self, request: Request) -> Answer:
        return answered(self._done, request)

    def _done(self, request: Request) -> Answer:
        match request["do"]:
            case "hello":
                return {**versions(self._packages), "tasks": [str(task) for task in self._plays]}
            case "set":
                kind, seed = Scores(request["scores"]), request["seed"]
                self._scores = made(kind, request["size"], seed)
                self._k = request["k"]
                return {}
            case "time":
                return self._timed(Task(request["task"]), request["seconds"], request["most"])
            case "law":
                task = Task(request["task"])
                return {"told": told(task, self._plays[task], request["repeats"])}
            case unknown:
                raise ValueError(f"cannot {unknown}")

    def _timed(self, task: Task, seconds: float, most: int) -> Answer:
        play, scores = self._plays[task], self._scores
        if task is Task.ABOVE_THRESHOLD:
            return calls(lambda: conversation(play.build(1), len(scores)), seconds, most)[0]
        given, call = play.given(scores), play.build(self._k)
        answer, results = calls(lambda: call(given), seconds, most)
        return answer | checked(task, scores, self._k, results)


def made(kind: Scores, size: int, seed: int) -> Array:
    """The same scores for everybody, as the seed is."""
    match kind:
        case Scores.LEVEL:
            return np.zeros(size, np.int64)
        case Scores.SPREAD:
            return np.random.default_rng(seed).integers(0, HIGHEST, size, np.int64, endpoint=True)
        case _:
            assert_never(kind)


def calls(call: Callable[[], Any], seconds: float, most: int) -> tuple[Answer, list[Any]]:
    """The median time of a call, the processor's mean time, and what was answered."""
    results: list[Any] = []
    times = [0.0] * most
    with undisturbed():
        cpu, end = process_time(), perf_counter() + seconds
        while len(results) < most and (not results or perf_counter() < end):
            start = perf_counter()
            result = call()
            times[len(results)] = perf_counter() - start
            results.append(result)
        cpu = process_time() - cpu
    count = len(results)
    return {"calls": count, "seconds": median(times[:count]), "cpu": cpu / count}, results


def conversation(ask: Callable[[int], Any], count: int) -> None:
    """So many questions, each of which depends on the answers before it."""
    above = 0
    for _ in range(count):
        above += bool(ask(BELOW + above))
    if above:
        raise ValueError("a question far below the threshold was told to be above")


def checked(task: Task, scores: Array, k: int, results: Sequence[Any]) -> Answer:
    """Of choices, how far the worst falls short of the k-th best; of cells, sums of the noise."""
    if task in CHOICES:
        return {"short": max(short(scores, k, result) for result in results)}
    if any(len(result) != len(scores) for result in results):
        raise ValueError("not every cell was released")
    noise = np.concatenate([np.asarray(result) - scores for result in results])
    sums = {"total": float(noise.sum()), "total_abs": float(np.abs(noise).sum())}
    return {"count": len(noise), **sums}


def short(scores: Array, k: int, chosen: int | Sequence[int]) -> int:
    """How far the worst of the chosen falls short of the k-th best."""
    indices = np.array(np.ravel(chosen), np.int64)
    if len(indices) != k or len(set(indices.tolist())) != k or indices.min() < 0:
        raise ValueError(f"these are not {k} candidates")
    return int(np.partition(scores, -k)[-k] - scores[indices].min())


def told(task: Task, play: Play, repeats: int) -> Mapping[str, int]:
    """How often each answer was given, on few candidates, or to two questions."""
    match task:
        case Task.NOISY_MAX | Task.EXPONENTIAL | Task.PERMUTE_AND_FLIP | Task.TOP_K:
            call, given = play.build(FEW_K), play.given(np.array(FEW, np.int64))
            counted = Counter(name(call(given)) for _ in range(repeats))
        case Task.ABOVE_THRESHOLD:
            counted = Counter(first_above(play.build(1)) for _ in range(repeats))
        case Task.LAPLACE | Task.GAUSSIAN:
            raise ValueError("the law of cells is judged by their sums")
        case _:
            assert_never(task)
    return counted


def name(chosen: int | Sequence[int]) -> str:
    """As "2", or "2 0" for two in this order."""
    return " ".join(str(int(index)) for index in np.ravel(chosen))


def first_above(ask: Callable[[int], Any]) -> str:
    """Which of two questions was the first above: "0", "1" or "none"."""
    return next((str(n) for n in range(2) if ask(CLOSE)), "none")
