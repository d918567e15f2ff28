"""The claim of threshold.md."""

from __future__ import annotations

import os
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from discreet.distances import L0, L1
from discreet.entropy import Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, AnyLoss, Approx, Pure
from discreet.mechanisms.keys import ThresholdedRelease
from discreet.mechanisms.keys.people import Key
from discreet.numbers import exact
from tests.mechanisms.cases_keys import key_pairs
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal, weight

SCALES = ["1/3", "1", "22/7", "40"]
NEW = Neighbours({}, {"a": 1}, L0(1))
Pairs = tuple[tuple[Key, int], ...]


def told(mechanism: ThresholdedRelease, people: int) -> dict[Pairs, float]:
    """The law of one key, as floats."""
    law = mechanism.law({"a": people})
    return {
        outcome: float(low)  # type: ignore[misc]
        for outcome, (low, _) in zip(law.outcomes, law.weights, strict=True)
    }


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("threshold", [1, 2, 7, 60])
def test_delta_is_the_chance_that_one_person_alone_is_told(scale: str, threshold: int) -> None:
    found = ThresholdedRelease(scale, threshold).loss(L0(1))
    with localcontext(prec=60):
        q = weight(1 / exact(scale))
        true = q ** (threshold - 1) / (1 + q) if threshold > 1 else 1 / (1 + q)
        assert abs(decimal(found.delta) / true - 1) < Decimal(2) ** -70
    assert found.epsilon == 1 / exact(scale)


@pytest.mark.parametrize(("scale", "threshold"), [("1", 4), ("22/7", 2), ("3", 6)])
def test_the_delta_of_a_strict_threshold_is_refuted(scale: str, threshold: int) -> None:
    """The mutants: `≥` is told and `>` is charged, or the noise is forgotten to start at one."""
    mechanism = ThresholdedRelease(scale, threshold)
    one_more = ThresholdedRelease(scale, threshold + 1)
    assert not refuted(check(mechanism, NEW))
    assert refuted(check(mechanism, NEW, one_more.loss(L0(1))))
    assert refuted(check(mechanism, NEW, one_more.zcdp(L0(1))))
    p, q = mechanism.law({}), ThresholdedRelease(scale, threshold - 1).law({"a": 1})
    assert refuted(compare(p, q, mechanism.loss(L0(1)), NEW))


def test_rows_in_the_place_of_people_are_refuted() -> None:
    """The mutant: one person with three rows in a group of their own."""
    mechanism = ThresholdedRelease.within(L0(1), Approx(1, "1e-3"))
    assert refuted(check(mechanism, Neighbours({}, {"a": 3}, L0(1))))


def test_a_key_that_is_told_without_people_is_refuted() -> None:
    """The mutant: noise is added to keys of nobody, too, of which the list came from the data."""
    mechanism = ThresholdedRelease(1, 2)
    p, q = mechanism.law({}), ThresholdedRelease(1, 3).law({"a": 1})
    assert refuted(compare(p, q, Pure(50), NEW))


def test_smaller_losses_are_refuted_by_pairs_of_one_key() -> None:
    mechanism, pairs = ThresholdedRelease("1/2", 3), list(key_pairs(1, 6))
    delta = mechanism.loss(L0(1)).delta
    some = [check(mechanism, pair, Approx("1.9", delta / 10**9)) for pair in pairs]
    assert any(map(refuted, some))
    low = [check(mechanism, pair, ZCDP("0.7", delta)) for pair in pairs]
    assert any(map(refuted, low))
    assert not any(refuted(check(mechanism, pair)) for pair in pairs)


def test_the_loss_of_one_key_is_refuted_where_two_keys_move() -> None:
    mechanism, pairs = ThresholdedRelease("1/5", 2), list(key_pairs(2, 1))
    assert any(refuted(check(mechanism, pair, mechanism.loss(L0(1)))) for pair in pairs)


@pytest.mark.parametrize("keys", [1, 10, 100])
@pytest.mark.parametrize(
    "budget", [Approx(1, "1e-6"), Approx("0.1", "1e-9"), ZCDP("1/50", "1e-6")], ids=str
)
def test_within_a_budget_no_smaller_threshold_would_do(keys: int, budget: AnyLoss) -> None:
    made = ThresholdedRelease.within(L0(keys), budget)
    lower = ThresholdedRelease(made.scale, made.threshold - 1)
    if isinstance(budget, Approx):
        assert made.loss(L0(keys)) <= budget
        assert made.loss(L0(keys)).epsilon == budget.epsilon
        assert not lower.loss(L0(keys)) <= budget
    if isinstance(budget, ZCDP):
        assert made.zcdp(L0(keys)) <= budget
        assert not lower.zcdp(L0(keys)) <= budget


def test_nothing_moves_and_nothing_is_lost() -> None:
    mechanism = ThresholdedRelease(2, 9)
    assert mechanism.loss(L0(0)) == Approx(0, 0)
    assert mechanism.zcdp(L0(0)) == ZCDP(0)
    budget = Approx(1, "1e-6")
    assert ThresholdedRelease.within(L0(0), budget) == ThresholdedRelease.within(L0(1), budget)


@pytest.mark.parametrize("confidence", ["0.01", "0.5", "0.95", "0.999999"])
@pytest.mark.parametrize("count", [1, 20])
def test_accuracy_is_the_least_number_of_people(confidence: str, count: int) -> None:
    mechanism = ThresholdedRelease(3, 12)

    def chance(people: int) -> Decimal:
        """The sum over all noise, term by term."""
        q = weight(exact("1/3"))
        return sum(
            ((1 - q) / (1 + q) * q ** abs(z) for z in range(12 - people, 400)), start=Decimal(0)
        )

    with localcontext(prec=60):
        least = int(mechanism.accuracy(confidence, count))
        assert chance(least) ** count >= Decimal(confidence)
        assert least == 1 or chance(least - 1) ** count < Decimal(confidence)


def test_the_law_is_the_noise_above_the_threshold() -> None:
    mechanism = ThresholdedRelease(1, 3)
    law = mechanism.law({"b": 2, "a": 0})
    with localcontext(prec=60):
        q = weight(Fraction(1))
        true = {(): 1 - q / (1 + q)} | {
            (("b", m),): (1 - q) / (1 + q) * q ** (m - 2) for m in range(3, 20)
        }
    found = dict(zip(law.outcomes, law.weights, strict=True))
    for outcome, chance in true.items():
        low, high = found[outcome]
        assert abs(float(low) - float(chance)) < 1e-15
        assert high - low < Fraction(1, 2**100)
    assert min(told(mechanism, 2).keys() - {()}) == (("a", 3),)
    assert law.missing[1] <= Fraction(1, 2**127)


@pytest.mark.parametrize("people", [1, 6, 9])
def test_releases_follow_the_law(people: int) -> None:
    mechanism, wrong = ThresholdedRelease(2, 7), ThresholdedRelease("2.3", 7)
    many = dict.fromkeys(range(100_000), people)
    found = mechanism.release(many)
    drawn = np.array([found.get(key, 0) for key in many], np.int64)

    def law(of: ThresholdedRelease) -> dict[int, float]:
        return {pairs[0][1] if pairs else 0: p for pairs, p in told(of, people).items()}

    assert doubt(drawn, {n: p for n, p in law(mechanism).items() if p > 1e-8}) > FALSE_ALARM
    if people > 1:
        assert doubt(drawn, {n: p for n, p in law(wrong).items() if p > 1e-8}) < FALSE_ALARM
    higher = {0: sum(p for n, p in law(mechanism).items() if n <= 7)} | {
        n: p for n, p in law(mechanism).items() if n > 7
    }
    assert doubt(drawn, higher) < FALSE_ALARM, "told only above the threshold"


def test_the_same_bytes_tell_the_same() -> None:
    chosen, people = os.urandom(200_000), {"a": 7, "b": 8, "c": 9, 4: 8}
    mechanism = ThresholdedRelease(3, 8)
    first, again = (mechanism.release(people, entropy=Replay(chosen)) for _ in range(2))
    assert list(first.items()) == list(again.items())
    assert all(n >= 8 and type(n) is int for n in first.values())


@pytest.mark.parametrize("scale", [0, -1, "2e12", None])
def test_bad_scales_are_refused(scale: int) -> None:
    with pytest.raises(DiscreetError):
        ThresholdedRelease(scale, 3)


def test_other_distances_are_refused() -> None:
    mechanism = ThresholdedRelease(1, 3)
    for call in (mechanism.loss, mechanism.zcdp):
        with pytest.raises(DiscreetError) as refused:
            call(L1(1))  # type: ignore[arg-type]
        assert refused.value.code == "U12"


def test_a_law_of_too_many_outcomes_is_refused() -> None:
    with pytest.raises(DiscreetError) as refused:
        ThresholdedRelease(1, 3).law(dict.fromkeys("abcdefgh", 9))
    assert refused.value.code == "M84"


def test_rho_of_many_keys_is_far_below_that_of_their_epsilon() -> None:
    mechanism = ThresholdedRelease(10, 100)
    assert mechanism.zcdp(L0(10)).rho < mechanism.loss(L0(10)).to(ZCDP).rho / 5
