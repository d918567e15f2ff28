"""autodp, by Rényi's divergence, which is what its `Composition` adds up: an upper end alone.  What
came of its other way, by characteristic functions, is in bench/findings.md."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any, assert_never

from autodp.mechanism_zoo import (  # type: ignore[import-not-found]
    GaussianMechanism,
    LaplaceMechanism,
    RandresponseMechanism,
)
from autodp.transformer_zoo import (  # type: ignore[import-not-found]
    AmplificationBySampling,
    Composition,
)

from bench.account.tasks import Law, Part, Parts
from bench.account.workers.serve import Ends, serve_accounts


def mechanism(part: Part) -> Any:  # noqa: ANN401 - it has no types
    size = float(part.size)
    match part.law:
        case Law.GAUSSIAN:
            return GaussianMechanism(size)
        case Law.SAMPLED:
            noise, sample = GaussianMechanism(size), AmplificationBySampling()
            return sample(noise, float(part.rate), improved_bound_flag=True)
        case Law.LAPLACE:
            return LaplaceMechanism(b=size)
        case Law.RESPONSE:
            return RandresponseMechanism(1 / (1 + exp(-size)))
        case _:
            assert_never(part.law)


def epsilon(parts: Parts, delta: Fraction) -> Ends:
    composed = Composition()([mechanism(part) for part in parts], [part.count for part in parts])
    return None, float(composed.approxDP(float(delta)))


if __name__ == "__main__":
    serve_accounts(epsilon, packages=["autodp", "numpy", "scipy"])
