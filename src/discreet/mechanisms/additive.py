"""Integer noise on a lattice: what the Laplace and the Gaussian mechanism have in common.

The exact answer is a whole number of steps, the noise is a whole number of steps, and so is what
is told.  Claim: additive.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final, TypeAlias, TypeVar, overload

import numpy as np
from flint import arb

from discreet.distances import Distance
from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss.divergence import Law
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.lattice import Integers, integers_in, steps_in
from discreet.mechanisms.search import confidence_in, least
from discreet.noise.integer import IntegerNoise
from discreet.noise.law import IntegerLaw
from discreet.numbers import Number, at, ball, down, whole

Moved = TypeVar("Moved", bound=Distance)
Scalar: TypeAlias = int | str | Decimal | Fraction | float
Answer: TypeAlias = Scalar | Integers
Told: TypeAlias = int | Fraction | Integers

UNLISTED: Final = Fraction(1, 2**128)
"""`law` lists outcomes until no more than this is left of each coordinate."""
MOST_OUTCOMES: Final = 2**20
_BITS: Final = 256


class Additive(Mechanism[Answer, Told, Moved], ABC):
    """The exact answer plus noise, both in whole numbers of `step`."""

    __slots__ = ()
    step: Fraction

    @property
    @abstractmethod
    def noise(self) -> IntegerNoise:
        """The noise, in steps."""

    @overload
    def release(self, x: Integers, *, entropy: Entropy | None = None) -> Integers: ...

    @overload
    def release(self, x: Scalar, *, entropy: Entropy | None = None) -> int | Fraction: ...

    def release(self, x: Answer, *, entropy: Entropy | None = None) -> Told:
        """A number for a number, an int64 array for an int64 array: each member gets noise of its
        own.  Arrays count in steps of one."""
        source = SYSTEM if entropy is None else entropy
        if isinstance(x, np.ndarray):
            return self._array(x, source)
        told = (steps_in(x, self.step) + self.noise.sample(entropy=source)) * self.step
        return told.numerator if self.step.denominator == 1 else told

    def _array(self, x: Integers, entropy: Entropy) -> Integers:
        if self.step != 1:
            raise MechanismError(
                "an array of integers counts in steps of one, and this step is another",
                cure="measure scale and answers in steps, and multiply what is told by the step: "
                "`import numpy as np; dp.Laplace(50).release(np.array([1234])) * 0.01`",
                code="M30",
            )
        checked = integers_in(x)
        return checked + self.noise.sample(checked.shape, entropy=entropy)

    def law(self, x: Answer | Sequence[int]) -> Law:
        """Of a number the law of numbers, of a vector the law of tuples."""
        law = self.noise.law()
        if isinstance(x, np.ndarray):
            x = integers_in(x).tolist()
        if not isinstance(x, Sequence) or isinstance(x, str):
            centre, chances = steps_in(x, self.step), listed(law, MOST_OUTCOMES)
            near = {(centre + n) * self.step: chance for n, chance in chances.items()}
            return Law(near, UNLISTED)
        centres = [steps_in(each, self.step) for each in x]
        chances = listed(law, int(MOST_OUTCOMES ** (1 / max(1, len(centres)))))
        joint: dict[tuple[Fraction, ...], arb] = {}
        for moves in product(chances, repeat=len(centres)):
            place = tuple((c + n) * self.step for c, n in zip(centres, moves, strict=True))
            joint[place] = at(_BITS, lambda: prod((chances[n] for n in moves), start=arb(1)))  # noqa: B023
        return Law(joint, len(centres) * UNLISTED)

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """The least t such that all of `count` errors are at most t in size, with this
        probability: exactly, from the law of the noise."""
        sure = confidence_in(confidence)
        times, law = whole(count, "count", least=1), self.noise.law()

        def enough(t: int) -> bool:
            return down(lambda: (1 - law.at_least(t + 1)) ** times) >= sure

        return least(enough) * self.step


def listed(law: IntegerLaw, most: int) -> dict[int, arb]:
    """The probabilities of the integers in the middle, so many that no more than `UNLISTED` is
    left outside."""
    reach = least(lambda t: at(_BITS, lambda: law.at_least(t + 1)) < ball(UNLISTED))
    if 2 * reach + 1 > most:
        raise MechanismError(
            "the law has more outcomes than can be listed",
            cure="ask the law of the noise itself: `dp.Laplace(10**6).noise.law().at_least(10**7)`",
            code="M36",
        )
    return {n: at(_BITS, lambda: law.probability(n)) for n in range(-reach, reach + 1)}  # noqa: B023
