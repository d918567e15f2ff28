"""The claim of choose.md, and the figures of others."""

from __future__ import annotations

from fractions import Fraction
from math import erf, erfc, exp, log, log1p, sqrt
from typing import Final

import pytest

from discreet.distances import L0, L2
from discreet.errors import DiscreetError
from discreet.loss import ZCDP, AnyLoss, Approx, Pure
from discreet.mechanisms.keys import (
    Strategy,
    ThresholdedRelease,
    TruncatedGeometric,
    WeightedGaussian,
    choose,
)

BUDGET: Final = Approx(1, "1e-6")
KEYS: Final = (1, 10, 100)
PUBLISHED: Final = {
    "optimal": {1: (14, 16), 10: (132, 155), 100: (1313, 1543)},
    "laplace": {1: (15, 17), 10: (156, 179), 100: (1774, 2005)},
    "gaussian": {1: (23, 30), 10: (75, 97), 100: (251, 322)},
}
"""People needed for 50 % and 95 % at epsilon = 1, delta = 1e-6: continuous laws, and the best sigma
of a continuous Gaussian."""


def needed(strategy: Strategy) -> tuple[int, int]:
    return int(strategy.accuracy("1/2")), int(strategy.accuracy("0.95"))


def near(found: tuple[int, int], published: tuple[int, int], part: float) -> bool:
    return all(abs(f - p) <= max(1, part * p) for f, p in zip(found, published, strict=True))


@pytest.mark.parametrize("keys", KEYS)
def test_the_published_figures_are_met(keys: int) -> None:
    optimal = TruncatedGeometric.within(L0(keys), BUDGET)
    laplace = ThresholdedRelease.within(L0(keys), BUDGET)
    assert needed(optimal) == PUBLISHED["optimal"][keys]
    assert near(needed(laplace), PUBLISHED["laplace"][keys], 0.001)


# --- the continuous Gaussian, in doubles and by its own formulas ---------------------------------


def _normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2 if x > 0 else erfc(-x / sqrt(2)) / 2


def _root(rising: bool, low: float, high: float, f: object) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if (f(middle) > 0) is rising else (middle, high)  # type: ignore[operator]
    return low


def _quantile_above(chance: float) -> float:
    """z with P(N > z) = chance."""
    return _root(False, -10, 40, lambda z: _normal(-z) - chance)


def best_sigma(epsilon: float, delta: float) -> float:
    """Of one continuous Gaussian: Balle and Wang's equation."""

    def over(s: float) -> float:
        a = 1 / (2 * s)
        return _normal(a - epsilon * s) - exp(epsilon) * _normal(-a - epsilon * s) - delta

    return _root(False, 0.01, 1e6, over)


def textbook(keys: int, sigma: float, purse: float) -> tuple[float, float]:
    """Gopi and others: the threshold, and the people of 50 % and of 95 %."""
    tau = max(
        1 / sqrt(t) + sigma * _quantile_above(-_expm1(log1p(-purse) / t))
        for t in range(1, keys + 1)
    )
    return tau * sqrt(keys), (tau + sigma * _quantile_above(0.05)) * sqrt(keys)


def _expm1(x: float) -> float:
    return x + x * x / 2 if abs(x) < 1e-5 else exp(x) - 1


@pytest.mark.parametrize("keys", KEYS)
def test_the_gaussian_differs_from_the_published_figures_by_its_sigma_alone(keys: int) -> None:
    """The published sigma is the best of a continuous Gaussian for (1, δ/2).  Ours is what rho
    needs, since no such theorem is true of integers; it is larger, and so are the numbers of
    people.  With the same sigma the formulas agree."""
    ours = WeightedGaussian.within(keys, BUDGET)
    sigma = sqrt(ours.variance) / ours.resolution
    best = best_sigma(1, 5e-7)
    assert near(tuple(map(round, textbook(keys, best, 5e-7))), PUBLISHED["gaussian"][keys], 0.01)  # type: ignore[arg-type]
    assert 1.06 < sigma / best < 1.08
    for mine, theirs in zip(needed(ours), textbook(keys, sigma, 5e-7), strict=True):
        assert theirs * 0.999 <= mine <= theirs * 1.001 + 1


def test_rho_needs_the_sigma_that_it_is_given() -> None:
    """By the textbook's conversion it would be larger still: ρ + 2√(ρ·ln(1/δ)) ≤ ε."""
    ours = WeightedGaussian.within(1, BUDGET).loss(L2(1)).rho
    rest = log(1 / 5e-7)
    assert float(ours) > (sqrt(1 + rest) - sqrt(rest)) ** 2


# --- the choice -----------------------------------------------------------------------------------

BUDGETS: Final[tuple[AnyLoss, ...]] = (
    BUDGET,
    Approx("0.1", "1e-6"),
    Approx(10, "1e-3"),
    ZCDP("1/50", "1e-6"),
    ZCDP(2, "1e-9"),
)


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("groups", [1, 2, 3, 5, 30])
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_the_choice_needs_the_fewest_people(budget: AnyLoss, groups: int, people: int) -> None:
    all_three: tuple[Strategy, ...] = (
        ThresholdedRelease.within(L0(people * groups), budget),
        TruncatedGeometric.within(L0(people * groups), budget),
        WeightedGaussian.within(groups, budget, moves=people),
    )
    chosen = choose(groups, budget, moves=people)
    assert chosen in all_three
    assert chosen.accuracy("1/2") == min(each.accuracy("1/2") for each in all_three)
    if isinstance(chosen, TruncatedGeometric):
        assert chosen.accuracy("1/2") < all_three[0].accuracy("1/2")


def test_few_keys_take_the_optimal_rule_and_many_the_weights() -> None:
    kinds = [type(choose(groups, BUDGET)) for groups in (1, 5, 6, 10, 100)]
    assert kinds[0] is TruncatedGeometric
    assert kinds[-1] is WeightedGaussian
    switch = kinds.index(WeightedGaussian)
    assert set(kinds[:switch]) == {TruncatedGeometric}
    assert set(kinds[switch:]) == {WeightedGaussian}


@pytest.mark.parametrize("groups", [1, 30])
def test_the_chosen_one_takes_weights_of_people(groups: int) -> None:
    chosen = choose(groups, Approx(1, "1e-10"))  # so often the one person is told
    crowd = {"A": 10_000 * chosen.weight(groups), "B": chosen.weight(groups)}
    assert tuple(chosen.release(crowd)) == ("A",)
    assert isinstance(chosen, WeightedGaussian) or chosen.weight(groups) == 1


def test_budgets_of_the_smallest_and_the_largest_kind_get_an_answer() -> None:
    tiny = choose(1, Approx("1e-6", "1e-9"))
    assert not isinstance(tiny, TruncatedGeometric)
    assert choose(1, Approx("1e-6", "1e-9"), moves=2).accuracy("1/2") > tiny.accuracy("1/2")
    assert choose(10**6, BUDGET).accuracy("1/2") < 40_000
    assert choose(1, Approx(20, "1/2")).accuracy("1/2") == 1


def test_what_cannot_be_chosen_is_refused() -> None:
    with pytest.raises(DiscreetError) as refused:
        choose(1, Pure(1))
    assert refused.value.code == "M82"
    with pytest.raises(DiscreetError) as refused:
        choose(3, BUDGET, moves=3)
    assert refused.value.code == "M83"
    for groups, people in ((0, 1), (1, 0), (Fraction(1, 2), 1)):
        with pytest.raises(DiscreetError):
            choose(groups, BUDGET, moves=people)


@pytest.mark.parametrize("budget", [Approx(130, "1e-6"), Approx(1000, "1/2")])
@pytest.mark.parametrize("groups", [1, 2, 3])
def test_a_budget_so_large_that_chances_round_to_one_is_kept(budget: Approx, groups: int) -> None:
    assert choose(groups, budget).accuracy("1/2") >= 1


def test_what_is_chosen_can_be_released() -> None:
    for epsilon in ("7e-5", "1e-4", "1e-3"):
        chosen = choose(1, Approx(epsilon, "1e-30"))
        assert list(chosen.release({"A": 10})) == []
