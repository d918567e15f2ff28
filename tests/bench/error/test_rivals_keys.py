"""Thresholds and calibrations of continuous noise keep what they promise, and barely."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from flint import arb

from bench.error.counts import laplace_variance
from bench.error.keys import OURS, people
from bench.error.rivals_keys import GaussianThreshold, LaplaceThreshold
from bench.error.rivals_noise import analytic_sigma, laplace_deviation, textbook_sigma
from discreet.noise import DiscreteLaplace
from discreet.numbers import at

BUDGETS = [(1.0, 1e-6, 1), (1.0, 1e-6, 10), (1.0, 1e-6, 100), (0.1, 1e-6, 10), (3.0, 1e-3, 4)]


def below(z: arb) -> arb:
    """Φ(z), by 200 bits."""
    return (-z / arb(2).sqrt()).erfc() / 2


def delta_of(sigma: float, epsilon: float) -> float:
    """Of continuous Gaussian noise: the mass of the likelihood ratio above e^ε, by balls."""

    def exactly() -> arb:
        s, e = arb(sigma), arb(epsilon)
        return below(1 / (2 * s) - e * s) - e.exp() * below(-1 / (2 * s) - e * s)

    return float(at(200, exactly).mid())


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
def test_the_analytic_sigma_keeps_its_delta_and_hardly_a_smaller_one_does(epsilon: float) -> None:
    sigma = analytic_sigma(epsilon, 1e-6)
    assert delta_of(sigma, epsilon) <= 1e-6 * (1 + 1e-6)
    assert delta_of(sigma * (1 - 1e-4), epsilon) > 1e-6
    assert sigma < textbook_sigma(epsilon, 1e-6)


def test_the_calibrations_are_those_of_the_research() -> None:
    found = [(analytic_sigma(e, 1e-6), textbook_sigma(e, 1e-6)) for e in (0.1, 0.5, 1, 2, 4)]
    assert [round(a, 2) for a, _ in found] == [36.30, 8.06, 4.22, 2.23, 1.19]
    assert [round(t, 2) for _, t in found] == [52.99, 10.60, 5.30, 2.65, 1.32]
    assert laplace_deviation(0.5) == pytest.approx(sqrt(8))


@pytest.mark.parametrize("scale", ["1/4", "1", "10", "40"])
def test_the_variance_of_integer_noise_is_the_sum_over_its_law(scale: str) -> None:
    law = DiscreteLaplace(scale).law()
    reach = int(60 * Fraction(scale)) + 10
    summed = sum((2 * n * n * law.probability(n) for n in range(1, reach)), start=arb(0))
    assert laplace_variance(Fraction(scale)) == pytest.approx(float(summed.mid()), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "delta", "keys"), BUDGETS)
def test_a_lone_person_shows_with_delta_and_not_more(
    epsilon: float, delta: float, keys: int
) -> None:
    laplace = LaplaceThreshold(epsilon, delta, keys)
    any_shows = 1 - (1 - laplace.chance(1)) ** keys
    assert any_shows == pytest.approx(delta, rel=1e-6)
    gaussian = GaussianThreshold(epsilon, delta, keys)
    beyond = [(gaussian.threshold - t**-0.5) / gaussian.sigma for t in range(1, keys + 1)]
    shows = [
        1 - float(at(200, lambda: below(arb(z)) ** t).mid())  # noqa: B023
        for t, z in enumerate(beyond, start=1)
    ]
    # The balls are subtracted from one in doubles: 10^-16 is a part in 10^9 of delta.
    assert max(shows) == pytest.approx(delta / 2, rel=1e-6)
    assert delta_of(gaussian.sigma, epsilon) == pytest.approx(delta / 2, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta", "keys"), BUDGETS)
@pytest.mark.parametrize("sure", [0.5, 0.95])
def test_as_many_people_are_enough_and_one_fewer_is_not(
    epsilon: float, delta: float, keys: int, sure: float
) -> None:
    for rule in (LaplaceThreshold(epsilon, delta, keys), GaussianThreshold(epsilon, delta, keys)):
        fewest = rule.people(sure)
        assert rule.chance(fewest) >= sure > rule.chance(fewest - 1)


def test_the_thresholds_need_as_many_people_as_research_says() -> None:
    laplace = [LaplaceThreshold(1, 1e-6, keys) for keys in (1, 10, 100)]
    assert [(r.people(0.5), r.people(0.95)) for r in laplace] == [
        (15, 17),
        (156, 179),
        (1774, 2005),
    ]
    # There rounded to 75/97 and 251/322.
    gaussian = [GaussianThreshold(1, 1e-6, keys) for keys in (1, 10, 100)]
    assert [(r.people(0.5), r.people(0.95)) for r in gaussian] == [(23, 30), (75, 98), (252, 323)]


def test_the_chooser_takes_the_best_of_its_rules() -> None:
    for most in (1, 10):
        found = people(Fraction(1), most, Fraction(1, 2))
        assert found[OURS] == min(found["optimal"], found["threshold"], found["weighted"])
        assert found[OURS] < found["their Laplace"]
