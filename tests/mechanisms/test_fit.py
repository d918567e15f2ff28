"""Noise for a whole list: enough, and hardly more than enough."""

from __future__ import annotations

from fractions import Fraction

import pytest

import discreet as dp
from discreet.errors import MechanismError
from discreet.loss.divergence import Extended
from discreet.mechanisms.compose import Composition, compose
from discreet.mechanisms.fit import CLOSE, fit, scaled

LISTS = {
    "laplace": compose(100 * dp.Laplace(1)),
    "both": compose(10 * dp.Laplace(3), 20 * dp.Gaussian(5, step="1/2").at(dp.L2("1/2"))),
    "sample": compose(200 * dp.Gaussian(1).poisson("1/50")),
    "choices": compose(5 * dp.Exponential(1), dp.PermuteAndFlip(2), dp.NoisyMax(3)),
}
WANTED = [dp.Approx(1, "1e-6"), dp.Approx("1/10", "1e-9"), dp.Approx(5, "1e-3")]


def delta(answers: Composition, epsilon: Fraction) -> Extended:
    return answers.delta(epsilon).high


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_what_is_fitted_keeps_the_loss_and_a_little_less_does_not(
    name: str, wanted: dp.Approx
) -> None:
    found = fit(LISTS[name], wanted)
    assert delta(found, wanted.epsilon) <= wanted.delta
    assert delta(scaled(found, 1 - 2 * CLOSE), wanted.epsilon) > wanted.delta


def test_all_noise_is_multiplied_by_one_factor() -> None:
    weights = [1, 2, 3]
    answers = compose(
        3 * dp.Laplace(2, step="1/2"), dp.Gaussian(3), dp.Exponential(4, weights), dp.NoisyMax(5)
    )
    assert scaled(answers, Fraction(3, 2)) == compose(
        3 * dp.Laplace(3, step="1/2"),
        dp.Gaussian(variance="81/4"),
        dp.Exponential(6, weights),
        dp.NoisyMax("15/2"),
    )


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(MechanismError, match="no scale"):
        fit(compose(dp.Response.pure(1)), dp.Approx(1, "1e-6"))
    with pytest.raises(MechanismError, match="no noise is enough"):
        fit(compose(10 * dp.Exponential(1)), dp.Approx("1e-12", 0))
