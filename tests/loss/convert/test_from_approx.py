"""The claims of from_approx.md: randomised response, but that with probability delta all is
revealed; each edge is what this pair has, rounded up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import LossError
from discreet.loss.convert import from_pure
from discreet.numbers import down
from tests.loss.convert.decimals import (
    decimal,
    precise,
    response_delta,
    response_epsilon,
    response_rho,
)
from tests.loss.convert.pairs import Pair, pairs, response
from tests.loss.convert.points import LOOSE, Chooser, Drawn, Reading, strays

NEARLY = 1 + Fraction(LOOSE)
DELTAS = [Fraction(n) for n in ("1/1000000", "1/100", "1/7", "1/2", "9/10")]


def _wider(chooser: Chooser) -> Drawn:
    """A loss, and a delta above its own."""
    least = chooser.delta()
    return chooser.any_size(), least, least + (1 - least) * chooser.share()


def _mixed(delta: Fraction, rest: Decimal) -> Decimal:
    with precise():
        return decimal(delta) + decimal(1 - delta) * rest


DELTA = Reading(
    "delta",
    lambda chooser: (size := chooser.any_size(), chooser.delta(), size * chooser.share()),
    lambda e, d, chosen: dp.Approx(e, d).to(dp.Approx, epsilon=chosen).delta,
    lambda e, d, chosen: _mixed(d, response_delta(e, chosen)),
)
EPSILON = Reading(
    "epsilon",
    _wider,
    lambda e, d, wider: dp.Approx(e, d).to(dp.Approx, delta=wider).epsilon,
    lambda e, d, wider: response_epsilon(e, (wider - d) / (1 - d)),
)
RHO = Reading(
    "rho",
    lambda chooser: (chooser.any_size(), chooser.delta()),
    lambda e, d: dp.Approx(e, d).to(dp.ZCDP).rho,
    lambda e, _: response_rho(e),
)
ALL = [DELTA, EPSILON, RHO]


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("count", [80, pytest.param(8_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading, count: int) -> None:
    assert list(strays(reading, count)) == []


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_pure, "up", down)
    assert any("below" in stray for stray in strays(reading, 60))


def _forgets_what_was_revealed(e: Fraction, d: Fraction, chosen: Fraction) -> Fraction:
    return max(d, from_pure.delta_at(e, chosen))


def _adds_without_a_share(e: Fraction, d: Fraction, wider: Fraction) -> Fraction:
    return from_pure.epsilon_at(e, wider - d)


def _spends_its_delta_twice(e: Fraction, _: Fraction, wider: Fraction) -> Fraction:
    return from_pure.epsilon_at(e, wider)


@pytest.mark.parametrize(
    ("reading", "code", "verdict"),
    [
        (DELTA, _forgets_what_was_revealed, "below"),
        (EPSILON, _spends_its_delta_twice, "below"),
        (EPSILON, _adds_without_a_share, "loose"),
    ],
    ids=["the larger of two deltas", "the delta spent twice", "the sum of two deltas"],
)
def test_deltas_are_neither_forgotten_nor_simply_added(
    reading: Reading, code: Callable[..., Fraction], verdict: str
) -> None:
    assert any(verdict in stray for stray in strays(replace(reading, code=code), 60))


# --- the definitions -----------------------------------------------------------------------------


def conversions(loss: dp.Approx) -> list[dp.Loss]:
    chosen = [loss.to(dp.Approx, epsilon=loss.epsilon * n / 4) for n in range(5)]
    wider = [loss.delta + (1 - loss.delta) * n / 9 for n in range(10)]
    return [*chosen, *(loss.to(dp.Approx, delta=d) for d in wider)]


@settings(max_examples=40)
@given(pairs(least=0), st.sampled_from(DELTAS))
def test_what_follows_holds_for_any_two_laws(pair: Pair, delta: Fraction) -> None:
    loss = pair.approx(delta)
    if loss is not None:
        assert [found for found in conversions(loss) if not pair.keeps(found)] == []


@settings(max_examples=40)
@given(pairs(least=0), st.sampled_from(DELTAS))
def test_a_purse_goes_on_to_what_holds(pair: Pair, delta: Fraction) -> None:
    """Whatever two laws keep (ε, δ): from zCDP with the delta as its purse to (ε′, δ′) again."""
    loss = pair.approx(delta)
    if loss is None or loss.epsilon == 0:
        return
    purse = loss.to(dp.ZCDP)
    assert purse.delta == delta
    again = [purse.to(dp.Approx, delta=delta + (1 - delta) / n) for n in (2, 50, 10**6)]
    again += [purse.to(dp.Approx, epsilon=loss.epsilon * n / 4) for n in range(5)]
    assert [found for found in again if not pair.keeps(found)] == []


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(19)])
def test_the_pair_that_reveals_all_has_what_is_claimed_and_nothing_less(
    ratio: Fraction, delta: Fraction
) -> None:
    pair = response(ratio).or_revealed(delta)
    loss = pair.approx(delta)
    assert loss is not None
    assert all(pair.keeps(found) for found in conversions(loss))
    purse = loss.to(dp.ZCDP)
    assert pair.keeps(purse)
    assert not pair.keeps(dp.ZCDP(purse.rho * Fraction(99, 100), delta))
    assert not pair.keeps(dp.ZCDP(purse.rho, delta * Fraction(999, 1000)))
    for n in range(4):
        found = loss.to(dp.Approx, epsilon=loss.epsilon * n / 4)
        assert not pair.keeps(dp.Approx(found.epsilon, found.delta * Fraction(999_999, 10**6)))


# --- laws and corners ----------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.fractions(0, 20), st.fractions(0, 1), st.fractions(0, 1), st.fractions(0, 1))
def test_a_larger_delta_buys_a_smaller_epsilon(
    epsilon: Fraction, one: Fraction, other: Fraction, third: Fraction
) -> None:
    least, less, more = sorted((one, other, third))
    loss = dp.Approx(epsilon, least)
    here, there = (loss.to(dp.Approx, delta=d) for d in (less, more))
    assert there.epsilon <= here.epsilon * NEARLY
    assert here.epsilon <= epsilon * NEARLY
    # By way of another pair nothing is gained.
    assert there.epsilon <= here.to(dp.Approx, delta=more).epsilon * NEARLY
    assert loss.to(dp.Approx, epsilon=here.epsilon).delta <= less * NEARLY


def test_corners() -> None:
    loss = dp.Approx(2, "1/4")
    assert loss.to(dp.Approx) == loss
    assert loss.to(dp.Approx, delta="1/4") == loss
    assert loss.to(dp.Approx, epsilon=3) == dp.Approx(3, "1/4")
    assert loss.to(dp.Approx, delta=1) == dp.Approx(0, 1)
    assert dp.Approx(0, "1/4").to(dp.Approx, epsilon=0) == dp.Approx(0, "1/4")
    assert dp.Approx(0, "1/4").to(dp.ZCDP) == dp.ZCDP(0, "1/4")
    assert dp.Approx(2, 1).to(dp.Approx, epsilon=1) == dp.Approx(1, 1)
    assert dp.Approx(2, 1).to(dp.ZCDP).delta == 1
    assert dp.Approx(2, 0).to(dp.Pure) == dp.Pure(2)
    assert dp.Approx(0, 0).to(dp.Pure) == dp.Pure(0)


def test_there_and_back_through_pure_is_the_same() -> None:
    for loss in (dp.Approx(0, 0), dp.Approx("1/3", 0), dp.Approx("1e9", 0)):
        assert loss.to(dp.Pure).to(dp.Approx, delta=0) == loss
        assert loss.to(dp.ZCDP) == loss.to(dp.Pure).to(dp.ZCDP)


@pytest.mark.parametrize("loss", [dp.Approx(1, "1e-300"), dp.Approx(0, "1/2"), dp.Approx(1, 1)])
def test_a_delta_is_not_forgotten(loss: dp.Approx) -> None:
    with pytest.raises(LossError) as refused:
        loss.to(dp.Pure)
    assert refused.value.code == "L11"


def test_a_delta_below_its_own_is_refused() -> None:
    with pytest.raises(LossError) as refused:
        dp.Approx(1, "1e-6").to(dp.Approx, delta="1e-7")
    assert refused.value.code == "L09"
