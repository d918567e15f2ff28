"""The claim of geometric.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import arb

from discreet.noise import Geometric
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight

SCALES = ["1/3", "1", "22/7", "100"]


def closed(scale: str, n: int) -> Decimal:
    """(1 - q)·qⁿ."""
    q = weight(1 / exact(scale))
    return (1 - q) * q**n


@pytest.mark.parametrize("scale", SCALES)
def test_the_law_is_the_closed_form(scale: str) -> None:
    law = Geometric(scale).law()
    with localcontext(prec=60):
        for n in (0, 1, 2, 17, 300):
            assert near(at(220, lambda: law.probability(n)), closed(scale, n))  # noqa: B023
        assert not near(at(220, lambda: law.probability(1)), closed(scale, 2))
    assert at(100, lambda: law.probability(-1)) == 0


@pytest.mark.parametrize("scale", SCALES)
def test_it_has_no_memory(scale: str) -> None:
    """P(X ≥ t + d) = P(X ≥ t)·P(X ≥ d)."""
    law = Geometric(scale).law()

    def gap() -> arb:
        return law.at_least(9) - law.at_least(4) * law.at_least(5)

    assert at(220, gap).contains(0)
    assert at(220, gap).rad() < 1e-60


@pytest.mark.parametrize("scale", SCALES[:3])
def test_samples_follow_the_closed_form(scale: str) -> None:
    with localcontext(prec=30):
        law = {n: float(closed(scale, n)) for n in range(60)}
        wrong = {n: float(closed(str(exact(scale) * Fraction(105, 100)), n)) for n in range(60)}
    drawn = Geometric(scale).sample(1_000_000)
    assert doubt(drawn, {n: p for n, p in law.items() if p > 1e-9}) > FALSE_ALARM
    assert doubt(drawn, {n: p for n, p in wrong.items() if p > 1e-9}) < FALSE_ALARM
