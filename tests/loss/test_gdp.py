"""The claims of gdp.md, on laws whose events are held against two normal laws one by one."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

import flint
import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

from discreet.loss import GDP
from discreet.numbers import ball, up
from tests.laws.strategies import (
    NUMBERS,
    Pair,
    TwoSteps,
    both,
    chains,
    coin,
    pairs,
    response,
    times,
    two_steps,
)
from tests.loss import brute
from tests.loss.brute import Weights

BITS: Final = 300
SLACK: Final = Fraction(1, 2**60)
Chances: TypeAlias = tuple[Fraction, Fraction]


def quantile(chance: Fraction) -> arb:
    """Φ⁻¹, from Φ(z) = (1 + erf(z/√2))/2."""
    return arb(2).sqrt() * ball(2 * chance - 1).erfinv()


def normal(z: Fraction) -> Fraction:
    """Φ(z), rounded up by less than 1 in 2^70."""
    return up(lambda: (-ball(z) / arb(2).sqrt()).erfc() / 2)


def told(p: Weights, q: Weights) -> list[Chances]:
    """p(S) < q(S) for the events that say something."""
    return [(of_p, of_q) for of_p, of_q in brute.events(p, q) if 0 < of_p < of_q < 1]


def gap(event: Chances) -> Fraction:
    """How far apart two normal laws must be to show this event, rounded up."""
    of_p, of_q = event
    return up(lambda: quantile(of_q) - quantile(of_p))


def lost(*found: Pair) -> GDP:
    """The least μ with Φ⁻¹(q(S)) ≤ Φ⁻¹(p(S)) + μ for every event, rounded up."""
    events = [event for p, q in found for event in (*told(p, q), *told(q, p))]
    return GDP(max(map(gap, events), default=0))


def beyond(events: Iterable[Chances], loss: GDP) -> bool:
    """Whether one of the events certainly lies above what the loss allows."""
    with flint.ctx.workprec(BITS):
        mu = ball(loss.square).sqrt()
        return any(quantile(of_q) - quantile(of_p) > mu for of_p, of_q in events)


def keeps(pair: Pair, loss: GDP) -> bool:
    p, q = pair
    return not beyond([*told(p, q), *told(q, p)], loss + GDP(SLACK))


def cut(mu: Fraction, width: Fraction, reach: int) -> Pair:
    """Two normal laws of deviation one, `mu` apart, seen through a grid."""
    ends = [width * place for place in range(-reach, reach + 1)]

    def seen(middle: Fraction) -> dict[str, Fraction]:
        below = [Fraction(0), *(normal(end - middle) for end in ends), Fraction(1)]
        return {chr(65 + place): high - low for place, (low, high) in enumerate(pairwise(below))}

    return seen(Fraction(0)), seen(mu)


def broken(pair: Pair, loss: GDP) -> bool:
    """Whether an event above some likelihood ratio breaks the loss."""
    p, q = pair
    by_ratio = sorted(p, key=lambda x: q[x] / p[x], reverse=True)[:-1]
    sums = (accumulate([law[x] for x in by_ratio]) for law in pair)
    return beyond(zip(*sums, strict=True), loss)


# --- sums ----------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(two_steps())
def test_two_answers_cost_the_sum_also_where_the_first_chooses_the_second(steps: TwoSteps) -> None:
    first, second = lost(steps.first), lost(*steps.second.values())
    assert keeps(steps.joint, first + second)


def test_squares_add_up_and_hardly_less_is_true() -> None:
    """Normal laws seen through a grid come close to the claim, which is exact for normal laws."""
    one = cut(Fraction(1), Fraction(1, 2), 6)
    loss = GDP(1 + SLACK)
    assert not broken(one, loss)
    assert broken(one, GDP("0.97"))
    assert not broken(both(one, one), loss + loss)
    assert (GDP(1) + GDP(1)).square == 2
    for mutant in (loss, GDP.root("1.8")):
        assert broken(both(one, one), mutant)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_n_answers_cost_the_root_of_n_times_as_much(n: int) -> None:
    one = lost(response(2))
    assert keeps(times(n, response(2)), n * one)
    assert (n * one).square == n * one.square
    assert n == 1 or broken(times(n, response(2)), one)


def test_sums_are_exact_where_roots_are_not() -> None:
    assert GDP.root(2) + GDP.root(2) == GDP(2)
    assert sum([GDP.root(Fraction(1, 10))] * 10, start=GDP(0)) == GDP(1)
    assert GDP(3) + GDP(4) == GDP(5)
    assert 4 * GDP("1/3") == GDP("2/3")


# --- groups --------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(1, 4).flatmap(chains))
def test_the_ends_of_a_chain_keep_the_loss_of_a_group(chain: list[Weights]) -> None:
    one = lost(*pairwise(chain))
    for end in range(len(chain)):
        assert keeps((chain[0], chain[end]), one.group(end))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_group_costs_k_times_as_much_and_no_less(k: int) -> None:
    """Φ(0), Φ(μ), Φ(2μ), …: every step keeps μ, and the ends need all of kμ."""
    mu = Fraction(1, 3)
    chain = [coin(normal(mu * place)) for place in range(k + 1)]
    one, ends = GDP(mu + SLACK), (chain[0], chain[k])
    assert all(keeps(step, one) for step in pairwise(chain))
    assert keeps(ends, one.group(k))
    for mutant in (k * one, GDP(k * mu * (1 - Fraction(1, 10**12))), GDP((k - 1) * mu)):
        assert not keeps(ends, mutant)
    assert one.group(k).mu == k * one.mu


@given(NUMBERS)
def test_groups_of_none_and_one(square: Fraction) -> None:
    loss = GDP.root(square)
    assert loss.group(1) == loss
    assert loss.group(0) == loss.zero() == 0 * loss == GDP(0)


# --- the order -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(pairs(), NUMBERS)
def test_what_keeps_a_loss_keeps_every_loss_above(pair: Pair, more: Fraction) -> None:
    found = lost(pair)
    assert found <= found + GDP.root(more)
    assert keeps(pair, found + GDP.root(more))
    p, q = pair
    assert keeps(pair, GDP(0)) == (p == q)


@settings(max_examples=40)
@given(pairs())
def test_one_direction_is_as_good_as_both(pair: Pair) -> None:
    """Turning an event into its complement turns one direction into the other."""
    p, q = pair
    there, back = (max(map(gap, told(*way)), default=Fraction(0)) for way in ((p, q), (q, p)))
    assert abs(there - back) <= SLACK


# --- the root ------------------------------------------------------------------------------------


@given(NUMBERS | st.fractions(0, 10**40))
def test_mu_is_the_root_rounded_up_and_barely(square: Fraction) -> None:
    mu = GDP.root(square).mu
    assert mu**2 >= square
    assert (mu * (1 - Fraction(1, 2**75))) ** 2 < square or square == 0


@given(NUMBERS | st.fractions(0, 10**40))
def test_a_rational_root_is_exact(mu: Fraction) -> None:
    assert GDP(mu).mu == mu
    assert GDP(mu).square == mu**2
    assert GDP(mu) == GDP.root(mu**2)


@pytest.mark.parametrize("square", [2, Fraction(1, 2), Fraction(4, 3), Fraction(3, 4), 10**3 + 1])
def test_an_irrational_root_is_not_taken_for_a_rational_one(square: Fraction) -> None:
    loss = GDP.root(square)
    assert loss.mu**2 > square
    assert str(loss).startswith("mu=sqrt(")
    assert loss.square == square
