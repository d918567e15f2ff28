"""The claims of from_pure.md: each edge is what randomised response has, rounded up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.loss.convert import from_pure
from discreet.numbers import Real, ball, down, exact, up
from tests.loss.convert.decimals import (
    bell_error,
    decimal,
    precise,
    response_delta,
    response_epsilon,
    response_error,
    response_renyi,
    response_rho,
)
from tests.loss.convert.pairs import Pair, pairs, response
from tests.loss.convert.points import KNOWN, LOOSE, Chooser, Drawn, Reading, Root, strays

NEARLY = 1 + Fraction(LOOSE)
RATIOS = [Fraction(n) for n in ("1", "1001/1000", "3/2", "3", "19", "1000000")]


def _chosen(chooser: Chooser) -> Drawn:
    epsilon = chooser.any_size()
    return epsilon, epsilon * chooser.share()


def _rho(epsilon: Fraction) -> Fraction:
    return dp.Pure(epsilon).to(dp.ZCDP).rho


def _square(epsilon: Fraction) -> Fraction:
    return dp.Pure(epsilon).to(dp.GDP).square


def _as_far(square: Fraction, epsilon: Fraction) -> bool:
    """Whether two normal laws are as easily told apart as the two answers are."""
    (mistaken, off), (needed, away) = bell_error(square), response_error(epsilon)
    with precise():
        return mistaken <= needed * (1 + KNOWN) and off >= away * (1 - KNOWN)


DELTA = Reading(
    "delta",
    _chosen,
    lambda epsilon, chosen: dp.Pure(epsilon).to(dp.Approx, epsilon=chosen).delta,
    response_delta,
)
EPSILON = Reading(
    "epsilon",
    lambda chooser: (chooser.any_size(), chooser.delta()),
    lambda epsilon, delta: dp.Pure(epsilon).to(dp.Approx, delta=delta).epsilon,
    response_epsilon,
)
RHO = Reading("rho", lambda chooser: (chooser.any_size(),), _rho, response_rho)
RENYI = Reading(
    "renyi",
    lambda chooser: (chooser.any_size(), chooser.order()),
    lambda epsilon, order: dp.Pure(epsilon).to(dp.Renyi, orders=[order]).at(order),
    response_renyi,
)
MU = Root(
    "mu",
    lambda chooser: (chooser.any_size(),),
    _square,
    _as_far,
    lambda square, _: square * Fraction(1, 10**23),
)
ALL = [DELTA, EPSILON, RHO, RENYI, MU]


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("count", [100, pytest.param(12_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading | Root, count: int) -> None:
    assert list(strays(reading, count)) == []


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading | Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_pure, "up", down)
    assert any("below" in stray for stray in strays(reading, 40))


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_a_part_in_a_sextillion_less_is_found(
    reading: Reading | Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(real: Real) -> Fraction:
        return up(real) * (1 - Fraction(1, 2**70))

    monkeypatch.setattr(from_pure, "up", short)
    assert any("below" in stray for stray in strays(reading, 40))


@pytest.mark.parametrize(
    "rho",
    [
        lambda epsilon: epsilon**2 / 8,
        lambda epsilon: up(lambda: ball(epsilon) + (-ball(epsilon)).exp() - 1),
    ],
    ids=["the exponential mechanism's", "the continuous Laplace law's"],
)
def test_the_constants_of_particular_mechanisms_are_too_small(
    rho: Callable[[Fraction], Fraction],
) -> None:
    assert any("below" in stray for stray in strays(replace(RHO, code=rho), 40))


def test_half_of_the_square_is_true_but_loose() -> None:
    found = list(strays(replace(RHO, code=lambda epsilon: epsilon**2 / 2), 40))
    assert found
    assert all("loose" in stray for stray in found)


def test_the_bound_of_many_textbooks_for_delta_is_loose() -> None:
    """δ = e^ε − e^ε′ forgets that no answer has all the weight."""

    def forgetful(epsilon: Fraction, chosen: Fraction) -> Fraction:
        return up(lambda: ball(epsilon).exp() - ball(chosen).exp())

    assert any("loose" in stray for stray in strays(replace(DELTA, code=forgetful), 40))


# --- the definitions -----------------------------------------------------------------------------


def conversions(loss: dp.Pure) -> list[dp.Loss]:
    chosen: list[dp.Loss] = [loss.to(dp.Approx, epsilon=loss.epsilon * n / 4) for n in range(5)]
    given_delta = [loss.to(dp.Approx, delta=d) for d in ("0", "1e-6", "1/100", "1/5", "2/3", "1")]
    others = [loss.to(dp.ZCDP), loss.to(dp.Renyi, orders=["9/8", 2, 5, 50]), loss.to(dp.GDP)]
    return [*chosen, *given_delta, *others]


@settings(max_examples=30)
@given(pairs())
def test_what_follows_holds_for_any_two_laws(pair: Pair) -> None:
    loss = pair.pure()
    assert loss is not None
    assert [found for found in conversions(loss) if not pair.keeps(found)] == []


@pytest.mark.parametrize("ratio", RATIOS)
def test_randomised_response_has_all_that_is_claimed(ratio: Fraction) -> None:
    loss = response(ratio).pure()
    assert loss is not None
    assert all(response(ratio).keeps(found) for found in conversions(loss))


@pytest.mark.parametrize("ratio", RATIOS[1:])
def test_randomised_response_has_nothing_less(ratio: Fraction) -> None:
    """A hundredth less than what is claimed is false of it."""
    pair, less = response(ratio), Fraction(99, 100)
    loss = pair.pure()
    assert loss is not None
    for chosen in (loss.epsilon * n / 4 for n in range(4)):
        delta = loss.to(dp.Approx, epsilon=chosen).delta
        assert not pair.keeps(dp.Approx(chosen, less * delta))
    curve = loss.to(dp.Renyi, orders=[2, 5])
    assert not pair.keeps(dp.Renyi([(o, less * e) for o, e in curve.curve]))
    assert not pair.keeps(dp.ZCDP(Fraction(9, 10) * loss.to(dp.ZCDP).rho))
    likely = pair.p["yes"]
    square = less * loss.to(dp.GDP).square
    with precise():
        assert Decimal("0.5") + bell_error(square)[1] < decimal(likely)


def test_the_answer_yes_has_delta_exactly() -> None:
    """At ε = ln 3 the answers weigh 3/4 and 1/4; above 2 : 1 stands 3/4 − 2/4."""
    epsilon = up(lambda: ball(3).log())
    found = dp.Pure(epsilon).to(dp.Approx, epsilon=up(lambda: ball(2).log())).delta
    assert abs(found - Fraction(1, 4)) < Fraction(1, 10**23)


# --- laws and corners ----------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.fractions(0, 20), st.fractions(0, 20), st.fractions(0, 1), st.fractions(0, 1))
def test_a_larger_loss_and_a_smaller_delta_cost_more(
    one: Fraction, other: Fraction, delta: Fraction, wider: Fraction
) -> None:
    small, large = (dp.Pure(e) for e in sorted((one, other)))
    less, more = sorted((delta, wider))
    assert small.to(dp.ZCDP) <= large.to(dp.ZCDP)
    assert small.to(dp.GDP) <= large.to(dp.GDP)
    assert small.to(dp.Renyi, orders=[2, 9]) <= large.to(dp.Renyi, orders=[2, 9])
    assert small.to(dp.Approx, delta=less) <= large.to(dp.Approx, delta=less)
    assert small.to(dp.Approx, epsilon=1) <= large.to(dp.Approx, epsilon=1)
    # But for the rounding, which is not the same for two deltas.
    most = large.to(dp.Approx, delta=less).epsilon * NEARLY
    assert large.to(dp.Approx, delta=more).epsilon <= most


@settings(max_examples=60)
@given(st.fractions(0, 50), st.fractions(0, 1))
def test_there_and_back_gains_nothing(epsilon: Fraction, delta: Fraction) -> None:
    loss = dp.Pure(epsilon)
    assert loss.to(dp.Approx).to(dp.Pure) == loss
    assert loss.to(dp.Approx, delta=0) == dp.Approx(epsilon, 0)
    there = loss.to(dp.Approx, delta=delta)
    assert loss.to(dp.Approx, epsilon=there.epsilon).delta <= delta * NEARLY
    back = there.to(dp.Approx, epsilon=epsilon)
    assert back.epsilon == epsilon
    assert back.delta >= delta


def test_all_orders_from_near_one_to_thousands_are_laid_down() -> None:
    curve = dp.Pure(1).to(dp.Renyi).curve
    # Not all 128: what follows from its neighbours by a chord is not kept.
    assert (curve[0][0], curve[-1][0]) == (Fraction(17, 16), Fraction(3841))
    assert 64 < len(curve) <= 128
    assert all(epsilon <= 1 for _, epsilon in curve)


def test_nothing_costs_nothing() -> None:
    nothing = dp.Pure(0)
    assert nothing.to(dp.ZCDP) == dp.ZCDP(0)
    assert nothing.to(dp.GDP) == dp.GDP(0)
    assert nothing.to(dp.Renyi, orders=["1.000000001", 2]) == dp.Renyi({2: 0})
    assert nothing.to(dp.Approx) == dp.Approx(0, 0)
    assert nothing.to(dp.Approx, delta="1/2") == dp.Approx(0, "1/2")
    assert nothing.to(dp.Approx, epsilon=1) == dp.Approx(1, 0)
    assert dp.Pure(3).to(dp.Approx, delta=1) == dp.Approx(0, 1)
    assert dp.Pure(3).to(dp.Approx, epsilon=4) == dp.Approx(4, 0)


@pytest.mark.parametrize("size", ["1e18", "1e30", "1e300", "1e4000"])
def test_enormous_losses(size: str) -> None:
    """Randomised response at such an epsilon is all but a plain answer: ρ → ε, D → ε, and
    P(N > x) < e^(−x²/2)/2 gives μ² ≤ 8ε, of which the logarithm of ε is missing."""
    epsilon = exact(size)
    loss = dp.Pure(epsilon)
    assert epsilon <= loss.to(dp.ZCDP).rho <= epsilon * NEARLY
    (_, renyi), *_ = loss.to(dp.Renyi, orders=["1.000000001"]).curve
    assert epsilon * (1 - Fraction(10**9) / epsilon) <= renyi <= epsilon
    assert 8 * epsilon * (1 - Fraction(1, 10**15)) <= loss.to(dp.GDP).square <= 8 * epsilon * NEARLY
    assert loss.to(dp.Approx, epsilon=epsilon - 1).delta >= 1 - Fraction(368, 1000)
    assert loss.to(dp.Approx, delta="1e-300").epsilon <= epsilon * NEARLY
    assert loss.to(dp.Approx, delta=1 - Fraction(1, 10**9)).epsilon >= epsilon - 21
