"""NumPy's generator, as one would write it in a line: insecure, in floats.  The yardstick."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.choice.tasks import QUERY_SCALE, SCALE, THRESHOLD_SCALE, Task
from bench.choice.workers.serve import Play, serve_plays

_GENERATOR = np.random.default_rng()
_LAPLACE = partial(_GENERATOR.laplace, scale=SCALE)
_GUMBEL = partial(_GENERATOR.gumbel, scale=SCALE)
_EXPONENTIAL = partial(_GENERATOR.exponential, scale=SCALE)
_GAUSSIAN = partial(_GENERATOR.normal, scale=SCALE)


def best(noise: Callable[..., Any]) -> Play:
    return Play(lambda _: lambda scores: (scores + noise(size=len(scores))).argmax())


def best_k(k: int) -> Callable[[Any], Any]:
    def choose(scores: Any) -> Any:  # noqa: ANN401
        noisy = -scores + -_GUMBEL(size=len(scores))
        first = np.argpartition(noisy, k - 1)[:k]
        return first[np.argsort(noisy[first])]

    return choose


def session(_: int) -> Callable[[int], bool]:
    bar = _GENERATOR.laplace(scale=THRESHOLD_SCALE)
    noise = partial(_GENERATOR.laplace, scale=QUERY_SCALE)
    return lambda value: value + noise() >= bar


PLAYS = {
    Task.NOISY_MAX: best(_LAPLACE),
    Task.EXPONENTIAL: best(_GUMBEL),
    Task.PERMUTE_AND_FLIP: best(_EXPONENTIAL),
    Task.TOP_K: Play(best_k),
    Task.ABOVE_THRESHOLD: Play(session),
    Task.LAPLACE: Play(lambda _: lambda cells: cells + _LAPLACE(size=len(cells))),
    Task.GAUSSIAN: Play(lambda _: lambda cells: cells + _GAUSSIAN(size=len(cells))),
}

if __name__ == "__main__":
    serve_plays(PLAYS, packages=["numpy"])
