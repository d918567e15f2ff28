"""Permute-and-flip.  Claim and proof: permute_and_flip.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from flint import arb

from discreet.entropy import Entropy
from discreet.loss.divergence import Law
from discreet.mechanisms.search import confidence_in, least
from discreet.mechanisms.selection import (
    Scores,
    Selection,
    count_in,
    law_of,
    scores_in,
    textbook,
)
from discreet.noise.exponential import ExponentialMax
from discreet.numbers import MISSING, Number, ball, positive, up


@final
@dataclass(frozen=True, slots=True, init=False)
class PermuteAndFlip(Selection[int]):
    """Candidates in random order; stop at one with probability exp(−(best − score) / scale).

    That is the maximum of scores with exponential noise.  At the same pure loss its error is never
    larger than that of `Exponential`; in zCDP it costs up to four times as much.

    >>> from discreet.distances import LInf, Monotone
    >>> PermuteAndFlip(4).loss(LInf(1)), PermuteAndFlip(4).loss(Monotone(1))
    (loss('epsilon=0.5'), loss('epsilon=0.25'))
    >>> PermuteAndFlip(4).release([3, 5, 1000])
    2
    """

    scale: Fraction

    def __init__(self, scale: Number = MISSING) -> None:
        object.__setattr__(self, "scale", positive(scale, "scale"))

    def release(self, x: Scores, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one."""
        return ExponentialMax(1 / self.scale).choose(scores_in(x), entropy=entropy)

    def law(self, x: Scores) -> Law:
        scores = scores_in(x)
        return law_of(lambda: ExponentialMax(1 / self.scale).law(scores))

    def accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """The least t such that the chosen one falls short of the best by t at most, with this
        probability, whatever the scores."""
        failure, n = 1 - confidence_in(confidence), count_in(count)
        if n == 1:
            return Fraction(0)
        return Fraction(least(lambda t: up(lambda: self._worst(n, t + 1)) <= failure))

    def textbook_accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """scale·ln(count/β), never less than `accuracy`."""
        return textbook(self.scale, Fraction(count_in(count)), confidence)

    def _worst(self, n: int, behind: int) -> arb:
        """P(one of n − 1 candidates wins, all of them so far behind the best): with a their chance
        to be stopped at, 1 − (1 − (1 − a)^n)/(n·a)."""
        steps = -ball(behind / self.scale)
        chance, pass_all = steps.exp(), ((-steps.expm1()).log() * n).exp()
        return 1 - (1 - pass_all) / (n * chance)
