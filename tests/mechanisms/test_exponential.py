"""The claim of exponential.md: the law, the losses with their mutants, the auction, accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest

from discreet.distances import LInf, Monotone
from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, AnyLoss, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.exponential import Exponential
from discreet.numbers import exact
from tests.noise.closed import decimal, weight

FAR: Final = Neighbours((-40, 0), (-39, -1), LInf(1))
"""Half of the loss is used up only by who rises against all others."""
ALIKE: Final = Neighbours((0, 0), (1, -1), LInf(1))


def softmax(scale: str, scores: Sequence[int], weights: Sequence[int]) -> list[Decimal]:
    """In decimals of 60 digits, from the definition."""
    with localcontext(prec=60):
        parts = [w * weight(-s / exact(scale)) for s, w in zip(scores, weights, strict=True)]
        return [part / sum(parts) for part in parts]


def inside(law: Law, true: Sequence[Decimal], part: str = "1e-50") -> bool:
    with localcontext(prec=70):
        return law.outcomes == tuple(range(len(true))) and all(
            abs(decimal(end) - p) <= p * Decimal(part)
            for ends, p in zip(law.weights, true, strict=True)
            for end in ends
        )


@pytest.mark.parametrize("scale", ["1/3", "2", "1000"])
@pytest.mark.parametrize("scores", [(0,), (3, 1), (0, -60, 2, 2), (10**18, 10**18 + 1)])
def test_the_law_is_softmax(scale: str, scores: tuple[int, ...]) -> None:
    equal = [1] * len(scores)
    if len(scores) < 4 or scale != "1/3":
        assert inside(
            Exponential(scale).law(list(scores)),
            softmax(scale, [s - max(scores) for s in scores], equal),
        )
    weights = [2, 1, 7, 3][: len(scores)]
    near = softmax(scale, [s - max(scores) for s in scores], weights)
    assert inside(Exponential(scale, weights).law(scores), near)
    assert len(scores) == 1 or not inside(Exponential(scale).law(scores), near)


class TestMutants:
    """Smaller losses that look right, and other laws, are refuted by the checker."""

    @pytest.mark.parametrize("scale", ["1/2", "2", "22/7"])
    def test_the_factor_two_is_needed_unless_all_scores_move_one_way(self, scale: str) -> None:
        chooser = Exponential(scale)
        half = chooser.loss(Monotone(1))
        assert half.epsilon == 1 / exact(scale)
        assert not refuted(check(chooser, FAR))
        assert refuted(check(chooser, FAR, half))
        assert refuted(check(chooser, FAR, Pure(chooser.loss(LInf(1)).epsilon * Fraction("0.999"))))
        one_way = Neighbours((-40, 0), (-39, 0), Monotone(1))
        assert not refuted(check(chooser, one_way))
        assert refuted(check(chooser, one_way, Pure(half.epsilon * Fraction("0.999"))))

    def test_an_eighth_is_needed(self) -> None:
        chooser = Exponential(20)
        assert not refuted(check(chooser, ALIKE, chooser.zcdp(LInf(1))))
        assert refuted(check(chooser, ALIKE, ZCDP(Fraction(1, 100) / 9)))
        assert refuted(check(chooser, ALIKE, chooser.zcdp(Monotone(1))))

    def test_an_eighth_is_much_less_than_pure_privacy_gives(self) -> None:
        chooser = Exponential(20)
        assert chooser.zcdp(LInf(1)).rho < chooser.loss(LInf(1)).to(ZCDP).rho * Fraction("0.26")

    @pytest.mark.parametrize("claim", [Pure(1), ZCDP("1/8")])
    def test_a_scale_that_is_a_tenth_too_small(self, claim: AnyLoss) -> None:
        pair = FAR if isinstance(claim, Pure) else ALIKE
        right, sharp = Exponential(2), Exponential("1.8")
        assert not refuted(compare(right.law(pair.x), right.law(pair.y), claim, pair))
        assert refuted(compare(sharp.law(pair.x), sharp.law(pair.y), claim, pair))

    def test_base_weights_that_depend_on_the_data(self) -> None:
        one, other = Exponential(2, [1, 1]).law(FAR.x), Exponential(2, [2, 1]).law(FAR.y)
        assert refuted(compare(one, other, Pure(1), FAR))

    def test_a_choice_without_noise(self) -> None:
        pair = Neighbours((0, 1), (1, 0), LInf(1))
        assert refuted(compare(Law({1: 1}), Law({0: 1}), Pure(1000), pair))


# --- the auction ----------------------------------------------------------------------------------


def revenue(bids: Sequence[int]) -> list[int]:
    return [price * sum(bid >= price for bid in bids) for price in range(401)]


def test_revenues_are_monotone_in_bidders() -> None:
    """One bidder more lifts each revenue by the price or not at all: at most by 400."""
    for bids, one in product(([], [100], [100, 100, 301]), (0, 1, 99, 100, 101, 301, 400)):
        v = [b - a for a, b in zip(revenue(bids), revenue([*bids, one]), strict=True)]
        assert 0 <= min(v) <= max(v) <= 400
    assert max(b - a for a, b in zip(revenue([]), revenue([400]), strict=True)) == 400


def test_the_auction_leaps_and_the_mechanism_does_not_fall() -> None:
    """Expected revenue, exactly: of the mechanism, and of the best price plus noise of ±1 cent."""
    bids = 100 * [100, 100, 100, 301]
    brings = revenue(bids)
    law = Exponential(400).law(brings)
    expected = sum(
        low * brings[i] for i, (low, _) in zip(law.outcomes, law.weights, strict=True)  # type: ignore[call-overload]
    )  # fmt: skip
    best = max(brings)
    shaken = Fraction(brings[99] + brings[100] + brings[101], 3)
    assert brings.index(best) == 100
    assert expected > Fraction("0.98") * best
    assert shaken < Fraction("0.75") * best
    assert [revenue(few).index(max(revenue(few))) for few in ([100, 100, 301], [100] * 3)] == [
        301,
        100,
    ]


# --- accuracy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [[1, 1, 1], [1, 5, 2], ["1/2", 3, "1/4"]])
@pytest.mark.parametrize("scale", ["1/2", "3"])
@pytest.mark.parametrize("sure", ["0.2", "0.9", "0.999"])
def test_accuracy_is_the_least_bound(weights: list[Any], scale: str, sure: str) -> None:
    """Against the closed law on the worst scores, and on all others of a grid."""
    chooser = Exponential(scale, weights)
    t, failure = int(chooser.accuracy(sure)), 1 - exact(sure)
    whole = [int(exact(w) * 4) for w in weights]
    light = whole.index(min(whole))

    def misses(scores: Sequence[int], by: int) -> Fraction:
        chances = softmax(scale, scores, whole)
        return sum(
            (Fraction(p) for p, s in zip(chances, scores, strict=True) if max(scores) - s > by),
            Fraction(0),
        )

    for scores in product((0, -1, -t, -t - 1, -t - 2), repeat=3):
        assert misses(scores, t) <= failure
    worst = [0 if i == light else -t for i in range(3)]
    assert t == 0 or misses(worst, t - 1) > failure
    assert chooser.accuracy(sure) <= chooser.textbook_accuracy(sure)


def test_accuracy_in_figures() -> None:
    """scale·ln(n/β): 10·ln(1000/0.05) = 99.03…, and with odds in place of chances a little less."""
    assert 99 < Exponential(10).textbook_accuracy("0.95", 1000) < Fraction("99.04")
    assert Exponential(10).accuracy("0.95", 1000) == 98
    assert Exponential(10).accuracy("1/2", 2) == 0


# --- weights --------------------------------------------------------------------------------------


def test_weights_are_kept_as_ratios() -> None:
    assert Exponential(2, [2, 1]) == Exponential("2", ["1", "0.5"])
    assert Exponential(2, [2, 1]).weights == (2, 1)
    assert Exponential(2, [2, 1]) != Exponential(2)
    assert hash(Exponential(2, [2, 1])) == hash(Exponential(2, [4, 2]))


@pytest.mark.parametrize("bad", [[1, 0], [1, -1], [], 3, ["1e-20", 1]], ids=repr)
def test_weights_that_are_refused(bad: Any) -> None:  # noqa: ANN401
    with pytest.raises(MechanismError) as refused:
        Exponential(2, bad)
    assert refused.value.code == "M50"


def test_weights_are_exact_numbers() -> None:
    for bad in ([1, float("nan")], [1, None], [1, True]):
        with pytest.raises(NumberError):
            Exponential(2, bad)  # type: ignore[arg-type]


def test_one_weight_for_each_candidate() -> None:
    chooser = Exponential(2, [1, 2, 1])
    asks = (
        lambda: chooser.release([1, 2], entropy=Replay(b"")),
        lambda: chooser.law([1, 2, 3, 4]),
        lambda: chooser.accuracy("0.9", 4),
        lambda: chooser.textbook_accuracy("0.9", 2),
    )
    for ask in asks:
        with pytest.raises(MechanismError) as refused:
            ask()
        assert refused.value.code == "M51"
    assert chooser.accuracy("0.9", 3) == chooser.accuracy("0.9")


@pytest.mark.parametrize("weights", ["12", {1: 1000, 2: 1}, {50, 7, 1}, b"12"], ids=repr)
def test_weights_without_an_order_of_their_own_are_refused(weights: Any) -> None:  # noqa: ANN401
    with pytest.raises(MechanismError) as refused:
        Exponential(2, weights=weights)
    assert refused.value.code == "M50"
