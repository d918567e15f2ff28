"""The claims of zcdp.md, on laws whose Rényi divergences are found from the definition."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import LossError
from discreet.loss import ZCDP
from tests.laws.strategies import (
    Pair,
    TwoSteps,
    both,
    chains,
    coin,
    joint,
    law,
    leak,
    pairs,
    response,
    spread,
    times,
    two_steps,
)
from tests.loss import brute
from tests.loss.brute import DIGITS, Weights, decimal

ORDERS: Final = [1 + Fraction(1, 10**6), Fraction(3, 2), Fraction(2), Fraction(7), Fraction(200)]
STEP: Final = Fraction(11, 10)
GRID: Final = [STEP**n for n in range(60)]
TINY: Final = Fraction(1, 10**40)
CHANCES: Final = st.fractions(0, 1, max_denominator=20)


def divergence(pair: Pair, order: Fraction) -> Fraction:
    """D_α, the larger direction, to 50 digits; the laws here give every outcome some weight."""
    p, q = pair
    there, back = brute.renyi(p, q, order), brute.renyi(q, p, order)
    assert there is not None
    assert back is not None
    return Fraction(max(there, back))


def at_orders(*found: Pair) -> ZCDP:
    """The least ρ that these pairs keep at `ORDERS`."""
    return ZCDP(max(divergence(p, a) / a for p in found for a in ORDERS) + TINY)


def at_all_orders(*found: Pair) -> ZCDP:
    """A ρ at most a tenth too large for all orders: D_β/β ≤ D_α′/α for α ≤ β ≤ α′.

    Above the grid is D_∞/α, with e^D_∞ the largest ratio.
    """
    return ZCDP(max(map(_at_all_orders, found)))


def _at_all_orders(pair: Pair) -> Fraction:
    p, q = pair
    inside = (divergence(pair, high) / low for low, high in pairwise(GRID))
    top = max(max(p[x] / q[x], q[x] / p[x]) for x in p)
    with localcontext(prec=DIGITS):
        return max(*inside, Fraction(decimal(top).ln()) / GRID[-1]) + TINY


def keeps(pair: Pair, loss: ZCDP) -> bool:
    """At the orders that are looked at."""
    return all(divergence(pair, a) <= loss.rho * a + 2 * TINY for a in ORDERS)


@settings(max_examples=50)
@given(two_steps())
def test_two_answers_cost_the_sum_also_where_the_first_chooses_the_second(steps: TwoSteps) -> None:
    total = at_orders(steps.first) + at_orders(*steps.second.values())
    assert keeps(steps.joint, total)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_n_answers_cost_n_times_as_much_and_no_less(n: int) -> None:
    one = at_orders(response(2))
    assert keeps(times(n, response(2)), n * one)
    assert not keeps(times(n, response(2)), ZCDP(n * one.rho * (1 - Fraction(1, 10**20))))
    assert not keeps(times(2, response(2)), one)


def test_a_single_order_is_not_enough() -> None:
    """ρ = D_2/2 is exceeded at smaller orders: a loss is a promise at every order."""
    pair = response(Fraction(20))
    assert not keeps(pair, ZCDP(divergence(pair, Fraction(2)) / 2))


# --- groups --------------------------------------------------------------------------------------


def tilted(size: int, odds: Fraction) -> Weights:
    """The number of heads among `size` coins with these odds: near a normal law."""
    return law(*(comb(size, x) * odds**x for x in range(size + 1)))


@settings(max_examples=15)
@given(st.integers(1, 4).flatmap(chains))
def test_the_ends_of_a_chain_keep_the_loss_of_a_group(chain: list[Weights]) -> None:
    one = at_all_orders(*pairwise(chain))
    for end in range(len(chain)):
        assert keeps((chain[0], chain[end]), one.group(end))


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_group_costs_the_square_and_hardly_less(k: int) -> None:
    chain = [tilted(7, Fraction(11, 10) ** place) for place in range(k + 1)]
    one, ends = at_all_orders(*pairwise(chain)), (chain[0], chain[k])
    assert keeps(ends, one.group(k))
    for mutant in (k * one, ZCDP(Fraction(4, 5) * one.group(k).rho)):
        assert not keeps(ends, mutant)


def test_different_steps_add_up_by_their_roots() -> None:
    """(√ρ₁ + √ρ₂)², and neither ρ₁ + ρ₂ nor the larger of both twice."""
    a, b, c = (tilted(7, Fraction(11, 10) ** place) for place in (0, 1, 4))
    one, other = at_all_orders((a, b)), at_all_orders((b, c))
    with localcontext(prec=DIGITS):
        root = Fraction((decimal(one.rho).sqrt() + decimal(other.rho).sqrt()) ** 2)
    assert keeps((a, c), ZCDP(root + TINY))
    assert not keeps((a, c), one + other)


@given(st.fractions(0, 5), CHANCES)
def test_groups_that_need_no_rule(rho: Fraction, delta: Fraction) -> None:
    assert ZCDP(rho, delta).group(1) == ZCDP(rho, delta)
    assert ZCDP(rho, delta).group(0) == ZCDP(0, 0)
    assert ZCDP(rho).group(3) == ZCDP(9 * rho)


@pytest.mark.parametrize("delta", ["1e-4000", "1e-6", "0.999999999999999999999999", 1])
def test_a_group_with_a_purse_is_refused_with_a_cure(delta: str) -> None:
    with pytest.raises(LossError) as refused:
        ZCDP("1/3", delta).group(2)
    assert refused.value.code == "L06"
    assert ".to(dp.Approx" in refused.value.cure


def test_a_purse_does_not_carry_over_to_a_group() -> None:
    """With ρ = 0 a purse of δ means a distance of at most δ, and distances add up."""
    chain = [coin(Fraction(0)), coin(Fraction(1, 10)), coin(Fraction(1, 5))]
    purse = ZCDP(0, "1/10").delta
    assert [spread(step, Fraction(1)) for step in pairwise(chain)] == [purse, purse]
    assert spread((chain[0], chain[2]), Fraction(1)) == 2 * purse


# --- the purse -----------------------------------------------------------------------------------


def mixed(core: Weights, rest: Weights, delta: Fraction) -> dict[str, Fraction]:
    return {x: (1 - delta) * core[x] + delta * rest[x] for x in core}


@settings(max_examples=30)
@given(two_steps(), CHANCES, CHANCES)
def test_purses_add_up(steps: TwoSteps, one: Fraction, other: Fraction) -> None:
    """With the cores' joint law taken (1 − δ₁ − δ₂) times, nothing is left below zero."""
    count = len(steps.first[0])
    bad = law(*[1] * count), law(*range(count))
    total = ZCDP("1/2", one) + ZCDP("1/3", other)
    assert total == ZCDP("5/6", min(Fraction(1), one + other))
    for side in (0, 1):
        first = mixed(steps.first[side], bad[side], one)
        then = {x: mixed(pair[side], law(1, 1 + side), other) for x, pair in steps.second.items()}
        core = steps.joint[side]
        left = {x: w - (1 - total.delta) * core[x] for x, w in joint(first, then).items()}
        assert min(left.values()) >= 0
        assert sum(left.values()) == total.delta


def test_neither_purse_can_be_spared() -> None:
    """ρ = 0 leaves what is outside the purse the same, so the distance is at most the purse."""
    told = Fraction(1, 10)
    once, twice = leak(told), both(leak(told), leak(told))
    assert spread(once, Fraction(1)) == ZCDP(0, told).delta
    assert spread(twice, Fraction(1)) <= (ZCDP(0, told) + ZCDP(0, told)).delta
    assert spread(twice, Fraction(1)) > ZCDP(0, told).delta


def test_what_keeps_a_smaller_purse_keeps_a_larger_one() -> None:
    """Part of the core is put into the rest."""
    core, rest = coin(Fraction(1, 3)), coin(Fraction(1))
    small, large = Fraction(1, 10), Fraction(1, 4)
    moved = {x: ((large - small) * core[x] + small * rest[x]) / large for x in core}
    assert mixed(core, rest, small) == mixed(core, moved, large)
    assert sum(moved.values()) == 1
    assert ZCDP(1, small) <= ZCDP(1, large)
    assert ZCDP(1, large) <= ZCDP(2, large)
    assert not ZCDP(1, large) <= ZCDP(2, small)
    assert not ZCDP(2, small) <= ZCDP(1, large)


@settings(max_examples=40)
@given(pairs(), st.fractions(0, 3))
def test_what_keeps_a_loss_keeps_every_loss_above(pair: Pair, more: Fraction) -> None:
    found = at_orders(pair)
    assert found <= found + ZCDP(more)
    assert keeps(pair, found + ZCDP(more))
    p, q = pair
    assert keeps(pair, ZCDP(0)) == (p == q)


def test_decimals_agree_with_a_moment_by_hand() -> None:
    """D_2 of (2/3, 1/3) against (1/3, 2/3) is ln(4/3 + 1/6) = ln(3/2)."""
    with localcontext(prec=DIGITS):
        true = Decimal("1.5").ln()
        assert abs(decimal(divergence(response(2), Fraction(2))) - true) < Decimal("1e-50")
