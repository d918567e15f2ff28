"""OpenDP: noise on a vector of zeros, given as an array, which it reads faster than a list."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import opendp.prelude as dp  # type: ignore[import-not-found]

from bench.noise.workers.serve import Sampler, serve_sampler

dp.enable_features("contrib")


def make(law: str, scale: Fraction) -> Sampler:
    value = dp.atom_domain(T="i64")
    if law == "laplace":
        vector = dp.m.make_laplace(dp.vector_domain(value), dp.l1_distance(T="i64"), float(scale))
        number = dp.m.make_laplace(value, dp.absolute_distance(T="i64"), float(scale))
    else:
        vector = dp.m.make_gaussian(dp.vector_domain(value), dp.l2_distance(T="f64"), float(scale))
        number = dp.m.make_gaussian(value, dp.absolute_distance(T="f64"), float(scale))
    return Sampler(
        many=lambda count: vector(np.zeros(count, np.int64)),
        one=lambda: number(0),
    )


if __name__ == "__main__":
    serve_sampler(make, packages=["opendp", "numpy"])
