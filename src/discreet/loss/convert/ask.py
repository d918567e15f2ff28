"""What a conversion was asked for: the one number, or the orders, that the caller may choose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Self, final

from discreet.errors import LossError
from discreet.numbers import Number, exact, nonnegative, probability


@final
@dataclass(frozen=True, slots=True)
class Ask:
    """At most one of the three is given."""

    delta: Fraction | None = None
    epsilon: Fraction | None = None
    orders: tuple[Fraction, ...] | None = None

    @classmethod
    def of(
        cls,
        *,
        delta: Number | None = None,
        epsilon: Number | None = None,
        orders: Iterable[Number] | None = None,
    ) -> Self:
        if sum(each is not None for each in (delta, epsilon, orders)) > 1:
            raise LossError(
                "choose one of delta, epsilon and orders: the others follow from it",
                cure='choose one, such as `dp.ZCDP("1/2").to(dp.Approx, delta="1e-6")`',
                code="L10",
            )
        return cls(
            None if delta is None else probability(delta, "delta"),
            None if epsilon is None else nonnegative(epsilon, "epsilon"),
            None if orders is None else _orders(orders),
        )


def _orders(orders: Iterable[Number]) -> tuple[Fraction, ...]:
    found = {exact(order, "the order") for order in orders}
    if not found or min(found) <= 1:
        raise LossError(
            "orders must be given, each greater than one",
            cure="choose orders above one, such as `dp.Pure(1).to(dp.Renyi, orders=[2, 4, 8])`",
            code="L02",
        )
    return tuple(sorted(found))
