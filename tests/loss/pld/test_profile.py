"""Profiles against single questions, and the trade-off against the best test there is."""

from __future__ import annotations

from fractions import Fraction

import pytest

from discreet.loss import Pure
from discreet.loss.divergence import Law
from discreet.loss.pld import Atoms, Losses, Pair, of_loss, profile, tradeoff
from discreet.loss.pld.normal import normal
from discreet.loss.pld.pld import PLD

COIN = of_loss(Pure(1))
MANY = {
    "coins": 40 * of_loss(Pure("1/10")),
    "bell": normal(Fraction(1), Fraction(1, 10)),
    "one": COIN,
}
EPSILONS = [Fraction(k, 8) for k in range(25)]


@pytest.mark.parametrize("name", MANY)
def test_a_profile_and_single_questions_agree(name: str) -> None:
    pld = MANY[name]
    for epsilon, found in zip(EPSILONS, profile(pld, EPSILONS), strict=True):
        single = pld.delta(epsilon)
        assert found.low <= single.high
        assert single.low <= found.high


def test_nothing_told_has_no_profile() -> None:
    assert [each.high for each in profile(PLD(), EPSILONS)] == [0] * len(EPSILONS)
    for guess in tradeoff(PLD(), ["0", "1/4"]):
        left = 1 - guess.alarms
        assert left * (1 - Fraction(1, 2**48)) <= guess.misses <= left


def best_misses(p: Law, q: Law, rate: Fraction) -> Fraction:
    """Of the likeliest test: take outcomes into the alarm by falling q/p until the rate is used."""
    theirs = dict(zip(q.outcomes, q.weights, strict=True))
    pairs = [(w[0], theirs[x][0]) for x, w in zip(p.outcomes, p.weights, strict=True)]
    left, caught = rate, Fraction(0)
    for mine, other in sorted(pairs, key=lambda pair: pair[1] / pair[0], reverse=True):
        share = min(Fraction(1), left / mine)
        left, caught = left - share * mine, caught + share * other
    return 1 - caught


P = Law({1: "1/2", 2: "1/4", 3: "1/8", 4: "1/8"})
Q = Law({1: "1/8", 2: "1/4", 3: "1/8", 4: "1/2"})
PLD_OF_BOTH = PLD.of(Pair(Losses.exactly(Atoms.of(P, Q)), Losses.exactly(Atoms.of(Q, P))))
RATES = [Fraction(k, 20) for k in range(20)]


def test_no_test_misses_less() -> None:
    for guess in tradeoff(PLD_OF_BOTH, RATES):
        for p, q in ((P, Q), (Q, P)):
            assert guess.misses <= best_misses(p, q, guess.alarms)


def test_the_best_test_is_found_for_a_coin() -> None:
    """Of two two-point laws the curve is two lines, and is met exactly."""
    p, q = Law({1: "3/4", 0: "1/4"}), Law({1: "1/4", 0: "3/4"})
    pld = PLD.of(Pair(Losses.exactly(Atoms.of(p, q)), Losses.exactly(Atoms.of(q, p))))
    for guess in tradeoff(pld, RATES):
        best = best_misses(p, q, guess.alarms)
        assert best - Fraction(1, 10**6) <= guess.misses <= best


def test_half_of_the_loss_is_refused_by_this_check() -> None:
    p, q = Law({1: "3/4", 0: "1/4"}), Law({1: "1/4", 0: "3/4"})
    wrong = tradeoff(of_loss(Pure("1/2")), RATES)
    assert any(guess.misses > best_misses(p, q, guess.alarms) for guess in wrong)
