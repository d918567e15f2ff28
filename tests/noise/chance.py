"""Whether counts fit a law, with a false-alarm rate that is a theorem."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

import numpy as np
from numpy.typing import NDArray

FALSE_ALARM = 1e-9


def doubt(drawn: NDArray[np.int64], law: Mapping[int, float]) -> float:
    """A bound on the probability of counts this far from what `law` expects, if `law` is true.

    Looked at are the integers of `law`, one by one and all up to each, and everything else.  By
    Bernstein's inequality a count with probability p deviates by t with probability at most
    2·exp(-t²/(2np(1 - p) + 2t/3)); over all that is looked at, these add up.
    """
    total = len(drawn)
    support = np.array(sorted(law))
    chance = np.array([law[n] for n in support.tolist()])
    place = np.searchsorted(support, drawn)
    inside = support[np.minimum(place, len(support) - 1)] == drawn
    counts = np.bincount(place[inside], minlength=len(support))
    looks = [
        *zip(counts, chance, strict=True),
        *zip(np.cumsum(counts), np.cumsum(chance), strict=True),
        (total - counts.sum(), max(0.0, 1 - chance.sum())),
    ]
    rarest = min(_bernstein(abs(count - total * p), total * p * (1 - p)) for count, p in looks)
    return min(1.0, len(looks) * rarest)


def _bernstein(away: float, variance: float) -> float:
    # The law is known to 1e-12 only, and that much of a deviation proves nothing.
    away = max(0.0, away - 1e-6)
    return 2 * exp(-(away**2) / (2 * variance + 2 * away / 3)) if away else 1.0
