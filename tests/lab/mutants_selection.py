"""Choices by score: the wrong price, the wrong ties, and more told than the choice."""

from __future__ import annotations

from functools import partial
from typing import Final

from flint import arb

from discreet.distances import LInf, Monotone
from discreet.lab.exact import Neighbours
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import Exponential, NoisyMax, PermuteAndFlip, TopK
from discreet.numbers import at
from tests.lab.mutants import (
    BITS,
    ENDLESS,
    UNLISTED,
    Mutant,
    at_least,
    laplace,
    ln,
    times,
    undercharged,
)
from tests.mechanisms.test_noisy_max import against_many

ONE: Final = LInf(1)
UP: Final = Monotone(1)
FAR: Final = Neighbours((-40, 0), (-39, -1), ONE)
ALIKE: Final = Neighbours((0, 0), (1, -1), ONE)
TURNED: Final = Neighbours((0, 1), (1, 0), ONE)
THIRD: Final = Neighbours((-40, -41, 0), (-39, -40, -1), ONE)
SLOW: Final = PermuteAndFlip(1000)
SHARP: Final = NoisyMax("1/2")
FLIPS: Final = PermuteAndFlip(3)
HALVES: Final = Neighbours((0,) * 20, (1,) * 10 + (-1,) * 10, ONE)

Pair = tuple[int, int]


def softmax(scale: int, scores: Pair, weights: Pair = (1, 1)) -> Law:
    """Weight times e^(score/scale), over their sum."""

    def share(i: int) -> arb:
        parts = [w * (arb(s) / scale).exp() for w, s in zip(weights, scores, strict=True)]
        return parts[i] / sum(parts, start=arb(0))

    return Law({i: at(BITS, partial(share, i)) for i in (0, 1)})


def with_noisy_score(scores: Pair) -> Law:
    """Who has the larger noisy score, at scale one, and what it is; the first wins ties."""
    noise, (first, second) = laplace(1), scores
    least, most = min(noise) + 2, max(noise) - 2
    found: dict[tuple[int, int], arb] = {}
    for h in range(least, most + 1):
        found[0, h] = times(noise[h - first], 1 - at_least(1, h + 1 - second))
        found[1, h] = times(noise[h - second], 1 - at_least(1, h - first))
    return Law(found, 64 * UNLISTED)


def in_fixed_order(scores: Pair) -> Law:
    """The first stops with e^(score − best), at scale one; else the second does."""
    behind = max(scores) - scores[0]
    stop = at(BITS, lambda: arb(-behind).exp())
    return Law({0: stop, 1: 1 - stop}) if behind else Law({0: 1, 1: 0})


def best(scores: Pair) -> Law:
    return Law({scores.index(max(scores)): 1, scores.index(min(scores)): 0})


def weighted_by_data(scores: Pair) -> Law:
    """The first candidate counts twice where its score is above −40."""
    return softmax(2, scores, (2 if scores[0] > -40 else 1, 1))


MUTANTS: Final = [
    Mutant(
        name="The exponential mechanism has the unit ε/Δ",
        stands_for="McSherry and Talwar 2007 without the factor two",
        claimed=Pure(1),
        pair=FAR,
        broken=lambda scores: softmax(1, scores),
        sound=Exponential(2).law,
        truth=Pure(2),
    ),
    Mutant(
        name="Base weights depend on the data",
        stands_for="a prior that was read off the table",
        claimed=Pure(1),
        pair=FAR,
        broken=weighted_by_data,
        sound=Exponential(2).law,
        truth=Pure(1 + ln(2)),
    ),
    undercharged(
        "Scores that move both ways are charged as if they moved one way",
        "Monotone in the place of LInf, for permute-and-flip",
        Neighbours((0, -1), (1, -2), ONE),
        FLIPS.law,
        claimed=FLIPS.loss(UP),
        keeps=FLIPS.loss(ONE),
        truth=Pure("2/3"),
    ),
    undercharged(
        "Counts under Replace are charged as if they moved one way",
        "Monotone in the place of LInf: one count falls where another rises",
        Neighbours((0, 200), (1, 199), ONE),
        SHARP.law,
        claimed=SHARP.loss(UP),
        keeps=SHARP.loss(ONE),
        truth=Pure(4),
    ),
    Mutant(
        name="The largest noisy score is told with its candidate",
        stands_for="side outputs of report noisy max",
        claimed=Pure(1),
        pair=Neighbours((0, 0), (1, 1), UP),
        broken=with_noisy_score,
        sound=NoisyMax(1).law,
        truth=Pure(2),
    ),
    Mutant(
        name="Ties go to the better exact score",
        stands_for="arg max over pairs of noisy and exact score",
        claimed=Pure(2),
        pair=Neighbours(1, -1, ONE),
        broken=lambda score: against_many(200, score, wins_ties=score > 0),
        sound=lambda score: against_many(200, score, wins_ties=False),
        truth=Pure(3),
    ),
    undercharged(
        "Permute-and-flip is charged as bounded range",
        "OpenDP issue 2911: ρ = ε²/8, which is of the exponential mechanism",
        ALIKE,
        SLOW.law,
        claimed=Exponential(1000).zcdp(ONE),
        keeps=SLOW.zcdp(ONE),
        truth=ZCDP(4 * Exponential(1000).zcdp(ONE).rho),
    ),
    Mutant(
        name="Candidates are flipped in a fixed order",
        stands_for="McKenna and Sheldon 2020 without the permutation",
        claimed=Pure(2),
        pair=TURNED,
        broken=in_fixed_order,
        sound=PermuteAndFlip(1).law,
        truth=ENDLESS,
    ),
    undercharged(
        "The best two are told for the price of one",
        "the loss of one choice for k of them",
        THIRD,
        TopK(2, 1).law,
        claimed=TopK(1, 1).loss(ONE),
        keeps=TopK(2, 1).loss(ONE),
        truth=Pure(4),
    ),
    undercharged(
        "The best two are told for the concentrated price of one",
        "the ρ of one choice for k of them",
        HALVES,
        TopK(2, 20).law,
        claimed=TopK(1, 20).zcdp(ONE),
        keeps=TopK(2, 20).zcdp(ONE),
        truth=ZCDP("1/400"),
    ),
    Mutant(
        name="The best candidate is told without noise",
        stands_for="google/dpsynth issue 35: queries chosen by their exact errors",
        claimed=Pure(1),
        pair=TURNED,
        broken=best,
        sound=Exponential(2).law,
        truth=ENDLESS,
    ),
]
