"""Whether what is told follows a law of sequences."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final

import numpy as np

from discreet.loss.divergence import Law
from tests.noise.chance import doubt

FEW: Final = 4_000


def telling(release: Callable[[], Sequence[Hashable]], *laws: Law, times: int = FEW) -> list[float]:
    """The doubts that `times` releases leave in the laws; what a law does not list counts as one
    more outcome."""
    drawn = [tuple(release()) for _ in range(times)]
    found = []
    for law in laws:
        place = {outcome: i for i, outcome in enumerate(law.outcomes)}
        places = np.array([place.get(told, -1) for told in drawn])
        found.append(doubt(places, {i: float(low) for i, (low, _) in enumerate(law.weights)}))
    return found
