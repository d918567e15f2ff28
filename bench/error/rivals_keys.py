"""How many people a key needs with the rules of other libraries: continuous noise and a threshold.

Computed from the laws.  Both keep (ε, δ) where a person with at most g keys enters or leaves, with
noise that no computer draws exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, erfc, exp, expm1, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, final

from bench.error.rivals_noise import analytic_sigma

_TRIED: Final = 10_000
"""So many numbers of keys one after the other; there is nothing between them that is not tried."""


@final
@dataclass(frozen=True, slots=True)
class LaplaceThreshold:
    """Counts of people with Laplace noise of scale g/ε, told from the threshold on: OpenDP, Tumult,
    SmartNoise, and Google's choice with a count.  A key of one person is told with probability
    1 − (1 − δ)^(1/g), so that of g such keys one is told with δ."""

    epsilon: float
    delta: float
    keys: int

    @property
    def threshold(self) -> float:
        one = -expm1(log1p(-self.delta) / self.keys)
        return 1 - self.keys / self.epsilon * log(2 * one)

    def chance(self, people: float) -> float:
        """That a key of so many people is told."""
        away = (people - self.threshold) * self.epsilon / self.keys
        return 1 - exp(-away) / 2 if away >= 0 else exp(away) / 2

    def people(self, confidence: float) -> int:
        """The fewest with which a key is told so surely; at least one half."""
        return ceil(self.threshold - self.keys / self.epsilon * log(2 * (1 - confidence)))


@final
@dataclass(frozen=True, slots=True)
class GaussianThreshold:
    """Each person adds 1/√t to each of their t ≤ g keys; continuous Gaussian noise for (ε, δ/2) by
    the analytic calibration, and a threshold for the other δ/2 (Gopi et al., 2020)."""

    epsilon: float
    delta: float
    keys: int

    @property
    def sigma(self) -> float:
        return analytic_sigma(self.epsilon, self.delta / 2)

    @property
    def threshold(self) -> float:
        if self.keys > _TRIED:
            raise ValueError("too many keys to be tried one by one")
        one = [-expm1(log1p(-self.delta / 2) / t) for t in range(1, self.keys + 1)]
        far = [-NormalDist().inv_cdf(each) for each in one]
        sigma = self.sigma
        return max(1 / sqrt(t) + sigma * z for t, z in enumerate(far, start=1))

    def chance(self, people: float) -> float:
        away = (people / sqrt(self.keys) - self.threshold) / self.sigma
        return erfc(-away / sqrt(2)) / 2

    def people(self, confidence: float) -> int:
        """The fewest with which a key is told so surely, if each of them has g keys."""
        beyond = self.sigma * NormalDist().inv_cdf(confidence)
        return ceil((self.threshold + beyond) * sqrt(self.keys))
