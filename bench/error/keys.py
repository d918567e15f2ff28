"""Keys that are private: how many people must have one so that it is told.  All exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from bench.error.aims import Aim, beats
from bench.error.contest import Contest, Figure
from bench.error.estimate import Estimate
from bench.error.rivals_keys import GaussianThreshold, LaplaceThreshold
from discreet.distances import L0
from discreet.loss import Approx
from discreet.mechanisms.keys import (
    ThresholdedRelease,
    TruncatedGeometric,
    WeightedGaussian,
    choose,
)

DELTA: Final = Fraction(1, 10**6)
SURE: Final = (Fraction(1, 2), Fraction(19, 20))
KEYS: Final = (1, 10, 100)
OURS: Final = "choose"


def keys() -> Contest:
    """`choose` and the rules it chooses from, against thresholds with continuous noise."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for epsilon in (Fraction(1), Fraction(1, 10)):
        for most in KEYS:
            setting = f"{most} per person, ε = {float(epsilon):g}"
            for sure in SURE:
                found = people(epsilon, most, sure)
                measure = f"people for {float(sure):.0%}"
                figures += [
                    Figure(measure, setting, who, Estimate(float(n))) for who, n in found.items()
                ]
                if sure == SURE[0]:
                    aims += _aims(setting, found)
    how = (
        "The fewest people with whom a key is told so surely, at δ = 10^-6.\n"
        "Continuous Gaussian noise (analytic) is what nobody can draw; ours is integer noise, and "
        "its loss is taken from ρ."
    )
    return Contest("keys", "Keys that are private", how, figures, aims)


def people(epsilon: Fraction, most: int, sure: Fraction) -> dict[str, int]:
    """By rule."""
    budget = Approx(epsilon, DELTA)
    laplace = LaplaceThreshold(float(epsilon), float(DELTA), most)
    gaussian = GaussianThreshold(float(epsilon), float(DELTA), most)
    return {
        OURS: int(choose(most, budget).accuracy(sure)),
        "optimal": int(TruncatedGeometric.within(L0(most), budget).accuracy(sure)),
        "threshold": int(ThresholdedRelease.within(L0(most), budget).accuracy(sure)),
        "weighted": int(WeightedGaussian.within(most, budget).accuracy(sure)),
        "their Laplace": laplace.people(float(sure)),
        "their Gaussian": gaussian.people(float(sure)),
    }


def _aims(setting: str, found: dict[str, int]) -> list[Aim]:
    ours = Estimate(float(found[OURS]))
    own = min(found[who] for who in ("optimal", "threshold", "weighted"))
    return [
        beats(f"keys, {setting}: best of our own rules", Estimate(float(own)), ours),
        beats(f"keys, {setting}: Laplace threshold", Estimate(float(found["their Laplace"])), ours),
        beats(
            f"keys, {setting}: their Gaussian", Estimate(float(found["their Gaussian"])), ours, None
        ),
    ]
