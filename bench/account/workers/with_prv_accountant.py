"""prv-accountant.  It wants to know beforehand how far off it may be: 0.01 of epsilon, and a
thousandth of delta, as its own `Accountant` takes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, assert_never

from prv_accountant import (  # type: ignore[import-not-found]
    GaussianMechanism,
    LaplaceMechanism,
    PoissonSubsampledGaussianMechanism,
    PRVAccountant,
    PureDPMechanism,
)

from bench.account.tasks import Law, Part, Parts
from bench.account.workers.serve import Ends, serve_accounts

EPSILON_ERROR: Final = 0.01
DELTA_PART: Final = 1e-3


def variable(part: Part) -> Any:  # noqa: ANN401 - it has no types
    size = float(part.size)
    match part.law:
        case Law.GAUSSIAN:
            return GaussianMechanism(size)
        case Law.SAMPLED:
            return PoissonSubsampledGaussianMechanism(float(part.rate), size)
        case Law.LAPLACE:
            return LaplaceMechanism(1 / size)
        case Law.RESPONSE:
            return PureDPMechanism(size)
        case _:
            assert_never(part.law)


def epsilon(parts: Parts, delta: Fraction) -> Ends:
    counts = [part.count for part in parts]
    accountant = PRVAccountant(
        [variable(part) for part in parts],
        eps_error=EPSILON_ERROR,
        delta_error=float(delta) * DELTA_PART,
        max_self_compositions=counts,
    )
    low, _, high = accountant.compute_epsilon(float(delta), counts)
    return float(low), float(high)


if __name__ == "__main__":
    serve_accounts(epsilon, packages=["prv-accountant", "numpy", "scipy"])
