"""Sparse vector: the broken variants of the literature, and charges that forget a part."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from flint import arb

from discreet.distances import LInf, Monotone
from discreet.lab.exact import Neighbours
from discreet.loss import Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse, SparseOnce
from tests.lab.mutants import ENDLESS, Mutant, Told, at_least, times, undercharged
from tests.mechanisms.cases_sparse import far, numeric
from tests.mechanisms.sparse import brute

ONE: Final = LInf(1)
UP: Final = Monotone(1)
TEXTBOOK: Final = AboveThreshold.textbook(1)
ONCE: Final = SparseOnce.best(1, 2)
REDRAWN: Final = Sparse(2, ONCE.threshold_scale, ONCE.query_scale)
LONGER: Final = SparseOnce(3, 1, 2)
NUMBERS: Final = NumericSparse.best(2, 1, UP)


def answered(threshold: brute.Scale, query: brute.Scale | None, stop: int | None = None) -> Told:
    return lambda values: brute.law(brute.answered(values, threshold, query, stop=stop))


def with_its_own_noise(values: Sequence[int]) -> Law:
    chances = brute.with_its_own_noise(values, 2, 2, 3)
    return Law({told: Fraction(p) for told, p in chances.items()}, brute.TAIL)


def known_threshold(values: Sequence[int]) -> Law:
    """Questions with noise of scale four, up to the first above a threshold that has none."""
    found: dict[tuple[bool, ...], arb] = {}
    before = arb(1)
    for place, value in enumerate(values):
        above = at_least(4, -value)
        found[(*(False,) * place, True)] = times(before, above)
        before = times(before, 1 - above)
    return Law({**found, (False,) * len(values): before})


def lee_and_clifton(positives: int) -> Mutant:
    """Threshold 4/ε, questions 4/(3ε): it costs (1 + 6c)/4·ε."""
    return Mutant(
        name=f"The noise of questions does not grow with {positives} positives",
        stands_for="Lyu, Su and Li 2017, algorithm 4 (Lee and Clifton 2014)",
        claimed=Pure(1),
        pair=far(6, 6, positives, ONE),
        broken=answered(4, "4/3", positives),
        sound=SparseOnce.best(1, positives).law,
        truth=Pure(Fraction(1 + 6 * positives, 4)),
    )


def without_cut_off(positives: int) -> Mutant:
    """Threshold 2/ε, questions 2/ε: m positives cost 1/2 + m, without end."""
    return Mutant(
        name=f"There is no cut-off, and {positives} positives are told",
        stands_for="Lyu, Su and Li 2017, algorithm 6 (Chen and others 2015)",
        claimed=Pure(1),
        pair=far(6, 8, positives, ONE),
        broken=answered(2, 2),
        sound=SparseOnce.best(1, positives).law,
        truth=Pure(Fraction(1, 2) + positives),
    )


MUTANTS: Final = [
    Mutant(
        name="The noisy answer that was compared is told",
        stands_for="Lyu, Su and Li 2017, algorithm 3 (Roth 2011)",
        claimed=Pure(1),
        pair=Neighbours((0,) * 7, (1,) * 6 + (0,), ONE),
        broken=with_its_own_noise,
        sound=TEXTBOOK.law,
        # A number bounds the threshold; each of m questions below it then costs a half.
        truth=Pure(3),
    ),
    lee_and_clifton(2),
    lee_and_clifton(3),
    Mutant(
        name="Questions have no noise",
        stands_for="Lyu, Su and Li 2017, algorithm 5 (Stoddard and others 2014)",
        claimed=Pure(1),
        pair=Neighbours((0, 1), (1, 0), ONE),
        broken=answered(2, None),
        sound=Sparse.textbook(1, 2).law,
        truth=ENDLESS,
    ),
    without_cut_off(2),
    without_cut_off(3),
    Mutant(
        name="The threshold has no noise",
        stands_for="one comparison after the other, charged as the last alone",
        claimed=Pure(1),
        pair=far(6, 8, 1, ONE),
        broken=known_threshold,
        sound=TEXTBOOK.law,
        truth=Pure("7/4"),
    ),
    Mutant(
        name="The split of one threshold is used for thresholds drawn anew",
        stands_for="1 : (2c)^(2/3) of Lyu, Su and Li 2017, with a redraw",
        claimed=Pure(1),
        pair=far(5, 10, 1, ONE, runs=2),
        broken=REDRAWN.law,
        sound=ONCE.law,
        truth=REDRAWN.loss(ONE),
        near=Fraction(49, 50),
    ),
    Mutant(
        name="One threshold is paid, and a new one drawn after each positive",
        stands_for="the loss of SparseOnce for Sparse",
        claimed=SparseOnce(2, 1, 2).loss(ONE),
        pair=far(6, 8, 1, ONE, runs=2),
        broken=Sparse(2, 1, 2).law,
        sound=SparseOnce(2, 1, 2).law,
        truth=Pure(4),
    ),
    Mutant(
        name="It halts one positive too late",
        stands_for="a count of positives that starts at one",
        claimed=SparseOnce(2, 1, 2).loss(ONE),
        pair=far(6, 8, 3, ONE),
        broken=LONGER.law,
        sound=SparseOnce(2, 1, 2).law,
        truth=Pure(4),
    ),
    undercharged(
        "Answers that move both ways are charged as if they moved one way",
        "Monotone in the place of LInf, for a threshold",
        far(6, 9, 1, ONE),
        AboveThreshold(2, 4).law,
        claimed=AboveThreshold(2, 4).loss(UP),
        keeps=AboveThreshold(2, 4).loss(ONE),
        truth=Pure(1),
    ),
    undercharged(
        "Numbers of positives are told for nothing",
        "NumericSparse charged as its tests",
        numeric(NUMBERS, far(4, 8, 1, ONE)),
        NUMBERS.law,
        claimed=NUMBERS.tests.loss(ONE),
        keeps=NUMBERS.loss(ONE),
        truth=Pure(4),
    ),
]
