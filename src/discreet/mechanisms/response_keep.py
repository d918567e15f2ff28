"""How often the truth is told: three ways to say it, each with its probabilities and its draws.

Values are 0 … values - 1.  `own` is the probability that a value is told by who has it, `other`
that it is told by who has another, whichever that is.  Claim: response_keep.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.mechanisms.lattice import Integers
from discreet.noise.bernoulli import Bernoulli, BernoulliOdds, Coin
from discreet.noise.uniform import UniformInteger
from discreet.numbers import MISSING, Number, Real, ball, nonnegative, probability, up

Chance: TypeAlias = Fraction | Real
"""A probability: a rational, or a recipe for an irrational number."""
HOW: Final = "from discreet.mechanisms.response import Response; "
"""How the code in a cure begins."""


def real(chance: Chance) -> Real:
    """The recipe of a probability."""
    return (lambda: ball(chance)) if isinstance(chance, Fraction) else chance


@final
@dataclass(frozen=True, slots=True, init=False)
class Truth:
    """The own value with probability p, and each other value as often as the next."""

    p: Fraction

    def __init__(self, p: Number = MISSING) -> None:
        found = probability(p, "p")
        if found == 1:
            raise _no_privacy()
        object.__setattr__(self, "p", found)

    def fits(self, values: int) -> None:
        if self.p * values < 1:
            raise too_rare()

    def epsilon(self, values: int) -> Fraction:
        return _log(self.p * (values - 1) / (1 - self.p))

    def own(self, _value: int, _values: int) -> Chance:
        return self.p

    def other(self, _: int, values: int) -> Chance:
        return (1 - self.p) / (values - 1)

    def one(self, x: int, values: int, entropy: Entropy) -> int:
        return _moved(Bernoulli(self.p), x, values, entropy)

    def many(self, x: Integers, values: int, entropy: Entropy) -> Integers:
        return _all_moved(Bernoulli(self.p), x, values, entropy)


@final
@dataclass(frozen=True, slots=True, init=False)
class Odds:
    """The own value exp(epsilon) times as often as each other one."""

    e: Fraction

    def __init__(self, epsilon: Number = MISSING) -> None:
        object.__setattr__(self, "e", nonnegative(epsilon, "epsilon"))

    def fits(self, values: int) -> None:
        """Any number of values will do."""

    def epsilon(self, _: int) -> Fraction:
        return self.e

    def own(self, _: int, values: int) -> Chance:
        return BernoulliOdds(self.e, values - 1).edge

    def other(self, _: int, values: int) -> Chance:
        def chance() -> arb:
            return 1 / (ball(self.e).exp() + (values - 1))

        return chance if self.e else Fraction(1, values)

    def one(self, x: int, values: int, entropy: Entropy) -> int:
        return _moved(BernoulliOdds(self.e, values - 1), x, values, entropy)

    def many(self, x: Integers, values: int, entropy: Entropy) -> Integers:
        return _all_moved(BernoulliOdds(self.e, values - 1), x, values, entropy)


@final
@dataclass(frozen=True, slots=True, init=False)
class TwoCoins:
    """Of two values the own one with probability `truth`; else 1 with probability `yes`."""

    truth: Fraction
    yes: Fraction

    def __init__(self, truth: Number = MISSING, yes: Number = MISSING) -> None:
        first, second = probability(truth, "truth"), probability(yes, "yes")
        if first == 1 or second in {0, 1}:
            raise _no_privacy()
        object.__setattr__(self, "truth", first)
        object.__setattr__(self, "yes", second)

    def fits(self, values: int) -> None:
        if values != 2:
            raise MechanismError(
                "two coins answer a question with yes and no, and here are more values",
                cure="tell the truth or any value alike, such as "
                f"`{HOW}Response.resample('1/2', values=3)`",
                code="M42",
            )

    def epsilon(self, _: int) -> Fraction:
        return _log(1 + self.truth / ((1 - self.truth) * min(self.yes, 1 - self.yes)))

    def own(self, value: int, values: int) -> Fraction:
        return self.truth + self.other(value, values)

    def other(self, value: int, _: int) -> Fraction:
        return (1 - self.truth) * (self.yes if value else 1 - self.yes)

    def one(self, x: int, _: int, entropy: Entropy) -> int:
        told = (int(Bernoulli(self.yes).sample(entropy=entropy)), x)
        return told[Bernoulli(self.truth).sample(entropy=entropy)]

    def many(self, x: Integers, _: int, entropy: Entropy) -> Integers:
        second = Bernoulli(self.yes).sample(x.shape, entropy=entropy)
        first = Bernoulli(self.truth).sample(x.shape, entropy=entropy)
        return np.where(first, x, second)


Keep: TypeAlias = Truth | Odds | TwoCoins
"""The closed union of ways to say how often the truth is told."""


def _moved(keeps: Coin, x: int, values: int, entropy: Entropy) -> int:
    """`x`, or one of the others, all alike.  What is drawn does not depend on `x`."""
    by = 1 + UniformInteger(values - 1).sample(entropy=entropy)
    return (x + by * (not keeps.sample(entropy=entropy))) % values


def _all_moved(keeps: Coin, x: Integers, values: int, entropy: Entropy) -> Integers:
    by = 1 + UniformInteger(values - 1).sample(x.shape, entropy=entropy)
    moved: Integers = (x + by * ~keeps.sample(x.shape, entropy=entropy)) % values
    return moved


def _log(ratio: Fraction) -> Fraction:
    return Fraction(0) if ratio == 1 else up(lambda: ball(ratio).log())


def too_rare() -> MechanismError:
    return MechanismError(
        "the truth is told no more often than by chance, which is surely not what was meant",
        cure="give the probability of the truth, above 1/2 for a coin and at least 1/values "
        f"otherwise, such as `{HOW}Response.flip('3/4')`",
        code="M40",
    )


def _no_privacy() -> MechanismError:
    return MechanismError(
        "some answer would be a proof of the truth, and no loss is large enough for that",
        cure="let each value be told sometimes by those who have another, such as "
        f"`{HOW}Response.truth('3/4')` or `{HOW}Response.two_coins('1/2', yes='1/2')`",
        code="M41",
    )
