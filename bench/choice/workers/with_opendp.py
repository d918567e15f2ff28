"""OpenDP.  It reads an array of int64 many times as fast as a list of integers.

Its noisy maximum has exponential noise for pure privacy, which is permute-and-flip, and Gumbel
noise for zCDP, which is the exponential mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import opendp.prelude as dp  # type: ignore[import-not-found]

from bench.choice.tasks import SCALE, Task
from bench.choice.workers.serve import Play, serve_plays

dp.enable_features("contrib")
VECTOR = dp.vector_domain(dp.atom_domain(T="i64"))
SCORES = VECTOR, dp.linf_distance(T="i64")


def choose(measure: Any) -> Callable[[int], Any]:  # noqa: ANN401 - it has no types
    return lambda _: dp.m.make_noisy_max(*SCORES, measure, scale=float(SCALE))


def best(k: int) -> Any:  # noqa: ANN401
    return dp.m.make_noisy_top_k(*SCORES, dp.zero_concentrated_divergence(), k, float(SCALE))


PLAYS = {
    Task.EXPONENTIAL: Play(choose(dp.zero_concentrated_divergence())),
    Task.PERMUTE_AND_FLIP: Play(choose(dp.max_divergence())),
    Task.TOP_K: Play(best),
    Task.LAPLACE: Play(lambda _: dp.m.make_laplace(VECTOR, dp.l1_distance(T="i64"), float(SCALE))),
    Task.GAUSSIAN: Play(
        lambda _: dp.m.make_gaussian(VECTOR, dp.l2_distance(T="f64"), float(SCALE))
    ),
}

if __name__ == "__main__":
    serve_plays(PLAYS, packages=["opendp", "numpy"])
