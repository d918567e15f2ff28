"""The claim of laplace.md: exact losses of discrete noise, and mutants that are refuted."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.distances import L1, L2
from discreet.errors import MechanismError, UnitError
from discreet.lab.exact import check, refuted
from discreet.loss import ZCDP, AnyLoss, Pure
from discreet.mechanisms import Laplace
from discreet.numbers import ball, exact, up
from tests.mechanisms.cases_additive import laplace_pairs

SCALES = ["1/3", "1", "22/7", "10"]


def moment(scale: Fraction, k: int, order: Decimal) -> Decimal:
    """Σ P(n)^α·P(n − k)^(1−α), term by term from the definition."""
    t = Decimal(scale.denominator) / Decimal(scale.numerator)
    reach = k + 2 + int(Decimal(150) * Decimal(scale.numerator) / Decimal(scale.denominator))
    whole = sum((-t * abs(n)).exp() for n in range(-reach, reach + 1))
    terms = (
        (-t * (order * abs(n) + (1 - order) * abs(n - k))).exp() for n in range(-reach, reach + 1)
    )
    return sum(terms, Decimal(0)) / whole


def in_closed_form(scale: Fraction, k: int, order: Decimal) -> Decimal:
    """Equation (1) of laplace.md."""
    t = Decimal(scale.denominator) / Decimal(scale.numerator)
    u, q = order - 1, (-t).exp()
    a, b = (u * t).exp(), (-(u + 1) * t).exp()
    r = b / a
    first = (1 - q * r) / ((1 + q) * (1 - r))
    return first * a**k + (1 - first) * b**k


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("k", [0, 1, 2, 7])
def test_the_moment_has_a_closed_form(scale: str, k: int) -> None:
    with localcontext(prec=60):
        for order in ("1.001", "1.5", "2", "7.25"):
            one = moment(exact(scale), k, Decimal(order))
            other = in_closed_form(exact(scale), k, Decimal(order))
            assert abs(one / other - 1) < Decimal("1e-40")


@pytest.mark.parametrize("scale", SCALES)
def test_rho_is_the_limit_at_order_one_and_no_order_needs_more(scale: str) -> None:
    with localcontext(prec=70):
        for k in (1, 2, 3, 8, 30):
            rho = Laplace(scale).zcdp(L1(k)).rho
            claimed = Decimal(rho.numerator) / Decimal(rho.denominator)
            used = []
            for order in ("1.0000000001", "1.01", "1.2", "1.7", "2", "3", "5", "10", "100"):
                alpha = Decimal(order)
                divergence = in_closed_form(exact(scale), k, alpha).ln() / (alpha - 1)
                used.append(divergence / alpha / claimed)
            assert max(used) <= 1
            assert used == sorted(used, reverse=True)
            assert used[0] > Decimal("0.99999999")


@pytest.mark.parametrize("scale", SCALES)
def test_one_coordinate_that_makes_the_whole_move_is_worst(scale: str) -> None:
    with localcontext(prec=60):
        for order in (Decimal("1.01"), Decimal(2), Decimal(9)):
            moments = [in_closed_form(exact(scale), k, order) for k in range(9)]
            for k in range(9):
                for part in range(k + 1):
                    assert moments[part] * moments[k - part] <= moments[k] * (1 + Decimal("1e-50"))


def test_for_a_move_of_one_it_is_what_pure_privacy_gives() -> None:
    for scale in SCALES:
        mechanism = Laplace(scale)
        one, generic = mechanism.zcdp(L1(1)).rho, mechanism.loss(L1(1)).to(ZCDP).rho
        assert abs(one - generic) <= generic / 2**70
        assert mechanism.zcdp(L1(3)).rho < mechanism.loss(L1(3)).to(ZCDP).rho
    assert Laplace(1).zcdp(L1(0)) == ZCDP(0)


def continuous(mechanism: Laplace, k: int) -> AnyLoss:
    """The mutant of theory.md: the constant of continuous noise."""
    epsilon = k / mechanism.scale
    return ZCDP(up(lambda: ball(epsilon) + (-ball(epsilon)).exp() - 1))


MUTANTS: dict[str, Callable[[Laplace, int], AnyLoss]] = {
    "charged as continuous noise": continuous,
    "a tenth too cheap": lambda m, k: Pure(Fraction(9, 10) * k / m.scale),
    "noise a tenth short": lambda m, k: Laplace(m.scale * Fraction(11, 10)).loss(L1(k)),
    "half the move": lambda m, k: Pure(Fraction(k, 2) / m.scale),
    "ε²/2·tanh": lambda m, k: ZCDP((k / m.scale) ** 2 / 8),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_cheaper_claim_is_refuted(mutant: Callable[[Laplace, int], AnyLoss]) -> None:
    for scale in ("1", "22/7"):
        mechanism = Laplace(scale)
        pairs = list(laplace_pairs(exact(scale), 3))
        true = [finding for pair in pairs for finding in check(mechanism, pair)]
        assert not refuted(true)
        wrong = [
            finding
            for k, pair in enumerate(pairs)
            if k
            for finding in check(mechanism, pair, mutant(mechanism, k))
        ]
        assert refuted(wrong)


def test_the_textbook_bound_is_that_of_continuous_noise() -> None:
    assert (
        0 <= Laplace(2).textbook_accuracy("0.95") - 2 * exact("2.9957322735") < Fraction(1, 10**8)
    )
    assert Laplace(2).textbook_accuracy("0.95", 100) > Laplace(2).textbook_accuracy("0.95")


def test_the_distance_is_of_its_norm_and_on_the_lattice() -> None:
    with pytest.raises(UnitError):
        Laplace(1).loss(L2(1))  # type: ignore[arg-type]
    with pytest.raises(MechanismError):
        Laplace(1).loss(L1("1/2"))
    assert Laplace(1, step="1/2").loss(L1("1/2")) == Pure("1/2")
