"""OpenDP: `make_private_quantile` with 1,000 candidates spread over the range, since it wants a
list of them; the scale is the largest for which it promises ε."""

from __future__ import annotations

from collections.abc import Sequence

import opendp.prelude as dp  # type: ignore[import-not-found]

from bench.error.workers.median import Release, run

CANDIDATES = 1_000

dp.enable_features("contrib")


def make(rows: Sequence[int], low: int, high: int, epsilon: float) -> Release:
    reach = high - low
    places = sorted({low + reach * i // (CANDIDATES - 1) for i in range(CANDIDATES)})
    domain = dp.vector_domain(dp.atom_domain(T="i64"))

    def chosen(scale: float) -> dp.Measurement:
        return dp.m.make_private_quantile(
            domain, dp.symmetric_distance(), dp.max_divergence(), places, 0.5, scale
        )

    made = dp.binary_search_chain(chosen, d_in=1, d_out=epsilon)
    values = list(rows)
    return lambda: float(made(values))


if __name__ == "__main__":
    run(make, packages=["opendp"])
