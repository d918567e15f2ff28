"""Which questions are above a threshold that is drawn once?  Claim and proof: sparse_once.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Self, final

from discreet.distances import LInf, Monotone
from discreet.loss import Pure
from discreet.mechanisms.sparse.comparing import Comparing
from discreet.mechanisms.sparse.split import apart, best_split
from discreet.mechanisms.sparse.stream import Noises
from discreet.noise import DiscreteLaplace
from discreet.numbers import MISSING, Number, positive, whole

ONE: Final = LInf(1)


@final
@dataclass(frozen=True, slots=True, init=False)
class SparseOnce(Comparing):
    """Answers until `positives` questions were above, all against one noisy threshold, which is
    paid for once.

    >>> SparseOnce.best(1, positives=4).loss(LInf(1))
    loss('epsilon=1')
    >>> SparseOnce.best(1, positives=2).release([-500, 500, 500, 500])
    [False, True, True]
    """

    positives: int
    threshold_scale: Fraction
    query_scale: Fraction

    def __init__(
        self,
        positives: Number = MISSING,
        threshold_scale: Number = MISSING,
        query_scale: Number = MISSING,
    ) -> None:
        object.__setattr__(self, "positives", whole(positives, "positives", least=1))
        object.__setattr__(self, "threshold_scale", positive(threshold_scale, "threshold_scale"))
        object.__setattr__(self, "query_scale", positive(query_scale, "query_scale"))
        self.noises  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @classmethod
    def best(cls, epsilon: Number, positives: Number, distance: LInf | Monotone = ONE) -> Self:
        """The split with the least variance of the comparison: 1 : (2c)^(2/3), or 1 : c^(2/3) if
        all answers move the same way."""
        count = whole(positives, "positives", least=1)
        by, pays = apart(distance, "SparseOnce")
        first, second = best_split(positive(epsilon, "epsilon"), pays * count)
        return cls(count, by / first, pays * count * by / second)

    @property
    def noises(self) -> Noises:
        threshold, query = DiscreteLaplace(self.threshold_scale), DiscreteLaplace(self.query_scale)
        return Noises(threshold, query, self.positives, self.positives)

    def loss(self, distance: LInf | Monotone) -> Pure:
        return Pure(self.run_loss(distance))
