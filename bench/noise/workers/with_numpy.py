"""NumPy's generator: insecure, in floats.  The physical limit, so to say."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from bench.noise.workers.serve import Sampler, serve_sampler

_GENERATOR = np.random.default_rng()


def make(law: str, scale: Fraction) -> Sampler:
    named = _GENERATOR.laplace if law == "laplace" else _GENERATOR.normal
    draw = partial(named, scale=float(scale))
    return Sampler(many=lambda count: draw(size=count), one=draw)


if __name__ == "__main__":
    serve_sampler(make, packages=["numpy"])
