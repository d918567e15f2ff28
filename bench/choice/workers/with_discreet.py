"""Ours: exact choices and integers, from the operating system's randomness."""

from __future__ import annotations

import discreet as dp
from bench.choice.tasks import EPSILON, SCALE, Task
from bench.choice.workers.serve import Play, serve_plays

PLAYS = {
    Task.NOISY_MAX: Play(lambda _: dp.NoisyMax(SCALE).release),
    Task.EXPONENTIAL: Play(lambda _: dp.Exponential(SCALE).release),
    Task.PERMUTE_AND_FLIP: Play(lambda _: dp.PermuteAndFlip(SCALE).release),
    Task.TOP_K: Play(lambda k: dp.TopK(k, SCALE).release),
    Task.ABOVE_THRESHOLD: Play(lambda _: dp.AboveThreshold.textbook(EPSILON).stream(0).ask),
    Task.LAPLACE: Play(lambda _: dp.Laplace(SCALE).release),
    Task.GAUSSIAN: Play(lambda _: dp.Gaussian(SCALE).release),
}

if __name__ == "__main__":
    serve_plays(PLAYS, packages=["discreet", "numpy", "python-flint"])
