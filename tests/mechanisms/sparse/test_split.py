"""The claim of split.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from discreet.distances import L1, LInf, Monotone
from discreet.errors import LossError, MechanismError, NumberError, UnitError
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse, SparseOnce
from discreet.mechanisms.sparse.split import apart, best_split, for_each, moved

Made = AboveThreshold | Sparse | SparseOnce | NumericSparse
DELTAS = ["1/10", "1e-3", "1e-6", "1e-9"]


def spent(count: int, each: Fraction, delta: str) -> Decimal:
    """√(2c ln(1/δ))·ε₀ + cε₀(e^ε₀ − 1)."""
    with localcontext(prec=60):
        one = Decimal(each.numerator) / Decimal(each.denominator)
        slack = Decimal(Fraction(delta).numerator) / Decimal(Fraction(delta).denominator)
        return (2 * count * -slack.ln()).sqrt() * one + count * one * (one.exp() - 1)


@pytest.mark.parametrize("count", [1, 2, 7, 60, 1000])
@pytest.mark.parametrize("epsilon", ["1/100", "1/2", "1", "5", "1000"])
def test_without_delta_each_costs_its_share(epsilon: str, count: int) -> None:
    assert for_each(epsilon, count, 0) * count == Fraction(epsilon)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("count", [1, 2, 7, 60, 1000])
@pytest.mark.parametrize("epsilon", ["1/100", "1/2", "99/100", "5", "100"])
def test_with_delta_each_costs_as_much_as_a_theorem_allows(
    epsilon: str, count: int, delta: str
) -> None:
    """No more, for either the sum or advanced composition is kept; hardly less, for a part in 10^5
    more would break both; and the textbook's noise, valid below one, is never better."""
    total = Fraction(epsilon)
    each = for_each(epsilon, count, delta)
    more = each * Fraction(100_001, 100_000)
    assert count * each <= total or spent(count, each, delta) <= epsilon_of(total)
    assert count * more > total
    assert more > Fraction(7, 10) or spent(count, more, delta) > epsilon_of(total)
    if total < 1:
        with localcontext(prec=60):
            root = (8 * count * Decimal(Fraction(delta).denominator).ln()).sqrt()
            textbook = Fraction(epsilon_of(total) / root)
        assert spent(count, textbook, delta) <= epsilon_of(total)
        assert more >= textbook


def epsilon_of(total: Fraction) -> Decimal:
    return Decimal(total.numerator) / Decimal(total.denominator)


def test_many_positives_are_cheaper_with_delta_and_few_are_not() -> None:
    assert for_each(1, 2, "1e-6") == Fraction(1, 2)
    assert for_each("1/2", 1000, "1e-6") > 5 * for_each("1/2", 1000, 0)


def test_the_constant_of_the_root_cannot_be_less() -> None:
    """The mutant √(c ln(1/δ)): it would allow more than is proven."""
    each = for_each("1/2", 1000, "1e-6")
    assert spent(1000, each * Fraction(14, 10), "1e-6") > Decimal("0.6")


@pytest.mark.parametrize("times", [1, 2, 4, 6, 8, 200])
@pytest.mark.parametrize("epsilon", ["1/3", "1", "4"])
def test_a_split_adds_up_and_is_the_best(epsilon: str, times: int) -> None:
    total = Fraction(epsilon)
    first, second = best_split(total, times)
    assert first > 0
    assert first + second == total
    assert float(second / first) == pytest.approx(times ** (2 / 3), rel=2e-6)

    def variance(part: Fraction) -> Fraction:
        return 1 / part**2 + times**2 / (total - part) ** 2

    for other in (first * Fraction(99, 100), first * Fraction(101, 100)):
        assert variance(other) > variance(first)


@pytest.mark.parametrize("distance", [LInf(1), LInf(5), Monotone(1), Monotone(4)])
@pytest.mark.parametrize("epsilon", ["1/7", "1", "30"])
def test_what_is_made_for_a_loss_costs_that_loss(epsilon: str, distance: LInf | Monotone) -> None:
    best: list[Made] = [
        AboveThreshold.best(epsilon, distance),
        Sparse.best(epsilon, 5, distance),
        SparseOnce.best(epsilon, 5, distance),
        NumericSparse.best(epsilon, 5, distance),
    ]
    assert {str(each.loss(distance)) for each in best} == {str(best[0].loss(distance))}
    assert best[0].loss(distance).epsilon == Fraction(epsilon)
    textbook: list[Made] = [
        AboveThreshold.textbook(epsilon, distance),
        Sparse.textbook(epsilon, 5, distance),
        NumericSparse.textbook(epsilon, 5, distance),
    ]
    kept = [each.loss(distance).epsilon <= Fraction(epsilon) for each in textbook]
    assert kept == [True] * 3
    if isinstance(distance, LInf):
        assert [each.loss(distance).epsilon for each in textbook] == [Fraction(epsilon)] * 3


def test_what_is_made_with_delta_keeps_it() -> None:
    for kind in (Sparse, NumericSparse):
        for make in (kind.textbook, kind.best):
            made = make("1/2", 500, LInf(2), delta="1e-6")
            loss = made.loss(LInf(2))
            assert Fraction(49, 100) < loss.epsilon <= Fraction(1, 2)
            assert loss.delta == Fraction(1, 10**6)  # type: ignore[union-attr]


def test_distances_are_whole_steps_in_the_norm_of_the_theorem() -> None:
    assert moved(LInf(3), "it") == (Fraction(3), 2)
    assert moved(Monotone(3), "it") == (Fraction(3), 1)
    assert moved(LInf(0), "it") == (Fraction(0), 2)
    for halves in (LInf("1/2"), Monotone("3/2")):
        with pytest.raises(MechanismError) as refused:
            AboveThreshold(2, 4).loss(halves)
        assert refused.value.code == "M34"
    with pytest.raises(UnitError) as other:
        AboveThreshold(2, 4).loss(L1(1))  # type: ignore[arg-type]
    assert other.value.code == "U12"


@pytest.mark.parametrize("distance", [LInf(0), Monotone(0)])
def test_no_noise_is_made_for_nothing(distance: LInf | Monotone) -> None:
    for make in (
        lambda: AboveThreshold.textbook(1, distance),
        lambda: AboveThreshold.best(1, distance),
        lambda: Sparse.textbook(1, 2, distance),
        lambda: SparseOnce.best(1, 2, distance),
        lambda: NumericSparse.textbook(1, 2, distance),
        lambda: apart(distance, "it"),
    ):
        with pytest.raises(MechanismError) as refused:
            make()
        assert refused.value.code == "M65"


@pytest.mark.parametrize("bad", [0, -1, "half", None, float("nan")])
def test_bad_numbers_are_refused_when_it_is_made(bad: object) -> None:
    for make in (
        lambda: AboveThreshold(bad, 4),  # type: ignore[arg-type]
        lambda: AboveThreshold(2, bad),  # type: ignore[arg-type]
        lambda: AboveThreshold.textbook(bad),  # type: ignore[arg-type]
        lambda: Sparse(bad, 2, 4),  # type: ignore[arg-type]
        lambda: Sparse.best(bad, 2),  # type: ignore[arg-type]
        lambda: SparseOnce(bad, 2, 4),  # type: ignore[arg-type]
        lambda: NumericSparse(2, 2, 4, bad),  # type: ignore[arg-type]
    ):
        with pytest.raises(NumberError):
            make()


def test_noise_beyond_the_samplers_is_refused_when_it_is_made() -> None:
    for make in (
        lambda: AboveThreshold(2, 2**41),
        lambda: SparseOnce(2, 2**41, 2),
        lambda: Sparse(2, 2**41, 2),
        lambda: NumericSparse(2, 2, 2, 2**41),
    ):
        with pytest.raises(MechanismError) as refused:
            make()
        assert refused.value.code == "M21"


@pytest.mark.parametrize("delta", [-1, 2, 1])
def test_a_delta_is_a_probability_below_one(delta: int) -> None:
    with pytest.raises((NumberError, LossError)):
        Sparse(2, 2, 4, delta=delta)
    with pytest.raises((NumberError, LossError)):
        NumericSparse.textbook(1, 2, delta=delta)
