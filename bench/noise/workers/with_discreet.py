"""Ours: exact integers from the operating system's randomness."""

from __future__ import annotations

from fractions import Fraction

from bench.noise.workers.serve import Sampler, serve_sampler
from discreet.noise import DiscreteGaussian, DiscreteLaplace


def make(law: str, scale: Fraction) -> Sampler:
    noise = DiscreteLaplace(scale) if law == "laplace" else DiscreteGaussian(scale)
    return Sampler(many=noise.sample, one=noise.sample)


if __name__ == "__main__":
    serve_sampler(make, packages=["discreet", "numpy", "python-flint"])
