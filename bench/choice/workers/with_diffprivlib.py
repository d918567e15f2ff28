"""diffprivlib.  Its mechanisms take the scores, as a list, when they are made, which is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diffprivlib.mechanisms import (  # type: ignore[import-not-found]
    Exponential,
    PermuteAndFlip,
)

from bench.choice.tasks import SCALE, Task
from bench.choice.workers.serve import Play, serve_plays


def choose(mechanism: Any) -> Play:  # noqa: ANN401 - it has no types
    """With an epsilon such that the weights are exp(score/scale), as everybody's."""

    def once(_: int) -> Callable[[Any], Any]:
        return lambda scores: mechanism(
            epsilon=2 / SCALE, sensitivity=1, utility=scores
        ).randomise()

    return Play(once, given=lambda scores: scores.tolist())


PLAYS = {
    Task.EXPONENTIAL: choose(Exponential),
    Task.PERMUTE_AND_FLIP: choose(PermuteAndFlip),
}

if __name__ == "__main__":
    serve_plays(PLAYS, packages=["diffprivlib", "numpy"])
