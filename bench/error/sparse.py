"""Which questions are above a threshold: how noisy the comparison is.  All exact, ε = 1, Δ = 1."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Final

from bench.error.aims import Aim, beats
from bench.error.contest import Contest, Figure
from bench.error.counts import laplace_variance
from bench.error.estimate import Estimate
from discreet.distances import LInf, Monotone
from discreet.mechanisms.sparse import Sparse, SparseOnce

ONCE: Final = "once"
RESEARCH: Final = {
    10: {"once, 1 : 1": 56.6, ONCE: 34.2, "once, monotone": 19.0},
    50: {"once, 1 : 1": 283.0, ONCE: 151.0, "once, monotone": 79.0},
}
"""For continuous noise, rounded to three figures; integer noise has a little less."""


def sparse() -> Contest:
    """The split of `best` against halves, with one threshold and with new ones."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for positives, said in RESEARCH.items():
        setting = f"{positives} above"
        found = {who: deviation(made) for who, made in made_for(positives).items()}
        figures += [
            Figure("deviation", setting, who, Estimate(each)) for who, each in found.items()
        ]
        for who, figure in said.items():
            what = f"sparse, {setting}: {who}, research"
            aims.append(beats(what, Estimate(figure), Estimate(found[who]), 0.99))
        halves = Estimate(found["once, 1 : 1"])
        aims.append(beats(f"sparse, {setting}: halves", halves, Estimate(found[ONCE])))
        anew, textbook = Estimate(found["anew"]), Estimate(found["anew, 1 : 1"])
        aims.append(beats(f"sparse, {setting}: textbook, anew", textbook, anew))
    how = (
        "The deviation of threshold noise minus question noise; one threshold, or anew after each."
    )
    return Contest("sparse", "Questions above a threshold, ε = 1", how, figures, aims)


def made_for(positives: int) -> dict[str, Sparse | SparseOnce]:
    """All cost one, each for its distance."""
    half = Fraction(1, 2)
    return {
        "anew, 1 : 1": Sparse.textbook(1, positives, LInf(1)),
        "anew": Sparse.best(1, positives, LInf(1)),
        "once, 1 : 1": SparseOnce(positives, 1 / half, 2 * positives / half),
        ONCE: SparseOnce.best(1, positives, LInf(1)),
        "once, monotone": SparseOnce.best(1, positives, Monotone(1)),
    }


def deviation(made: Sparse | SparseOnce) -> float:
    """Of the difference of both noises."""
    return sqrt(laplace_variance(made.threshold_scale) + laplace_variance(made.query_scale))
