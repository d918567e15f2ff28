"""The claim of law.md, against plain sums."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from flint import arb

from discreet.noise import law as law_module
from discreet.noise.law import IntegerLaw, _long_sum
from discreet.noise.weights import Weights
from discreet.numbers import at, ball
from tests.noise.reading import FAMILIES, SCALES, Family, gaussian, geometric, laplace

PLAIN = [scale for scale in SCALES if scale <= 100]


def plain_sum(weights: Weights, start: int, end: int) -> arb:
    total = arb(0)
    for n in range(start, end):
        total += (-ball(weights.linear * n + weights.square * n * n)).exp()
    return total


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", PLAIN, ids=str)
def test_total_and_tails_are_the_plain_sums(family: Family, scale: Fraction) -> None:
    weights = family(scale)
    law, signs = IntegerLaw(weights), len(weights.sides.signs)
    reach = int(60 * scale) + 60
    with flint.ctx.workprec(100):
        whole = 1 + signs * plain_sum(weights, 1, reach)
        assert abs(law.total() / whole - 1) < 2.0**-80
        for distance in (1, 2, 7, int(scale) + 1, 5 * int(scale) + 1):
            tail = signs * plain_sum(weights, distance, reach) / whole
            assert abs(law.at_least(distance) - tail) < 2.0**-80
        for n in (0, 1, 5, -1, -5):
            plain = (-ball(weights.exponent(n))).exp() / whole
            one_sided_below_zero = n < 0 and signs == 1
            assert abs(law.probability(n) - (0 if one_sided_below_zero else plain)) < 2.0**-80
        assert law.at_least(0) == 1


def test_closed_forms() -> None:
    """(1 - q)/(1 + q)·q^|n| and 2·q^t/(1 + q); (1 - q)·qⁿ and q^t."""
    for scale in SCALES:
        with flint.ctx.workprec(200):
            q = (-ball(1 / scale)).exp()
            for n in (0, 1, 3, 1000):
                assert IntegerLaw(laplace(scale)).probability(-n).overlaps((1 - q) / (1 + q) * q**n)
                assert IntegerLaw(geometric(scale)).probability(n).overlaps((1 - q) * q**n)
            for t in (1, 2, 1000):
                assert IntegerLaw(laplace(scale)).at_least(t).overlaps(2 * q**t / (1 + q))
                assert IntegerLaw(geometric(scale)).at_least(t).overlaps(q**t)


def test_both_sums_of_a_theta_function_agree_at_their_border() -> None:
    """√(π/s)·Σ exp(-π²k²/s) = Σ exp(-s·n²), on both sides of s = 1."""
    for square in (Fraction(99, 100), Fraction(1), Fraction(101, 100), Fraction(1, 5)):
        weights = Weights(Fraction(0), square, gaussian(Fraction(1)).sides)
        with flint.ctx.workprec(200):
            plain = 1 + 2 * plain_sum(weights, 1, 40)
            assert abs(IntegerLaw(weights).total() - plain) < 2.0**-180


@pytest.mark.parametrize("scale", [Fraction(10), Fraction(61, 2), Fraction(300)], ids=str)
@pytest.mark.parametrize("bits", [60, 300, 1000])
def test_long_tails_of_the_gaussian_are_the_plain_sums(scale: Fraction, bits: int) -> None:
    weights = gaussian(scale)
    for distance in (1, 2, int(scale) // 3, int(scale), int(7 * scale), int(20 * scale)):
        found = at(bits, lambda: IntegerLaw(weights).at_least(distance))  # noqa: B023
        with flint.ctx.workprec(bits + 40):
            # The rest is below exp(-1600/2) of the first weight.
            plain = plain_sum(weights, distance, distance + int(40 * scale) + bits)
            plain = 2 * (plain + arb(0, 1) * plain * (-arb(750)).exp())
            assert found.overlaps(plain / IntegerLaw(weights).total())
        assert found.rel_accuracy_bits() > bits - 24


def test_a_formula_with_half_the_corrections_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant bounds its error as if they were all there."""
    weights, distance = gaussian(Fraction(50)), 100
    plain = at(340, lambda: plain_sum(weights, distance, 4_000))
    assert at(300, lambda: _long_sum(weights.square, distance)).overlaps(plain)
    right = range
    monkeypatch.setattr(law_module, "range", lambda low, high: right(low, high // 2), raising=False)
    assert not at(300, lambda: _long_sum(weights.square, distance)).overlaps(plain)


@pytest.mark.parametrize("scale", [Fraction(10**6), Fraction(2**40)])
def test_the_longest_tails_lie_between_those_of_the_continuous_law(scale: Fraction) -> None:
    law = IntegerLaw(gaussian(scale))
    for times in (1, 2, 5):
        t = int(times * scale)
        found = at(120, lambda: law.at_least(t))  # noqa: B023
        with flint.ctx.workprec(120):
            root = 1 / (ball(scale) * arb(2).sqrt())
            assert (root * t).erfc() < found < (root * (t - 1)).erfc()


def test_probabilities_of_huge_scales_shrink_to_a_point() -> None:
    for scale in (Fraction(2**40), Fraction(2**38, 3), Fraction(1, 10**6)):
        for family in FAMILIES:
            found = at(400, lambda: IntegerLaw(family(scale)).probability(1))  # noqa: B023
            assert found > 0
            assert found.rel_accuracy_bits() > 300
