"""What is asked of a library, and of what size.  Read by the bench and by its workers."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Task(StrEnum):
    """A mechanism, by the name that workers know it by."""

    NOISY_MAX = "noisy-max"
    EXPONENTIAL = "exponential"
    PERMUTE_AND_FLIP = "permute-and-flip"
    TOP_K = "top-k"
    ABOVE_THRESHOLD = "above-threshold"
    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"


class Scores(StrEnum):
    """All equal, so that everyone may win; or spread evenly up to `HIGHEST`, so that few can."""

    LEVEL = "level"
    SPREAD = "spread"


SCALE: Final = 10
"""Of the noise on each score, and on each cell."""
HIGHEST: Final = 10_000
EPSILON: Final = 1
THRESHOLD_SCALE: Final = 2
QUERY_SCALE: Final = 4
"""The two noises of the textbook's AboveThreshold with this epsilon, for answers that move by 1."""
BELOW: Final = -1_000
"""Questions that are timed lie so far below the threshold, and hardly any run ends early."""

FEW: Final = (0, 30, 55)
FEW_K: Final = 2
"""Few candidates, of which each library chooses so often that its law shows.  With these scores
Laplace and Gumbel noise, which choose nearly alike, are told apart by the fewest choices."""
CLOSE: Final = -4
"""Two questions, each so far below the threshold, show the law of AboveThreshold."""
