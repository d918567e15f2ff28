"""Report noisy max with discrete Laplace noise.  Claim and proof: noisy_max.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Final, final

import numpy as np
from flint import arb

from discreet.entropy import SYSTEM, Entropy
from discreet.loss.divergence import Law
from discreet.mechanisms.search import confidence_in, least
from discreet.mechanisms.selection import (
    BITS,
    Scores,
    Selection,
    count_in,
    law_of,
    scores_in,
    too_many_outcomes,
)
from discreet.noise import DiscreteLaplace
from discreet.noise.law import IntegerLaw
from discreet.noise.race import Integers
from discreet.numbers import MISSING, Number, ball, up

LANES: Final = 2**14
MOST_TERMS: Final = 2**18
"""A law is computed if it takes no more terms than this."""
_FARTHEST: Final = 2**61
"""Noise beyond this in size is put there, and twice as far behind nobody can win."""


@final
@dataclass(frozen=True, slots=True, init=False)
class NoisyMax(Selection[int]):
    """The index of the largest score plus discrete Laplace noise; of several, the smallest index.

    It tells who is largest, and costs no more for many candidates than for two.  All the noisy
    scores would cost as much for each candidate:

    >>> from discreet.distances import L0, L1, LInf
    >>> from discreet.mechanisms.laplace import Laplace
    >>> NoisyMax(2).loss(LInf(1)), Laplace(2).loss(L1.bound(L0(1000), LInf(1)))
    (loss('epsilon=1'), loss('epsilon=500'))
    >>> NoisyMax(2).release([3, 5, 1000])
    2

    Exponential noise is `PermuteAndFlip`: the same loss, never a larger `accuracy`.  Gumbel noise
    is `Exponential`, at the same loss and for as little as a quarter of the zCDP.
    """

    scale: Fraction

    def __init__(self, scale: Number = MISSING) -> None:
        object.__setattr__(self, "scale", DiscreteLaplace(scale).scale)

    @property
    def noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(self.scale)

    def release(self, x: Scores, *, entropy: Entropy | None = None) -> int:
        """The index of the chosen one."""
        scores, source = scores_in(x), SYSTEM if entropy is None else entropy
        top, noise = scores.max(), self.noise
        chosen, best = 0, -(2**63)
        for start in range(0, len(scores), LANES):
            part = scores[start : start + LANES]
            drawn = np.clip(noise.sample(len(part), entropy=source), -_FARTHEST, _FARTHEST)
            drawn -= _behind(part, top)
            place = int(drawn.argmax())  # the first of the largest
            if (found := int(drawn[place])) > best:
                chosen, best = start + place, found
        return chosen

    def law(self, x: Scores) -> Law:
        scores = scores_in(x).tolist()
        top, bottom = max(scores), min(scores)
        reach = int(self.scale * BITS) + 1
        if len(scores) * (top - bottom + 2 * reach) > MOST_TERMS:
            raise too_many_outcomes()
        return law_of(lambda: _law(self.noise.law(), [top - score for score in scores], reach))

    def accuracy(self, confidence: Number, count: Number = MISSING) -> Fraction:
        """So much at most the chosen one falls short of the best, with this probability and
        whatever the scores.  The least such bound for two candidates."""
        failure, n = 1 - confidence_in(confidence), count_in(count)
        return Fraction(least(lambda t: up(lambda: (n - 1) * self._apart(t + 1)) <= failure))

    def _apart(self, k: int) -> arb:
        """P(Z − Z′ ≥ k) for two independent draws and k ≥ 1."""
        t = -ball(1 / self.scale)
        q, p = t.exp(), -t.expm1()
        middle = (1 + q * q) / (p * (1 + q))
        return (p / (1 + q)) ** 2 * (t * k).exp() / p * (k + q / p + middle)


def _behind(scores: Integers, top: np.int64) -> Integers:
    """top − score, but no more than from where nobody can win."""
    # What wraps around is right if read without a sign.
    behind = (top - scores).view(np.uint64)
    return np.minimum(behind, np.uint64(2 * _FARTHEST + 1)).view(np.int64)


def _law(noise: IntegerLaw, behind: list[int], reach: int) -> dict[int, arb]:
    """Σ over h of P(own noisy score is h, all earlier ones are below h, all later ones at most h);
    noisy scores relative to the top."""
    lowest, highest = -max(behind) - reach, reach
    chances = {n: noise.probability(n) for n in range(highest + max(behind) + 1)}
    parts = [arb(0)] * len(behind)
    below = [_at_most(noise, lowest - 1 + b) for b in behind]
    for h in range(lowest, highest + 1):
        own = [chances[abs(h + b)] for b in behind]
        up_to = [low + p for low, p in zip(below, own, strict=True)]
        earlier = accumulate(below[:-1], mul, initial=arb(1))
        later = [*accumulate(reversed(up_to[1:]), mul, initial=arb(1))][::-1]
        parts = [part + p * a * b for part, p, a, b in zip(parts, own, earlier, later, strict=True)]
        below = up_to
    # Left out: the own noise beyond the highest h, and all noisy scores below the lowest.
    bottom = _at_most(noise, lowest - 1)
    return {
        i: part + (arb(0).union(_at_most(noise, -highest - 1 - b) + bottom))
        for i, (part, b) in enumerate(zip(parts, behind, strict=True))
    }


def _at_most(noise: IntegerLaw, n: int) -> arb:
    """P(Z ≤ n)."""
    return noise.at_least(-n) / 2 if n < 0 else 1 - noise.at_least(n + 1) / 2
