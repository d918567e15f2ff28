"""diffprivlib: `tools.median` with the range as bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from diffprivlib.tools import median  # type: ignore[import-not-found]

from bench.error.workers.median import Release, run


def make(rows: Sequence[int], low: int, high: int, epsilon: float) -> Release:
    values = np.array(rows, float)
    return lambda: float(median(values, epsilon=epsilon, bounds=(low, high)))


if __name__ == "__main__":
    run(make, packages=["diffprivlib", "numpy"])
