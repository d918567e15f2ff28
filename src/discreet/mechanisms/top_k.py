"""The best k, by peeling exponential mechanisms.  Claim and proof: top_k.md"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Final, final

import flint
import numpy as np
from flint import arb

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.search import confidence_in, least
from discreet.mechanisms.selection import (
    BITS,
    Scores,
    Selection,
    Shift,
    count_in,
    scores_in,
    too_many_outcomes,
)
from discreet.noise.gumbel import GumbelMax
from discreet.noise.noisy_max import worth
from discreet.noise.race import Integers
from discreet.numbers import MISSING, Number, ball, down, positive, up, whole

MOST_OUTCOMES: Final = 2**16
"""A law is listed if it has no more outcomes."""


@final
@dataclass(frozen=True, slots=True, init=False)
class TopK(Selection[tuple[int, ...]]):
    """The indices of k candidates in the order of score / scale plus Gumbel noise, best first.

    >>> from discreet.distances import LInf
    >>> TopK(3, 2).loss(LInf(1)), TopK(3, 2).zcdp(LInf(1))
    (loss('epsilon=3'), loss('rho=0.375'))
    >>> TopK(2, 2).release([0, 1000, 0, 2000])
    (3, 1)
    """

    k: int
    scale: Fraction

    def __init__(self, k: Number = MISSING, scale: Number = MISSING) -> None:
        object.__setattr__(self, "k", whole(k, "k", least=1))
        object.__setattr__(self, "scale", positive(scale, "scale"))

    def loss(self, distance: Shift) -> Pure:
        """k times what one choice costs."""
        return self.k * Pure(self._span(distance) / self.scale)

    def zcdp(self, distance: Shift) -> ZCDP:
        """k·ε²/8, with ε what one choice costs."""
        return self.k * ZCDP((self._span(distance) / self.scale) ** 2 / 8)

    def release(self, x: Scores, *, entropy: Entropy | None = None) -> tuple[int, ...]:
        """Different indices, best first."""
        left, noise = self._enough(x), GumbelMax(1 / self.scale)
        told: list[int] = []
        taken: list[int] = []
        while True:
            place = noise.choose(left, entropy=entropy)
            told.append(_before(taken, place))
            insort(taken, told[-1])
            if len(told) == self.k:
                return tuple(told)
            left = np.delete(left, place)

    def law(self, x: Scores) -> Law:
        """The law of tuples: one after another is drawn by its weight from those who are left."""
        scores = self._enough(x)
        if self.k > 8 or perm(len(scores), self.k) > MOST_OUTCOMES:
            raise too_many_outcomes()
        with flint.ctx.workprec(BITS):
            behind = worth(1 / self.scale, scores)
            weights = {index: (-ball(each)).exp() for index, each in enumerate(behind)}
            return Law(dict(_orders(weights, self.k)))

    def accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """So much at most, with this probability and whatever the scores, each of the k falls
        short of the best that was left when it was chosen, and so of the one whose place it
        takes.  The least such bound for k = 1."""
        sure, n = confidence_in(confidence), count_in(count)
        if n < self.k:
            raise _too_few()
        allowed = down(lambda: -ball(sure).log())

        def risk(t: int) -> arb:
            chance = (-ball((t + 1) / self.scale)).exp()
            return sum(((chance * rivals).log1p() for rivals in range(n - self.k, n)), arb(0))

        return Fraction(least(lambda t: up(lambda: risk(t)) <= allowed))

    def _enough(self, x: Scores) -> Integers:
        scores = scores_in(x)
        if len(scores) < self.k:
            raise _too_few()
        return scores


def _before(taken: list[int], place: int) -> int:
    """The index of the candidate at this place among those who are not taken, in order."""
    for each in taken:
        place += each <= place
    return place


def _orders(weights: Mapping[int, arb], k: int) -> Iterator[tuple[tuple[int, ...], arb]]:
    """Every order of k candidates with its probability."""
    if k == 0:
        yield (), arb(1)
        return
    total = sum(weights.values(), start=arb(0))
    for first, weight in weights.items():
        rest = {index: each for index, each in weights.items() if index != first}
        for others, chance in _orders(rest, k - 1):
            yield (first, *others), weight / total * chance


def _too_few() -> MechanismError:
    return MechanismError(
        "there are fewer candidates than are to be chosen",
        cure="choose no more than there are: `dp.TopK(2, 10).release([31, 5, 27])`",
        code="M53",
    )
