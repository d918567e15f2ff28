"""The exponential mechanism.  Claim and proof: exponential.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP
from discreet.loss.divergence import Law
from discreet.mechanisms.search import confidence_in
from discreet.mechanisms.selection import (
    Scores,
    Selection,
    Shift,
    count_in,
    law_of,
    scores_in,
    textbook,
)
from discreet.noise.exponential import Weights
from discreet.noise.gumbel import GumbelMax
from discreet.noise.race import Integers
from discreet.noise.weighted_gumbel import WeightedGumbelMax, whole_weights
from discreet.numbers import MISSING, Number, ball, floor_of, positive


@final
@dataclass(frozen=True, slots=True, init=False)
class Exponential(Selection[int]):
    """Index i with probability proportional to weight i·exp(score i / scale).

    Four bids, in cents, for a thing of which there is enough: which price brings most?

    >>> from discreet.distances import LInf, Monotone
    >>> def revenue(bids):
    ...     return [price * sum(bid >= price for bid in bids) for price in range(401)]
    >>> brings = revenue([100, 100, 100, 301])
    >>> brings.index(max(brings)), brings[100], brings[101], brings[301], brings[302]
    (100, 400, 101, 301, 0)
    >>> fewer = revenue([100, 100, 301])
    >>> fewer.index(max(fewer))
    301

    Noise on the best price is of no use: one bidder moves it by 201, and a cent too much loses
    three bidders of four.  The mechanism knows what each price brings.  One bidder more lifts all
    revenues, and none by more than 400; so among a hundred times as many bidders:

    >>> auction = Exponential(400)
    >>> auction.loss(Monotone(400)), auction.loss(LInf(400)), auction.zcdp(Monotone(400))
    (loss('epsilon=1'), loss('epsilon=2'), loss('rho=0.125'))
    >>> auction.release([100 * each for each in brings]) in range(75, 101)
    True
    >>> auction.accuracy("0.99", count=401)  # of 40,000
    Fraction(4234, 1)
    """

    scale: Fraction
    weights: tuple[int, ...] | None

    def __init__(self, scale: Number = MISSING, weights: Weights | None = None) -> None:
        object.__setattr__(self, "scale", positive(scale, "scale"))
        # A base weight must not depend on the data: it is public, as the list of candidates is.
        found = None if weights is None else tuple(whole_weights(weights).tolist())
        object.__setattr__(self, "weights", found)

    def zcdp(self, distance: Shift) -> ZCDP:
        """ε²/8: the range of the loss, not only its size, is bounded by ε."""
        return ZCDP(self.loss(distance).epsilon ** 2 / 8)

    def release(self, x: Scores, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one."""
        scores = self._fitting(x)
        if self.weights is None:
            return GumbelMax(1 / self.scale).choose(scores, entropy=entropy)
        weights = np.array(self.weights, np.int64)
        return WeightedGumbelMax(1 / self.scale).choose(scores, weights, entropy=entropy)

    def law(self, x: Scores) -> Law:
        scores, weights = self._fitting(x), self.weights
        if weights is None:
            return law_of(lambda: GumbelMax(1 / self.scale).law(scores))
        return law_of(lambda: WeightedGumbelMax(1 / self.scale).law(scores, weights))

    def accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """The least t such that the chosen one falls short of the best by t at most, with this
        probability, whatever the scores.  With base weights the count is known."""
        sure = confidence_in(confidence)
        against = (self._odds(count) - 1) * sure / (1 - sure)
        if against <= 1:
            return Fraction(0)
        return Fraction(floor_of(lambda: ball(against).log() * ball(self.scale)))

    def textbook_accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """scale·ln(count/β), never less than `accuracy`."""
        return textbook(self.scale, self._odds(count), confidence)

    def _odds(self, count: Number) -> Fraction:
        """All weights, in units of the least."""
        if self.weights is None:
            return Fraction(count_in(count))
        if count != MISSING and count_in(count) != len(self.weights):
            raise _another_count()
        return Fraction(sum(self.weights), min(self.weights))

    def _fitting(self, x: Scores) -> Integers:
        scores = scores_in(x)
        if self.weights is not None and len(scores) != len(self.weights):
            raise _another_count()
        return scores


def _another_count() -> MechanismError:
    return MechanismError(
        "there must be one base weight for each candidate",
        cure="give as many weights as there are candidates: `dp.Exponential("
        "2, weights=[1, 2, 1]).release([31, 5, 27])`",
        code="M51",
    )
