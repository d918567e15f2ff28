"""The claim of calibrate.md: what was calibrated keeps what was asked for, and hardly more."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import DiscreetError
from discreet.mechanisms import Gaussian, Laplace, noise_for, noise_within

EPSILONS = st.fractions(Fraction(1, 1000), 50, max_denominator=1000)
NEARLY = 1 + Fraction(1, 2**20)


@settings(max_examples=40)
@given(EPSILONS, st.integers(1, 50))
def test_laplace_noise_for_a_pure_loss_uses_it_up(epsilon: Fraction, moved: int) -> None:
    for loss in (dp.Pure(epsilon), dp.Approx(epsilon, "1e-6")):
        assert noise_for(loss, dp.L1(moved)).loss(dp.L1(moved)) == dp.Pure(epsilon)


@settings(max_examples=25)
@given(EPSILONS, st.integers(1, 20))
def test_laplace_noise_for_rho_is_nearly_the_least(rho: Fraction, moved: int) -> None:
    found = noise_for(dp.ZCDP(rho), dp.L1(moved))
    assert found.zcdp(dp.L1(moved)).rho <= rho
    assert Laplace(found.scale / NEARLY).zcdp(dp.L1(moved)).rho > rho


@settings(max_examples=40)
@given(EPSILONS, st.integers(1, 50))
def test_gaussian_noise_for_rho_uses_it_up(rho: Fraction, square: int) -> None:
    distance = dp.L2.root(square)
    assert noise_for(dp.ZCDP(rho), distance).loss(distance) == dp.ZCDP(rho)


@settings(max_examples=15)
@given(EPSILONS, st.sampled_from(["1e-9", "1e-6", "0.01"]), st.integers(1, 9))
def test_gaussian_noise_for_an_epsilon_is_nearly_the_least(
    epsilon: Fraction, delta: str, square: int
) -> None:
    distance = dp.L2.root(square)
    found = noise_for(dp.Approx(epsilon, delta), distance)
    assert found.loss(distance).to(dp.Approx, delta=delta).epsilon <= epsilon
    less = Gaussian(variance=found.variance / NEARLY).loss(distance)
    assert less.to(dp.Approx, delta=delta).epsilon > epsilon


@pytest.mark.parametrize("kind", [Laplace, Gaussian])
@pytest.mark.parametrize("error", [1, 5, 300])
@pytest.mark.parametrize("count", [1, 1000])
def test_the_most_noise_within_an_error(
    kind: type[Laplace | Gaussian], error: int, count: int
) -> None:
    found = noise_within(kind, error, "0.95", count)
    assert found.accuracy("0.95", count) <= error
    if isinstance(found, Laplace):
        assert Laplace(found.scale * NEARLY).accuracy("0.95", count) > error
    else:
        assert Gaussian(variance=found.variance * NEARLY).accuracy("0.95", count) > error


def test_a_step_is_the_unit() -> None:
    fine = noise_within(Laplace, "0.05", "0.95", step="0.01")
    assert fine.noise == noise_within(Laplace, 5, "0.95").noise
    assert noise_for(dp.Pure(2), dp.L1("0.03"), step="0.01").noise == Laplace("1.5").noise


def test_a_search_that_was_wrong_stops_the_program() -> None:
    """The mutant finds too small a scale; the mechanism says so when it is asked."""
    with (
        patch("discreet.mechanisms.calibrate._least", lambda _: Fraction(1, 8)),
        pytest.raises(RuntimeError, match="a defect"),
    ):
        noise_for(dp.ZCDP("1/2"), dp.L1(1))
    with (
        patch("discreet.mechanisms.calibrate._most", lambda *_: Fraction(1000)),
        pytest.raises(RuntimeError, match="a defect"),
    ):
        noise_within(Gaussian, 3, "0.95")


@pytest.mark.parametrize("loss", [dp.Pure(0), dp.ZCDP(0), dp.Approx(0, "1e-6")])
def test_noise_for_nothing_is_refused(loss: dp.Pure | dp.ZCDP | dp.Approx) -> None:
    with pytest.raises(DiscreetError):
        noise_for(loss, dp.L1(1))
