"""The claims of from_renyi.md: the best of all orders up to the last, on chords between points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import LossError
from discreet.loss.convert import from_renyi, moments
from discreet.numbers import down, exact
from tests.loss import brute
from tests.loss.convert.decimals import Curve, renyi_delta, renyi_epsilon
from tests.loss.convert.pairs import Pair, pairs, response
from tests.loss.convert.points import LOOSE, Chooser, Drawn, Reading, strays

NEARLY = 1 + Fraction(LOOSE)


def _at_epsilon(chooser: Chooser) -> Drawn:
    """A curve, and an epsilon near one of its points or anywhere."""
    curve = chooser.curve()
    _, near = chooser.either(*curve)
    return curve, chooser.either(chooser.size(), near + chooser.size(), near * chooser.share())


EPSILON = Reading(
    "epsilon",
    lambda chooser: (chooser.curve(), chooser.delta()),
    lambda curve, delta: dp.Renyi(curve).to(dp.Approx, delta=delta).epsilon,
    renyi_epsilon,
)
DELTA = Reading(
    "delta",
    _at_epsilon,
    lambda curve, epsilon: dp.Renyi(curve).to(dp.Approx, epsilon=epsilon).delta,
    renyi_delta,
)
ALL = [EPSILON, DELTA]


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("count", [100, pytest.param(3_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading, count: int) -> None:
    assert list(strays(reading, count)) == []


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "up", down)
    assert any("below" in stray for stray in strays(reading, 40))


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_to_look_at_the_points_alone_is_true_but_loose(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(from_renyi, "_turns", lambda *_: [])
    found = list(strays(reading, 60))
    assert found
    assert all("loose" in stray for stray in found)


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_orders_beyond_the_last_are_found(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last chord drawn on, as if it still bounded the moment there."""

    def anywhere(low: Fraction, high: Fraction, _: Callable[[], arb]) -> Fraction:
        return high + 3 * (high - low)

    monkeypatch.setattr(from_renyi, "inside", anywhere)
    assert any("below" in stray for stray in strays(reading, 60))


def _straight(curve: Curve, delta: Fraction) -> Fraction:
    """Between two points epsilon is not bounded by the straight line, only the moment is."""
    (left, low), (right, high) = curve[0], curve[-1]
    middle = (left + right) / 2
    lower = (*curve, (middle, low * Fraction(9, 10) + high * Fraction(1, 10)))
    return dp.Renyi(lower).to(dp.Approx, delta=delta).epsilon


def test_a_point_that_is_not_promised_is_found() -> None:
    several = replace(EPSILON, draw=lambda chooser: (_several(chooser), chooser.delta()))
    assert list(strays(several, 20)) == []
    assert any("below" in stray for stray in strays(replace(several, code=_straight), 40))


def _several(chooser: Chooser) -> Curve:
    return (Fraction(2), 1 + chooser.size(-3, 0)), (Fraction(9), 20 + chooser.size())


# --- the definitions -----------------------------------------------------------------------------

ORDERS = [Fraction(n, 8) for n in (9, 12, 20, 32, 80)]


def conversions(loss: dp.Renyi) -> list[dp.Loss]:
    given_delta = [loss.to(dp.Approx, delta=d) for d in ("1e-6", "1/100", "1/5", "2/3")]
    chosen = [loss.to(dp.Approx, epsilon=e) for e in ("0", "1/10", "1/2", "1", "3")]
    between = [order for order in ("17/16", "5/4", "2", "3", "7") if exact(order) <= loss.last]
    return [*given_delta, *chosen, loss.to(dp.Renyi, orders=between)]


@settings(max_examples=40)
@given(pairs(), st.sets(st.sampled_from(ORDERS), min_size=1))
def test_what_follows_holds_for_any_two_laws(pair: Pair, orders: set[Fraction]) -> None:
    loss = pair.renyi(tuple(sorted(orders)))
    assert loss is not None
    assert [found for found in conversions(loss) if not pair.keeps(found)] == []


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(19)])
def test_what_follows_holds_for_randomised_response(ratio: Fraction) -> None:
    pure = response(ratio).pure()
    assert pure is not None
    loss = pure.to(dp.Renyi)
    assert [found for found in conversions(loss) if not response(ratio).keeps(found)] == []


def test_a_finite_curve_bounds_no_larger_order() -> None:
    """Whatever ρ or μ is asked, some two laws keep the curve and not it: p^α·q^(1−α) stays at a
    constant while q falls, and at larger orders it grows without bound."""
    loss = dp.Renyi({2: "1/2"})
    for power in (4, 8, 16):
        q = Fraction(1, 100**power)
        p = Fraction(1, 3) * Fraction(1, 10**power)
        pair = Pair({"yes": p, "no": 1 - p}, {"yes": q, "no": 1 - q})
        assert pair.keeps(loss)
        third = brute.renyi(pair.p, pair.q, Fraction(3))
        assert third is not None
        assert third > Decimal(power) / 2
        mu = NormalDist().inv_cdf(float(p)) - NormalDist().inv_cdf(float(q))
        assert mu > 0.75 * sqrt(power)


# --- laws and corners ----------------------------------------------------------------------------

curves = st.dictionaries(
    st.fractions("9/8", 40, max_denominator=8),
    st.fractions("1/100", 9, max_denominator=100),
    min_size=1,
    max_size=4,
)


@settings(max_examples=40)
@given(curves, curves, st.fractions("1/1000000", 1), st.fractions("1/1000000", 1))
def test_to_know_more_or_to_allow_more_costs_no_more(
    some: dict[Fraction, Fraction],
    others: dict[Fraction, Fraction],
    delta: Fraction,
    wider: Fraction,
) -> None:
    less, more = sorted((delta, wider))
    both = {order: min(some.get(order, e), e) for order, e in {**some, **others}.items()}
    few, many = dp.Renyi(some.items()), dp.Renyi({**some, **both}.items())
    assert many <= few
    assert many.to(dp.Approx, epsilon=1).delta <= few.to(dp.Approx, epsilon=1).delta * NEARLY
    if more < 1:
        cost = few.to(dp.Approx, delta=less).epsilon
        assert many.to(dp.Approx, delta=less).epsilon <= cost * NEARLY
        assert few.to(dp.Approx, delta=more).epsilon <= cost * NEARLY


@settings(max_examples=40)
@given(curves, st.lists(st.fractions("9/8", 9, max_denominator=8), min_size=1, max_size=3))
def test_fewer_orders_say_what_chords_say(
    points: dict[Fraction, Fraction], orders: list[Fraction]
) -> None:
    loss = dp.Renyi(points.items())
    asked = [order for order in orders if order <= loss.last]
    if asked:
        found = loss.to(dp.Renyi, orders=asked)
        assert found.last == max(asked)
        assert loss <= found
        assert all(found.at(order) == loss.at(order) for order in asked)
    assert loss.to(dp.Renyi, orders=[order for order, _ in loss.curve]) == loss


def test_corners() -> None:
    nothing = dp.Renyi({2: 0})
    assert nothing.to(dp.Approx) == dp.Approx(0, 0)
    assert nothing.to(dp.Approx, delta="1/2") == dp.Approx(0, "1/2")
    assert nothing.to(dp.Approx, epsilon=1) == dp.Approx(1, 0)
    assert dp.Renyi({2: 1}).to(dp.Renyi) == dp.Renyi({2: 1})
    assert dp.Renyi({2: 1}).to(dp.Renyi, orders=["3/2"]) == dp.Renyi({"3/2": 1})
    with pytest.raises(LossError) as beyond:
        dp.Renyi({2: 1}).to(dp.Renyi, orders=[3])
    assert beyond.value.code == "L03"
    for delta in (None, 0):
        with pytest.raises(LossError) as refused:
            dp.Renyi({2: 1}).to(dp.Approx, delta=delta)
        assert refused.value.code == "L09"


@pytest.mark.parametrize("order", ["1e-4000", "1e-300", "1e-9", "1", "1e9", "1e300", "1e4000"])
@pytest.mark.parametrize("size", ["1e-4000", "1e-300", "1", "1e300", "1e3000"])
def test_one_point_of_any_size_stays_below_the_simple_bound(order: str, size: str) -> None:
    """ε ≤ D + ln(1/δ)/(α−1); and where the order is large, ε = D + ln(1 − δ)."""
    u, divergence = exact(order), exact(size)
    found = dp.Renyi({1 + u: divergence}).to(dp.Approx, delta="1e-6").epsilon
    assert found <= (divergence + Fraction(1_381_552, 10**5) / u) * NEARLY
    assert u < 10**9 or found >= divergence - Fraction(1_000_001, 10**12)
