"""Which question is the first above a threshold?  Claim and proof: above_threshold.md"""

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
from discreet.numbers import MISSING, Number, positive

ONE: Final = LInf(1)


@final
@dataclass(frozen=True, slots=True, init=False)
class AboveThreshold(Comparing):
    """Answers until the first question above: pure privacy, however many questions there are.

    >>> AboveThreshold.textbook(1)
    AboveThreshold(threshold_scale=Fraction(2, 1), query_scale=Fraction(4, 1))
    >>> AboveThreshold.textbook(1).loss(LInf(1))
    loss('epsilon=1')
    >>> AboveThreshold.textbook(1).release([-500, -500, 500, 500], threshold=0)
    [False, False, True]
    """

    threshold_scale: Fraction
    query_scale: Fraction

    def __init__(self, threshold_scale: Number = MISSING, query_scale: Number = MISSING) -> None:
        object.__setattr__(self, "threshold_scale", positive(threshold_scale, "threshold_scale"))
        object.__setattr__(self, "query_scale", positive(query_scale, "query_scale"))
        self.noises  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @classmethod
    def textbook(cls, epsilon: Number, distance: LInf | Monotone = ONE) -> Self:
        """Half of ε for the threshold, half for the questions: scales 2Δ/ε and 4Δ/ε."""
        by, _ = apart(distance, "AboveThreshold")
        total = positive(epsilon, "epsilon")
        return cls(2 * by / total, 4 * by / total)

    @classmethod
    def best(cls, epsilon: Number, distance: LInf | Monotone = ONE) -> Self:
        """The split with the least variance of the comparison: 1 : 2^(2/3), or 1 : 1 if all
        answers move the same way.

        >>> AboveThreshold.best(1, Monotone(1)).loss(Monotone(1))
        loss('epsilon=1')
        """
        by, pays = apart(distance, "AboveThreshold")
        first, second = best_split(positive(epsilon, "epsilon"), pays)
        return cls(by / first, pays * by / second)

    @property
    def noises(self) -> Noises:
        return Noises(
            DiscreteLaplace(self.threshold_scale), DiscreteLaplace(self.query_scale), 1, 1
        )

    def loss(self, distance: LInf | Monotone) -> Pure:
        return Pure(self.run_loss(distance))
