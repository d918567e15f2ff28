"""Two finite laws of neighbours: what loss they have, and whether they keep one, both ways, by the
definitions in `tests/loss/brute.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import ceil
from statistics import NormalDist
from typing import Final, final

from hypothesis import strategies as st

from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from tests.loss import brute
from tests.loss.brute import Weights
from tests.loss.convert.decimals import bell_delta, decimal, precise

SLACK: Final = Decimal("1e-40")
ORDERS: Final = tuple(Fraction(n, 1000) for n in (1001, 1125, 1500, 2000, 3400, 5000, 50_000))
EPSILONS: Final = tuple(Fraction(n, 8) for n in (0, 1, 3, 8, 17, 30, 50))
_STEP: Final = Fraction(21, 20)
_NORMAL: Final = NormalDist()


def above(number: Decimal) -> Fraction:
    """A rational a little above a decimal."""
    with precise():
        return Fraction(ceil(number * 10**45) + 1, 10**45)


def response(ratio: Fraction) -> Pair:
    """Randomised response at ε = ln ratio."""
    likely, other = ratio / (1 + ratio), 1 / (1 + ratio)
    return Pair({"yes": likely, "no": other}, {"yes": other, "no": likely})


@final
@dataclass(frozen=True)
class Pair:
    p: Weights
    q: Weights

    def or_revealed(self, delta: Fraction) -> Pair:
        """The same, but that with probability delta all is revealed."""
        p, q = ({x: (1 - delta) * w for x, w in law.items()} for law in (self.p, self.q))
        return Pair({**p, "p": delta}, {**q, "q": delta})

    def ways(self) -> tuple[tuple[Weights, Weights], ...]:
        return (self.p, self.q), (self.q, self.p)

    def events(self) -> Iterator[tuple[Fraction, Fraction]]:
        for one, other in self.ways():
            yield from brute.events(one, other)

    # What loss they have, rounded up.

    def pure(self) -> Pure | None:
        found = self.approx(Fraction(0))
        return None if found is None else Pure(found.epsilon)

    def approx(self, delta: Fraction) -> Approx | None:
        ratios = [brute.least_ratio(*way, delta) for way in self.ways()]
        with precise():
            known = [decimal(ratio).ln() for ratio in ratios if ratio is not None]
            return Approx(above(max(known)), delta) if len(known) == 2 else None

    def renyi(self, orders: tuple[Fraction, ...] = ORDERS) -> Renyi | None:
        found = [(order, [brute.renyi(*way, order) for way in self.ways()]) for order in orders]
        points = [(order, [d for d in both if d is not None]) for order, both in found]
        if any(len(both) < 2 for _, both in points):
            return None
        return Renyi([(order, above(max(both))) for order, both in points])

    def zcdp(self) -> ZCDP | None:
        """The supremum of D_α/α, at most 5 % too large: D rises with α, so that on [a, b] it is at
        most D_b/a; beyond the last order D is at most D_∞."""
        largest = self.pure()
        if largest is None:
            return None
        orders = [Fraction(1)]
        while orders[-1] < 60:
            orders.append(orders[-1] * _STEP)
        curve = self.renyi(tuple(orders[1:]))
        if curve is None:
            return None
        inner = max(curve.at(right) / left for left, right in pairwise(orders))
        return ZCDP(max(inner, largest.epsilon / orders[-1]))

    def gdp(self) -> GDP | None:
        """The largest Φ⁻¹(p(S)) - Φ⁻¹(q(S)), by doubles that are good to 1e-9."""
        whole = [(float(p), float(q)) for p, q in self.events() if p != q]
        if any(x in (0.0, 1.0) for pair in whole for x in pair):
            return None
        shifts = [_NORMAL.inv_cdf(p) - _NORMAL.inv_cdf(q) for p, q in whole]
        return GDP(Fraction(max([0.0, *shifts])) + Fraction(1, 10**9))

    # Whether they keep a loss.

    def keeps(self, loss: Loss) -> bool:
        match loss:
            case Pure():
                return self._below(loss.epsilon, lambda _: Decimal(0))
            case Approx():
                with precise():
                    delta = decimal(loss.delta)
                return self._below(loss.epsilon, lambda _: delta)
            case ZCDP(delta=Fraction(numerator=0)):
                return self._diverge_less(lambda order: order * loss.rho)
            case ZCDP():
                return self._keeps_with_purse(loss)
            case Renyi():
                return self._diverge_less(loss.at, tuple(order for order, _ in loss.curve))
            case GDP():
                return all(
                    self._below(epsilon, lambda e: bell_delta(loss.square, e))
                    for epsilon in EPSILONS
                )
            case _:
                raise TypeError(loss)

    def _below(self, epsilon: Fraction, delta: Callable[[Fraction], Decimal]) -> bool:
        with precise():
            grown, most = decimal(epsilon).exp(), delta(epsilon) + SLACK
            return all(decimal(p) <= grown * decimal(q) + most for p, q in self.events())

    def _diverge_less(
        self, most: Callable[[Fraction], Fraction], orders: tuple[Fraction, ...] = ORDERS
    ) -> bool:
        found = ((order, brute.renyi(*way, order)) for order in orders for way in self.ways())
        with precise():
            return all(d is not None and d <= decimal(most(order)) + SLACK for order, d in found)

    def _keeps_with_purse(self, loss: ZCDP) -> bool:
        """What remains when the purse pays for the outcomes that only one of the two has."""
        shared = self.p.keys() & self.q.keys()
        weights = [sum(law[x] for x in shared) for law in (self.p, self.q)]
        if any(1 - weight > loss.delta for weight in weights):
            return False
        p, q = (
            {x: law[x] / weight for x in shared}
            for law, weight in zip((self.p, self.q), weights, strict=True)
        )
        return Pair(p, q).keeps(ZCDP(loss.rho))


@st.composite
def pairs(draw: st.DrawFn, least: int = 1) -> Pair:
    """Two laws on two to four outcomes."""
    count = draw(st.integers(2, 4))
    parts = st.lists(st.integers(least, 30), min_size=count, max_size=count).filter(any)
    p, q = draw(parts), draw(parts)
    return Pair(
        {x: Fraction(n, sum(p)) for x, n in zip("abcd", p, strict=False)},
        {x: Fraction(n, sum(q)) for x, n in zip("abcd", q, strict=False)},
    )
