"""The claim of laplace.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.noise import DiscreteLaplace
from discreet.numbers import at, exact
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight

SCALES = ["1/3", "1", "22/7", "100"]


def closed(scale: str, n: int) -> Decimal:
    """(1 - q)/(1 + q)·q^|n|."""
    q = weight(1 / exact(scale))
    return (1 - q) / (1 + q) * q ** abs(n)


def closed_tail(scale: str, t: int) -> Decimal:
    """2·q^t/(1 + q)."""
    q = weight(1 / exact(scale))
    return 2 * q**t / (1 + q)


@pytest.mark.parametrize("scale", SCALES)
def test_the_law_is_the_closed_form(scale: str) -> None:
    law = DiscreteLaplace(scale).law()
    with localcontext(prec=60):
        for n in (0, 1, -1, 2, -17, 300):
            assert near(at(220, lambda: law.probability(n)), closed(scale, n))  # noqa: B023
            assert near(at(220, lambda: law.at_least(abs(n) + 1)), closed_tail(scale, abs(n) + 1))  # noqa: B023


@pytest.mark.parametrize("scale", SCALES)
def test_zero_counted_once_for_each_sign_would_be_another_law(scale: str) -> None:
    """The mutant: sign times magnitude, where "-0" is not folded."""
    law = DiscreteLaplace(scale).law()
    with localcontext(prec=60):
        q = weight(1 / exact(scale))
        assert not near(at(220, lambda: law.probability(0)), 1 - q)


@pytest.mark.parametrize("scale", SCALES)
def test_the_continuous_tail_is_smaller_by_a_factor_between_one_and_two(scale: str) -> None:
    with localcontext(prec=60):
        for t in (1, 2, 9):
            assert 1 < closed_tail(scale, t) / weight(Fraction(t) / exact(scale)) < 2


@pytest.mark.parametrize("scale", SCALES[:3])
def test_samples_follow_the_closed_form(scale: str) -> None:
    with localcontext(prec=30):
        law = {n: float(closed(scale, n)) for n in range(-60, 61)}
        wide = str(exact(scale) * Fraction(105, 100))
        wrong = {n: float(closed(wide, n)) for n in range(-60, 61)}
    drawn = DiscreteLaplace(scale).sample(1_000_000)
    assert doubt(drawn, {n: p for n, p in law.items() if p > 1e-9}) > FALSE_ALARM
    assert doubt(drawn, {n: p for n, p in wrong.items() if p > 1e-9}) < FALSE_ALARM
