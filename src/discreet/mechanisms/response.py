"""Randomised response: everybody answers for themselves, and now and then not with the truth.

Nobody has to be trusted with the true answers: each is randomised where it is given.  Values are
0 … values - 1; a question with yes and no has two, and takes truth values as well.  What the
answers of many people say together is in `response_estimate.py`.  Claim: response.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, ClassVar, Final, Self, TypeAlias, final, overload

import numpy as np
from flint import arb
from numpy.typing import NDArray

from discreet.distances import L0, require
from discreet.entropy import SYSTEM, Entropy
from discreet.errors import MechanismError
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.loss.pld import Twins
from discreet.mechanisms.base import Mechanism, not_of_samples
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.response_keep import (
    HOW,
    Chance,
    Keep,
    Odds,
    Truth,
    TwoCoins,
    real,
    too_rare,
)
from discreet.mechanisms.search import confidence_in
from discreet.numbers import (
    MISSING,
    Number,
    Real,
    at,
    ball,
    exact,
    positive,
    probability,
    up,
    whole,
)
from discreet.units import Replace

Booleans: TypeAlias = NDArray[np.bool_]
Answers: TypeAlias = int | Integers | Booleans
MOST_VALUES: Final = 2**62
MOST_OUTCOMES: Final = 2**20
_BITS: Final = 256
_STEP: Final = Fraction(129, 128)
_GRID: Final = 2**16
_MOST_STEPS: Final = 2**12
_LEAST_SCANNED: Final = Fraction(1, 2**40)


# --- the mechanism --------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, init=False)
class Response(Mechanism[Answers, Answers, L0]):
    """Each person's answer, randomised by itself: pure privacy, ε for each that may change.

    >>> Response.truth("3/4").loss(L0(1)) <= Pure("1.0987")
    True
    >>> Response.pure(1, values=5).release(3) in range(5), type(Response.flip("0.6").release(True))
    (True, <class 'bool'>)
    """

    nearest: ClassVar = L0(1)
    protects: ClassVar = frozenset({Replace})

    keep: Keep
    values: int

    def __init__(self, keep: Keep, values: Number = 2) -> None:
        count = whole(values, "values", least=2)
        if not isinstance(keep, Keep):
            raise MechanismError(
                "how often the truth is told can be said in three ways, and this is none of them",
                cure="say it by its probability, by epsilon or by two coins, such as "
                f"`{HOW}Response.truth('3/4')` or `{HOW}Response.pure(1)`",
                code="M42",
            )
        if count > MOST_VALUES:
            raise MechanismError(
                "more than 2^62 values do not fit into an array",
                cure=f"hash them to fewer first, such as `{HOW}Response.pure(1, values=2**20)`",
                code="M42",
            )
        keep.fits(count)
        object.__setattr__(self, "keep", keep)
        object.__setattr__(self, "values", count)

    @classmethod
    def truth(cls, p: Number = MISSING, values: Number = 2) -> Self:
        """The own value with probability p, at least 1/values; each other one alike."""
        return cls(Truth(p), values)

    @classmethod
    def pure(cls, epsilon: Number = MISSING, values: Number = 2) -> Self:
        """The own value with probability exp(ε)/(exp(ε) + values - 1): what ε allows."""
        return cls(Odds(epsilon), values)

    @classmethod
    def flip(cls, p: Number = MISSING) -> Self:
        """A coin with p above 1/2 that keeps an answer, or turns it into the other one."""
        if exact(p, "p") <= Fraction(1, 2):
            raise too_rare()
        return cls(Truth(p))

    @classmethod
    def resample(cls, p: Number = MISSING, values: Number = 2) -> Self:
        """The truth, but with probability p one of all values, drawn fairly."""
        lying, count = probability(p, "p"), whole(values, "values", least=2)
        return cls(Truth(1 - lying + lying / count), count)

    @classmethod
    def resample_one_in(cls, rate: Number = MISSING, values: Number = 2) -> Self:
        """`resample` with probability min(1, 1/rate).  The loss is ln(2·rate - 1) for two values
        and rate ≥ 1, not the rate itself."""
        return cls.resample(min(Fraction(1), 1 / positive(rate, "rate")), values)

    @classmethod
    def two_coins(cls, truth: Number = MISSING, yes: Number = MISSING) -> Self:
        """The truth if the first coin says so, else yes if the second one does."""
        return cls(TwoCoins(truth, yes))

    # --- what it costs ---

    @property
    def epsilon(self) -> Fraction:
        """The loss for one person, rounded up if it is irrational."""
        return self.keep.epsilon(self.values)

    def loss(self, distance: L0) -> Pure:
        return Pure(require(L0, distance, "Response").by * self.epsilon)

    def twins(self, distance: L0) -> Twins:  # noqa: ARG002 - refused at each
        raise not_of_samples("an answer that changes")

    def zcdp(self, distance: L0) -> ZCDP:
        """At most 1/128 above the truth, or what follows from ε alone if that is less."""
        people = require(L0, distance, "Response").by
        return ZCDP(people * min(Pure(self.epsilon).to(ZCDP).rho, self._scanned()))

    def _scanned(self) -> Fraction:
        """A bound of D_α/α for all orders α, from those of a grid."""
        epsilon, order, most = self.epsilon, Fraction(1), Fraction(0)
        for _ in range(_MOST_STEPS if epsilon >= _LEAST_SCANNED else 0):
            order = Fraction(int(order * _STEP * _GRID), _GRID)
            found = max(up(partial(self._renyi, order, v)) for v in (0, 1))
            most = max(most, found / order)
            if epsilon <= most * order:
                return most * _STEP
        return epsilon

    def _renyi(self, order: Fraction, v: int) -> arb:
        """The Rényi divergence of what is told of `v` from what is told of the other of 0 and 1."""
        a, b, c, d = (
            real(chance)()
            for way in (self.keep.own, self.keep.other)
            for chance in (way(v, self.values), way(1 - v, self.values))
        )
        u = ball(order - 1)
        return (a * (a / c) ** u + d * (d / b) ** u + (1 - a - d)).log() / u

    # --- answers ---

    @overload
    def release(self, x: bool, *, entropy: Entropy | None = None) -> bool: ...  # noqa: FBT001

    @overload
    def release(self, x: int, *, entropy: Entropy | None = None) -> int: ...

    @overload
    def release(self, x: Booleans, *, entropy: Entropy | None = None) -> Booleans: ...

    @overload
    def release(self, x: Integers, *, entropy: Entropy | None = None) -> Integers: ...

    def release(self, x: Answers, *, entropy: Entropy | None = None) -> Answers:
        """One answer for one, an array for an array: each person's is randomised by itself."""
        source = SYSTEM if entropy is None else entropy
        given = array_of(x)
        read = answers_in(given, self.values)
        if isinstance(x, np.ndarray):
            many = self.keep.many(read, self.values, source)
            return many.astype(np.bool_) if given.dtype == np.bool_ else many
        if given.ndim:
            raise _no_answer()
        told = self.keep.one(int(read), self.values, source)
        return bool(told) if given.dtype == np.bool_ else told

    def law(self, x: Answers | Sequence[int]) -> Law:
        """Of one answer the law of answers, of several the law of tuples."""
        joint = isinstance(x, np.ndarray | Sequence)
        people: list[int] = answers_in(array_of(x), self.values).reshape(-1).tolist()
        if self.values ** max(1, len(people)) > MOST_OUTCOMES:
            raise MechanismError(
                "there are more answers than can be listed",
                cure="people answer independently of each other, so ask for the law of one: "
                f"`{HOW}Response.truth('3/4').law(1)`",
                code="M45",
            )
        listed: dict[Any, Fraction | arb] = {}
        for told in product(range(self.values), repeat=len(people)):
            weight = _together([self.chance(x, w) for x, w in zip(people, told, strict=True)])
            listed[told if joint else told[0]] = weight
        return Law(listed)

    def chance(self, x: int, told: int) -> Chance:
        """The probability that who has `x` tells `told`."""
        way = self.keep.own if x == told else self.keep.other
        return way(told, self.values)

    # --- how far off ---

    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """How far off the estimated count of one value is at most, with this probability, if
        `count` people answer, whatever their true values: a proven bound, not the least one."""
        sure, people = confidence_in(confidence), whole(count, "count", least=1)
        self.informs()
        own, other = (real(way(1, self.values)) for way in (self.keep.own, self.keep.other))

        def nats() -> arb:
            return ball(2 / (1 - sure)).log()

        def hoeffding() -> arb:
            return (people * nats() / 2).sqrt()

        def bernstein(share: Real) -> arb:
            spread = people * share() * (1 - share())
            return nats() / 3 + (nats() ** 2 / 9 + 2 * spread * nats()).sqrt()

        def error(deviation: Real) -> Fraction:
            return up(lambda: deviation() / (own() - other()))

        return min(
            error(hoeffding),
            max(error(partial(bernstein, share)) for share in (own, other)),
            max(error(lambda: people * own()), error(lambda: people * (1 - other()))),
        )

    def informs(self) -> None:
        """Refuses a mechanism whose answers tell nothing."""
        if self.epsilon == 0:
            raise MechanismError(
                "these answers tell nothing, so nothing can be estimated from them",
                cure=f"tell the truth more often, such as `{HOW}Response.truth('3/4')`",
                code="M44",
            )


# --- reading answers ------------------------------------------------------------------------------


def array_of(x: object) -> NDArray[Any]:
    """`x` as NumPy takes it, with its type; what is masked is no answer."""
    if isinstance(x, np.ma.MaskedArray):
        raise _no_answer()
    try:
        return np.asarray(x)
    except (TypeError, ValueError, OverflowError):
        raise _no_answer() from None


def answers_in(given: NDArray[Any], values: int) -> Integers:
    """A copy of true answers as int64, if each is one of the values."""
    kind, fits = given.dtype.kind, np.can_cast(given.dtype, np.int64)
    if not (fits and (kind in "iu" or (kind == "b" and values == 2))):
        raise _no_answer()
    read = given.astype(np.int64)
    if read.size and (read.min() < 0 or read.max() >= values):
        raise MechanismError(
            f"an answer is none of the {values} values, which begin at zero",
            cure="number the values from zero, and say how many there are: "
            f"`{HOW}Response.pure(1, values=5).release(4)`",
            code="M43",
        )
    return read


def _no_answer() -> MechanismError:
    return MechanismError(
        "an answer is a whole number, or a truth value if there are two values",
        cure=f"give an int, a bool, or an array of them, such as `{HOW}"
        "Response.truth('3/4').release(True)`",
        code="M43",
    )


def _together(chances: Sequence[Chance]) -> Fraction | arb:
    rational = [each for each in chances if isinstance(each, Fraction)]
    if len(rational) == len(chances):
        return prod(rational, start=Fraction(1))
    return at(_BITS, lambda: prod((real(each)() for each in chances), start=arb(1)))
