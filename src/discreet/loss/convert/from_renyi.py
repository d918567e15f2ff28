"""Edges out of a Rényi curve.  Claims and proofs: from_renyi.md"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise

from flint import arb

from discreet.loss.approx import Approx
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.moments import Corner, least_delta, least_epsilon, surprise
from discreet.loss.convert.refusals import nothing_chosen, too_small
from discreet.loss.convert.search import inside
from discreet.loss.renyi import Renyi
from discreet.numbers import ball


def to_renyi(loss: Renyi, ask: Ask) -> Renyi:
    orders = ask.orders or tuple(order for order, _ in loss.curve)
    return Renyi((order, loss.at(order)) for order in orders)


def to_approx(loss: Renyi, ask: Ask) -> Approx:
    if ask.delta == 1:
        return Approx(0, 1)
    corners = [(order - 1, (order - 1) * epsilon) for order, epsilon in loss.curve]
    if corners[0][1] == 0:  # at one order no divergence: the laws are equal
        return Approx(ask.epsilon or 0, ask.delta or 0)
    if ask.epsilon is not None:
        turns = _turns(corners, partial(_turn_at_epsilon, ask.epsilon))
        return Approx(ask.epsilon, least_delta([*corners, *turns], ask.epsilon))
    if ask.delta is None:
        raise nothing_chosen(loss)
    if ask.delta == 0:
        raise too_small(loss)
    turns = _turns(corners, partial(_turn_at_delta, ask.delta))
    return Approx(least_epsilon([*corners, *turns], ask.delta), ask.delta)


def _turns(
    corners: Sequence[Corner], turn: Callable[[Fraction, Fraction], arb]
) -> Iterator[Corner]:
    """Where the bound is least within a chord start + slope·u, if that is not at its ends."""
    for (left, low), (right, high) in pairwise([(Fraction(0), Fraction(0)), *corners]):
        slope = (high - low) / (right - left)
        start = low - slope * left
        u = inside(left, right, partial(turn, start, slope))
        if u is not None:
            yield u, start + slope * u


def _turn_at_delta(delta: Fraction, start: Fraction, _slope: Fraction) -> arb:
    """ln α = start + ln(1/δ)."""
    return (ball(start) + surprise(delta)).expm1()


def _turn_at_epsilon(epsilon: Fraction, _start: Fraction, slope: Fraction) -> arb:
    """ln(1 + 1/u) = slope − ε."""
    return 1 / ball(slope - epsilon).expm1()
