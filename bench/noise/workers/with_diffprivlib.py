"""diffprivlib: number by number.  Its discrete Gaussian takes time in proportion to sigma."""

from __future__ import annotations

from fractions import Fraction

from diffprivlib.mechanisms import (  # type: ignore[import-not-found]
    GaussianDiscrete,
    Geometric,
)

from bench.noise.workers.serve import Sampler, serve_sampler


def make(law: str, scale: Fraction) -> Sampler:
    if law == "laplace":
        noise = Geometric(epsilon=float(1 / scale))
    else:
        # It calibrates sigma itself and offers no way to name one.
        noise = GaussianDiscrete(epsilon=1, delta=1e-5)
        noise._scale = float(scale)
    return Sampler(
        many=lambda count: [noise.randomise(0) for _ in range(count)],
        one=lambda: noise.randomise(0),
    )


if __name__ == "__main__":
    serve_sampler(make, packages=["diffprivlib", "numpy"])
