"""The claims of renyi.md, on laws whose divergences are found from the definition, and the curve
against a hull that is found by trying all chords."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import LossError
from discreet.loss import Renyi
from tests.laws.strategies import (
    ORDERS,
    POINTS,
    Pair,
    TwoSteps,
    chains,
    coin,
    law,
    pairs,
    response,
    times,
    two_steps,
)
from tests.loss import brute
from tests.loss.brute import DIGITS, Weights, decimal

KNOWN: Final = [Fraction(3, 2), Fraction(2), Fraction(5), Fraction(9)]
BETWEEN: Final = [1 + Fraction(1, 10**6), Fraction(7, 4), Fraction(3), Fraction(29, 4)]
TINY: Final = Fraction(1, 10**40)
Curve = dict[Fraction, Fraction]


def divergence(pair: Pair, order: Fraction) -> Fraction:
    """D_α, the larger direction, to 50 digits."""
    p, q = pair
    there, back = brute.renyi(p, q, order), brute.renyi(q, p, order)
    assert there is not None
    assert back is not None
    return Fraction(max(there, back))


def lost(*found: Pair, orders: Iterable[Fraction] = KNOWN) -> Renyi:
    return Renyi((a, max(divergence(pair, a) for pair in found) + TINY) for a in orders)


def keeps(pair: Pair, loss: Renyi, orders: Iterable[Fraction] = (*KNOWN, *BETWEEN)) -> bool:
    """At those of the orders at which something is promised, and at the corners."""
    asked = {*(a for a in orders if a <= loss.last), *(a for a, _ in loss.curve)}
    return all(divergence(pair, a) <= loss.at(a) + 2 * TINY for a in asked)


def chord(points: Curve, order: Fraction) -> Fraction | None:
    """The lower hull of (1, 0) and (α, (α − 1)ε) by trying all pairs of points; over α − 1."""
    moments = {Fraction(1): Fraction(0), **{a: (a - 1) * e for a, e in points.items()}}
    through = [
        low + (order - left) / (right - left) * (high - low) if left < right else low
        for left, low in moments.items()
        for right, high in moments.items()
        if left <= order <= right
    ]
    return min(through) / (order - 1) if through else None


# --- the curve -----------------------------------------------------------------------------------


@settings(max_examples=150)
@given(POINTS, st.lists(ORDERS, max_size=5))
def test_the_curve_is_the_lower_hull(points: Curve, orders: list[Fraction]) -> None:
    found = Renyi(points.items())
    assert found.last == max(points)
    for order in (*points, *orders):
        if order <= found.last:
            assert found.at(order) == chord(points, order)


@settings(max_examples=100)
@given(POINTS, st.lists(ORDERS, max_size=4))
def test_points_that_follow_from_others_make_no_difference(
    points: Curve, orders: list[Fraction]
) -> None:
    found = Renyi(points.items())
    implied = [(a, found.at(a) + 1) for a in {*orders} if a < found.last and a not in points]
    kept = [(a, found.at(a)) for a in points]
    assert Renyi([*reversed(kept), *implied]) == found
    assert hash(Renyi(kept)) == hash(found)
    assert {a for a, _ in found.curve} <= points.keys()


@settings(max_examples=40)
@given(pairs())
def test_what_is_known_at_some_orders_bounds_those_between(pair: Pair) -> None:
    assert keeps(pair, lost(pair))


@pytest.mark.parametrize(
    "mutant",
    [
        lambda low, high, part: (1 - part) * low + part * high,
        lambda low, *_: low,
    ],
    ids=["a line between epsilons", "the order before"],
)
def test_other_ways_between_two_orders_are_false(
    mutant: Callable[[Fraction, Fraction, Fraction], Fraction],
) -> None:
    """D_α itself is not convex: a straight line between two epsilons is too low."""
    pair = response(50)
    low, order, high = Fraction(2), Fraction(3), Fraction(9)
    ends = divergence(pair, low), divergence(pair, high)
    assert divergence(pair, order) <= lost(pair, orders=[low, high]).at(order)
    assert divergence(pair, order) > mutant(*ends, (order - low) / (high - low))


def test_below_the_first_order_epsilon_does_not_fall() -> None:
    """D_α tends to Σ p·ln(p/q) as α tends to one, and not to zero."""
    pair = response(2)
    loss, near = lost(pair, orders=[Fraction(4)]), 1 + Fraction(1, 10**6)
    assert loss.at(near) == loss.at(4)
    with localcontext(prec=DIGITS):
        least = brute.kullback_leibler(*pair)
        assert decimal(loss.at(near)) > least > Decimal("0.2")
        assert decimal(loss.at(4) * (near - 1)) < least


def test_beyond_the_last_order_nothing_is_promised() -> None:
    """The divergence goes on rising there."""
    pair = response(50)
    loss = lost(pair, orders=[Fraction(2)])
    assert divergence(pair, Fraction(9)) > loss.at(2)
    with pytest.raises(LossError) as refused:
        loss.at("2.0001")
    assert refused.value.code == "L03"
    assert ".at(" in refused.value.cure


# --- sums ----------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(two_steps())
def test_two_answers_cost_the_sum_also_where_the_first_chooses_the_second(steps: TwoSteps) -> None:
    total = lost(steps.first) + lost(*steps.second.values())
    assert keeps(steps.joint, total)


@settings(max_examples=80)
@given(POINTS, POINTS, st.integers(0, 5))
def test_sums_and_multiples_are_those_of_the_hulls(one: Curve, other: Curve, n: int) -> None:
    a, b = Renyi(one.items()), Renyi(other.items())
    total = a + b
    assert total.last == min(max(one), max(other))
    assert (n * a).last == a.last
    for order in (*one, *other, *BETWEEN):
        if order <= total.last:
            first, second = chord(one, order), chord(other, order)
            assert first is not None
            assert second is not None
            assert total.at(order) == first + second
            assert (n * a).at(order) == n * first


@pytest.mark.parametrize("n", [2, 3])
def test_n_answers_cost_n_times_as_much_and_no_less(n: int) -> None:
    one = lost(response(2))
    assert keeps(times(n, response(2)), n * one)
    assert not keeps(times(n, response(2)), (n - 1) * one)
    slightly = Renyi((a, n * e * (1 - Fraction(1, 10**20))) for a, e in one.curve)
    assert not keeps(times(n, response(2)), slightly)


# --- groups --------------------------------------------------------------------------------------


def doubled(points: Curve, order: Fraction) -> Fraction:
    """The least of what the triangle inequality says at `order`, and of its chords with (1, 0).

    With the hull's m it says ½·(m(2α) + m(2α − 1)) of the moment at α, whose bends lie at the
    orders o/2 and (o + 1)/2.
    """
    moments = {}
    for above in {order, *(o / 2 for o in points), *((o + 1) / 2 for o in points)}:
        if order <= above <= max(points) / 2:
            far, near = chord(points, 2 * above), chord(points, 2 * above - 1)
            assert far is not None
            assert near is not None
            moments[above] = ((2 * above - 1) * far + (2 * above - 2) * near) / 2
    return min(moment / (above - 1) for above, moment in moments.items())


@settings(max_examples=60)
@given(POINTS, st.lists(ORDERS, max_size=4))
def test_a_group_of_two_is_the_triangle_inequality(points: Curve, orders: list[Fraction]) -> None:
    loss = Renyi(points.items())
    if loss.last <= 2:
        with pytest.raises(LossError) as refused:
            loss.group(2)
        assert refused.value.code == "L07"
    else:
        pair = loss.group(2)
        assert pair.last == loss.last / 2
        for order in (*orders, pair.last, *(o / 2 for o in points if o > 2)):
            if order <= pair.last:
                assert pair.at(order) == doubled(points, order)


@pytest.mark.parametrize(
    ("k", "doublings"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5)]
)
def test_a_group_is_the_next_power_of_two(k: int, doublings: int) -> None:
    loss = Renyi({3: "1/2", 10: 1, 200: 7})
    found = loss
    for _ in range(doublings):
        found = found.group(2)
    assert loss.group(k) == found
    assert found.last == Fraction(200, 2**doublings)


@pytest.mark.parametrize(("last", "largest"), [(2, 1), ("2.01", 2), (4, 2), ("4.01", 4), (64, 32)])
def test_a_group_needs_orders_above_its_power_of_two(last: str, largest: int) -> None:
    loss = Renyi({last: 1})
    assert loss.group(largest).last > 1
    with pytest.raises(LossError) as refused:
        loss.group(largest + 1)
    assert refused.value.code == "L07"
    assert ".group(2)" in refused.value.cure


def test_many_doublings_stay_short_and_are_rounded_up() -> None:
    """One corner (L, M) becomes (L/2, M·(L − 3/2)/(L − 1)), with ever more digits."""
    last, found = Fraction(10**30 + 1, 3), Renyi([(Fraction(10**30 + 1, 3), "1/7")])
    moment = (last - 1) / 7
    for _ in range(90):
        moment, last = moment * (last - Fraction(3, 2)) / (last - 1), last / 2
        found = found.group(2)
    true = moment / (last - 1)
    assert len(str(true)) > 3_000 > len(str(found))
    assert true <= found.at(last) <= true * (1 + Fraction(1, 2**500))
    assert found == Renyi([(Fraction(10**30 + 1, 3), "1/7")]).group(2**90)


@settings(max_examples=25)
@given(st.integers(1, 4).flatmap(chains))
def test_the_ends_of_a_chain_keep_the_loss_of_a_group(chain: list[Weights]) -> None:
    one = lost(*pairwise(chain))
    for end in range(len(chain)):
        assert keeps((chain[0], chain[end]), one.group(end))


@settings(max_examples=25)
@given(chains(2), st.sampled_from([Fraction(5, 4), Fraction(2), Fraction(6)]))
def test_the_triangle_inequality_itself(chain: list[Weights], order: Fraction) -> None:
    """(α − 1)·D_α(p‖r) ≤ ½(2α − 1)·D_2α(p‖q) + ½(2α − 2)·D_(2α−1)(q‖r), in one direction."""
    p, q, r = chain
    ends, near, far = (
        brute.renyi(*way) for way in ((p, r, order), (p, q, 2 * order), (q, r, 2 * order - 1))
    )
    assert ends is not None
    assert near is not None
    assert far is not None
    with localcontext(prec=DIGITS):
        a = decimal(order)
        bound = ((2 * a - 1) * near + (2 * a - 2) * far) / 2
        assert (a - 1) * ends <= bound + Decimal("1e-50")


def tilted(size: int, odds: Fraction) -> Weights:
    """The number of heads among `size` coins with these odds: near a normal law."""
    return law(*(comb(size, x) * odds**x for x in range(size + 1)))


@pytest.mark.parametrize(
    "mutant",
    [
        lambda loss, order: 2 * loss.at(order),
        lambda loss, order: 2 * loss.at(order + 1),
        lambda loss, order: loss.at(2 * order),
        lambda loss, order: loss.at(2 * order) + loss.at(2 * order - 1),
    ],
    ids=["twice", "one order up", "one side", "without the factor"],
)
def test_smaller_groups_are_false(mutant: Callable[[Renyi, Fraction], Fraction]) -> None:
    chain = [tilted(7, Fraction(11, 10) ** place) for place in (-1, 0, 1)]
    order = Fraction(3)
    one = lost(*pairwise(chain), orders=[order, order + 1, 2 * order - 1, 2 * order])
    found = divergence((chain[0], chain[2]), order)
    assert found <= one.group(2).at(order)
    assert found > mutant(one, order)


def test_a_group_may_need_more_than_its_size() -> None:
    """Three steps are charged as four; for three steps of the same size 3² is nearly reached."""
    chain = [tilted(7, Fraction(11, 10) ** place) for place in range(4)]
    one = lost(*pairwise(chain), orders=[Fraction(2), Fraction(3), Fraction(8), Fraction(16)])
    found = divergence((chain[0], chain[3]), Fraction(2))
    assert 8 * one.at(2) < found <= one.group(3).at(2)


@given(POINTS)
def test_groups_of_none_and_one(points: Curve) -> None:
    loss = Renyi(points.items())
    assert loss.group(1) == loss
    assert loss.group(0) == loss.zero() == 0 * loss == Renyi({loss.last: 0})


# --- the order -----------------------------------------------------------------------------------


@settings(max_examples=150)
@given(POINTS, POINTS)
def test_a_curve_is_at_most_another_that_lies_above_it_and_ends_no_later(
    one: Curve, other: Curve
) -> None:
    a, b = Renyi(one.items()), Renyi(other.items())
    orders = [x for x in (*one, *other) if x <= b.last]
    above = b.last <= a.last and all(
        (chord(one, x) or Fraction(0)) <= (chord(other, x) or Fraction(0)) for x in orders
    )
    assert (a <= b) == above


@settings(max_examples=30)
@given(pairs(), POINTS)
def test_what_keeps_a_loss_keeps_every_loss_above(pair: Pair, more: Curve) -> None:
    found = lost(pair)
    assert found <= found + Renyi(more.items())
    assert keeps(pair, found + Renyi(more.items()))
    p, q = pair
    assert keeps(pair, found.zero()) == (p == q)


def test_fewer_orders_promise_less() -> None:
    assert Renyi({2: 1, 4: 2}) <= Renyi({4: 2}) <= Renyi({2: 2})
    assert not Renyi({2: 1}) <= Renyi({4: 9})
    assert not Renyi({4: 9}) <= Renyi({2: 1})
    assert keeps((coin(Fraction(1, 2)), coin(Fraction(1, 3))), Renyi({9: 1, 2: "1/5"}))
