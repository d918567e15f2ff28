"""The claim of moments.md: what one Rényi moment proves, and that the choice of one needs none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

from discreet.loss.convert import moments
from discreet.loss.convert.moments import least_delta, least_epsilon, surprise
from discreet.numbers import at, ball, down, up
from tests.loss import brute
from tests.loss.convert.decimals import (
    decimal,
    delta_of_moment,
    epsilon_of_moment,
    precise,
)
from tests.loss.convert.pairs import Pair, above, pairs
from tests.loss.convert.points import Chooser, Drawn, Reading, strays


def _drawn(chooser: Chooser) -> tuple[Fraction, Fraction]:
    """An order less one, and a moment."""
    u = chooser.order() - 1
    return u, u * chooser.size()


def _delta(u: Fraction, moment: Fraction, epsilon: Fraction) -> Decimal:
    with precise():
        found = delta_of_moment(decimal(u), decimal(moment), decimal(epsilon))
        return min(Decimal(1), found.exp())


def _epsilon(u: Fraction, moment: Fraction, delta: Fraction) -> Decimal:
    with precise():
        found = epsilon_of_moment(decimal(u), decimal(moment), -decimal(delta).ln())
        return max(Decimal(0), found)


def _with_epsilon(chooser: Chooser) -> Drawn:
    u, moment = _drawn(chooser)
    return u, moment, max(Fraction(0), moment / u + chooser.either(-1, 1) * chooser.size())


DELTA = Reading("delta", _with_epsilon, lambda u, m, e: least_delta([(u, m)], e), _delta)
EPSILON = Reading(
    "epsilon",
    lambda chooser: (*_drawn(chooser), chooser.delta()),
    lambda u, m, d: least_epsilon([(u, m)], d),
    _epsilon,
)
ALL = [DELTA, EPSILON]


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("count", [150, pytest.param(6_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading, count: int) -> None:
    assert list(strays(reading, count)) == []


# --- mutants -------------------------------------------------------------------------------------


def _mironov(u: Fraction, moment: Fraction, delta: Fraction) -> Fraction:
    return up(lambda: (ball(moment) - ball(delta).log()) / ball(u))


def _sign_of_the_logarithm_turned(u: Fraction, moment: Fraction, delta: Fraction) -> Fraction:
    def real() -> arb:
        width = ball(u)
        return (ball(moment) + surprise(delta) + width.log1p()) / width - (1 / width).log1p()

    return max(Fraction(0), up(real))


def _one_power_too_many(u: Fraction, moment: Fraction, delta: Fraction) -> Fraction:
    """(1 − 1/α)^α/α in place of (1 − 1/α)^(α−1)/α."""

    def real() -> arb:
        width = ball(u)
        far = width.log1p() + (1 + width) * (1 / width).log1p()
        return (ball(moment) + surprise(delta) - far) / width

    return max(Fraction(0), up(real))


def _logarithm_twice(u: Fraction, moment: Fraction, delta: Fraction) -> Fraction:
    def real() -> arb:
        width = ball(u)
        return (ball(moment) + surprise(delta) - 2 * width.log1p()) / width - (1 / width).log1p()

    return max(Fraction(0), up(real))


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (_mironov, "loose"),
        (_sign_of_the_logarithm_turned, "loose"),
        (_one_power_too_many, "below"),
        (_logarithm_twice, "below"),
    ],
)
def test_other_formulas_are_found(code: Callable[..., Fraction], verdict: str) -> None:
    found = list(strays(replace(EPSILON, code=code), 60))
    assert found
    assert all(verdict in stray for stray in found)


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "up", down)
    assert any("below" in stray for stray in strays(reading, 60))


# --- the definition ------------------------------------------------------------------------------


def _moment(pair: Pair, order: Fraction) -> Fraction:
    found = brute.moment(pair.p, pair.q, order)
    assert found is not None
    with precise():
        return above(found.ln())


def _one_way(pair: Pair, epsilon: Fraction) -> Decimal:
    with precise():
        grown = decimal(epsilon).exp()
        return max(decimal(p) - grown * decimal(q) for p, q in brute.events(pair.p, pair.q))


@settings(max_examples=60)
@given(
    pairs(),
    st.fractions("9/8", 9, max_denominator=8),
    st.fractions(0, 3, max_denominator=50),
    st.fractions("1/1000", 1, max_denominator=1000),
)
def test_one_moment_of_any_two_laws_bounds_their_events(
    pair: Pair, order: Fraction, epsilon: Fraction, delta: Fraction
) -> None:
    corner = (order - 1, _moment(pair, order))
    with precise():
        assert _one_way(pair, epsilon) <= decimal(least_delta([corner], epsilon))
        assert _one_way(pair, least_epsilon([corner], delta)) <= decimal(delta)


def far_pair(order: int, ratio: int) -> tuple[Pair, Fraction]:
    """Two laws whose loss is rarely positive, and then nearly all of the moment; and the epsilon
    at which their moment is worst, where e^(ε−loss) = 1 − 1/α."""
    rare = Fraction(1, 1000)
    pair = Pair(
        {"yes": rare, "no": 1 - rare}, {"yes": rare / ratio, "no": 1 - rare / Fraction(ratio)}
    )
    with precise():
        return pair, above((decimal(Fraction(order - 1, order)) * ratio).ln())


@pytest.mark.parametrize("order", [2, 3, 7])
def test_one_moment_says_hardly_more(order: int) -> None:
    """So the constant cannot be smaller."""
    pair, epsilon = far_pair(order, 10**9)
    corner = (Fraction(order - 1), _moment(pair, Fraction(order)))
    true = _one_way(pair, epsilon)
    with precise():
        assert true <= decimal(least_delta([corner], epsilon)) <= true * Decimal("1.00001")


@pytest.mark.parametrize("code", [_one_power_too_many, _logarithm_twice])
def test_smaller_constants_are_false_of_two_laws(code: Callable[..., Fraction]) -> None:
    pair, epsilon = far_pair(2, 10**9)
    with precise():
        delta = Fraction(_one_way(pair, epsilon))
        claimed = code(Fraction(1), _moment(pair, Fraction(2)), delta)
        assert _one_way(pair, claimed) > decimal(delta)


# --- the choice ----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.fractions("1/1000", 50), st.fractions(0, 50)), min_size=1, max_size=5),
    st.fractions("1/1000000", 1),
    st.fractions(0, 20),
    st.sampled_from([2, 96]),
)
def test_of_several_moments_the_best_is_taken_and_a_poor_choice_is_no_lie(
    corners: list[tuple[Fraction, Fraction]], delta: Fraction, epsilon: Fraction, bits: int
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(moments, "_CHOOSING_BITS", bits)
        chosen = least_epsilon(corners, delta), least_delta(corners, epsilon)
    alone = (
        [least_epsilon([corner], delta) for corner in corners],
        [least_delta([corner], epsilon) for corner in corners],
    )
    for found, each in zip(chosen, alone, strict=True):
        assert found in each
        assert found == min(each) if bits == 96 else found >= min(each)


@pytest.mark.parametrize("delta", ["1e-300", "0.3", "0.5", "0.999999999"])
def test_surprise_keeps_its_digits(delta: str) -> None:
    found = at(150, lambda: surprise(Fraction(delta)))
    with precise():
        true = -Decimal(delta).ln()
        assert abs(Decimal(found.mid().str(45, radius=False)) - true) <= true * Decimal("1e-30")
    assert found.rel_accuracy_bits() > 100


def test_certainty_is_no_surprise() -> None:
    assert surprise(Fraction(1)) == 0


def test_a_moment_of_zero_says_little_and_a_large_one_nothing() -> None:
    """At order two the factor is 1/4.  That all of a moment is zero makes the laws equal, but this
    bound does not say so."""
    nothing, much = (Fraction(1), Fraction(0)), (Fraction(1), Fraction(100))
    hardly = Fraction(1, 10**20)
    assert Fraction(1, 4) <= least_delta([nothing], Fraction(0)) < Fraction(1, 4) + hardly
    assert least_delta([much], Fraction(0)) == 1
    assert least_epsilon([nothing], Fraction(1, 4)) < hardly
    assert least_epsilon([nothing], Fraction(1)) == 0
