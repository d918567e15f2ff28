"""Pictures: their rows are the laws, what is left out is rare and counted, and what lies on paper
is what the rows say."""

from __future__ import annotations

import json
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any
from unittest.mock import patch

import pytest

import discreet as dp
from discreet.errors import MechanismError
from discreet.lab.exact import Neighbours
from discreet.lab.picture import (
    MOST_NAMES,
    MOST_NUMBERS,
    RARE,
    Picture,
    Row,
    described,
    picture,
    rows,
    text_of,
)
from discreet.lab.picture_drawing import HERE, MOST_BARS, THERE, Place, Sheet, spec_of
from discreet.loss.divergence import INFINITY, Extended, Law
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric

NUMBERS = Neighbours(10, 11, dp.L1(1))
CURVE = Neighbours(10, 11, dp.L2(1))
COINS = Neighbours({"A": 4, "B": 1}, {"A": 3}, dp.L0(2))


def below(number: Fraction, limit: Decimal) -> bool:
    """Whether a rational number is at most a decimal one of 100 digits."""
    return Decimal(number.numerator) <= limit * Decimal(number.denominator)


def encloses(ends: tuple[Fraction, Fraction], number: Decimal) -> bool:
    return below(ends[0], number) and not below(ends[1], number)


def rational(number: Extended) -> Fraction:
    assert isinstance(number, Fraction)
    return number


# --- rows -----------------------------------------------------------------------------------------


def test_rows_of_rational_laws_are_exact() -> None:
    seen = picture(dp.Response.truth("3/4", values=3), Neighbours(0, 2, dp.L0(1)))
    own, other = (Fraction(3, 4),) * 2, (Fraction(1, 8),) * 2
    assert seen.rows == (Row(0, own, other), Row(1, other, other), Row(2, other, own))
    assert [row.ratio.low for row in seen.rows] == [6, 1, Fraction(1, 6)]
    assert all(row.ratio.is_exact for row in seen.rows)


@pytest.mark.parametrize("scale", [2, 3])
def test_rows_enclose_the_law_of_discrete_laplace_noise(scale: int) -> None:
    """(1 − q)/(1 + q)·q^|n| with q = e^(−1/2), in 100 digits; another scale is found out."""
    seen = picture(dp.Laplace(scale), NUMBERS)
    with localcontext(prec=100):
        q = (Decimal(-1) / 2).exp()
        for row in seen.rows:
            number = int(str(row.outcome))
            chances = [(1 - q) / (1 + q) * q ** abs(number - x) for x in (10, 11)]
            ratio = rational(row.ratio.low), rational(row.ratio.high)
            assert encloses(row.here, chances[0]) == (scale == 2)
            assert encloses(row.there, chances[1]) == (scale == 2)
            assert encloses(ratio, chances[0] / chances[1]) == (scale == 2)
            assert ratio[1] - ratio[0] < Fraction(1, 2**200)


def test_the_loss_of_gaussian_noise_is_a_straight_line() -> None:
    """((n − 11)² − (n − 10)²)/2σ² with σ² = 4."""
    seen = picture(dp.Gaussian(2), CURVE)
    assert [row.loss for row in seen.rows] == [(21 - 2 * n) / 8 for n in range(3, 19)]


def test_what_only_one_neighbour_tells_is_infinite() -> None:
    """B has nobody in the neighbour; and the other way round."""
    one, other = COINS.x, COINS.y
    seen = picture(TruncatedGeometric(1, "1/20"), COINS)
    assert [(row.text, row.ratio.low == INFINITY, row.loss == inf) for row in seen.rows] == [
        ("nothing", False, False),
        ("A", False, False),
        ("A, B", True, True),
        ("B", True, True),
    ]
    back = picture(TruncatedGeometric(1, "1/20"), Neighbours(other, one, dp.L0(2)))
    assert [row.loss for row in back.rows] == [-row.loss for row in seen.rows]
    assert back.rows[-1].ratio.high == 0


def test_what_a_law_does_not_list_lies_between_zero_and_what_is_missing() -> None:
    listed, short = Law({1: "1/2", 2: "1/2"}), Law({1: "3/4"}, tail="1/4")
    assert rows(listed, short)[1] == Row(2, (Fraction(1, 2),) * 2, (Fraction(0), Fraction(1, 4)))
    assert [row.loss for row in rows(listed, short)] == [pytest.approx(-0.405465), inf]
    assert rows(short, listed)[1].loss == -inf


def test_outcomes_without_probability_are_no_rows() -> None:
    assert [row.outcome for row in rows(Law({1: 1, 2: 0}), Law({1: 1, 3: 0}))] == [1]


def test_equal_laws_lose_nothing() -> None:
    """Also if their weights are balls, whose ends differ."""
    still = picture(dp.Laplace(2), Neighbours(3, 3, dp.L1(1)))
    assert {row.loss for row in still.rows} == {0.0}
    assert not any(row.ratio.is_exact for row in still.rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [(Law({1: 1}), Law({"1": 1})), (Law({}, tail=1), Law({1: 1})), (Law({}, tail=1),) * 2],
)
def test_laws_without_a_common_outcome_are_refused(one: Law, other: Law) -> None:
    with pytest.raises(MechanismError) as error:
        rows(one, other)
    assert error.value.code == "M92"


# --- which rows are drawn -------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [2, 20])
def test_numbers_that_are_left_out_are_rare_and_counted(scale: int) -> None:
    mechanism = dp.Laplace(scale)
    seen, every = picture(mechanism, NUMBERS), rows(mechanism.law(10), mechanism.law(11))
    drawn = {row.outcome for row in seen.rows}
    out = [row for row in every if row.outcome not in drawn]
    assert seen.left_out == len(out) > 100
    assert max(row.most for row in out) < RARE
    assert min(row.most for row in seen.rows) >= RARE
    assert "1 in 10,000" in seen.note


def test_around_both_likeliest_numbers_two_more_are_drawn() -> None:
    """At scale 1/5 a number two steps off has a probability of 5·10⁻⁵."""
    assert [row.text for row in picture(dp.Laplace("1/5"), NUMBERS).rows] == list(
        map(str, range(8, 14))
    )


def test_of_very_many_numbers_every_kth_is_drawn() -> None:
    seen = picture(dp.Laplace(100), Neighbours(0, 1, dp.L1(1)))
    outcomes = [int(row.text.replace("−", "-")) for row in seen.rows]
    assert 2 * len(outcomes) > MOST_NUMBERS >= len(outcomes)
    assert {b - a for a, b in pairwise(outcomes)} == {2}
    assert seen.note.endswith("one of 2 is drawn")


def test_of_many_names_the_likeliest_are_drawn_in_order() -> None:
    mechanism, pair = ThresholdedRelease(1, 4), Neighbours({"A": 5, "B": 1}, {"A": 4}, dp.L0(2))
    seen, every = picture(mechanism, pair), rows(mechanism.law(pair.x), mechanism.law(pair.y))
    drawn = [every.index(row) for row in seen.rows]
    assert len(drawn) == MOST_NAMES
    assert drawn == sorted(drawn)
    assert seen.left_out == len(every) - MOST_NAMES
    out = [row.most for i, row in enumerate(every) if i not in drawn]
    assert max(out) <= min(row.most for row in seen.rows)
    assert seen.note == f"{seen.left_out:,} less likely outcomes are left out"


def test_few_numbers_are_named_all() -> None:
    seen = picture(dp.Exponential(2), Neighbours([30, 0, 1], [30, 1, 1], dp.LInf(1)))
    assert ([row.text for row in seen.rows], seen.left_out) == (["0", "1", "2"], 0)
    assert seen.note == ""


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (-3, "−3"),
        (Fraction(1, 3), "1/3"),
        (Fraction(1, 1001), "0.000999"),
        ("A", "A"),
        ((), "nothing"),
        ((False, True), "no, yes"),
        ((None, 5), "none, 5"),
        ((("A", 4), ("B", 5)), "(A, 4), (B, 5)"),
    ],
)
def test_outcomes_have_texts(outcome: object, text: str) -> None:
    assert text_of(outcome) == text


def test_long_answers_are_cut_off() -> None:
    assert described(dp.Laplace("1/3")) == "Laplace(scale=1/3, step=1)"
    assert described(dp.Exponential(2)) == "Exponential(scale=2)"
    assert described(list(range(1000))).endswith(" …")
    assert len(described(list(range(1000)))) < 100


@pytest.mark.parametrize(
    ("mechanism", "pair", "words", "limit"),
    [
        (dp.Laplace(2), NUMBERS, "distance L1(1) · claimed: ε = 1/2", Fraction(1, 2)),
        (dp.Gaussian(2), CURVE, "distance L2(1) · claimed: ρ = 1/8", None),
        (
            TruncatedGeometric(1, "1/20"),
            COINS,
            "distance L0(2) · claimed: ε = 2, δ = 0.0975",
            Fraction(2),
        ),
    ],
)
def test_the_claim_stands_above(
    mechanism: Any,  # noqa: ANN401
    pair: Neighbours,
    words: str,
    limit: Fraction | None,
) -> None:
    seen = picture(mechanism, pair)
    assert seen.subtitle == (described(mechanism), words)
    assert seen.limit == limit


# --- on paper -------------------------------------------------------------------------------------


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    """The data of all layers of the lower half that have this mark."""
    return [
        value
        for layer in spec["vconcat"][1]["layer"]
        if layer["mark"]["type"] == mark
        for value in layer["data"]["values"]
    ]


def test_bars_are_as_high_as_the_rows_say() -> None:
    seen = picture(dp.Laplace(2), NUMBERS)
    spec = seen.spec()
    drawn = {
        (value["who"], round((value["left"] + value["right"]) / 2)): value["chance"]
        for value in spec["vconcat"][0]["data"]["values"]
    }
    for row in seen.rows:
        number = int(str(row.outcome))
        assert drawn["x = 10", number] == pytest.approx(float(row.here[0]), rel=1e-5)
        assert drawn["neighbour = 11", number] == pytest.approx(float(row.there[0]), rel=1e-5)
    assert [value["loss"] for value in values(spec, "rect")] == [row.loss for row in seen.rows]
    assert [value["loss"] for value in values(spec, "rule")] == [0, 0.5, -0.5]


def test_lines_stand_for_many_numbers() -> None:
    seen = picture(dp.Laplace(20), NUMBERS)
    assert len(seen.rows) > MOST_BARS
    spec = seen.spec()
    assert spec["vconcat"][0]["mark"]["type"] == "line"
    assert [value["loss"] for value in values(spec, "line")] == [row.loss for row in seen.rows]
    assert values(spec, "rect") == []


def test_a_claim_without_epsilon_has_no_dashed_line() -> None:
    spec = picture(dp.Gaussian(2), CURVE).spec()
    assert [value["loss"] for value in values(spec, "rule")] == [0]
    assert "no line" in spec["vconcat"][1]["title"]["text"]


def test_infinite_losses_are_marked_inside_the_axis() -> None:
    spec = picture(TruncatedGeometric(1, "1/20"), COINS).spec()
    top = spec["vconcat"][1]["layer"][0]["encoding"]["y"]["scale"]["domain"][1]
    marks = [value for value in values(spec, "text") if value["left"] in {2, 3}]
    assert [(value["left"], 2 < value["loss"] < top) for value in marks] == [(2, True), (3, True)]
    assert "∞" in spec["vconcat"][1]["title"]["text"]
    json.dumps(spec, allow_nan=False)


def test_outcomes_with_one_text_keep_their_places() -> None:
    places = (Place("1", 0.0, 0.5, 0.5, 0.0), Place("1", 1.0, 0.5, 0.5, 0.0))
    spec = spec_of(Sheet(places, False, 1.0, ("x = 1", "neighbour = 2"), "", ("", ""), ""))
    assert len({value["left"] for value in spec["vconcat"][0]["data"]["values"]}) == 4


def test_the_colours_differ_in_grey_too() -> None:
    def light(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * float(red**2.2) + 0.7152 * float(green**2.2) + 0.0722 * float(blue**2.2)

    assert light(THERE) > 2.5 * light(HERE)


@pytest.mark.parametrize(
    "seen",
    [
        picture(dp.Laplace(2), NUMBERS),
        picture(dp.Laplace(20), NUMBERS),
        picture(TruncatedGeometric(1, "1/20"), COINS),
        picture(dp.Laplace(2), NUMBERS, title="“Quotes” & <signs>"),
    ],
    ids=lambda seen: seen.subtitle[0],
)
def test_altair_accepts_the_picture(seen: Picture) -> None:
    chart = seen.plot()
    assert chart.to_dict()["title"]["text"] == seen.title


def test_the_digest_tells_pictures_apart() -> None:
    digests = {
        picture(dp.Laplace(scale), NUMBERS, title=title).digest()
        for scale in ("2", "2.001")
        for title in ("", "another")
    }
    assert len(digests) == 4
    assert picture(dp.Laplace("2.000"), NUMBERS).digest() in digests


def test_without_altair_there_are_rows() -> None:
    seen = picture(dp.Laplace(2), NUMBERS)
    with patch.dict(sys.modules, {"altair": None}), pytest.raises(MechanismError) as error:
        seen.plot()
    assert error.value.code == "M91"
