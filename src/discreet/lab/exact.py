"""Does a mechanism keep its claim?  Exactly, on two neighbours: their laws against its loss.

Nothing is drawn.  `law(x)` and `law(y)` are compared by the divergence that the loss is about, and
the answer is a bracket: a claim below its lower end is refuted by these two neighbours.  What is
not refuted is not proven; so the pairs should be all those of a small domain.  Claim: exact.md
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any, Final, assert_never, final

from discreet.distances import Distance
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.loss.divergence import (
    Bracket,
    Infinity,
    Law,
    delta_at,
    either_way,
    max_divergence,
    renyi,
)
from discreet.mechanisms import Mechanism
from discreet.numbers import Number, ball, up
from discreet.units import Replace, Rows

ORDERS: Final = tuple(map(Fraction, ("1.01", "1.5", "2", "3", "5", "9", "17", "33", "129", "1025")))
EPSILONS: Final = tuple(map(Fraction, ("0", "1/4", "1/2", "1", "2", "4")))
NARROW: Final = Fraction(1, 2**40)
"""A divergence that is known to so small a part, and not above the claim by more, keeps it."""
NOTHING: Final = Fraction(1, 2**160)
"""Weights that are balls are known to 2^-250: equal laws come out so far apart at most."""

Tail = Callable[[Fraction], Number]


@final
@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two exact answers, how far they are apart (or the unit for which they are
    neighbours), and what is known of the tails of their laws.

    `beyond` bounds the ratio of what is not listed, `tail_moment` its moment at each order; both
    are theorems about the noise, not about the mechanism.  Rényi divergences are compared at
    `orders`.
    """

    x: Any
    y: Any
    distance: Distance | Rows | Replace
    beyond: Number | None = None
    tail_moment: Tail | None = None
    orders: tuple[Fraction, ...] = ORDERS


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One divergence of two neighbours, and what the claim allows."""

    what: str
    found: Bracket
    allowed: Fraction

    @property
    def refuted(self) -> bool:
        """These neighbours are certainly farther apart than was claimed."""
        return self.found.low > self.allowed * (1 + NARROW) + NOTHING

    @property
    def kept(self) -> bool:
        """They are certainly no farther apart, but for a part in 2^40."""
        return not self.found.high > self.allowed * (1 + NARROW) + NOTHING

    @property
    def attained(self) -> Fraction:
        """How much of what is allowed is certainly reached."""
        if isinstance(self.found.low, Infinity) or self.allowed == 0:
            return Fraction(1)
        return self.found.low / self.allowed


def check(
    mechanism: Mechanism[Any, Any, Any], pair: Neighbours, loss: AnyLoss | None = None
) -> list[Finding]:
    """What the two neighbours say of `loss`, or of the mechanism's own."""
    claimed = mechanism.loss(pair.distance) if loss is None else loss
    return compare(mechanism.law(pair.x), mechanism.law(pair.y), claimed, pair)


def compare(p: Law, q: Law, claimed: AnyLoss, pair: Neighbours) -> list[Finding]:
    """Two laws against a claim."""
    match claimed:
        case Pure():
            found = either_way(partial(max_divergence, beyond=pair.beyond), p, q)
            return [Finding("max divergence", found, claimed.epsilon)]
        case Approx():
            return [_hockey_stick(p, q, pair, claimed.epsilon, claimed.delta)]
        case ZCDP() if claimed.delta == 0:
            return [_renyi(p, q, pair, order, order * claimed.rho) for order in pair.orders]
        case Renyi():
            return [_renyi(p, q, pair, order, epsilon) for order, epsilon in claimed.curve]
        case ZCDP():
            asked = [claimed.to(Approx, epsilon=epsilon) for epsilon in (*EPSILONS, *_far(claimed))]
            return [_hockey_stick(p, q, pair, each.epsilon, each.delta) for each in asked]
        case GDP():
            asked = [claimed.to(Approx, epsilon=epsilon) for epsilon in EPSILONS]
            return [_hockey_stick(p, q, pair, each.epsilon, each.delta) for each in asked]
        case _:
            assert_never(claimed)


def _far(claimed: ZCDP) -> tuple[Fraction, Fraction]:
    """Two epsilons at which rho alone allows much less than the purse: there the purse is seen."""
    rho, purse = claimed.rho, claimed.delta
    far = up(lambda: ball(rho) + 2 * (ball(rho) * -ball(purse).log()).sqrt() + 1)
    return Fraction(ceil(far)), Fraction(2 * ceil(far))


def _hockey_stick(p: Law, q: Law, pair: Neighbours, epsilon: Fraction, delta: Fraction) -> Finding:
    found = either_way(partial(delta_at, epsilon=epsilon, beyond=pair.beyond), p, q)
    return Finding(f"delta at {float(epsilon):g}", found, delta)


def _renyi(p: Law, q: Law, pair: Neighbours, order: Fraction, allowed: Fraction) -> Finding:
    moment = None if pair.tail_moment is None else pair.tail_moment(order)
    measure = partial(renyi, order=order, beyond=pair.beyond, tail_moment=moment)
    return Finding(f"order {float(order):g}", either_way(measure, p, q), allowed)


def refuted(findings: Iterable[Finding]) -> bool:
    """Whether any of the findings refutes the claim."""
    return any(each.refuted for each in findings)
