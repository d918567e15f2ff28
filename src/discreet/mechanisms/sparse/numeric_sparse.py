"""The answers to the questions above a threshold.  Claim and proof: numeric_sparse.md"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar, Final, Self, TypeAlias, final

import flint
from flint import arb

from discreet.distances import LInf, Monotone
from discreet.entropy import SYSTEM, Entropy
from discreet.loss import ZCDP, Approx, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.search import confidence_in
from discreet.mechanisms.sparse.comparing import SHARES, within
from discreet.mechanisms.sparse.sequences import (
    BITS,
    MOST,
    Answers,
    reach_of,
    sequences,
    too_many,
)
from discreet.mechanisms.sparse.sparse import Sparse, composed
from discreet.mechanisms.sparse.split import apart, best_split, for_each, moved
from discreet.mechanisms.sparse.stream import NumericStream, integer
from discreet.noise import DiscreteLaplace
from discreet.numbers import MISSING, Number, ball, positive, up, whole

ONE: Final = LInf(1)
UNLISTED: Final = Fraction(1, 2**64)
"""`law` lists answers until no more than this is left of each."""
Told: TypeAlias = tuple[int | None, ...]


@final
@dataclass(frozen=True, slots=True, init=False)
class NumericSparse(Mechanism[Iterable[int], list[int | None], LInf | Monotone]):
    """As `Sparse`; a question above is answered with the exact answer plus fresh noise, one that is
    not above with None.

    >>> NumericSparse.textbook(1, positives=2).loss(LInf(1))
    loss('epsilon=1')
    >>> told = NumericSparse.textbook(1, positives=1).release([-900, 900, 900])
    >>> told[0] is None, len(told), abs(told[1] - 900) < 900
    (True, 2, True)
    """

    nearest: ClassVar = LInf(1)

    positives: int
    threshold_scale: Fraction
    query_scale: Fraction
    answer_scale: Fraction
    delta: Fraction

    def __init__(
        self,
        positives: Number = MISSING,
        threshold_scale: Number = MISSING,
        query_scale: Number = MISSING,
        answer_scale: Number = MISSING,
        *,
        delta: Number = 0,
    ) -> None:
        tests = Sparse(positives, threshold_scale, query_scale, delta=delta)
        for name in ("positives", "threshold_scale", "query_scale", "delta"):
            object.__setattr__(self, name, getattr(tests, name))
        object.__setattr__(self, "answer_scale", positive(answer_scale, "answer_scale"))
        self.noise  # noqa: B018 - a scale that no sampler has is refused here, not at a release

    @classmethod
    def textbook(
        cls,
        epsilon: Number,
        positives: Number,
        distance: LInf | Monotone = ONE,
        *,
        delta: Number = 0,
    ) -> Self:
        """Eight ninths for the tests, a ninth for the answers; of each positive's ε₀."""
        count = whole(positives, "positives", least=1)
        by, _ = apart(distance, "NumericSparse")
        ninth = for_each(epsilon, count, delta) / 9
        return cls(count, by / (4 * ninth), by / (2 * ninth), by / ninth, delta=delta)

    @classmethod
    def best(
        cls,
        epsilon: Number,
        positives: Number,
        distance: LInf | Monotone = ONE,
        *,
        delta: Number = 0,
    ) -> Self:
        """The same ninths, with the tests split as in `AboveThreshold.best`.  If all answers move
        the same way the numbers cost nothing, and all three scales are 2Δ/ε₀.

        >>> NumericSparse.best(1, 2, Monotone(1)).answer_scale
        Fraction(4, 1)
        """
        count = whole(positives, "positives", least=1)
        by, pays = apart(distance, "NumericSparse")
        each = for_each(epsilon, count, delta)
        if pays == 1:
            return cls(count, *(2 * by / each,) * 3, delta=delta)
        first, second = best_split(8 * each / 9, pays)
        return cls(count, by / first, pays * by / second, 9 * by / each, delta=delta)

    @property
    def tests(self) -> Sparse:
        """The questions alone."""
        return Sparse(self.positives, self.threshold_scale, self.query_scale, delta=self.delta)

    @property
    def noise(self) -> DiscreteLaplace:
        """The noise of what is told of a question above."""
        return DiscreteLaplace(self.answer_scale)

    def loss(self, distance: LInf | Monotone) -> Pure | Approx:
        return composed(self.positives, self._each(distance), self.delta)

    def zcdp(self, distance: LInf | Monotone) -> ZCDP:
        """Positive by positive, which is less than from the loss of all."""
        return self.positives * Pure(self._each(distance)).to(ZCDP)

    def _each(self, distance: LInf | Monotone) -> Fraction:
        """What one run costs, with the number that is told at its end."""
        by, pays = moved(distance, "NumericSparse")
        scales = self.threshold_scale, self.query_scale, self.answer_scale
        threshold, query, answer = (by / scale for scale in scales)
        if pays == 1:
            # Moving the same way, no answer uses up all three.
            return max(threshold + max(query, answer), query + answer)
        return threshold + pays * query + answer

    def stream(self, threshold: int = 0, *, entropy: Entropy | None = None) -> NumericStream:
        """A session, in which one question after the other is asked.  It costs `loss` when it
        begins, whatever is asked."""
        source = SYSTEM if entropy is None else entropy
        return NumericStream(self.tests.stream(threshold, entropy=source), self.noise, source)

    def release(
        self, x: Iterable[int], *, threshold: int = 0, entropy: Entropy | None = None
    ) -> list[int | None]:
        """What is told of each question up to the halt; nothing of `x` is read beyond it."""
        return self.stream(threshold, entropy=entropy).answers(x)

    def law(self, x: Iterable[int], *, threshold: int = 0) -> Law:
        """Of the tuples of what is told, which end with the halt."""
        bar = integer(threshold, "the threshold")
        values = [integer(each, "the exact answer to a question") for each in x]
        tested = sequences(self.tests.noises, [value - bar for value in values])
        reach, law = reach_of(self.noise, UNLISTED), self.noise.law()
        if sum((2 * reach + 1) ** sum(answers) for answers in tested) > MOST:
            raise too_many()
        with flint.ctx.workprec(BITS):
            chances = {n: law.probability(n) for n in range(-reach, reach + 1)}
            joint = {
                told: chance * prod((chances[n] for n in noise), start=arb(1))
                for answers, chance in tested.items()
                for told, noise in _with_noise(answers, values, reach)
            }
        return Law(joint, max(map(sum, tested)) * UNLISTED)

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """A t such that, with this probability, of the first `count` questions none that is off the
        threshold by more than t is told to be on the other side, and each answer that is told is
        off by at most t.  Proven, but not the least."""
        sure = confidence_in(confidence)
        return min(
            max(
                self.tests.accuracy(1 - (1 - sure) * share, count),
                Fraction(within(self.noise, self.positives, sure / (1 - (1 - sure) * share))),
            )
            for share in SHARES
        )

    def textbook_accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """scale·ln(4·count·positives/β), the theorem for continuous noise: integers may pass it up
        to twice as often as it says."""
        sure, asked = confidence_in(confidence), whole(count, "count", least=1)
        looks = 4 * asked * self.positives / (1 - sure)
        scale = max(2 * self.threshold_scale, 2 * self.query_scale, self.answer_scale)
        return up(lambda: ball(scale) * ball(looks).log())


def _with_noise(
    answers: Answers, values: list[int], reach: int
) -> Iterator[tuple[Told, tuple[int, ...]]]:
    """What may be told for these answers, and the noise in it."""
    for noise in product(range(-reach, reach + 1), repeat=sum(answers)):
        left = iter(noise)
        told = (
            value + next(left) if above else None
            for value, above in zip(values, answers, strict=False)
        )
        yield tuple(told), noise
