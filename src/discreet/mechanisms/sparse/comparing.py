"""Is each of many questions above a threshold?  What the mechanisms that tell this have in common.

Claim: comparing.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import ClassVar, Final

from discreet.distances import LInf, Monotone
from discreet.entropy import SYSTEM, Entropy
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.search import confidence_in, least
from discreet.mechanisms.sparse.sequences import sequences
from discreet.mechanisms.sparse.split import moved
from discreet.mechanisms.sparse.stream import Noises, Stream, integer
from discreet.noise import DiscreteLaplace
from discreet.noise.law import IntegerLaw
from discreet.numbers import Number, ball, down, up, whole

SHARES: Final = tuple(Fraction(n, 16) for n in range(1, 16))


class Comparing(Mechanism[Iterable[int], list[bool], LInf | Monotone], ABC):
    """For each question whether its noisy answer reaches a noisy threshold, until enough did.

    Answers and threshold are whole steps.  For a threshold of each question's own, subtract it
    from the exact answer.
    """

    nearest: ClassVar = LInf(1)

    __slots__ = ()
    threshold_scale: Fraction
    query_scale: Fraction

    @property
    @abstractmethod
    def noises(self) -> Noises:
        """What a session draws."""

    def stream(self, threshold: int = 0, *, entropy: Entropy | None = None) -> Stream:
        """A session, in which one question after the other is asked.  It costs `loss` when it
        begins, whatever is asked."""
        return Stream(self.noises, threshold, SYSTEM if entropy is None else entropy)

    def release(
        self, x: Iterable[int], *, threshold: int = 0, entropy: Entropy | None = None
    ) -> list[bool]:
        """An answer for each question up to the halt; nothing of `x` is read beyond it."""
        return self.stream(threshold, entropy=entropy).answers(x)

    def law(self, x: Iterable[int], *, threshold: int = 0) -> Law:
        """Of the tuples of answers, which end with the halt."""
        bar = integer(threshold, "the threshold")
        values = [integer(each, "the exact answer to a question") - bar for each in x]
        return Law(sequences(self.noises, values))

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """A t such that, with this probability, of the first `count` questions none above the
        threshold by more than t is told to be below, and none below by more is told to be above.
        Proven, but not the least."""
        sure, asked, noises = confidence_in(confidence), whole(count, "count", least=1), self.noises
        thresholds = noises.positives // noises.lasts
        return Fraction(
            min(
                within(noises.threshold, thresholds, 1 - (1 - sure) * share)
                + within(noises.query, asked, sure / (1 - (1 - sure) * share))
                for share in SHARES
            )
        )

    def textbook_accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """2·scale·ln(2·count·positives/β), the theorem for continuous noise: integers may pass it
        up to twice as often as it says."""
        sure, asked = confidence_in(confidence), whole(count, "count", least=1)
        looks = 2 * asked * self.noises.positives / (1 - sure)
        scale = max(self.threshold_scale, self.query_scale)
        return up(lambda: 2 * ball(scale) * ball(looks).log())

    def run_loss(self, distance: LInf | Monotone) -> Fraction:
        """What is told under one threshold costs so much."""
        by, pays = moved(distance, type(self).__name__)
        return by / self.threshold_scale + pays * by * self.noises.lasts / self.query_scale


def within(noise: DiscreteLaplace, count: int, sure: Fraction) -> int:
    """The least t such that `count` noises are all at most t in size, this surely."""
    law: IntegerLaw = noise.law()
    enough: Callable[[int], bool] = lambda t: (  # noqa: E731
        down(lambda: (1 - law.at_least(t + 1)) ** count) >= sure
    )
    return least(enough)
