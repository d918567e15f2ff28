"""What was told so far, read off at any moment.  Claim and proof: odometer.md"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, Self, assert_never, final

from flint import arb

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.base import Loss
from discreet.loss.convert.moments import least_epsilon, surprise
from discreet.loss.convert.search import crossing
from discreet.loss.filters import Currency, Kept, is_currency, price
from discreet.loss.pure import Pure
from discreet.loss.zcdp import ZCDP
from discreet.numbers import Number, ball, positive, probability

LEVELS: Final = tuple(Fraction(2) ** power for power in range(-10, 7))
"""Rhos at which a reading is sharpest, unless others are chosen beforehand: 1/1024 to 64."""
_CURE: Final = (
    "fix a delta above zero and below one before anything is answered, and levels of rho if you "
    "like: `from discreet.loss.odometer import Odometer; "
    'Odometer(dp.ZCDP, delta="1e-6", levels=["1/10", 1])`'
)


@final
@dataclass(frozen=True, slots=True, init=False)
class Odometer(Generic[Kept]):
    """The running sum of costs, and what it says of all answers so far.

    >>> Odometer(Approx).charge(Pure(2)).charge(Approx("1/2", "1e-7")).reading
    loss('epsilon=2.5, delta=1e-7')
    >>> rhos = Odometer(ZCDP, delta="1e-6", levels=["1/10", 1])
    >>> float(rhos.charge(Pure(1)).reading.epsilon) < 6
    True
    """

    spent: Kept
    orders: tuple[Fraction, ...]
    """Orders less one, fixed with the odometer; none where nothing has to be converted."""
    delta: Fraction
    """What the conversion of rho may fail by, over all orders and moments together."""

    def __init__(
        self,
        kind: type[Kept],
        *,
        delta: Number | None = None,
        levels: Iterable[Number] | None = None,
    ) -> None:
        is_currency(kind)
        if kind is ZCDP:
            fixed = _fixed(delta)
            orders = _orders(LEVELS if levels is None else levels, fixed)
        else:
            _nothing_to_fix(delta, levels)
            fixed, orders = Fraction(0), ()
        object.__setattr__(self, "spent", _nothing(kind))
        object.__setattr__(self, "orders", orders)
        object.__setattr__(self, "delta", fixed)

    def charge(self, cost: Loss) -> Self:
        """The odometer after one more answer, at the price that a filter debits."""
        charged = object.__new__(type(self))
        object.__setattr__(charged, "spent", self.spent + price(cost, type(self.spent)))
        object.__setattr__(charged, "orders", self.orders)
        object.__setattr__(charged, "delta", self.delta)
        return charged

    @property
    def reading(self) -> Approx:
        """An epsilon and delta for the answers so far, also at a moment that they chose."""
        return self._read(self.spent)

    def _read(self, spent: Currency) -> Approx:
        match spent:
            case Pure():
                return Approx(spent.epsilon, 0)
            case Approx():
                return spent
            case ZCDP():
                together = spent.delta + (1 - spent.delta) * self.delta
                return Approx(self._epsilon(spent.rho), together)
            case _:
                assert_never(spent)

    def _epsilon(self, rho: Fraction) -> Fraction:
        """The least that one of the orders proves, each at its share of delta."""
        if rho == 0:
            return rho
        corners = [(order, order * (1 + order) * rho) for order in self.orders]
        return least_epsilon(corners, self.delta / len(self.orders))


def _nothing(kind: type[Kept]) -> Kept:
    """The loss of this kind that costs nothing."""
    return price(Pure(0), kind)


def _fixed(delta: Number | None) -> Fraction:
    found = Fraction(0) if delta is None else probability(delta, "delta")
    if not 0 < found < 1:
        raise LossError(
            "an odometer of rho turns it into epsilon at a delta that is fixed beforehand",
            cure=_CURE,
            code="L64",
        )
    return found


def _nothing_to_fix(delta: Number | None, levels: Iterable[Number] | None) -> None:
    if delta is not None or levels is not None:
        raise LossError(
            "epsilons, and epsilons with deltas, are read off as they are: there is no delta and "
            "no level to fix",
            cure="leave them out, as in `from discreet.loss.odometer import Odometer; "
            "Odometer(dp.Pure)`",
            code="L64",
        )


def _orders(levels: Iterable[Number], delta: Fraction) -> tuple[Fraction, ...]:
    """For each level the order that is best there, when all share delta."""
    found = sorted({positive(level, "a level of rho") for level in levels})
    if not found:
        raise LossError("an odometer of rho needs at least one level", cure=_CURE, code="L64")
    return tuple(_best(level, delta / len(found)) for level in found)


def _best(rho: Fraction, delta: Fraction) -> Fraction:
    """About the u at which ρu² + ln(1 + u) = ln(1/δ).  Any u proves a reading."""

    def rising(u: arb) -> arb:
        return ball(rho) * u * u + u.log1p() - surprise(delta)

    def low() -> arb:
        most = surprise(delta)
        return 2 * most / (1 + (1 + 4 * ball(rho) * most).sqrt())

    def high() -> arb:
        most = surprise(delta)
        return (most / ball(rho)).sqrt().min(most.expm1())

    return crossing(rising, low, high)
