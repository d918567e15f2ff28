"""Ours: the integer noise that ships."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

import discreet as dp
from bench.account.tasks import Law, Part, Parts
from bench.account.workers.serve import Ends, serve_accounts
from discreet.loss.divergence import Infinity
from discreet.mechanisms.compose import Answer


def answers(part: Part) -> Answer:
    match part.law:
        case Law.GAUSSIAN:
            return part.count * dp.Gaussian(part.size)
        case Law.SAMPLED:
            return part.count * dp.Gaussian(part.size).poisson(part.rate)
        case Law.LAPLACE:
            return part.count * dp.Laplace(part.size)
        case Law.RESPONSE:
            raise ValueError("responses are asked of the continuous laws' contestant")
        case _:
            assert_never(part.law)


def epsilon(parts: Parts, delta: Fraction) -> Ends:
    found = dp.compose(*map(answers, parts)).epsilon(delta)
    return finite(found.low), finite(found.high)


def finite(end: Fraction | Infinity) -> float | None:
    return float(end) if isinstance(end, Fraction) else None


if __name__ == "__main__":
    serve_accounts(epsilon, packages=["discreet", "numpy", "python-flint"])
