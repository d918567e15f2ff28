"""The claims of approx.md, on laws whose deltas are found by going through all events."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.loss import Approx
from tests.laws.strategies import (
    Pair,
    TwoSteps,
    both,
    chains,
    coin,
    leak,
    log_up,
    pairs,
    response,
    spread,
    times,
    two_steps,
)
from tests.loss.brute import DIGITS, Weights, decimal

RATIOS: Final = st.sampled_from([Fraction(1), Fraction(4, 3), Fraction(2), Fraction(5)])
TENTH: Final = Fraction(1, 10)


def lost(t: Fraction, *found: Pair) -> Approx:
    """ln(t), rounded up, with the delta of these pairs at t."""
    return Approx(log_up(t), max(spread(pair, t) for pair in found))


def keeps(pair: Pair, loss: Approx) -> bool:
    """Whether no event is likelier than e^ε times the other side and delta more."""
    with localcontext(prec=DIGITS):
        ratio = Fraction(decimal(loss.epsilon).exp())
    return spread(pair, ratio) <= loss.delta + Fraction(1, 10**50)


@settings(max_examples=60)
@given(two_steps(), RATIOS, RATIOS)
def test_two_answers_cost_the_sum_also_where_the_first_chooses_the_second(
    steps: TwoSteps, s: Fraction, t: Fraction
) -> None:
    total = lost(s, steps.first) + lost(t, *steps.second.values())
    assert spread(steps.joint, s * t) <= total.delta
    assert keeps(steps.joint, total)


def test_neither_part_of_a_sum_can_be_spared() -> None:
    leaks, answers = leak(TENTH), response(2)
    one, other = lost(Fraction(1), leaks), lost(Fraction(2), answers)
    assert one.delta == TENTH
    assert other.delta == 0
    assert keeps(both(leaks, leaks), one + one)
    assert not keeps(both(leaks, leaks), one)
    assert keeps(both(answers, answers), other + other)
    assert not keeps(both(answers, answers), other)
    assert keeps(both(leaks, answers), one + other)
    assert not keeps(both(leaks, answers), one)
    assert not keeps(both(leaks, answers), other)


@pytest.mark.parametrize("n", [1, 2])
def test_n_answers_cost_n_times_as_much(n: int) -> None:
    """A leak shows that (n − 1)·δ is too little while δ is small: 1 − (1 − δ)^n."""
    small = Fraction(1, 10**3)
    assert spread(times(n, leak(small)), Fraction(1)) == 1 - (1 - small) ** n
    assert keeps(times(n, leak(small)), n * lost(Fraction(1), leak(small)))
    assert not keeps(times(n, leak(small)), (n - 1) * lost(Fraction(1), leak(small)))


@given(pairs())
def test_a_delta_of_one_is_true_of_every_pair_so_sums_stop_there(pair: Pair) -> None:
    assert keeps(pair, Approx(0, 1))
    assert 5 * Approx(0, "1/3") == Approx(0, "2/3") + Approx(0, "1/2") == Approx(0, 1)
    assert Approx(0, "9/10").group(2) == Approx(0, 1)


# --- groups --------------------------------------------------------------------------------------


def geometric(epsilon: Fraction, delta: Fraction, k: int) -> Decimal:
    """δ·(1 + e^ε + … + e^((k−1)ε)), term by term."""
    with localcontext(prec=DIGITS):
        terms = (decimal(epsilon * i).exp() for i in range(k))
        return decimal(delta) * sum(terms, Decimal(0))


@settings(max_examples=60)
@given(st.integers(1, 5).flatmap(chains), RATIOS)
def test_the_ends_of_a_chain_keep_the_loss_of_a_group(chain: list[Weights], t: Fraction) -> None:
    one = lost(t, *pairwise(chain))
    for end in range(len(chain)):
        found = one.group(end)
        assert spread((chain[0], chain[end]), t**end) <= found.delta
        assert keeps((chain[0], chain[end]), found)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("t", [Fraction(6, 5), Fraction(2)])
def test_a_group_is_attained_so_nothing_smaller_is_true(k: int, t: Fraction) -> None:
    """Each step keeps (ln t, δ), and all of them together need the whole geometric sum."""
    delta = Fraction(1, 1000)
    heads = [Fraction(1, 500)]
    while len(heads) <= k:
        heads.append(t * heads[-1] + delta)
    chain = [coin(chance) for chance in reversed(heads)]
    one, ends = lost(t, *pairwise(chain)), (chain[0], chain[k])
    assert one.delta == delta
    whole = delta * (t**k - 1) / (t - 1)
    assert spread(ends, t**k) == whole
    assert keeps(ends, one.group(k))
    for mutant in (k * delta, delta * t ** (k - 1), whole * (1 - Fraction(1, 10**12))):
        assert not keeps(ends, Approx(one.group(k).epsilon, mutant))
    assert not keeps(ends, Approx((k - 1) * one.epsilon, one.group(k).delta))


@settings(max_examples=150)
@given(
    st.fractions(0, 40, max_denominator=100) | st.sampled_from([Fraction(1, 10**40)]),
    st.fractions(0, 1) | st.sampled_from([Fraction(1, 10**n) for n in (6, 30, 200)]),
    st.integers(0, 12),
)
def test_the_delta_of_a_group_is_rounded_up_and_barely(
    epsilon: Fraction, delta: Fraction, k: int
) -> None:
    found = Approx(epsilon, delta).group(k)
    true = geometric(epsilon, delta, k)
    assert found.epsilon == k * epsilon
    with localcontext(prec=DIGITS):
        if found.delta == 1:
            assert true >= 1 - Decimal(2) ** -70
        else:
            assert true <= decimal(found.delta) * (1 + Decimal("1e-55"))
            assert decimal(found.delta) <= true * (1 + Decimal(2) ** -70)


@pytest.mark.parametrize(
    ("loss", "k", "found"),
    [
        (Approx(1, "1e-6"), 0, Approx(0, 0)),
        (Approx(1, "1e-6"), 1, Approx(1, "1e-6")),
        (Approx(1, 0), 7, Approx(7, 0)),
        (Approx(0, "1e-6"), 7, Approx(0, "7e-6")),
        (Approx(0, "1/3"), 4, Approx(0, 1)),
        (Approx(3, 1), 2, Approx(6, 1)),
        (Approx(1, "1e-6"), 10**400, Approx(10**400, 1)),
        (Approx(10**400, "1e-4000"), 2, Approx(2 * 10**400, 1)),
    ],
)
def test_groups_that_come_out_exactly(loss: Approx, k: int, found: Approx) -> None:
    assert loss.group(k) == found


def test_a_group_of_minute_losses_can_be_written_down() -> None:
    found = Approx(1, "1e-4000").group(3).delta
    with localcontext(prec=DIGITS):
        true = geometric(Fraction(1), Fraction(1, 10**4000), 3)
        assert true <= decimal(found) <= true * (1 + Decimal("1e-6"))
    assert found.denominator <= 2**13_312


# --- the order -----------------------------------------------------------------------------------


@given(pairs(), RATIOS, st.fractions(0, 1), st.fractions(0, 1))
def test_what_keeps_a_loss_keeps_every_loss_above(
    pair: Pair, t: Fraction, more: Fraction, wider: Fraction
) -> None:
    found = lost(t, pair)
    above = Approx(found.epsilon + more, min(Fraction(1), found.delta + wider))
    assert found <= above
    assert keeps(pair, above)


def test_the_order_claims_no_more_than_its_two_parts() -> None:
    """Every pair that keeps (ln 3, 0) keeps (0, 1/2), too; that is a conversion, not the order."""
    pure, total = lost(Fraction(3), response(3)), Approx(0, "1/2")
    assert keeps(response(3), pure)
    assert keeps(response(3), total)
    assert not keeps(response(3), Approx(0, "0.4999"))
    assert not pure <= total
    assert not total <= pure


def test_one_direction_says_nothing_of_the_other() -> None:
    p, q = coin(Fraction(1)), coin(Fraction(1, 2))
    assert keeps((p, q), Approx(log_up(Fraction(2)), "1/2"))
    assert not keeps((p, q), Approx(log_up(Fraction(2)), "0.49"))
    assert max(p[x] - 2 * q[x] for x in p) == 0
