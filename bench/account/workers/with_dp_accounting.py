"""dp-accounting.

Its accountant refuses responses beside other mechanisms, so `both` takes the distributions
themselves: rounded down, and rounded up.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import exp
from typing import Any, assert_never

import dp_accounting as dpa  # type: ignore[import-not-found]
from dp_accounting.pld import (  # type: ignore[import-not-found]
    PLDAccountant,
    privacy_loss_distribution as pld,
)

from bench.account.tasks import STEP, Law, Part, Parts
from bench.account.workers.serve import Ends, serve_accounts


def event(part: Part) -> Any:  # noqa: ANN401 - it has no types
    match part.law:
        case Law.GAUSSIAN:
            return dpa.GaussianDpEvent(float(part.size))
        case Law.SAMPLED:
            noise = dpa.GaussianDpEvent(float(part.size))
            return dpa.PoissonSampledDpEvent(float(part.rate), noise)
        case Law.LAPLACE:
            return dpa.LaplaceDpEvent(float(part.size))
        case Law.RESPONSE:
            raise ValueError("its accountant refuses responses beside other mechanisms")
        case _:
            assert_never(part.law)


def epsilon(parts: Parts, delta: Fraction) -> Ends:
    accountant = PLDAccountant()
    for part in parts:
        accountant.compose(event(part), part.count)
    return None, float(accountant.get_epsilon(float(delta)))


def distribution(part: Part, *, up: bool) -> Any:  # noqa: ANN401
    size = float(part.size)
    how: dict[str, Any] = {"pessimistic_estimate": up, "value_discretization_interval": STEP}
    match part.law:
        case Law.GAUSSIAN | Law.SAMPLED:
            how |= {"sampling_prob": float(part.rate), "use_connect_dots": up}
            return pld.from_gaussian_mechanism(size, **how)
        case Law.LAPLACE:
            return pld.from_laplace_mechanism(size, use_connect_dots=up, **how)
        case Law.RESPONSE:
            return pld.from_randomized_response(2 / (1 + exp(size)), 2, **how)
        case _:
            assert_never(part.law)


def composed(parts: Parts, delta: Fraction, *, up: bool) -> float:
    alone = [distribution(part, up=up).self_compose(part.count) for part in parts]
    together = reduce(lambda one, other: one.compose(other), alone)
    return float(together.get_epsilon_for_delta(float(delta)))


def both(parts: Parts, delta: Fraction) -> Ends:
    return composed(parts, delta, up=False), composed(parts, delta, up=True)


if __name__ == "__main__":
    serve_accounts(epsilon, both, packages=["dp-accounting", "numpy", "scipy"])
