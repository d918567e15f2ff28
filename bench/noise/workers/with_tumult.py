"""Tumult Core: it has no vectors, so a list is made number by number."""

from __future__ import annotations

from fractions import Fraction

import sympy  # type: ignore[import-not-found]
from tmlt.core.measurements.noise_mechanisms import (  # type: ignore[import-not-found]
    AddGeometricNoise,
)
from tmlt.core.random.discrete_gaussian import (  # type: ignore[import-not-found]
    sample_dgauss,
)

from bench.noise.workers.serve import Sampler, serve_sampler


def make(law: str, scale: Fraction) -> Sampler:
    if law == "laplace":
        noise = AddGeometricNoise(sympy.Rational(scale.numerator, scale.denominator))
        return Sampler(many=lambda count: [noise(0) for _ in range(count)], one=lambda: noise(0))
    variance = scale * scale
    return Sampler(
        many=lambda count: [sample_dgauss(variance) for _ in range(count)],
        one=lambda: sample_dgauss(variance),
    )


if __name__ == "__main__":
    serve_sampler(make, packages=["tmlt.core"])
