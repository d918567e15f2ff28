"""The claim of top_k.md: the law in two other ways, the losses with their mutants."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest

from discreet.distances import LInf, Monotone
from discreet.entropy import Replay
from discreet.errors import MechanismError, NumberError
from discreet.lab.exact import Neighbours, check, refuted
from discreet.loss import ZCDP, Pure
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.top_k import TopK, _before
from discreet.numbers import exact
from tests.mechanisms.cases_selection import split
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import decimal, weight

FAR: Final = Neighbours((-40, -41, 0), (-39, -40, -1), LInf(1))
"""Two rise against the third, and both are far behind it."""


def first(scale: str, scores: dict[int, int], who: int) -> Decimal:
    """The chance of softmax among these."""
    parts = {i: weight(-s / exact(scale)) for i, s in scores.items()}
    return parts[who] / sum(parts.values())


def second(scale: str, scores: Sequence[int], pair: tuple[int, int]) -> Decimal:
    """P(i first, j second), without a product: if i is left out of the race, j wins in those cases
    and where it would have won anyway."""
    i, j = pair
    everyone = dict(enumerate(scores))
    others = {n: s for n, s in everyone.items() if n != i}
    return first(scale, others, j) - first(scale, everyone, j)


@pytest.mark.parametrize("scale", ["1/2", "3"])
@pytest.mark.parametrize("scores", [(0, 0), (1, 0, 4), (2, 2, -3, 0)])
def test_the_law_of_two_by_leaving_one_out(scale: str, scores: tuple[int, ...]) -> None:
    law = TopK(2, scale).law(scores)
    found = dict(zip(law.outcomes, law.weights, strict=True))
    assert set(found) == set(permutations(range(len(scores)), 2))
    with localcontext(prec=60):
        for pair in permutations(range(len(scores)), 2):
            true = second(scale, scores, pair)
            assert all(abs(decimal(end) - true) < Decimal("1e-45") for end in found[pair])


def test_the_law_is_that_of_one_noise_for_each() -> None:
    """The three largest of scores plus Gumbel noise, drawn by NumPy: 10^6 times."""
    scores, scale = np.array([0, 2, 1, 3]), 2
    noisy = scores / scale + np.random.default_rng(5).gumbel(size=(1_000_000, 4))
    order = np.argsort(-noisy, axis=1)[:, :3]
    drawn = order @ np.array([16, 4, 1])
    for law, fits in ((TopK(3, scale).law(scores), True), (TopK(3, "1.9").law(scores), False)):
        kinds: Any = law.outcomes
        expected = {
            16 * a + 4 * b + c: float(low)
            for (a, b, c), (low, _) in zip(kinds, law.weights, strict=True)
        }
        assert (doubt(drawn, expected) > FALSE_ALARM) == fits


def test_the_first_of_k_is_the_exponential_mechanism() -> None:
    assert TopK(1, 2).loss(LInf(1)) == Exponential(2).loss(LInf(1))
    assert TopK(1, 2).zcdp(LInf(1)) == Exponential(2).zcdp(LInf(1))
    scores = [3, 1, -2]
    for seed in range(50):
        data = np.random.default_rng(seed).bytes(24)
        one = Exponential(2).release(scores, entropy=Replay(data))
        assert TopK(1, 2).release(scores, entropy=Replay(data)) == (one,)
    by_first: dict[int, Fraction] = {}
    law: Any = TopK(2, 2).law(scores)
    for (i, _), (low, _) in zip(law.outcomes, law.weights, strict=True):
        by_first[i] = by_first.get(i, Fraction(0)) + low
    for i, (low, high) in enumerate(Exponential(2).law(scores).weights):
        assert abs(by_first[i] - low) < Fraction(1, 10**40) + high - low


def test_the_rest_is_chosen_among_those_who_are_left() -> None:
    """Choices by the same bytes, one after another on scores without those who are chosen."""
    scores = [3, 1, -2, 0, 2]
    for seed in range(100):
        data = np.random.default_rng(seed).bytes(8 * (5 + 4 + 3))
        told = TopK(3, 2).release(scores, entropy=Replay(data))
        names, pieces = list(range(5)), [data[:40], data[40:72], data[72:]]
        for index, piece in zip(told, pieces, strict=True):
            place = Exponential(2).release([scores[n] for n in names], entropy=Replay(piece))
            assert names.pop(place) == index


def test_a_place_among_those_who_are_left() -> None:
    for taken in ([], [0], [2, 3], [0, 1, 4], [5]):
        left = [i for i in range(9) if i not in taken]
        assert [_before(taken, place) for place in range(len(left))] == left


def test_all_of_them_in_order() -> None:
    far = [10**6 * s for s in (3, 1, 4, 2)]
    assert TopK(4, 100).release(far) == (2, 0, 3, 1)
    told = TopK(50, 1).release(np.zeros(50, np.int64))
    assert sorted(told) == list(range(50))
    assert all(type(i) is int for i in told)


class TestMutants:
    """Smaller losses that look right are refuted by the checker."""

    def test_k_of_them_cost_k_times(self) -> None:
        two, one = TopK(2, 1), TopK(1, 1)
        assert two.loss(LInf(1)) == 2 * one.loss(LInf(1)) == Pure(4)
        assert not refuted(check(two, FAR))
        assert refuted(check(two, FAR, one.loss(LInf(1))))
        assert refuted(check(two, FAR, Pure("3.99")))
        assert refuted(check(two, FAR, two.loss(Monotone(1))))

    def test_k_of_them_cost_k_eighths(self) -> None:
        two, pair = TopK(2, 20), split(20)
        assert not refuted(check(two, pair, two.zcdp(LInf(1))))
        assert refuted(check(two, pair, TopK(1, 20).zcdp(LInf(1))))
        assert refuted(check(two, pair, ZCDP(two.zcdp(LInf(1)).rho * Fraction("0.98"))))


# --- accuracy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("sure", ["0.5", "0.95"])
def test_each_falls_short_of_the_best_that_is_left_as_rarely_as_is_said(k: int, sure: str) -> None:
    t = int(TopK(k, 2).accuracy(sure, 4))
    for scores in ([0, 0, 0, 0], [0, -t - 1, -t - 1, -t - 1], [0, 0, -t - 1, -2 * t - 2]):
        law: Any = TopK(k, 2).law(scores)
        missed = Fraction(0)
        for told, (low, _) in zip(law.outcomes, law.weights, strict=True):
            left = dict(enumerate(scores))
            short = [max(left.values()) - left.pop(i) for i in told]
            missed += low * (max(short) > t)
            assert max(short) > t or by_rank(scores, told, t)
        assert missed <= 1 - exact(sure)


def by_rank(scores: Sequence[int], told: Sequence[int], t: int) -> bool:
    """Whether each falls short of the one whose place it takes by t at most."""
    ranked = sorted(scores, reverse=True)
    return all(ranked[place] - scores[i] <= t for place, i in enumerate(told))


def test_accuracy_by_another_sum() -> None:
    """Σ ln(1 + (n − j)·e^(−(t+1)/s)) against −ln c, in decimals."""
    for k, n, sure in ((3, 10, "0.9"), (5, 1000, "0.999"), (4, 4, "0.5")):
        t = int(TopK(k, 7).accuracy(sure, n))
        with localcontext(prec=50):
            for by, holds in ((t, True), (t - 1, False)):
                chance = (-Decimal(by + 1) / 7).exp()
                product = Decimal(1)
                for j in range(1, k + 1):
                    product *= 1 + (n - j) * chance
                assert by < 0 or (product * Decimal(sure) <= 1) == holds


# --- what is refused ------------------------------------------------------------------------------


def test_no_more_than_there_are() -> None:
    for ask in (
        lambda: TopK(3, 1).release([1, 2], entropy=Replay(b"")),
        lambda: TopK(3, 1).law([1, 2]),
        lambda: TopK(3, 1).accuracy("0.9", 2),
    ):
        with pytest.raises(MechanismError) as refused:
            ask()
        assert refused.value.code == "M53"


def test_a_law_with_too_many_outcomes() -> None:
    for k, n in ((2, 300), (9, 9), (10**6, 10**6)):
        with pytest.raises(MechanismError) as refused:
            TopK(k, 1).law(np.zeros(n, np.int64))
        assert refused.value.code == "M52"


@pytest.mark.parametrize("bad", [0, -1, "3/2", True, None])
def test_k_is_a_whole_number(bad: Any) -> None:  # noqa: ANN401
    with pytest.raises(NumberError):
        TopK(bad, 1)
