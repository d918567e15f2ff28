"""The claim of gaussian.md: ρ = Δ²/2σ² of discrete noise, and mutants that are refuted."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.distances import L1, L2
from discreet.errors import MechanismError, UnitError
from discreet.lab.exact import check, refuted
from discreet.loss import GDP, ZCDP, AnyLoss
from discreet.mechanisms import Gaussian
from discreet.numbers import exact
from tests.mechanisms.cases_additive import gaussian_pair


@pytest.mark.parametrize("variance", ["1/4", "1", "22/7", "25"])
def test_at_whole_orders_the_divergence_is_rho_times_the_order(variance: str) -> None:
    """From the definition, term by term: equality where (α − 1)μ is whole, less elsewhere."""
    with localcontext(prec=50):
        spread = Decimal(exact(variance).numerator) / Decimal(exact(variance).denominator)
        reach = 30 + int(20 * spread.sqrt())
        plain = {n: (-Decimal(n * n) / (2 * spread)).exp() for n in range(-4 * reach, 4 * reach)}
        whole = sum(plain.values())
        for move in (1, 2):
            for order in (Decimal("1.3"), Decimal(2), Decimal("2.5"), Decimal(3)):
                terms = (
                    (-(order * n * n + (1 - order) * (n - move) ** 2) / (2 * spread)).exp()
                    for n in plain
                )
                found = (sum(terms, Decimal(0)) / whole).ln() / (order - 1)
                allowed = order * move**2 / (2 * spread)
                assert found <= allowed * (1 + Decimal("1e-40"))
                if order == int(order):
                    assert abs(found / allowed - 1) < Decimal("1e-40")


MUTANTS: dict[str, Callable[[Gaussian, int], AnyLoss]] = {
    "a tenth too cheap": lambda m, k: ZCDP(Fraction(9, 20) * k * k / m.variance),
    "variance for scale": lambda m, k: ZCDP(Fraction(k * k, 2) / m.variance**2),
    "the move, not its square": lambda m, k: ZCDP(Fraction(k, 4) / m.variance),
    "noise a tenth short": lambda m, k: Gaussian(variance=m.variance * Fraction(121, 100)).loss(
        L2(k)
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_cheaper_claim_is_refuted(mutant: Callable[[Gaussian, int], AnyLoss]) -> None:
    mechanism = Gaussian(variance="3/2")
    pair = gaussian_pair(mechanism, (1,))
    assert not refuted(check(mechanism, pair))
    assert refuted(check(mechanism, pair, mutant(mechanism, 1)))


def test_the_continuous_laws_privacy_is_refuted() -> None:
    """GDP(Δ/σ) is true of continuous noise, not of integers."""
    mechanism = Gaussian(1)
    assert refuted(check(mechanism, gaussian_pair(mechanism, (1,)), GDP(1)))


def test_scale_variance_and_step() -> None:
    assert Gaussian(3) == Gaussian(variance=9)
    assert Gaussian("3/2", step="1/2").noise == Gaussian(3).noise
    assert Gaussian("3/2", step="1/2").loss(L2("1/2")) == Gaussian(3).loss(L2(1))
    with pytest.raises(MechanismError):
        Gaussian(3, variance=9)
    with pytest.raises(MechanismError):
        Gaussian()


def test_the_distance_is_of_its_norm_and_on_the_lattice() -> None:
    with pytest.raises(UnitError):
        Gaussian(1).loss(L1(1))  # type: ignore[arg-type]
    with pytest.raises(MechanismError):
        Gaussian(1).loss(L2.root("1/2"))
    assert Gaussian(2).loss(L2.root(2)) == ZCDP("1/4")
    assert Gaussian(2).zcdp(L2.root(2)) == ZCDP("1/4")


def test_the_textbook_bound_is_no_smaller_than_the_exact_one() -> None:
    for count in (1, 100):
        exactly = Gaussian(10).accuracy("0.99", count)
        assert exactly <= Gaussian(10).textbook_accuracy("0.99", count) <= 2 * exactly
