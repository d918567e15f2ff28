"""Claim (response_estimate.md): estimates are right on average, their errors are what is said, and
intervals hold the truth as often as they say."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb
from typing import Final

import numpy as np
import pytest

from discreet.errors import DiscreetError
from discreet.mechanisms import response_estimate
from discreet.mechanisms.response import Response
from discreet.mechanisms.response_estimate import (
    Tally,
    people_for,
    standard_error,
    worst_standard_error,
)
from tests.noise.chance import FALSE_ALARM, doubt

RATIONAL: Final = (
    Response.truth("3/4"),
    Response.truth("1/2", values=3),
    Response.two_coins("1/2", yes="1/5"),
    Response.resample_one_in(3, values=4),
)


def chance(response: Response, x: int, told: int) -> Fraction:
    """From the table of response_keep.md."""
    found = response.chance(x, told)
    assert isinstance(found, Fraction)
    return found


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def law_of_count(response: Response, have: int, lack: int, value: int) -> list[Fraction]:
    """P(N = j) for the number N of people who tell `value`, by adding up all ways."""
    own = binomial(have, chance(response, value, value))
    other = binomial(lack, chance(response, (value + 1) % response.values, value))
    law = [Fraction(0)] * (have + lack + 1)
    for (i, p), (j, q) in product(enumerate(own), enumerate(other)):
        law[i + j] += p * q
    return law


def tally(response: Response, told: int, people: int, value: int) -> Tally:
    counts = [0] * response.values
    counts[value] = told
    counts[(value + 1) % response.values] += people - told
    return Tally(response, counts)


# --- estimates and their errors ------------------------------------------------------------------


@pytest.mark.parametrize("response", RATIONAL, ids=str)
def test_estimates_are_right_on_average_and_vary_as_stated(response: Response) -> None:
    """Over the whole law of the count, exactly."""
    for have, lack, value in product((0, 1, 4), (0, 1, 5), (0, 1)):
        law, people = law_of_count(response, have, lack, value), have + lack
        found = [tally(response, j, people, value).estimate(value) for j in range(people + 1)]
        assert sum(p * each for p, each in zip(law, found, strict=True)) == have
        variance = sum(p * (each - have) ** 2 for p, each in zip(law, found, strict=True))
        stated = standard_error(response, have, lack, value) ** 2
        assert variance <= stated <= variance * (1 + Fraction(1, 2**70))


def test_other_weights_would_be_wrong_on_average() -> None:
    """The mutant: what is told, as if it were the truth."""
    law = law_of_count(RATIONAL[0], 4, 0, 1)
    assert sum(p * j for j, p in enumerate(law)) == 3


@pytest.mark.parametrize("epsilon", ["1e-3", "1/2", 1, 4])
def test_standard_errors_of_two_values_are_those_of_the_theorem(epsilon: str | int) -> None:
    """√n·e^(ε/2)/(e^ε - 1), whatever the truth is."""
    response = Response.pure(epsilon)
    with localcontext(prec=40):
        e = Decimal(response.epsilon.numerator) / response.epsilon.denominator
        expected = Decimal(1000).sqrt() * (e / 2).exp() / (e.exp() - 1)
        for have in (0, 1, 500, 1000):
            assert close(standard_error(response, have, 1000 - have), expected)
        assert close(worst_standard_error(response, 1000), expected)


@pytest.mark.parametrize(("epsilon", "values"), [("1/2", 3), (1, 10), (3, 1000)])
def test_standard_errors_of_more_values(epsilon: str | int, values: int) -> None:
    """√(e^ε + k - 2)/(e^ε - 1)·√n for a value that nobody has, √((k - 1)e^ε) for one of all."""
    response = Response.pure(epsilon, values)
    with localcontext(prec=40):
        e = (Decimal(response.epsilon.numerator) / response.epsilon.denominator).exp()
        rare = (Decimal(900) * (e + values - 2)).sqrt() / (e - 1)
        common = (Decimal(900) * (values - 1) * e).sqrt() / (e - 1)
    assert close(standard_error(response, 0, 900), rare)
    assert close(standard_error(response, 900, 0), common)
    assert close(worst_standard_error(response, 900), common)
    assert rare < common


def close(found: Fraction, true: Decimal) -> bool:
    with localcontext(prec=40):
        return abs(Decimal(found.numerator) / found.denominator / true - 1) < Decimal("1e-22")


def test_the_worst_of_two_coins_may_be_those_who_lack_it() -> None:
    response = Response.two_coins("9/10", yes="9/10")
    assert standard_error(response, 9, 0, 1) < standard_error(response, 0, 9, 1)
    assert worst_standard_error(response, 9, 1) == standard_error(response, 0, 9, 1)


# --- what is said with confidence ----------------------------------------------------------------


@pytest.mark.parametrize("response", RATIONAL, ids=str)
@pytest.mark.parametrize("confidence", ["1/2", "0.95", "0.999"])
def test_errors_are_within_accuracy_and_intervals_hold_the_truth(
    response: Response, confidence: str
) -> None:
    """Over the whole law, for all truths."""
    sure = Fraction(confidence)
    for people, value in product((1, 2, 12), (0, 1)):
        bound = response.accuracy(sure, people)
        tallies = [tally(response, j, people, value) for j in range(people + 1)]
        ends = [each.interval(value, confidence=sure) for each in tallies]
        for have in range(people + 1):
            law = law_of_count(response, have, people - have, value)
            near = sum(
                p
                for p, each in zip(law, tallies, strict=True)
                if abs(each.estimate(value) - have) <= bound
            )
            held = sum(p for p, (low, high) in zip(law, ends, strict=True) if low <= have <= high)
            assert min(near, held) >= sure
        assert all(0 <= low <= high <= people for low, high in ends)


def test_a_bound_of_half_the_size_would_be_too_small() -> None:
    response, sure = RATIONAL[0], Fraction(19, 20)
    law = law_of_count(response, 30, 30, 1)
    bound = response.accuracy(sure, 60)
    found = [tally(response, j, 60, 1).estimate(1) for j in range(61)]

    def within(t: Fraction) -> Fraction:
        return sum(p for p, e in zip(law, found, strict=True) if abs(e - 30) <= t) + Fraction(0)

    assert within(bound / 2) < sure <= within(bound)


def test_an_interval_leaves_out_what_is_rare_and_nothing_else() -> None:
    """Against tails that are added up one by one."""
    for response, told, value in product(RATIONAL, (0, 3, 11, 20), (0, 1)):
        kept = []
        for have in range(21):
            law = law_of_count(response, have, 20 - have, value)
            if min(sum(law[told:]), sum(law[: told + 1])) > Fraction(1, 40):
                kept.append(have)
        low, high = tally(response, told, 20, value).interval(value)
        if kept:
            assert (low, high) == (kept[0], kept[-1])
        else:
            too_few = sum(law_of_count(response, 0, 20, value)[: told + 1]) <= Fraction(1, 40)
            assert low == high == (0 if too_few else 20)


def test_many_people_get_the_tail_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways hold the truth, and the exact one is narrower."""
    response = Response.truth("3/4")
    some = Tally(response, [400, 600])
    low, high = some.interval()
    monkeypatch.setattr(response_estimate, "MOST_COUNTED", 10)
    wide = some.interval()
    by = response.accuracy("0.95", 1000)
    assert wide == (int(700 - by) + 1, int(700 + by))
    assert wide[0] < low < 700 < high < wide[1]
    assert Tally(response, [1000, 0]).interval() == (0, 0)
    assert Tally(response, [0, 1000]).interval() == (1000, 1000)


def test_both_answers_say_one_thing() -> None:
    for response, told in product((*RATIONAL[:1], RATIONAL[2]), ([3, 17], [400, 700])):
        both = Tally(response, told)
        assert both.estimate(0) == both.people - both.estimate(1)
        low, high = both.interval(1)
        assert both.interval(0) == (both.people - high, both.people - low)


# --- how many people -----------------------------------------------------------------------------


@pytest.mark.parametrize("response", [*RATIONAL, Response.pure(1), Response.pure(4, 50)], ids=str)
def test_so_many_people_are_enough_and_one_less_is_not(response: Response) -> None:
    for error, confidence in product(("0.1", "0.01"), ("0.9", "0.999")):
        found = people_for(response, error, confidence)
        assert response.accuracy(confidence, found) <= Fraction(error) * found
        assert response.accuracy(confidence, found - 1) > Fraction(error) * (found - 1)


def test_a_few_people_are_enough_for_a_large_error() -> None:
    assert people_for(Response.truth("3/4"), 2) == 1


def test_the_bounds_are_those_of_the_theorems() -> None:
    """Hoeffding for small ε, Bernstein for large ones, and what can happen at most."""
    nats = float(np.log(2 / 0.05))
    low, high = Response.two_coins("9/10", yes="1/100"), Response.two_coins("9/10", yes="99/100")
    for response, own, other, people in (
        *((Response.truth("3/4"), 0.75, 0.25, n) for n in (1, 1000)),
        *((Response.truth("0.9999"), 0.9999, 0.0001, n) for n in (1, 1000)),
        *((low, 0.901, 0.001, n) for n in (1, 1000)),
        *((high, 0.999, 0.099, n) for n in (1, 1000)),
    ):
        hoeffding = (people * nats / 2) ** 0.5
        spread = people * max(own * (1 - own), other * (1 - other))
        bernstein = nats / 3 + (nats**2 / 9 + 2 * spread * nats) ** 0.5
        expected = min(hoeffding, bernstein, people * max(own, 1 - other)) / (own - other)
        found = float(response.accuracy("0.95", people))
        assert found == pytest.approx(expected, rel=1e-9)


# --- tallies -------------------------------------------------------------------------------------


def test_a_tally_counts_answers() -> None:
    three = Response.pure(1, values=3)
    assert Tally.of(three, np.array([[0, 2], [2, 2]])).told == (1, 0, 3)
    assert Tally.of(three, [2, 1]).told == (0, 1, 1)
    assert Tally.of(Response.pure(1), np.array([True, False, True])).told == (1, 2)
    none = Tally.of(three, np.array([], np.int64))
    assert none.people == none.estimate() == 0
    assert none.interval() == (0, 0)


def test_irrational_estimates_are_narrow() -> None:
    found = Tally(Response.pure(1), [400, 600]).estimate()
    with localcontext(prec=40):
        e = Decimal(1).exp()
        assert close(found, (600 * (e + 1) - 1000) / (e - 1))


def test_answers_of_many_people_give_the_truth_back() -> None:
    """10^5 people with 30 % yes: a wrong estimate passes with probability below 1e-9."""
    truth = np.arange(100_000) % 10 < 3
    response = Response.pure(1)
    told = response.release(truth)
    found, sure = Tally.of(response, told).estimate(), 1 - Fraction(FALSE_ALARM)
    assert abs(found - 30_000) <= response.accuracy(sure, 100_000)
    assert doubt(told.astype(np.int64), {1: 0.3, 0: 0.7}) < FALSE_ALARM


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: Tally(Response.pure(0), [1, 2]), "M44"),
        (lambda: Tally(Response.resample(1, values=3), [1, 2, 3]), "M44"),
        (lambda: standard_error(Response.two_coins(0, yes="1/2"), 1, 1), "M44"),
        (lambda: people_for(Response.pure(0), "0.1"), "M44"),
        (lambda: Response.pure(0).accuracy("0.95"), "M44"),
        (lambda: Tally(Response.pure(1), [1, 2, 3]), "M43"),
        (lambda: Tally(Response.pure(1), [1, -2]), "N05"),
        (lambda: Tally.of(Response.pure(1), np.array([0, 2])), "M43"),
        (lambda: Tally.of(Response.pure(1, values=2**21), np.array([0, 2])), "M45"),
        (lambda: Tally(Response.pure(1), [1, 2]).estimate(2), "M43"),
        (lambda: Tally(Response.pure(1), [1, 2]).interval(-1), "M43"),
        (lambda: Tally(Response.pure(1), [1, 2]).interval(confidence=1), "M35"),
        (lambda: Tally(Response.pure(1), [0, 0]).share(), "N05"),
        (lambda: people_for(Response.pure(1), 0), "N02"),
        (lambda: standard_error(Response.pure(1), -1, 3), "N05"),
    ],
)
def test_what_cannot_be_estimated_is_refused(call: Callable[[], object], code: str) -> None:
    with pytest.raises(DiscreetError) as refused:
        call()
    assert refused.value.code == code
