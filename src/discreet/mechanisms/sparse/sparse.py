"""Which questions are above a threshold, with a new threshold after each?  Claim: sparse.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Self, final

from discreet.distances import LInf, Monotone
from discreet.loss import ZCDP, Approx, Pure, advanced
from discreet.mechanisms.sparse.comparing import Comparing
from discreet.mechanisms.sparse.split import apart, best_split, for_each
from discreet.mechanisms.sparse.stream import Noises
from discreet.noise import DiscreteLaplace
from discreet.numbers import MISSING, Number, positive, probability, whole

ONE: Final = LInf(1)


@final
@dataclass(frozen=True, slots=True, init=False)
class Sparse(Comparing):
    """Answers until `positives` questions were above, and draws the threshold's noise anew after
    each of them.

    A `delta` above zero changes no answer; with it the loss is that of advanced composition, where
    that is less than the sum.

    >>> Sparse.textbook(1, positives=3).loss(LInf(1))
    loss('epsilon=1')
    >>> Sparse.textbook(1, positives=3).release([500, -500, 500, 500, 500])
    [True, False, True, True]
    """

    positives: int
    threshold_scale: Fraction
    query_scale: Fraction
    delta: Fraction

    def __init__(
        self,
        positives: Number = MISSING,
        threshold_scale: Number = MISSING,
        query_scale: Number = MISSING,
        *,
        delta: Number = 0,
    ) -> None:
        object.__setattr__(self, "positives", whole(positives, "positives", least=1))
        object.__setattr__(self, "threshold_scale", positive(threshold_scale, "threshold_scale"))
        object.__setattr__(self, "query_scale", positive(query_scale, "query_scale"))
        object.__setattr__(self, "delta", probability(delta, "delta"))
        self.noises  # noqa: B018 - a scale that no sampler has is refused here, not at a release
        composed(self.positives, Fraction(0), self.delta)

    @classmethod
    def textbook(
        cls,
        epsilon: Number,
        positives: Number,
        distance: LInf | Monotone = ONE,
        *,
        delta: Number = 0,
    ) -> Self:
        """Scales 2Δ/ε₀ and 4Δ/ε₀, where each positive may cost ε₀: ε/positives, or what advanced
        composition allows."""
        count = whole(positives, "positives", least=1)
        by, _ = apart(distance, "Sparse")
        each = for_each(epsilon, count, delta)
        return cls(count, 2 * by / each, 4 * by / each, delta=delta)

    @classmethod
    def best(
        cls,
        epsilon: Number,
        positives: Number,
        distance: LInf | Monotone = ONE,
        *,
        delta: Number = 0,
    ) -> Self:
        """Each ε₀ split as in `AboveThreshold.best`: the best while thresholds are drawn anew."""
        count = whole(positives, "positives", least=1)
        by, pays = apart(distance, "Sparse")
        first, second = best_split(for_each(epsilon, count, delta), pays)
        return cls(count, by / first, pays * by / second, delta=delta)

    @property
    def noises(self) -> Noises:
        threshold, query = DiscreteLaplace(self.threshold_scale), DiscreteLaplace(self.query_scale)
        return Noises(threshold, query, self.positives, 1)

    def loss(self, distance: LInf | Monotone) -> Pure | Approx:
        return composed(self.positives, self.run_loss(distance), self.delta)

    def zcdp(self, distance: LInf | Monotone) -> ZCDP:
        """Run by run, which is less than from the loss of all."""
        return self.positives * Pure(self.run_loss(distance)).to(ZCDP)


def composed(count: int, each: Fraction, delta: Fraction) -> Pure | Approx:
    """`count` answers of loss `each`, one after the other: the better of sum and advanced."""
    if delta == 0:
        return Pure(count * each)
    spread = advanced(count, min(each, Fraction(1)), 0, delta)
    # Above ln 2, and so above one, the sum is better.
    return Pure(count * each) if each > 1 or spread.epsilon >= count * each else spread
