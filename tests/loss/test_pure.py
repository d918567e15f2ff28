"""The claims of pure.md, on laws whose ratios are found by going through all events."""

from __future__ import annotations

from decimal import localcontext
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from discreet.loss import Pure
from tests.laws.strategies import (
    Pair,
    TwoSteps,
    chains,
    coin,
    log_up,
    pairs,
    response,
    times,
    two_steps,
)
from tests.loss import brute
from tests.loss.brute import DIGITS, Weights, decimal

NOTHING = Fraction(0)


def ratio(pair: Pair) -> Fraction:
    """The least t with p(S) ≤ t·q(S) and q(S) ≤ t·p(S) for every event."""
    p, q = pair
    there, back = brute.least_ratio(p, q, NOTHING), brute.least_ratio(q, p, NOTHING)
    assert there is not None
    assert back is not None
    return max(there, back)


def lost(*found: Pair) -> Pure:
    """The loss of these pairs, rounded up."""
    return Pure(log_up(max(map(ratio, found))))


def keeps(pair: Pair, loss: Pure) -> bool:
    with localcontext(prec=DIGITS):
        return decimal(ratio(pair)) <= decimal(loss.epsilon).exp()


def barely(loss: Pure) -> Pure:
    """A little less, but by more than what was rounded."""
    return Pure(loss.epsilon * (1 - Fraction(1, 10**15)))


@settings(max_examples=80)
@given(two_steps())
def test_two_answers_cost_the_sum_also_where_the_first_chooses_the_second(steps: TwoSteps) -> None:
    first, second = lost(steps.first), lost(*steps.second.values())
    assert keeps(steps.joint, first + second)


def test_a_sum_is_attained_so_nothing_smaller_is_true() -> None:
    steps = TwoSteps(response(3), {"a": response(2), "b": response(Fraction(7, 5))})
    first, second = lost(response(3)), lost(response(2))
    assert keeps(steps.joint, first + second)
    for mutant in (barely(first + second), first, Pure(max(first.epsilon, second.epsilon))):
        assert not keeps(steps.joint, mutant)


@pytest.mark.parametrize("n", range(4))
def test_n_answers_cost_n_times_as_much_and_no_less(n: int) -> None:
    many = times(n, response(Fraction(3, 2)))
    assert keeps(many, n * lost(response(Fraction(3, 2))))
    if n > 0:
        assert not keeps(many, barely(n * lost(response(Fraction(3, 2)))))


@settings(max_examples=60)
@given(st.integers(1, 5).flatmap(chains))
def test_the_ends_of_a_chain_keep_the_loss_of_a_group(chain: list[Weights]) -> None:
    one = lost(*pairwise(chain))
    for end in range(len(chain)):
        assert keeps((chain[0], chain[end]), one.group(end))


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_a_group_costs_no_less_than_k_times_as_much(k: int) -> None:
    chain = [coin(Fraction(3**i, 10**6)) for i in range(k + 1)]
    one = lost(*pairwise(chain))
    assert keeps((chain[0], chain[k]), one.group(k))
    assert not keeps((chain[0], chain[k]), barely(one.group(k)))


@given(pairs(), st.fractions(0, 4), st.fractions(0, 4))
def test_what_keeps_a_loss_keeps_every_loss_above(
    pair: Pair, one: Fraction, more: Fraction
) -> None:
    less, larger = lost(pair), lost(pair) + Pure(more)
    assert less <= larger
    assert keeps(pair, larger)
    assert not keeps(pair, Pure(one)) or less <= Pure(one) + Pure("1e-20")


@given(pairs())
def test_no_loss_means_equal_laws(pair: Pair) -> None:
    p, q = pair
    assert keeps(pair, Pure(0)) == (p == q)
    assert keeps((p, p), Pure(0))
    assert lost((p, p)) == Pure(7).zero() == Pure(7).group(0) == 0 * Pure(7)


def test_one_direction_says_nothing_of_the_other() -> None:
    certain, fair = coin(Fraction(1)), coin(Fraction(1, 2))
    assert brute.least_ratio(certain, fair, NOTHING) == 2
    assert brute.least_ratio(fair, certain, NOTHING) is None


def test_sums_are_exact() -> None:
    parts = [Pure(Fraction(1, n)) for n in range(1, 200)]
    whole = sum(parts, start=Pure(0))
    assert whole.epsilon == sum(Fraction(1, n) for n in range(1, 200))
    assert 10 * Pure(0.1) == Pure(1)
    assert Pure(0.1).epsilon == Fraction(1, 10)
