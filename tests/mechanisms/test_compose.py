"""Lists of answers that were fixed in advance: how they are written, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pytest
from flint import arb

import discreet as dp
from discreet.errors import LossError, MechanismError, NumberError, UnitError
from discreet.loss.divergence import Law, delta_at, either_way
from discreet.loss.pld import PLD
from discreet.mechanisms.compose import Composition, compose
from discreet.mechanisms.event import AllRows, Event, Poisson
from discreet.mechanisms.keys import ThresholdedRelease
from discreet.numbers import at, ball
from tests.lab.test_exact import CASES
from tests.mechanisms.cases import Case

LIST = (1000 * dp.Laplace(10), 50 * dp.Gaussian(20).poisson("1/100"))


# --- how they are written ------------------------------------------------------------------------


def test_a_bare_mechanism_is_one_answer_at_distance_one() -> None:
    assert compose(dp.Laplace(10)) == compose(1 * dp.Laplace(10).at(dp.L1(1)))
    assert compose(dp.Gaussian(3)).pld == dp.Gaussian(3).pld(dp.L2(1))
    assert compose(dp.Exponential(3)).pld == dp.Exponential(3).pld(dp.LInf(1))


def test_counts_multiply_and_the_order_does_not_matter() -> None:
    assert 2 * (3 * dp.Laplace(10)) == 6 * dp.Laplace(10) == dp.Laplace(10) * 6
    assert np.int64(6) * dp.Laplace(10) == 6 * dp.Laplace(10)
    assert compose(*LIST).pld == compose(*reversed(LIST)).pld
    assert compose(*LIST, *LIST).pld == 2 * compose(*LIST).pld
    event = Event(dp.Gaussian(20), dp.L2(1), Poisson(Fraction(1, 100)), 50)
    assert LIST[1].at(dp.L2(1)) == event
    assert (50 * dp.Gaussian(20).at(dp.L2(1))).poisson("1/100") == event


def test_events_print_as_they_are_written() -> None:
    drawn = 2 * dp.Gaussian(3).without_replacement(10, 1000)
    for event in (*LIST, drawn, 3 * dp.Laplace("5/2").at(dp.L1(3)), Event(dp.Exponential(2))):
        again = eval(str(event), {name: getattr(dp, name) for name in dir(dp)})  # noqa: S307
        assert again == event


def test_nothing_costs_nothing() -> None:
    assert compose().epsilon("1e-6").high == 0
    assert (0 * dp.Laplace(1)).pld() == PLD()
    assert compose(0 * dp.Laplace(1)).delta(0).high == 0


# --- what they cost ------------------------------------------------------------------------------


FAST = [case for case in CASES if not case.long]


@pytest.mark.parametrize("case", FAST, ids=lambda case: type(case.mechanism).__name__)
def test_every_mechanism_is_dominated_by_its_own_pair(case: Case) -> None:
    """The exact laws of neighbours against the distribution that the mechanism gives."""
    for pair in case.pairs[:6]:
        try:
            pld = case.mechanism.pld(pair.distance)
        except MechanismError:  # none is proven, and the page of the mechanism says so
            assert type(case.mechanism).__name__ in {"Gaussian", "WeightedGaussian"}
            return
        p, q = case.mechanism.law(pair.x), case.mechanism.law(pair.y)
        for epsilon in (Fraction(0), Fraction(1, 4), Fraction(1), Fraction(2)):
            allowed = pld.delta(epsilon).high
            found = either_way(partial(delta_at, epsilon=epsilon, beyond=pair.beyond), p, q)
            assert found.low <= allowed


Noisy: TypeAlias = dp.Laplace | dp.Gaussian


def sampled(mechanism: Noisy, rows: tuple[int, ...], rate: Fraction) -> Law:
    """The law of what is told of a sum of rows of which each is taken with this probability."""
    weights: dict[object, tuple[Fraction, Fraction]] = {}
    tail = Fraction(0)
    for taken in range(2 ** len(rows)):
        kept = [row for k, row in enumerate(rows) if taken >> k & 1]
        share = rate ** len(kept) * (1 - rate) ** (len(rows) - len(kept))
        law = mechanism.law(sum(kept))
        tail += share * law.missing[1]
        for outcome, (low, high) in zip(law.outcomes, law.weights, strict=True):
            before = weights.get(outcome, (Fraction(0), Fraction(0)))
            weights[outcome] = before[0] + share * low, before[1] + share * high
    return Law({x: _ball(*ends) for x, ends in weights.items()}, tail=min(tail, Fraction(1)))


def _ball(low: Fraction, high: Fraction) -> arb:
    return at(300, lambda: ball(low).union(ball(high)))


@pytest.mark.parametrize("mechanism", [dp.Laplace(2), dp.Laplace("1/2"), dp.Gaussian(1)], ids=str)
@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_samples_keep_their_price(mechanism: Noisy, rate: Fraction) -> None:
    """With a row and without, beside two others: exact laws against the composition's delta."""
    claimed = compose(mechanism.poisson(rate))
    without = sampled(mechanism, (1, 1), rate)
    with_it = sampled(mechanism, (1, 1, 1), rate)
    for epsilon in (Fraction(0), Fraction(1, 20), Fraction(1, 5), Fraction(1, 2)):
        allowed = claimed.delta(epsilon)
        found = either_way(partial(delta_at, epsilon=epsilon), with_it, without)
        assert isinstance(allowed.high, Fraction)
        assert found.low <= allowed.high + Fraction(1, 2**100)  # 2^-128 of each law is not listed


def test_a_sample_that_is_charged_at_half_its_rate_is_refused_by_this_check() -> None:
    without, with_it = (sampled(dp.Laplace(2), (1,) * n, Fraction(1, 2)) for n in (0, 1))
    found = either_way(partial(delta_at, epsilon="1/20"), with_it, without)
    assert found.low > compose(dp.Laplace(2).poisson("1/4")).delta("1/20").high


def test_all_rows_are_a_sample_of_rate_one() -> None:
    for mechanism in (dp.Laplace(3), dp.Gaussian(3)):
        whole, sample = compose(mechanism), compose(mechanism.poisson(1))
        for delta in ("1e-3", "1e-6"):
            assert whole.epsilon(delta).low <= sample.epsilon(delta).high
            assert sample.epsilon(delta).low <= whole.epsilon(delta).high


def test_a_smaller_sample_costs_less() -> None:
    costs = [
        compose(100 * dp.Laplace(5).poisson(rate)).epsilon("1e-6")
        for rate in ("1/100", "1/10", "1/2", 1)
    ]
    assert all(a.high < b.low for a, b in pairwise(costs))


def test_a_subset_of_all_rows_is_no_sample() -> None:
    for mechanism in (dp.Laplace(3), dp.Gaussian(3)):
        whole, drawn = compose(mechanism), compose(mechanism.without_replacement(7, 7))
        assert whole.epsilon("1e-6").low <= drawn.epsilon("1e-6").high
        assert drawn.epsilon("1e-6").low <= whole.epsilon("1e-6").high
    pair = dp.MeanPair(0, 9, 3).at(dp.Replace(1))
    assert compose(pair.without_replacement(5, 100)).epsilon(0).high < pair.pld().epsilon(0).low


def test_a_smaller_subset_costs_less() -> None:
    costs = [
        compose(50 * dp.Laplace(5).without_replacement(taken, 100)).epsilon("1e-6")
        for taken in (1, 10, 50, 100)
    ]
    assert all(a.high < b.low for a, b in pairwise(costs))


def test_what_is_explained_adds_up() -> None:
    answers: tuple[Event, ...] = (*LIST, 1 * dp.Exponential(3))
    told = compose(*answers).explain("1e-6")
    assert told.total == compose(*answers).epsilon("1e-6")
    for part, event in zip(told.parts, answers, strict=True):
        assert part.alone == compose(event).epsilon("1e-6")
        assert part.alone.low <= told.total.high
        assert part.others.low <= told.total.high
    lines = str(told).splitlines()
    assert lines[0] == "epsilon at delta 1e-06"
    assert len(lines) == 6
    assert lines[2].startswith("1000 * Laplace(scale=10).at(L1(1))")
    assert "19.3447" in lines[2]


def rows_of(chart: Mapping[str, Any], layer: Mapping[str, Any]) -> list[dict[str, float]]:
    data = layer["data"]
    found: list[dict[str, float]] = data.get("values") or chart["datasets"][data["name"]]
    return found


def test_a_plot_shows_the_curve() -> None:
    chart = compose(dp.Laplace(2)).plot().to_dict()
    blind, curve = (rows_of(chart, layer) for layer in chart["layer"])
    assert [(row["alarms"], row["misses"]) for row in blind] == [(0, 1), (1, 0)]
    guesses = compose(dp.Laplace(2)).tradeoff()
    assert [row["misses"] for row in curve] == [float(guess.misses) for guess in guesses]


def test_one_batch_is_charged_as_one() -> None:
    cost = compose(*LIST).approx("1e-6")
    assert isinstance(cost, dp.Approx)
    assert cost.epsilon == compose(*LIST).epsilon("1e-6").high


# --- what is refused -----------------------------------------------------------------------------


def test_wrong_samples_and_distances_are_refused() -> None:
    for rate in (0, "-1/2", 2):
        with pytest.raises((MechanismError, NumberError)):
            dp.Laplace(2).poisson(rate)
    with pytest.raises(UnitError):
        dp.Laplace(2).at(dp.L2(1))  # type: ignore[arg-type]
    for order in (
        lambda: dp.MeanPair(0, 9, 3).at(dp.Replace(1)).poisson("1/2"),
        lambda: dp.MeanPair(0, 9, 3).poisson("1/2").at(dp.Replace(1)),
        lambda: dp.Response.pure(1).poisson("1/2").pld(),
        lambda: dp.MeanPair(0, 9, 3).at(dp.Rows(1)).without_replacement(1, 2),
        lambda: dp.Laplace(3).without_replacement(2, 1),
    ):
        with pytest.raises(MechanismError, match=r"comes or goes|more rows"):
            order()


def test_samples_protect_one_row() -> None:
    """Two rows that come or go together are seen with 1 − (1 − r)²: what twice the distance would
    be charged, a δ of about r, is too little, as exact laws show."""
    clear, rate = dp.Laplace("1/10"), Fraction(1, 10)
    found = delta_at(sampled(clear, (1, 1), rate), sampled(clear, (), rate), 5)
    assert found.low > compose(clear.at(dp.L1(2)).poisson(rate)).delta(5).high
    pair = dp.MeanPair(0, 9, 3)
    with pytest.raises(MechanismError, match="one row"):
        pair.at(dp.Rows(2)).poisson(rate)
    with pytest.raises(MechanismError, match="one row"):
        pair.poisson(rate).at(dp.Rows(2))
    with pytest.raises(MechanismError, match="one row"):
        pair.at(dp.Replace(2)).without_replacement(1, 2)


def test_what_all_moves_one_way_is_no_change_of_a_row() -> None:
    choice = dp.Exponential(3).at(dp.Monotone(1))
    with pytest.raises(MechanismError, match="comes or goes"):
        choice.without_replacement(1, 10)
    with pytest.raises(MechanismError, match="two kinds"):
        compose(choice, dp.MeanPair(0, 9, 3).at(dp.Replace(1)))
    assert choice.poisson("1/2").pld().epsilon(0).high < choice.pld().epsilon(0).low


def test_an_answer_that_changes_goes_with_no_row_that_comes() -> None:
    with pytest.raises(MechanismError, match="two kinds"):
        compose(dp.Response.pure(1), dp.Laplace(2).poisson("1/2"))


def test_noise_next_to_none_is_refused_or_gives_all_away() -> None:
    none = dp.Laplace("1e-400")
    with pytest.raises(LossError):
        none.pld(dp.L1(1))
    assert compose(none.poisson("1/2")).delta(1).high >= Fraction(1, 2)
    assert compose(dp.Exponential("1/500").poisson("1/2")).delta(690).high >= Fraction(1, 2)


def test_the_curve_of_what_may_give_all_away() -> None:
    keys = ThresholdedRelease(1, 14)
    for guess in compose(keys).tradeoff(["0", "1/10", "1/2"]):
        assert guess.misses <= 1 - guess.alarms
        assert guess.misses > 0


def test_one_list_has_one_kind_of_neighbours() -> None:
    come, change = dp.MeanPair(0, 9, 3).at(dp.Rows(1)), dp.MeanPair(0, 9, 3).at(dp.Replace(1))
    some, drawn = dp.Laplace(2).poisson("1/2"), dp.Laplace(2).without_replacement(1, 2)
    for answers in ((come, change), (some, drawn), (come, drawn), (some, change)):
        with pytest.raises(MechanismError, match="two kinds of neighbours"):
            compose(*answers)
    for answers in ((come, some), (change, drawn), (some, 1 * dp.Laplace(2))):
        assert compose(*answers, dp.Gaussian(3)).epsilon("1e-6").high != 0


def test_an_event_says_which_rows() -> None:
    assert Event(dp.Laplace(2)).sampling == AllRows()
    assert isinstance(compose(), Composition)
