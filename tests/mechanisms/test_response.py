"""Claim (response.md): ε for each person who may change, ρ near the best there is, and a law that
is that of `release`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Final

import numpy as np
import pytest

from discreet.distances import L0, L1
from discreet.entropy import Entropy, Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import response as module
from discreet.mechanisms.response import Response
from discreet.mechanisms.response_keep import Odds, Truth, TwoCoins
from tests.mechanisms.cases_response import CLOSE
from tests.noise.chance import FALSE_ALARM, doubt

ALL: Final = (
    Response.truth("3/4"),
    Response.truth("1/2", values=3),
    Response.pure(1),
    Response.pure(2, values=20),
    Response.resample("1/3", values=4),
    Response.two_coins("1/2", yes="1/10"),
)
YES_AND_NO: Final = (ALL[0], ALL[2], ALL[5])
ONE: Final = Neighbours(0, 1, L0(1))


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def just_above(found: Fraction, true: Decimal) -> bool:
    """No smaller, but for what 60 digits do not show, and larger by a part in 10^22 at most."""
    return -Decimal("1e-55") <= decimal(found) - true <= abs(true) * Decimal("1e-22")


# --- losses --------------------------------------------------------------------------------------


def test_losses_are_those_of_the_table() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    with localcontext(prec=60):
        for response, ratio in (
            (Response.truth("3/4"), Fraction(3)),
            (Response.truth("1/2", values=5), Fraction(4)),
            (Response.flip("0.6"), Fraction(3, 2)),
            *((Response.resample(p), 2 / p - 1) for p in (third, half)),
            *(
                (Response.resample(p, k), 1 + k * (1 / p - 1))
                for p in (third, half)
                for k in (3, 9)
            ),
            *((Response.resample_one_in(r), Fraction(2 * r - 1)) for r in (2, 10)),
            (Response.two_coins("1/2", yes="1/2"), Fraction(3)),
            (Response.two_coins("1/2", yes="1/10"), Fraction(11)),
            (Response.two_coins("1/4", yes="4/5"), Fraction(8, 3)),
        ):
            assert just_above(response.loss(L0(1)).epsilon, decimal(ratio).ln())


def test_epsilon_is_exact_where_it_was_given() -> None:
    for epsilon, values in product((Fraction(1, 3), Fraction(0), Fraction(7)), (2, 9)):
        assert Response.pure(epsilon, values).loss(L0(1)) == Pure(epsilon)


def test_who_resamples_always_tells_nothing() -> None:
    for response in (
        Response.resample(1, values=3),
        Response.resample_one_in(1),
        Response.resample_one_in("1/2"),
    ):
        assert response.loss(L0(5)) == Pure(0)
        assert response.zcdp(L0(5)) == ZCDP(0)


def test_one_channel_said_in_several_ways_is_one_value() -> None:
    assert Response.flip("3/4") == Response.truth("0.75") == Response.resample("1/2")
    assert Response.resample_one_in(2) == Response.resample("1/2")
    assert Response(Odds(1), 3) == Response.pure(1, values=3)
    assert Response(TwoCoins("1/2", "1/3")) == Response.two_coins("1/2", yes="1/3")
    assert hash(Response(Truth("3/4"))) == hash(Response.truth("3/4"))


@pytest.mark.parametrize("response", ALL, ids=str)
def test_people_add_up(response: Response) -> None:
    for k in (0, 1, 2, 1000):
        assert response.loss(L0(k)) == response.loss(L0(1)).group(k)
        assert response.zcdp(L0(k)) == k * response.zcdp(L0(1))


# --- in the currency that adds up ----------------------------------------------------------------


def best(response: Response, order: Decimal) -> Decimal:
    """The largest Rényi divergence over the order, by its definition, in decimals."""
    found = Decimal(0)
    for x, y in permutations(range(min(response.values, 3)), 2):
        moment = Decimal(0)
        for told in range(response.values):
            p, q = response.chance(x, told), response.chance(y, told)
            assert isinstance(p, Fraction)
            assert isinstance(q, Fraction)
            moment += decimal(p) * (decimal(p) / decimal(q)) ** (order - 1)
        found = max(found, moment.ln() / (order - 1) / order)
    return found


@pytest.mark.parametrize(
    "response",
    [
        Response.truth("3/4"),
        Response.truth("0.9", values=3),
        Response.truth("1/8", values=40),
        Response.truth("1/2", values=40),
        Response.resample_one_in("101/100", values=9),
        Response.two_coins("1/2", yes="1/10"),
        Response.two_coins("1/100", yes="9/10"),
        Response.two_coins("99/100", yes="1/100"),
    ],
    ids=str,
)
def test_rho_is_above_the_best_and_by_no_more_than_stated(response: Response) -> None:
    with localcontext(prec=50):
        orders = [Decimal(1) + Decimal(2) ** (Decimal(k) / 8 - 16) for k in range(200)]
        true = max(best(response, order) for order in orders)
        rho = decimal(response.zcdp(L0(1)).rho)
    assert true <= rho <= true * Decimal(129) / 128 * Decimal("1.0011")
    assert rho <= decimal(Pure(response.epsilon).to(ZCDP).rho)


@pytest.mark.parametrize("values", [2, 3, 6, 8])
@pytest.mark.parametrize("epsilon", ["1e-6", "1/10", 1, 3, 30])
def test_rho_of_few_values_has_a_closed_form(epsilon: str | int, values: int) -> None:
    with localcontext(prec=60):
        e = decimal(Fraction(epsilon))
        if values - 2 > 4 * (e / 2).exp():
            return
        true = e * (e.exp() - 1) / (e.exp() + values - 1)
        found = Response.pure(epsilon, values).zcdp(L0(1)).rho
        assert true <= decimal(found) <= true * 129 / 128 * (1 + Decimal("1e-20"))
        assert values > 2 or just_above(found, true)


def test_the_closed_form_is_too_small_for_many_values() -> None:
    """The mutant: D₁, the divergence of Kullback and Leibler, for 40 values."""
    response = Response.truth("1/8", values=40)
    own, other = Fraction(1, 8), Fraction(7, 8 * 39)
    with localcontext(prec=40):
        nearly = Fraction(decimal(own - other) * decimal(own / other).ln())
    pair = Neighbours(0, 1, L0(1), orders=CLOSE)
    assert refuted(check(response, pair, ZCDP(nearly)))
    assert not refuted(check(response, pair, response.zcdp(L0(1))))


@pytest.mark.parametrize("epsilon", ["1e-15", "1e-300"])
def test_a_minute_epsilon_falls_back_on_what_it_alone_gives(epsilon: str) -> None:
    response = Response.pure(epsilon, values=10)
    most = 3 * response.epsilon**2 / 2 * (1 + Fraction(1, 2**70))
    assert response.zcdp(L0(3)).rho <= most
    assert response.zcdp(L0(3)).rho >= 3 * response.epsilon**2 / 11


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("response", ALL, ids=str)
def test_a_smaller_loss_is_refuted(response: Response) -> None:
    both = (ONE, Neighbours(1, 0, L0(1)))
    loss = response.loss(L0(1)).epsilon
    assert any(refuted(check(response, pair, Pure(loss * Fraction("0.999")))) for pair in both)
    assert not any(refuted(check(response, pair)) for pair in both)


def test_the_rate_is_not_the_loss() -> None:
    """The mutant: ε = 2 for `resample_one_in(2)` of many values is ln(1 + k), above it from 7."""
    assert refuted(check(Response.resample_one_in(2, values=7), ONE, Pure(2)))
    assert not refuted(check(Response.resample_one_in(2, values=6), ONE, Pure(2)))


def test_the_other_coin_counts_too() -> None:
    """The mutant: the loss of answering yes alone, ln(1 + t/((1 - t)·s))."""
    response = Response.two_coins("1/2", yes="9/10")
    with localcontext(prec=40):
        yes_alone = Fraction((1 + 1 / Decimal("0.9")).ln()) + Fraction(1, 10**30)
    assert refuted(check(response, ONE, Pure(yes_alone)))


def test_a_law_that_tells_the_truth_more_often_is_refuted() -> None:
    response = Response.truth("3/4")
    more = (Law({0: "0.751", 1: "0.249"}), Law({0: "0.249", 1: "0.751"}))
    assert refuted(compare(*more, response.loss(L0(1)), ONE))
    assert refuted(compare(Law({0: 1}), Law({1: 1}), Pure(1000), ONE))


def test_one_coin_for_two_people_is_refuted_by_a_marginal_that_is_told_twice() -> None:
    """The mutant: the same answer given anew each time is no answer for two."""
    twice = Law({(0, 0): "9/16", (0, 1): "3/16", (1, 0): "3/16", (1, 1): "1/16"})
    other = Law({(0, 0): "1/16", (0, 1): "3/16", (1, 0): "3/16", (1, 1): "9/16"})
    once = Response.truth("3/4").loss(L0(1))
    assert refuted(compare(twice, other, once, ONE))
    assert not refuted(compare(twice, other, 2 * once, ONE))


# --- the law and the release ---------------------------------------------------------------------


@pytest.mark.parametrize("response", ALL, ids=str)
def test_releases_fit_the_law_and_not_another(response: Response) -> None:
    for x in (0, 1, response.values - 1):
        listed = response.law(x)
        told = range(response.values)
        assert listed.outcomes == tuple(told)
        law = {w: float(listed.weights[w][0]) for w in told}
        wrong = law | {x: law[x] - 0.08, (x + 1) % len(law): law[(x + 1) % len(law)] + 0.08}
        many = response.release(np.full(60_000, x))
        one = np.array([response.release(x) for _ in range(20_000)])
        for found in (many, one):
            assert doubt(found, law) > FALSE_ALARM
            assert doubt(found, wrong) < FALSE_ALARM


def test_people_answer_independently() -> None:
    """Counts of three people in a row, who have 0, 1 and 2."""
    response = Response.truth("1/2", values=3)
    rows = response.release(np.tile([0, 1, 2], (60_000, 1)))
    listed = response.law([0, 1, 2])
    chances = dict(zip(listed.outcomes, listed.weights, strict=True))
    law = {9 * a + 3 * b + c: float(chances[a, b, c][0]) for a, b, c in product(range(3), repeat=3)}
    assert doubt(rows @ np.array([9, 3, 1]), law) > FALSE_ALARM
    assert doubt(rows[:, [0, 0, 2]] @ np.array([9, 3, 1]), law) < FALSE_ALARM


def test_a_law_lists_what_the_table_says() -> None:
    assert Response.truth("3/4").law(True) == Law({0: "1/4", 1: "3/4"})
    assert Response.truth("3/4").law([1, 0]) == Law(
        {(0, 0): "3/16", (0, 1): "1/16", (1, 0): "9/16", (1, 1): "3/16"}
    )
    assert Response.truth("1/2", values=3).law(np.array([2])) == Law(
        {(0,): "1/4", (1,): "1/4", (2,): "1/2"}
    )
    assert Response.two_coins("1/2", yes="1/10").law(0) == Law({0: "19/20", 1: "1/20"})
    narrow = Response.pure(1, values=3).law(0)
    assert all(0 < high - low < Fraction(1, 2**250) for low, high in narrow.weights)


@pytest.mark.parametrize("response", ALL, ids=str)
def test_a_release_is_a_fixed_function_of_its_bytes(response: Response) -> None:
    data = np.random.default_rng(2).bytes(30_000)
    people = np.arange(1000) % response.values
    told = response.release(people, entropy=Replay(data))
    assert (told == response.release(people, entropy=Replay(data))).all()
    assert (told != response.release(people, entropy=Replay(data[::-1]))).any()
    one = [response.release(1, entropy=Replay(data)) for _ in range(2)]
    assert one[0] == one[1]


@pytest.mark.parametrize("response", YES_AND_NO, ids=str)
def test_truth_values_and_integers_are_told_alike(response: Response) -> None:
    data = np.random.default_rng(3).bytes(30_000)
    people = np.arange(1000) % 3 == 0
    truths = response.release(people, entropy=Replay(data))
    numbers = response.release(people.astype(np.int64), entropy=Replay(data))
    assert truths.dtype == np.bool_
    assert numbers.dtype == np.int64
    assert (truths == numbers).all()
    assert type(response.release(True)) is bool
    assert type(response.release(1)) is int


def test_shapes_and_small_integers() -> None:
    response = Response.pure(1, values=5)
    for shape in ((), (0,), (2, 3), (4, 0, 1)):
        told = response.release(np.zeros(shape, np.int64))
        assert told.shape == shape
        assert told.dtype == np.int64
    small: Any = np.array([4, 0], np.uint8)
    assert response.release(small).dtype == np.int64
    scalar: Any = np.int64(3)
    assert type(response.release(scalar)) is int
    true: Any = np.True_
    assert type(Response.pure(1).release(true)) is bool


def test_as_many_values_as_fit() -> None:
    response = Response.pure(1, values=module.MOST_VALUES)
    top = module.MOST_VALUES - 1
    told = response.release(np.array([0, top] * 500))
    assert (told >= 0).all()
    assert (told <= top).all()
    assert 0 <= response.release(top) <= top
    assert Response.pure(1000).release(np.ones(1000, np.int64)).all()


def test_what_is_given_is_left_as_it_was() -> None:
    people = np.zeros(1000, np.int64)
    Response.truth("1/2").release(people)
    assert not people.any()


# --- what is refused -----------------------------------------------------------------------------


class Untouched(Entropy):
    """Nothing may be drawn."""

    def take(self, count: int) -> bytes:
        raise AssertionError(count)


@pytest.mark.parametrize(
    "x",
    [
        -1,
        5,
        977_331,
        2**70,
        0.5,
        1.0,
        "1",
        None,
        True,
        [1, 2],
        [[1], [2, 3]],
        Fraction(1),
        np.array([0, 1, 977_331]),
        np.array([0, -1]),
        np.array([0.0, 1.0]),
        np.array([True, False]),
        np.array([1, 2], np.uint64),
        np.array([None]),
    ],
    ids=repr,
)
def test_what_is_no_answer_is_refused_before_anything_is_drawn(x: Any) -> None:  # noqa: ANN401
    with pytest.raises(DiscreetError) as refused:
        Response.pure(1, values=5).release(x, entropy=Untouched())
    assert refused.value.code == "M43"
    assert "977" not in str(refused.value)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: Response.flip("1/2"), "M40"),
        (lambda: Response.flip("0.1"), "M40"),
        (lambda: Response.truth("0.49"), "M40"),
        (lambda: Response.truth("0.33", values=3), "M40"),
        (lambda: Response.truth(0), "M40"),
        (lambda: Response.truth(1), "M41"),
        (lambda: Response.flip(1), "M41"),
        (lambda: Response.resample(0), "M41"),
        (lambda: Response.two_coins(1, yes="1/2"), "M41"),
        (lambda: Response.two_coins("1/2", yes=0), "M41"),
        (lambda: Response.two_coins("1/2", yes=1), "M41"),
        (lambda: Response(TwoCoins("1/2", "1/2"), 3), "M42"),
        (lambda: Response.pure(1, values=2**62 + 1), "M42"),
        (lambda: Response("3/4"), "M42"),  # type: ignore[arg-type]
        (lambda: Response.pure(1, values=1), "N05"),
        (lambda: Response.truth("3/4", values="5/2"), "N05"),
        (lambda: Response.resample("3/2"), "N04"),
        (lambda: Response.resample_one_in(0), "N02"),
        (lambda: Response.pure(-1), "N03"),
        (Response.pure, "N07"),
        (lambda: Response.two_coins("1/2"), "N07"),
        (lambda: Response.pure(1).loss(L1(1)), "U12"),  # type: ignore[arg-type]
        (lambda: Response.pure(1).zcdp(L1(1)), "U12"),  # type: ignore[arg-type]
        (lambda: Response.pure(1).law([0] * 21), "M45"),
        (lambda: Response.pure(1, values=2**21).law(0), "M45"),
        (lambda: Response.pure(1).law(2), "M43"),
        (lambda: Response.pure(1).accuracy(1), "M35"),
        (lambda: Response.pure(1).accuracy("0.9", 0), "N05"),
    ],
)
def test_what_cannot_be_is_refused_with_a_cure(call: Callable[[], object], code: str) -> None:
    with pytest.raises(DiscreetError) as refused:
        call()
    assert refused.value.code == code
    assert refused.value.cure
