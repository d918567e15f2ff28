"""The claim of permute_and_flip.md: the law by enumeration, the losses with their mutants."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations, product
from typing import Final

import pytest

from discreet.distances import LInf, Monotone
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.numbers import exact
from tests.noise.closed import decimal, weight

ALIKE: Final = Neighbours((0, 0), (1, -1), LInf(1))


def flipped(scale: str, scores: Sequence[int]) -> list[Decimal]:
    """Every order of the candidates, one by one, in decimals of 60 digits."""
    with localcontext(prec=60):
        stop = [weight((max(scores) - score) / exact(scale)) for score in scores]
        chances = [Decimal(0)] * len(scores)
        orders = list(permutations(range(len(scores))))
        for order in orders:
            still = Decimal(1)
            for i in order:
                chances[i] += still * stop[i] / len(orders)
                still *= 1 - stop[i]
        return chances


def expected(chances: Sequence[Fraction], scores: Sequence[int]) -> Fraction:
    """The expected shortfall."""
    return sum((p * (max(scores) - s) for p, s in zip(chances, scores, strict=True)), Fraction(0))


@pytest.mark.parametrize("scale", ["1/2", "2", "100"])
@pytest.mark.parametrize("scores", [(4,), (0, 1), (0, 0, -3), (7, -2, 5, 7)])
def test_the_law_is_that_of_flips_in_random_order(scale: str, scores: tuple[int, ...]) -> None:
    law = PermuteAndFlip(scale).law(scores)
    with localcontext(prec=70):
        for ends, p in zip(law.weights, flipped(scale, scores), strict=True):
            assert all(abs(decimal(end) - p) <= p * Decimal("1e-50") for end in ends)


def test_the_shortfall_is_never_larger_than_that_of_the_exponential_mechanism() -> None:
    for scale, rest in product(("1/2", "2"), product(range(-4, 1), repeat=2)):
        scores = [0, *rest]
        flip, soft = (
            expected([low for low, _ in kind(scale).law(scores).weights], scores)
            for kind in (PermuteAndFlip, Exponential)
        )
        assert flip <= soft
        assert flip < soft or not any(scores)


class TestMutants:
    """Smaller losses that look right, and other laws, are refuted by the checker."""

    @pytest.mark.parametrize("scale", [1, 4, 20, 1000])
    def test_the_charge_of_the_exponential_mechanism_is_false(self, scale: int) -> None:
        chooser = PermuteAndFlip(scale)
        borrowed = Exponential(scale).zcdp(LInf(1))
        assert borrowed == ZCDP(chooser.loss(LInf(1)).epsilon ** 2 / 8)
        assert refuted(check(chooser, ALIKE, borrowed))
        assert not refuted(check(chooser, ALIKE, chooser.zcdp(LInf(1))))
        assert not refuted(check(Exponential(scale), ALIKE, borrowed))

    def test_it_is_false_by_a_factor_of_nearly_four(self) -> None:
        chooser = PermuteAndFlip(1000)
        borrowed = Exponential(1000).zcdp(LInf(1)).rho
        assert refuted(check(chooser, ALIKE, ZCDP(borrowed * Fraction("3.98"))))
        assert chooser.zcdp(LInf(1)).rho <= 4 * borrowed

    @pytest.mark.parametrize("scale", ["1/2", "3"])
    def test_the_factor_two_is_needed_unless_all_scores_move_one_way(self, scale: str) -> None:
        chooser = PermuteAndFlip(scale)
        pair = Neighbours((0, -1), (1, -2), LInf(1))
        assert not refuted(check(chooser, pair))
        assert refuted(check(chooser, pair, chooser.loss(Monotone(1))))
        one_way = Neighbours((0, -1), (1, -1), Monotone(1))
        assert not refuted(check(chooser, one_way))
        assert refuted(
            check(chooser, one_way, Pure(chooser.loss(Monotone(1)).epsilon * Fraction("0.999")))
        )

    def test_a_fixed_order_is_no_permutation(self) -> None:
        """Flips in the order of the indices: who comes last after one of the best never wins."""
        stop = Fraction(weight(Fraction(2)))
        pair = Neighbours((1, -1), (-1, 1), LInf(2))
        laws = Law({0: 1, 1: 0}), Law({0: stop, 1: 1 - stop})
        assert refuted(compare(*laws, PermuteAndFlip(1).loss(LInf(2)), pair))
        assert not refuted(check(PermuteAndFlip(1), pair))


@pytest.mark.parametrize(
    ("scale", "sure"), [("1/2", "0.9"), ("3", "0.9"), ("3", "0.999"), (50, "0.3")]
)
def test_accuracy_is_the_least_bound(scale: str, sure: str) -> None:
    """Against the enumerated law on the worst scores."""
    for n in (2, 3, 5):
        t = int(PermuteAndFlip(scale).accuracy(sure, n))
        for by, holds in ((t, True), (t - 1, False)):
            if by >= 0:
                scores = [0] + [-by - 1] * (n - 1)
                missed = 1 - Fraction(flipped(str(scale), scores)[0])
                assert (missed <= 1 - exact(sure)) == holds


def test_accuracy_in_figures() -> None:
    """Of many candidates about scale·ln(n/2β): 10·ln(1000/0.1) = 92.1, less one step."""
    assert PermuteAndFlip(10).accuracy("0.95", 1000) in {91, 92}
    assert 99 < PermuteAndFlip(10).textbook_accuracy("0.95", 1000) < Fraction("99.04")
