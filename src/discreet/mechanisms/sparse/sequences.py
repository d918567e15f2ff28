"""The exact law of the answers to a sequence of questions.  Claim: sequences.md"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final, TypeAlias

import flint
from flint import arb

from discreet.errors import MechanismError
from discreet.mechanisms.search import least
from discreet.mechanisms.sparse.stream import Noises
from discreet.noise import DiscreteLaplace
from discreet.numbers import at, ball

Answers: TypeAlias = tuple[bool, ...]
Chances: TypeAlias = dict[Answers, arb]

BITS: Final = 256
UNLISTED: Final = Fraction(1, 2**128)
"""Noise of a threshold is added up until no more than this is left."""
MOST: Final = 2**17


def sequences(noises: Noises, values: Sequence[int]) -> Chances:
    """The probability of each sequence of answers; `values` say how far above the threshold the
    exact answers are."""
    halting = sum(comb(len(values), j) for j in range(noises.positives + 1))
    reach = reach_of(noises.threshold, UNLISTED)
    if max(halting, 2 * reach + 1) > MOST:
        raise too_many()
    with flint.ctx.workprec(BITS):
        return _sequences(noises, tuple(values), reach)


def reach_of(noise: DiscreteLaplace, rest: Fraction) -> int:
    """So far out noise has to be listed that no more than `rest` is left outside."""
    law = noise.law()
    return least(lambda t: at(BITS, lambda: law.at_least(t + 1)) < ball(rest))


def too_many() -> MechanismError:
    return MechanismError(
        "the law of so many questions, or of so much noise, has more parts than can be listed",
        cure="ask for the law of fewer questions, or of less noise: `from "
        "discreet.mechanisms.sparse import AboveThreshold; AboveThreshold.textbook(1).law([0, 3])`",
        code="M66",
    )


def _sequences(noises: Noises, values: tuple[int, ...], reach: int) -> Chances:
    """Runs, each with a threshold of its own, one after the other."""

    @cache
    def run(start: int) -> Chances:
        return _run(noises, values[start:], reach)

    def after(start: int, left: int) -> Iterator[tuple[Answers, arb]]:
        if left == 0 or start == len(values):
            yield (), arb(1)
            return
        for begun, chance in run(start).items():
            for ended, then in after(start + len(begun), left - sum(begun)):
                yield begun + ended, chance * then

    return dict(after(0, noises.positives))


def _run(noises: Noises, values: Sequence[int], reach: int) -> Chances:
    """The answers under one threshold, up to its last positive or the last question: summed over
    its noise, with what is left out added to each ball."""
    law, over = noises.threshold.law(), noises.query.law()

    @cache
    def at_least(t: int) -> arb:
        """P(ν ≥ t)."""
        return over.at_least(t) / 2 if t > 0 else 1 - over.at_least(1 - t) / 2

    shifts = range(-reach, reach + 1)
    rest = law.at_least(reach + 1).union(arb(0))
    found: Chances = {}

    def descend(told: Answers, weights: list[arb]) -> None:
        if len(told) == len(values) or sum(told) == noises.lasts:
            found[told] = sum(weights, start=arb(0)) + rest
            return
        needed = [shift - values[len(told)] for shift in shifts]
        # By symmetry ν < t is as likely as ν ≥ 1 - t.
        below = [w * at_least(1 - t) for w, t in zip(weights, needed, strict=True)]
        above = [w * at_least(t) for w, t in zip(weights, needed, strict=True)]
        descend((*told, False), below)
        descend((*told, True), above)

    descend((), [law.probability(shift) for shift in shifts])
    return found
