"""Composition of (ε, δ): simple, and advanced.  Claims and proofs: compose.md"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.base import capped
from discreet.loss.pure import Pure
from discreet.numbers import Number, ball, nonnegative, probability, up, whole


def simple(losses: Iterable[Approx | Pure]) -> Approx:
    """The epsilons and the deltas add up, also where each loss may differ.

    >>> simple([Pure(1), Approx("1/2", "1e-6"), Approx("1/4", "1e-6")])
    loss('epsilon=1.75, delta=2e-6')
    """
    total = Approx(0, 0)
    for loss in losses:
        if not isinstance(loss, Approx | Pure):
            raise LossError(
                "simple composition adds up losses of the kinds Approx and Pure",
                cure='convert the others first: `dp.ZCDP("1/2").to(dp.Approx, delta="1e-6")`',
                code="L17",
            )
        total += loss.to(Approx)
    return total


def advanced(k: Number, epsilon: Number, delta: Number, slack: Number) -> Approx:
    """k answers of (ε, δ) each: (√(2k ln(1/slack))·ε + kε(e^ε − 1), kδ + slack).

    The number k and the slack are fixed beforehand.  Then whichever of this and `simple` is
    better may be claimed; for large ε it is `simple`.

    >>> advanced(100, "1/10", 0, "1e-6").epsilon < 7
    True
    """
    times = whole(k, "the number of times")
    each, spread = nonnegative(epsilon, "epsilon"), probability(delta, "delta")
    beyond = probability(slack, "the slack")
    if not 0 < beyond < 1:
        raise LossError(
            "the slack must lie between zero and one",
            cure="choose a small one: `from discreet.loss import advanced; "
            'advanced(100, "1/10", 0, slack="1e-6")`',
            code="L18",
        )
    total = Fraction(0)
    if each > 0:
        total = up(
            lambda: (
                ball(each) * ((-2 * times * ball(beyond).log()).sqrt() + times * ball(each).expm1())
            )
        )
    return Approx(total, capped(times * spread + beyond))
