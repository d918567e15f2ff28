"""The claims of from_gdp.md: each edge is what two normal laws have, rounded up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isqrt
from typing import TypeAlias

import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import DiscreetError, LossError, NumberError
from discreet.loss.convert import from_gdp
from discreet.numbers import ball, down, exact, up
from tests.loss import brute
from tests.loss.convert.decimals import bell_delta, concentrated_epsilon, decimal, precise, tail
from tests.loss.convert.pairs import EPSILONS, Pair, above, pairs
from tests.loss.convert.points import KNOWN, LOOSE, Chooser, Drawn, Reading, Root, strays

NEARLY = 1 + Fraction(LOOSE)
ORDERS = [Fraction(n, 4) for n in (5, 8, 12, 40)]


def _root(square: Fraction) -> Fraction:
    return Fraction(isqrt(int(square * 10**80)), 10**40)


def _at_epsilon(chooser: Chooser) -> Drawn:
    """Up to forty deviations from where the loss has its mean."""
    square = chooser.either(chooser.size(-18, 6), chooser.size(-30, 10))
    away = chooser.either(-1, 1, 1) * chooser.size(-9, 1.6)
    return square, max(Fraction(0), square / 2 + _root(square) * away)


def _at_delta(chooser: Chooser) -> Drawn:
    """Any delta, or what belongs to some epsilon, so that many are not zero."""
    square, epsilon = _at_epsilon(chooser)
    near = bell_delta(square, epsilon)
    if chooser.either(True, False) and Decimal("1e-300") < near < Decimal("0.999999999"):
        return square, Fraction(f"{near:.15e}")
    return square, chooser.delta()


def _true(epsilon: Fraction, square: Fraction, delta: Fraction) -> bool:
    with precise():
        return bell_delta(square, epsilon) <= decimal(delta) * (1 + KNOWN)


DELTA = Reading(
    "delta",
    _at_epsilon,
    lambda square, epsilon: dp.GDP.root(square).to(dp.Approx, epsilon=epsilon).delta,
    bell_delta,
)
EPSILON = Root(
    "epsilon",
    _at_delta,
    lambda square, delta: dp.GDP.root(square).to(dp.Approx, delta=delta).epsilon,
    _true,
    # The root is moved outwards by 2^-60 of itself; where it is all but zero, by hardly anything.
    lambda epsilon, square, _: epsilon / 2**57 + _root(square) / 10**20,
)
ALL = [DELTA, EPSILON]


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("count", [150, pytest.param(6_000, marks=pytest.mark.long)])
def test_never_below_the_truth_and_hardly_above(reading: Reading | Root, count: int) -> None:
    assert list(strays(reading, count)) == []


@pytest.mark.parametrize("count", [50, pytest.param(5_000, marks=pytest.mark.long)])
def test_zcdp_and_renyi_are_exact(count: int) -> None:
    chooser = Chooser(1)
    for _ in range(count):
        square, order = chooser.size(-18, 6), chooser.order()
        assert dp.GDP.root(square).to(dp.ZCDP) == dp.ZCDP(square / 2)
        found = dp.GDP.root(square).to(dp.Renyi, orders=[order])
        assert found == dp.Renyi({order: order * square / 2})


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ALL, ids=lambda each: each.name)
def test_rounding_down_is_found(reading: Reading | Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_gdp, "up", down)
    # The epsilon is moved outwards by far more than one rounding: this it must survive.
    found = list(strays(reading, 40))
    assert found == [] if reading is EPSILON else any("below" in stray for stray in found)


def test_a_root_that_is_not_moved_outwards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's root alone, as if it needed no check."""

    def at_once(square: Fraction, delta: Fraction) -> Fraction:
        found = dp.GDP.root(square).to(dp.Approx, delta=delta).epsilon
        return found * (1 - Fraction(1, 2**59))

    assert any("below" in stray for stray in strays(replace(EPSILON, code=at_once), 40))
    # Moved by too little it does not pass the check, and zCDP speaks.
    monkeypatch.setattr(from_gdp, "_MARGINS", (400,))
    found = list(strays(EPSILON, 40))
    assert found
    assert all("loose" in stray for stray in found)


Parts: TypeAlias = tuple[arb, arb, arb]


def _swapped(mu: arb, epsilon: arb) -> Parts:
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    root = arb(2).sqrt()
    return arb(0), (far / root).erfc() / 2, epsilon.exp() * (near / root).erfc() / 2


def _grown_twice(mu: arb, epsilon: arb) -> Parts:
    below, above, lower = PARTS(mu, epsilon)
    return below, above, lower * epsilon.exp()


def _one_tail(mu: arb, epsilon: arb) -> Parts:
    below, above, _ = PARTS(mu, epsilon)
    return below, above, arb(0)


PARTS = from_gdp._parts


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [(_grown_twice, "below"), (_one_tail, "loose")],
    ids=["e^ε squared", "the upper tail alone"],
)
def test_other_profiles_are_found(
    parts: Callable[[arb, arb], Parts], verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(from_gdp, "_parts", parts)
    assert any(verdict in stray for stray in strays(DELTA, 40))


def test_swapped_tails_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """They give a delta below zero, which no loss takes."""
    monkeypatch.setattr(from_gdp, "_parts", _swapped)
    with pytest.raises(NumberError) as refused:
        dp.GDP(1).to(dp.Approx, epsilon=1)
    assert refused.value.code == "N03"


def test_a_bad_search_is_loose_and_never_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Newton finds, the profile is computed there; else zCDP speaks."""
    for astray in (Fraction(0), Fraction(1, 2), Fraction(3)):
        monkeypatch.setattr(from_gdp, "_about", lambda *_, away=astray: away)
        found = list(strays(EPSILON, 40))
        assert found
        assert all("loose" in stray for stray in found)


# --- the definitions -----------------------------------------------------------------------------


def conversions(loss: dp.GDP) -> list[dp.Loss]:
    given_delta = [loss.to(dp.Approx, delta=d) for d in ("1e-6", "1/100", "1/5", "2/3", "1")]
    chosen = [loss.to(dp.Approx, epsilon=e) for e in EPSILONS]
    return [*given_delta, *chosen, loss.to(dp.ZCDP), loss.to(dp.Renyi, orders=ORDERS)]


@settings(max_examples=30)
@given(pairs())
def test_what_follows_holds_for_any_two_laws(pair: Pair) -> None:
    loss = pair.gdp()
    assert loss is not None
    assert [found for found in conversions(loss) if not pair.keeps(found)] == []


def binned(mu: Fraction, cuts: list[Fraction]) -> Pair:
    """Two normal laws, μ apart, of which is told only between which cuts the answer lies; the
    weights are rounded to 50 digits."""

    def weights(mean: Fraction) -> dict[str, Fraction]:
        with precise():
            beyond = [tail(decimal(cut - mean), 90) for cut in cuts]
            whole = [Fraction(round(t * 10**50), 10**50) for t in beyond]
        ends = pairwise([Fraction(1), *whole, Fraction(0)])
        return {f"{n:03}": left - right for n, (left, right) in enumerate(ends)}

    return Pair(weights(mu), weights(Fraction(0)))


@pytest.mark.parametrize("mu", ["1/3", "1", "4"])
@pytest.mark.parametrize("epsilon", ["0", "1/2", "3"])
def test_the_normal_law_has_delta_exactly(mu: str, epsilon: str) -> None:
    """The best event is an answer above ε/μ + μ/2, so one cut tells all."""
    m, e = exact(mu), exact(epsilon)
    pair = binned(m, [e / m + m / 2])
    found = dp.GDP(m).to(dp.Approx, epsilon=e)
    assert pair.keeps(found)
    assert not pair.keeps(dp.Approx(e, found.delta * (1 - Fraction(1, 10**20))))
    back = dp.GDP(m).to(dp.Approx, delta=found.delta).epsilon
    assert e == 0 or abs(back / e - 1) < Fraction(1, 2**57)


@pytest.mark.parametrize("mu", ["1/2", "2"])
def test_the_normal_law_has_its_divergence(mu: str) -> None:
    """Told in ever finer bins, the divergence rises towards α·μ²/2 and not above."""
    m = exact(mu)
    bins = [binned(m, [m / 2 + Fraction(k, n) for k in range(-9 * n, 9 * n + 1)]) for n in (1, 8)]
    for order in (Fraction(5, 4), Fraction(3)):
        coarse, fine = (brute.renyi(pair.p, pair.q, order) for pair in bins)
        assert coarse is not None
        assert fine is not None
        claimed = dp.GDP(m).to(dp.Renyi, orders=[order]).at(order)
        assert above(coarse) < above(fine) <= claimed
        assert above(fine) > claimed * Fraction(199, 200)
        assert claimed == order * dp.GDP(m).to(dp.ZCDP).rho


# --- laws and corners ----------------------------------------------------------------------------

squares = st.fractions("1/1000000", 40)


@settings(max_examples=40)
@given(squares, squares, st.fractions("1/1000000000", 1), st.fractions("1/1000000000", 1))
def test_a_larger_mu_and_a_smaller_delta_cost_more(
    one: Fraction, other: Fraction, delta: Fraction, wider: Fraction
) -> None:
    small, large = (dp.GDP.root(square) for square in sorted((one, other)))
    less, more = sorted((delta, wider))
    costs = [loss.to(dp.Approx, delta=less).epsilon for loss in (small, large)]
    tiny = Fraction(1, 10**15)
    assert costs[0] <= costs[1] * (1 + tiny)
    assert large.to(dp.Approx, delta=more).epsilon <= costs[1] * (1 + tiny)
    spread = [loss.to(dp.Approx, epsilon=1).delta for loss in (small, large)]
    assert spread[0] <= spread[1] * NEARLY
    assert small.to(dp.ZCDP) <= large.to(dp.ZCDP)
    assert small.to(dp.Renyi, orders=[2, 9]) <= large.to(dp.Renyi, orders=[2, 9])
    assert costs[1] <= large.to(dp.ZCDP).to(dp.Approx, delta=less).epsilon * (1 + tiny)


def test_what_zcdp_forgets_of_the_normal_law() -> None:
    """Figures of from_gdp.md."""
    direct = dp.GDP(1).to(dp.Approx, delta="1e-6").epsilon
    roundabout = dp.GDP(1).to(dp.ZCDP).to(dp.Approx, delta="1e-6").epsilon
    assert (round(float(direct), 3), round(float(roundabout), 3)) == (4.887, 5.222)
    assert bell_delta(Fraction(1), exact("4.8865")) > Decimal("1e-6")
    assert bell_delta(Fraction(1), exact("4.8875")) < Decimal("1e-6")
    true = concentrated_epsilon(Fraction(1, 2), exact("1e-6"))
    assert Decimal("5.2215") < true < Decimal("5.2225")


def test_corners() -> None:
    nothing = dp.GDP(0)
    assert nothing.to(dp.Approx) == dp.Approx(0, 0)
    assert nothing.to(dp.Approx, epsilon=1) == dp.Approx(1, 0)
    assert nothing.to(dp.Approx, delta="1/2") == dp.Approx(0, "1/2")
    assert nothing.to(dp.ZCDP) == dp.ZCDP(0)
    assert nothing.to(dp.Renyi, orders=[2]) == dp.Renyi({2: 0})
    assert dp.GDP(3).to(dp.Approx, delta=1) == dp.Approx(0, 1)
    # At mu = 1 the laws are told apart with delta 0.3829… at epsilon zero.
    assert dp.GDP(1).to(dp.Approx, delta="0.383").epsilon == 0
    assert dp.GDP(1).to(dp.Approx, delta="0.3829").epsilon > 0
    for delta in (None, 0):
        with pytest.raises(LossError) as refused:
            dp.GDP(1).to(dp.Approx, delta=delta)
        assert refused.value.code == "L09"


@pytest.mark.parametrize("power", [-8000, -600, -40, 8, 10, 12, 13, 20, 38, 39, 60, 600, 8000])
@pytest.mark.parametrize("delta", ["1e-4000", "1e-300", "1e-6", "0.3"])
def test_any_size_is_right_or_refused(power: int, delta: str) -> None:
    """Right is what lies between the mean of the loss, for a delta below a third, and zCDP."""
    square = Fraction(10) ** power
    try:
        found = dp.GDP.root(square).to(dp.Approx, delta=delta).epsilon
    except DiscreetError as refused:
        assert refused.code == "N06"  # noqa: PT017
        assert power > 12
        return
    most = up(lambda: ball(square / 2) + (-2 * ball(square) * ball(exact(delta)).log()).sqrt())
    assert found <= most * NEARLY
    assert power < 8 or found > square / 2
    if abs(power) < 13:
        assert found == 0 or found > most / 3


@pytest.mark.parametrize("power", [-8000, -600, -40, 0, 8, 20, 60, 600])
@pytest.mark.parametrize("size", ["0", "1e-300", "1", "1e9", "1e30", "1e300"])
def test_any_epsilon_is_right_or_refused(power: int, size: str) -> None:
    square, epsilon = Fraction(10) ** power, exact(size)
    try:
        found = dp.GDP.root(square).to(dp.Approx, epsilon=epsilon).delta
    except DiscreetError as refused:
        assert refused.code == "N06"  # noqa: PT017
        assert epsilon > 10**9
        return
    if epsilon > 10 * max(square, Fraction(1)):
        assert found < Fraction(1, 10**6)
    if epsilon < square / 10 and square > 100:
        assert found > Fraction(4, 5)


@pytest.mark.parametrize("mu", [15, 25, 40, 100])
def test_a_delta_near_one_is_as_good_as_any(mu: int) -> None:
    """One minus the profile is Φ(a) + e^ε·P(N > b), which loses no digits there."""
    found = []
    for power in (12, 15, 27, 36, 42, 45, 48, 60, 300):
        left = Fraction(1, 10**power)
        epsilon = dp.GDP(mu).to(dp.Approx, delta=1 - left).epsilon
        found.append(epsilon)
        if epsilon:
            assert down(partial(_left, mu, epsilon)) >= left
            assert up(partial(_left, mu, epsilon * (1 - Fraction(1, 2**50)))) < left
        else:
            assert down(partial(_left, mu, epsilon)) >= left
    assert found == sorted(found, reverse=True)


def _left(mu: int, epsilon: Fraction) -> arb:
    near, far = ball(epsilon / mu - Fraction(mu, 2)), ball(epsilon / mu + Fraction(mu, 2))
    root = arb(2).sqrt()
    return (-near / root).erfc() / 2 + ball(epsilon).exp() * (far / root).erfc() / 2
