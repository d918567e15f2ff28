"""How to answer: what every mechanism is.

A mechanism is a frozen value that says what it costs, answers, and can be read a second time: the
law of what `release` tells, exactly.  `loss` is a function of how far the exact answer moves
between neighbours, in the one norm that its theorem is about; nothing else of the table enters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, assert_never

from discreet.distances import Distance
from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.loss.divergence import Law
from discreet.loss.pld import PLD, Twins, of_loss, told_apart
from discreet.numbers import Number
from discreet.units import Replace, Rows

if TYPE_CHECKING:
    from discreet.mechanisms.event import Event

Exact = TypeVar("Exact")
Told = TypeVar("Told")
Moved = TypeVar("Moved", bound=Distance | Rows | Replace)


class Mechanism(ABC, Generic[Exact, Told, Moved]):
    """From an exact answer of type `Exact` to what may be told, for distances of type `Moved`."""

    __slots__ = ()
    __array_ufunc__ = None  # lets `np.int64(3) * mechanism` reach `__rmul__`
    nearest: ClassVar[Distance | Rows | Replace]
    """The distance that is meant where none is named: one, in the norm of the theorem."""
    protects: ClassVar[frozenset[type[Rows | Replace]]] = frozenset()
    """The kind of neighbours, where the theorem is about one kind alone whatever the distance."""

    @abstractmethod
    def loss(self, distance: Moved) -> AnyLoss:
        """What one answer costs if neighbours move the exact one by no more than `distance`: the
        tightest that is proven."""

    def zcdp(self, distance: Moved) -> ZCDP:
        """The same in the currency that adds up best over many answers."""
        return self.loss(distance).to(ZCDP)

    def pld(self, distance: Moved) -> PLD:
        """The same as a privacy-loss distribution, which adds up tightest for answers that were
        fixed in advance."""
        return of_loss(self._bounded(distance))

    def twins(self, distance: Moved) -> Twins:
        """Two laws that are no easier to tell apart than what is told of two neighbours."""
        return told_apart(self._bounded(distance))

    def attained(self, distance: Moved) -> Twins | None:  # noqa: ARG002 - asked by some
        """The laws of some neighbours, where `twins` are no such laws themselves."""
        return None

    def _bounded(self, distance: Moved) -> Pure | Approx:
        """The loss in epsilon and delta, which alone gives a distribution."""
        loss: AnyLoss = self.loss(distance)
        match loss:
            case Pure() | Approx():
                return loss
            case ZCDP() | Renyi() | GDP():
                raise no_distribution(type(self).__name__)
            case _:
                assert_never(loss)

    @abstractmethod
    def release(self, x: Exact, *, entropy: Entropy | None = None) -> Told:
        """An answer that may be told, drawn from the operating system's randomness."""

    @abstractmethod
    def law(self, x: Exact) -> Law:
        """The exact law of what `release` tells of `x`, with a stated tail."""

    @abstractmethod
    def accuracy(self, confidence: Number, count: Number = 1) -> Fraction:
        """How far off `count` answers are at most, all at once, with probability `confidence`: a
        proven bound, and the least one where the mechanism says so."""

    # --- as one of several answers that are fixed in advance ---

    def __rmul__(self, n: Number) -> Event:
        """So many answers, for `dp.compose`."""
        from discreet.mechanisms.event import Event  # noqa: PLC0415  an event holds a mechanism

        return n * Event(self)

    __mul__ = __rmul__

    def at(self, distance: Moved) -> Event:
        """An answer whose exact value moves by so much between neighbours, for `dp.compose`."""
        from discreet.mechanisms.event import Event  # noqa: PLC0415

        return Event(self).at(distance)

    def poisson(self, rate: Number) -> Event:
        """An answer from rows of which each is taken with this probability, for `dp.compose`."""
        from discreet.mechanisms.event import Event  # noqa: PLC0415

        return Event(self).poisson(rate)

    def without_replacement(self, taken: Number, rows: Number) -> Event:
        """An answer from so many of all rows, drawn without replacement, for `dp.compose`."""
        from discreet.mechanisms.event import Event  # noqa: PLC0415

        return Event(self).without_replacement(taken, rows)


def not_of_samples(what: str) -> MechanismError:
    return MechanismError(
        f"{what} is no row that comes or goes, of which alone samples are understood",
        cure="protect rows that are added or removed: "
        '`dp.MeanPair(0, 100, 50).at(dp.Rows(1)).poisson("1/100")`',
        code="M97",
    )


def not_of_subsets() -> MechanismError:
    return MechanismError(
        "a row that comes or goes is no change of a row, of which alone subsets are understood",
        cure="protect rows that are changed, or take each by a coin of its own: "
        "`dp.MeanPair(0, 100, 50).at(dp.Replace(1)).without_replacement(10, 1000)`",
        code="M97",
    )


def not_of_groups() -> MechanismError:
    return MechanismError(
        "samples are understood for one row, and several rows are taken more often than one",
        cure='protect one row: `dp.MeanPair(0, 100, 50).at(dp.Rows(1)).poisson("1/100")`',
        code="M97",
    )


def no_distribution(name: str) -> MechanismError:
    return MechanismError(
        f"no privacy-loss distribution is proven for {name} at this distance",
        cure="add up rho instead: `100 * dp.Gaussian(20).zcdp(dp.L2(2))`",
        code="M93",
    )
