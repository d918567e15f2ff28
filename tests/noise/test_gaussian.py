"""The claim of gaussian.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.noise import DiscreteGaussian
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight

VARIANCES = ["1/9", "1/4", "1", "484/49", "2", "100"]


def plain(variance: str) -> dict[int, Decimal]:
    """exp(-n²/2σ²) and its sum, as the definition says, out to 16 σ."""
    spread = exact(variance)
    reach = 20 + int(16 * float(spread) ** 0.5)
    weights = {n: weight(Fraction(n * n) / (2 * spread)) for n in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {n: each / total for n, each in weights.items()}


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_law_is_the_definition(variance: str) -> None:
    law = DiscreteGaussian(variance=variance).law()
    with localcontext(prec=65):
        chance = plain(variance)
        for n in (0, 1, -1, 2, -5):
            assert near(at(220, lambda: law.probability(n)), chance[n])  # noqa: B023
            tail = sum(p for m, p in chance.items() if abs(m) >= abs(n) + 1)
            assert near(at(220, lambda: law.at_least(abs(n) + 1)), Decimal(tail))  # noqa: B023


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_laws_own_variance_is_at_most_sigma_squared(variance: str) -> None:
    with localcontext(prec=65):
        own = sum(n * n * p for n, p in plain(variance).items())
        given = exact(variance)
        less = 1 - own * given.denominator / given.numerator
        assert less > Decimal("-1e-50")
        assert (less > Decimal("1e-20")) == (given <= 2)
        # The figures of gaussian.md.
        assert round(less, 2) == Decimal("0.14") or given != Fraction(1, 4)
        assert less < Decimal("1e-6") or given < 1


def test_scale_and_variance_are_not_mixed_up() -> None:
    law = DiscreteGaussian(3).law()
    with localcontext(prec=65):
        assert near(at(220, lambda: law.probability(4)), plain("9")[4])
        assert not near(at(220, lambda: law.probability(4)), plain("3")[4])


@pytest.mark.parametrize("variance", VARIANCES[:4])
def test_samples_follow_the_definition(variance: str) -> None:
    with localcontext(prec=30):
        law = {n: float(p) for n, p in plain(variance).items() if p > Decimal("1e-9")}
        wide = plain(str(exact(variance) * Fraction(110, 100)))
        wrong = {n: float(wide[n]) for n in law}
    drawn = DiscreteGaussian(variance=variance).sample(1_000_000)
    assert doubt(drawn, law) > FALSE_ALARM
    assert doubt(drawn, wrong) < FALSE_ALARM
