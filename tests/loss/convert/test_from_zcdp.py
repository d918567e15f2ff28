"""The claims of from_zcdp.md: the best order of the moment bound, after the purse is set aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import isqrt

import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import LossError
from discreet.loss.convert import from_zcdp, moments, search
from discreet.loss.convert.ask import Ask
from discreet.numbers import Real, ball, down, exact, up
from tests.loss.convert.decimals import (
    bell_delta,
    concentrated_delta,
    concentrated_epsilon,
    decimal,
    precise,
)
from tests.loss.convert.pairs import ORDERS, Pair, pairs, response
from tests.loss.convert.points import LOOSE, Chooser, Drawn, Reading, strays

NEARLY = 1 + Fraction(LOOSE)
SIZES = ["1e-4000", "1e-300", "1e-30", "1e-9", "1", "1e9", "1e30", "1e60", "1e300", "1e4000"]


def _at_delta(chooser: Chooser) -> Drawn:
    """A rho, a purse that is often empty, and a delta above it."""
    purse = chooser.either(Fraction(0), chooser.delta())
    return chooser.any_size(), purse, purse + (1 - purse) * chooser.delta()


def _at_epsilon(chooser: Chooser) -> Drawn:
    """Epsilons up to some forty deviations of a normal law's loss from its mean."""
    rho = chooser.any_size()
    deviation = Fraction(isqrt(int(2 * rho * 10**80)), 10**40)
    epsilon = rho + chooser.either(-1, 1, 1) * chooser.size(-9, 1.6) * deviation
    nearest = max(Fraction(0), rho - 50)
    return rho, chooser.either(Fraction(0), chooser.delta()), max(nearest, epsilon)


def _mixed(purse: Fraction, rest: Decimal) -> Decimal:
    with precise():
        return decimal(purse) + decimal(1 - purse) * rest


def _line(rho: Fraction, order: Fraction) -> Decimal:
    with precise():
        return decimal(order) * decimal(rho)


EPSILON = Reading(
    "epsilon",
    _at_delta,
    lambda rho, purse, delta: dp.ZCDP(rho, purse).to(dp.Approx, delta=delta).epsilon,
    lambda rho, purse, delta: concentrated_epsilon(rho, (delta - purse) / (1 - purse)),
)
DELTA = Reading(
    "delta",
    _at_epsilon,
    lambda rho, purse, epsilon: dp.ZCDP(rho, purse).to(dp.Approx, epsilon=epsilon).delta,
    lambda rho, purse, epsilon: _mixed(purse, concentrated_delta(rho, epsilon)),
)
RENYI = Reading(
    "renyi",
    lambda chooser: (chooser.any_size(), chooser.order()),
    lambda rho, order: dp.ZCDP(rho).to(dp.Renyi, orders=[order]).at(order),
    _line,
)
SEARCHED = [EPSILON, DELTA]


@pytest.mark.parametrize("reading", [*SEARCHED, RENYI], ids=lambda each: each.name)
@pytest.mark.parametrize("count", [60, pytest.param(4_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading, count: int) -> None:
    assert list(strays(reading, count)) == []


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", SEARCHED, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "up", down)
    assert any("below" in stray for stray in strays(reading, 30))


@pytest.mark.parametrize("reading", SEARCHED, ids=lambda each: each.name)
@pytest.mark.parametrize("off", [Fraction(1, 3), Fraction(999, 1000), Fraction(7)])
def test_a_bad_search_is_loose_and_never_wrong(
    reading: Reading, off: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search only chooses: whatever order it finds, the bound is computed there."""
    true = search.crossing

    def astray(rising: Callable[[arb], arb], low: Real, high: Real) -> Fraction:
        return off * true(rising, low, high)

    monkeypatch.setattr(from_zcdp, "crossing", astray)
    found = list(strays(reading, 30))
    assert found
    assert all("loose" in stray for stray in found)


def _textbook(rho: Fraction, purse: Fraction, delta: Fraction) -> Fraction:
    rest = (delta - purse) / (1 - purse)
    return up(lambda: ball(rho) + 2 * (-ball(rho) * ball(rest).log()).sqrt())


def _textbook_delta(rho: Fraction, purse: Fraction, epsilon: Fraction) -> Fraction:
    if epsilon <= rho:
        return Fraction(1)
    far = (epsilon - rho) / (2 * rho)
    return purse + (1 - purse) * up(lambda: 1 / (ball(rho) * ball(far) ** 2).exp())


@pytest.mark.parametrize(("reading", "code"), [(EPSILON, _textbook), (DELTA, _textbook_delta)])
def test_the_bound_of_the_textbooks_is_true_but_never_better(
    reading: Reading, code: Callable[..., Fraction]
) -> None:
    """ρ + 2√(ρ·ln 1/δ): BS16, Proposition 1.3."""
    found = list(strays(replace(reading, code=code), 40))
    assert found
    assert all("loose" in stray for stray in found)


def _forgets_the_purse(rho: Fraction, _: Fraction, delta: Fraction) -> Fraction:
    return dp.ZCDP(rho).to(dp.Approx, delta=delta).epsilon


def _forgets_the_purse_at_epsilon(rho: Fraction, _: Fraction, epsilon: Fraction) -> Fraction:
    return dp.ZCDP(rho).to(dp.Approx, epsilon=epsilon).delta


def _takes_the_larger(rho: Fraction, purse: Fraction, epsilon: Fraction) -> Fraction:
    return max(purse, dp.ZCDP(rho).to(dp.Approx, epsilon=epsilon).delta)


@pytest.mark.parametrize(
    ("reading", "code"),
    [
        (EPSILON, _forgets_the_purse),
        (DELTA, _forgets_the_purse_at_epsilon),
        (DELTA, _takes_the_larger),
    ],
)
def test_a_forgotten_purse_is_found(reading: Reading, code: Callable[..., Fraction]) -> None:
    assert any("below" in stray for stray in strays(replace(reading, code=code), 40))


# --- the definitions -----------------------------------------------------------------------------


def conversions(loss: dp.ZCDP) -> list[dp.Loss]:
    given_delta = [loss.to(dp.Approx, delta=d) for d in ("1e-6", "1/100", "1/5", "2/3", "1")]
    chosen = [loss.to(dp.Approx, epsilon=e) for e in ("0", "1/10", "1/2", "1", "3")]
    return [*given_delta, *chosen, loss.to(dp.Renyi, orders=ORDERS)]


@settings(max_examples=10)
@given(pairs())
def test_what_follows_holds_for_any_two_laws(pair: Pair) -> None:
    loss = pair.zcdp()
    assert loss is not None
    assert [found for found in conversions(loss) if not pair.keeps(found)] == []


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(19), Fraction(10**6)])
def test_what_follows_holds_for_randomised_response_with_its_own_rho(ratio: Fraction) -> None:
    pure = response(ratio).pure()
    assert pure is not None
    loss = pure.to(dp.ZCDP)
    assert [found for found in conversions(loss) if not response(ratio).keeps(found)] == []


@pytest.mark.parametrize("square", ["1/100", "1", "9", "100"])
@pytest.mark.parametrize("epsilon", ["0", "1/10", "1", "5", "40"])
def test_what_follows_holds_for_the_normal_law(square: str, epsilon: str) -> None:
    """Its ρ is μ²/2, and its profile is known in another way."""
    found = dp.ZCDP(exact(square) / 2).to(dp.Approx, epsilon=epsilon).delta
    with precise():
        assert bell_delta(exact(square), exact(epsilon)) <= decimal(found)


# --- laws and corners ----------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.fractions(0, 9, max_denominator=10**9),
    st.fractions(0, 9, max_denominator=10**9),
    st.fractions("1/1000000000", 1),
    st.fractions("1/1000000000", 1),
    st.fractions(0, 9),
)
def test_a_larger_rho_and_a_smaller_delta_cost_more(
    one: Fraction, other: Fraction, delta: Fraction, wider: Fraction, epsilon: Fraction
) -> None:
    small, large = (dp.ZCDP(rho) for rho in sorted((one, other)))
    less, more = sorted((delta, wider))
    costs = [loss.to(dp.Approx, delta=less).epsilon for loss in (small, large)]
    assert costs[0] <= costs[1] * NEARLY
    assert large.to(dp.Approx, delta=more).epsilon <= costs[1] * NEARLY
    spread = [loss.to(dp.Approx, epsilon=epsilon).delta for loss in (small, large)]
    assert spread[0] <= spread[1] * NEARLY
    assert small.to(dp.Renyi, orders=[2, 9]) <= large.to(dp.Renyi, orders=[2, 9])


@settings(max_examples=40)
@given(st.fractions("1/1000", 9), st.fractions(0, "1/2"), st.fractions("1/1000000000", "9/10"))
def test_there_and_back_gains_nothing(rho: Fraction, purse: Fraction, share: Fraction) -> None:
    loss = dp.ZCDP(rho, purse)
    there = loss.to(dp.Approx, delta=purse + (1 - purse) * share)
    # Where epsilon was cut off at zero, less than delta would have been enough.
    again = loss.to(dp.Approx, epsilon=there.epsilon).delta
    assert again <= there.delta * NEARLY
    if there.epsilon > 0:
        assert again >= there.delta * (1 - Fraction(1, 10**15))
        assert there.to(dp.ZCDP).delta == there.delta


def test_corners() -> None:
    purse = dp.ZCDP(1, "1/4")
    assert purse.to(dp.Approx, delta=1) == dp.Approx(0, 1)
    assert dp.ZCDP(1, 1).to(dp.Approx, delta=1) == dp.Approx(0, 1)
    assert dp.ZCDP(1, 1).to(dp.Approx, epsilon=2) == dp.Approx(2, 1)
    assert dp.ZCDP(0, "1/4").to(dp.Approx) == dp.Approx(0, "1/4")
    assert dp.ZCDP(0, "1/4").to(dp.Approx, epsilon=2) == dp.Approx(2, "1/4")
    assert dp.ZCDP(0, "1/4").to(dp.Approx, delta="1/2") == dp.Approx(0, "1/2")
    assert dp.ZCDP(0).to(dp.Approx) == dp.Approx(0, 0)
    assert dp.ZCDP(0).to(dp.Renyi, orders=[2]) == dp.Renyi({2: 0})
    assert dp.ZCDP("1/2").to(dp.Renyi, orders=["3/2", 4]) == dp.Renyi({"3/2": "3/4", 4: 2})


@pytest.mark.parametrize(
    ("loss", "delta"),
    [
        (dp.ZCDP(1), None),
        (dp.ZCDP(1), 0),
        (dp.ZCDP(1, "1/4"), None),
        (dp.ZCDP(1, "1/4"), "1/4"),
        (dp.ZCDP(1, "1/4"), "1/5"),
        (dp.ZCDP(0, "1/4"), 0),
        (dp.ZCDP(1, 1), "1/2"),
    ],
)
def test_a_delta_that_is_missing_or_too_small_is_refused(
    loss: dp.ZCDP, delta: str | int | None
) -> None:
    with pytest.raises(LossError) as refused:
        from_zcdp.to_approx(loss, Ask.of(delta=delta))
    assert refused.value.code == "L09"


def test_a_purse_has_no_orders() -> None:
    with pytest.raises(LossError) as refused:
        dp.ZCDP(1, "1e-300").to(dp.Renyi)
    assert refused.value.code == "L11"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("delta", ["1e-4000", "1e-300", "1e-6", "0.4"])
def test_the_bound_stays_between_the_normal_law_and_the_textbook_at_any_size(
    size: str, delta: str
) -> None:
    """For δ < 0.4 the normal law with μ² = 2ρ needs ε > ρ once ρ is large."""
    rho = exact(size)
    found = dp.ZCDP(rho).to(dp.Approx, delta=delta).epsilon
    assert found <= _textbook(rho, Fraction(0), exact(delta)) * NEARLY
    assert rho < 100 or found > rho


@pytest.mark.parametrize("size", SIZES)
def test_what_is_far_from_rho_proves_nothing_or_all_but_everything(size: str) -> None:
    rho = exact(size)
    # For rho beyond some hundred there is nothing between: its part in 10^50 is no number of ours.
    near = dp.ZCDP(rho).to(dp.Approx, epsilon=rho / 2).delta
    assert rho < 10**9 or near > 1 - Fraction(1, 10**50)
    far = dp.ZCDP(rho).to(dp.Approx, epsilon=rho + 200 * max(rho, Fraction(1))).delta
    assert far < Fraction(1, 10**80)
