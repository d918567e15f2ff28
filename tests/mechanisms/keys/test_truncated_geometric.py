"""The claim of truncated_geometric.md."""

from __future__ import annotations

import os
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from discreet.distances import L0, LInf
from discreet.entropy import Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, AnyLoss, Approx
from discreet.loss.divergence import Law
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric
from discreet.mechanisms.keys.truncated_geometric import _bits, _climb
from discreet.numbers import exact
from tests.mechanisms.cases_keys import key_pairs
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal

SETTINGS = [("1", "1e-6"), ("1/10", "1e-9"), ("3", "1/3"), ("1e-2", "1e-30"), ("40", "1e-6")]
ONE = L0(1)


def ideal(epsilon: str, delta: str) -> list[Decimal]:
    """π(0), π(1), … by the recursion of the theorem, in decimals of the present precision."""
    e, d = decimal(exact(epsilon)).exp(), decimal(exact(delta))
    chances = [Decimal(0)]
    while chances[-1] < 1:
        last = chances[-1]
        chances.append(min(e * last + d, 1 - (1 - last - d) / e, Decimal(1)))
    return chances


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
def test_every_step_keeps_all_four_inequalities_and_none_could_be_higher(
    epsilon: str, delta: str
) -> None:
    mechanism = TruncatedGeometric(epsilon, delta)
    with localcontext(prec=120):
        true = ideal(epsilon, delta)
        e, d = decimal(exact(epsilon)).exp(), decimal(exact(delta))
        whole = 1 << _bits(mechanism.epsilon, mechanism.delta)
        before = Decimal(0)
        for n, height in enumerate(_climb(mechanism.epsilon, mechanism.delta), start=1):
            after = decimal(Fraction(height, whole))
            assert before <= after <= 1
            assert after <= e * before + d
            assert 1 - before <= e * (1 - after) + d
            best = true[min(n, len(true) - 1)]
            assert best * (1 - Decimal("1e-14")) <= after <= best
            assert n % 1000 != 2 or mechanism.chance(n) == Fraction(height, whole)
            before = after
        assert before == 1
    assert mechanism.chance(0) == 0
    assert mechanism.chance(2 * len(true)) == 1


def coin(chance: Fraction) -> Law:
    return Law({(): 1 - chance, ("a",): chance})


@pytest.mark.parametrize("people", [1, 2, 14, 15, 27, 28])
def test_any_larger_chance_is_refuted(people: int) -> None:
    """The mutants: π a little too large, at the first step, in the middle and at the end."""
    mechanism = TruncatedGeometric(1, "1e-6")
    before, after = mechanism.chance(people - 1), mechanism.chance(people)
    pair = Neighbours(people - 1, people, ONE)
    assert not refuted(compare(coin(before), coin(after), mechanism.loss(ONE), pair))
    rest = after * (1 - after)
    if rest:
        more = after + rest / 10**6
        assert refuted(compare(coin(before), coin(more), mechanism.loss(ONE), pair))
    else:
        assert people == 28


def test_one_branch_alone_is_refuted() -> None:
    """The mutant: e^ε·π + δ up to one, and nothing said of those who are not told."""
    chance, found = Fraction(0), []
    while chance < 1:
        more = min(chance * Fraction(27, 10) + Fraction(1, 10**6), Fraction(1))
        claim = Approx(1, "1e-6")
        found += compare(coin(chance), coin(more), claim, Neighbours(0, 1, ONE))
        chance = more
    assert refuted(found)


def test_a_key_of_nobody_that_is_told_could_not_be() -> None:
    """The mutant: π(0) = δ.  (ε, δ) would allow it; that nobody's key is known does not."""
    law = TruncatedGeometric(1, "1/10").law({"a": 0, "b": 1})
    assert set(law.outcomes) == {(), ("b",)}


@pytest.mark.parametrize("keys", [1, 2, 3])
def test_smaller_losses_of_many_keys_are_refuted(keys: int) -> None:
    mechanism = TruncatedGeometric("1/4", "1/50")
    loss, pairs = mechanism.loss(L0(keys)), list(key_pairs(keys, 4 if keys < 3 else 2))
    assert not any(refuted(check(mechanism, pair, loss)) for pair in pairs)
    mutants: list[AnyLoss] = [
        Approx(loss.epsilon, loss.delta * Fraction(999, 1000)),
        ZCDP(mechanism.zcdp(L0(keys)).rho, loss.delta * Fraction(999, 1000)),
    ]
    if keys == 1:
        mutants.append(Approx(loss.epsilon * Fraction(9, 10), loss.delta))
    for less in mutants:
        assert any(refuted(check(mechanism, pair, less)) for pair in pairs)


@pytest.mark.parametrize("keys", [1, 10, 100])
@pytest.mark.parametrize(
    "budget", [Approx(1, "1e-6"), Approx("0.1", "1e-9"), ZCDP("1/50", "1e-6")], ids=str
)
def test_within_a_budget_it_is_used_up(keys: int, budget: AnyLoss) -> None:
    made = TruncatedGeometric.within(L0(keys), budget)
    nearly = 1 - Fraction(1, 10**6)
    if isinstance(budget, Approx):
        used = made.loss(L0(keys))
        assert used <= budget
        assert used.epsilon == budget.epsilon
        assert used.delta > budget.delta * nearly
    if isinstance(budget, ZCDP):
        spent = made.zcdp(L0(keys))
        assert spent <= budget
        assert spent.rho > budget.rho * nearly
        assert spent.delta > budget.delta * nearly


def test_nothing_moves_and_nothing_is_lost() -> None:
    mechanism = TruncatedGeometric(1, "1e-6")
    assert mechanism.loss(L0(0)) == Approx(0, 0)
    assert mechanism.zcdp(L0(0)) == ZCDP(0)


@pytest.mark.parametrize("confidence", ["1e-9", "1/2", "0.95", "0.999999"])
@pytest.mark.parametrize("count", [1, 30])
def test_accuracy_is_the_least_number_of_people(confidence: str, count: int) -> None:
    mechanism = TruncatedGeometric("1/2", "1e-6")
    least, sure = int(mechanism.accuracy(confidence, count)), exact(confidence)
    assert mechanism.chance(least) ** count >= sure
    assert mechanism.chance(least - 1) ** count < sure


def test_noise_and_a_threshold_never_tell_more() -> None:
    budget = Approx(1, "1e-4")
    best = TruncatedGeometric.within(ONE, budget)
    other = ThresholdedRelease.within(ONE, budget)
    for people in range(1, 30):
        law = other.law({"a": people})
        unsaid = dict(zip(law.outcomes, law.weights, strict=True))[()][0]
        assert best.chance(people) > 1 - unsaid or best.chance(people) == 1


def test_releases_follow_the_law() -> None:
    mechanism, wrong = TruncatedGeometric("1/2", "1/20"), TruncatedGeometric("1/2", "1/18")
    people, many = {"a": 1, "b": 3, "c": 6, "d": 0}, 30_000
    crowd = {(i, key): n for i in range(many) for key, n in people.items()}
    found = set(mechanism.release(crowd))
    place = {"a": 1, "b": 2, "c": 4}
    drawn = np.array(
        [sum(bit for key, bit in place.items() if (i, key) in found) for i in range(many)], np.int64
    )

    def law(of: TruncatedGeometric) -> dict[int, float]:
        told = of.law(people)
        return {
            sum(place[key] for key in keys): float(low)  # type: ignore[attr-defined, misc]
            for keys, (low, _) in zip(told.outcomes, told.weights, strict=True)
        }

    assert sum(law(mechanism).values()) == pytest.approx(1)
    assert doubt(drawn, law(mechanism)) > FALSE_ALARM
    assert doubt(drawn, law(wrong)) < FALSE_ALARM


def words(*known: int) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in known)


def test_a_word_that_does_not_tell_is_followed_by_further_bits() -> None:
    mechanism = TruncatedGeometric(1, "1/3")
    chance = mechanism.chance(1)
    edge = int(chance * 2**64)
    below = int((chance * 2**64 - edge) * 2**64)
    people = {"a": 1}
    for said, further in ((("a",), below - 1), ((), below + 1)):
        source = Replay(words(edge, further))
        assert mechanism.release(people, entropy=source) == said
    assert mechanism.release(people, entropy=Replay(words(edge - 1))) == ("a",)
    assert mechanism.release(people, entropy=Replay(words(edge + 1))) == ()
    # Certain whatever the word, and without a further bit.
    assert mechanism.release({"a": 10**6}, entropy=Replay(words(2**64 - 1))) == ("a",)


def test_the_same_bytes_tell_the_same() -> None:
    chosen, people = os.urandom(10_000), dict.fromkeys(range(1000), 3)
    mechanism = TruncatedGeometric(1, "1/20")
    first, again = (mechanism.release(people, entropy=Replay(chosen)) for _ in range(2))
    assert first == again
    assert 0 < len(first) < 1000
    assert list(first) == sorted(first)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0, "1e-6"), (-1, "1e-6"), (1, 0), (1, 2), (None, "1e-6"), (1, None)]
)
def test_bad_parameters_are_refused(epsilon: int, delta: str) -> None:
    with pytest.raises(DiscreetError):
        TruncatedGeometric(epsilon, delta)


def test_other_distances_are_refused() -> None:
    mechanism = TruncatedGeometric(1, "1e-6")
    for call in (mechanism.loss, mechanism.zcdp):
        with pytest.raises(DiscreetError) as refused:
            call(LInf(1))  # type: ignore[arg-type]
        assert refused.value.code == "U12"


def test_too_many_steps_and_too_many_outcomes_are_refused() -> None:
    tiny = TruncatedGeometric("1e-6", "1e-9")
    for refuse in (
        lambda: tiny.release({"a": 3}, entropy=Replay(b"")),
        lambda: TruncatedGeometric(1, "1e-6").law(dict.fromkeys(range(21), 3)),
    ):
        with pytest.raises(DiscreetError) as refused:
            refuse()
        assert refused.value.code == "M84"
    assert float(tiny.chance(1000)) == pytest.approx(1e-9 * (exp(1e-3) - 1) / (exp(1e-6) - 1))
