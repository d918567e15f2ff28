"""The claim of fixed_sum.md, for both kinds of sums."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Final

import numpy as np
import pytest

import discreet as dp
from discreet.entropy import Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.fixed_sum import FixedSum, added
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import MomentTriple
from discreet.units import Replace, Rows
from tests.mechanisms.cases_moments import known
from tests.mechanisms.cases_quantile import apart
from tests.noise.chance import FALSE_ALARM, doubt

BOTH: Final[list[FixedSum]] = [MeanPair(0, 4, "3/2"), MomentTriple(0, 2, "3/2", parts=4)]
"""One row weighs four in both."""


@pytest.mark.parametrize("mechanism", BOTH)
def test_losses_are_multiples_of_what_one_row_weighs(mechanism: FixedSum) -> None:
    for k in (1, 2, 7):
        assert mechanism.loss(Rows(k)) == Pure(Fraction(4 * k) / Fraction(3, 2))
        assert mechanism.loss(Replace(k)) == Pure(Fraction(8 * k) / Fraction(3, 2))
        one_way = dp.Laplace("3/2").zcdp(dp.L1(4 * k))
        assert mechanism.zcdp(Rows(k)) == one_way
        assert mechanism.zcdp(Replace(k)) == 2 * one_way
        assert mechanism.zcdp(Replace(k)).rho < dp.Laplace("3/2").zcdp(dp.L1(8 * k)).rho


SMALL: Final = MeanPair(0, 2, "1/8")
ADDED, CHANGED = known(SMALL, [apart((), (0,), Rows(1)), apart((0,), (2,), Replace(1))])


def test_a_change_that_is_charged_as_one_row_is_refuted() -> None:
    assert not refuted(check(SMALL, CHANGED))
    assert refuted(check(SMALL, CHANGED, SMALL.loss(Rows(1))))
    assert refuted(check(SMALL, CHANGED, SMALL.zcdp(Rows(1))))


@pytest.mark.parametrize("pair", [ADDED, CHANGED])
def test_a_loss_that_is_a_little_smaller_is_refuted(pair: Neighbours) -> None:
    own, dense = SMALL.loss(pair.distance), SMALL.zcdp(pair.distance)  # type: ignore[arg-type]
    assert refuted(check(SMALL, pair, Pure(own.epsilon * Fraction(999, 1000))))
    assert refuted(check(SMALL, pair, ZCDP(dense.rho * Fraction(98, 100))))


def shared(sums: tuple[int, ...]) -> Law:
    """The mutant that adds one and the same noise to all sums, so their difference is exact."""
    noise = dp.Laplace("1/8").law(0)
    ends = zip(noise.outcomes, noise.weights, strict=True)
    moved = {tuple(each + z for each in sums): low for z, (low, _) in ends}  # type: ignore[operator]
    return Law(moved, Fraction(1, 2**100))


def test_one_noise_for_all_sums_is_refuted() -> None:
    one, other = shared(SMALL.sums([0])), shared(SMALL.sums([2]))
    pair = apart((0,), (2,), Replace(1))
    assert refuted(compare(one, other, SMALL.loss(Replace(1)), pair))


@pytest.mark.parametrize("mechanism", BOTH)
def test_releases_fit_the_law_and_no_other(mechanism: FixedSum) -> None:
    """Each sum by itself, and both first ones together."""
    rows, scale = [0, 1, 1, 2, 9], float(mechanism.scale)
    told = np.array([mechanism.release(rows) for _ in range(4_000)])
    chance = {n: exp(-abs(n) / scale) * np.tanh(0.5 / scale) for n in range(-40, 41)}
    exact = mechanism.sums(rows)
    wrong = {n: exp(-abs(n) / 1.3 / scale) * np.tanh(0.5 / 1.3 / scale) for n in range(-40, 41)}
    for column, centre in enumerate(exact):
        assert doubt(told[:, column] - centre, chance) > FALSE_ALARM
        assert doubt(told[:, column] - centre, wrong) < FALSE_ALARM
        assert doubt(told[:, column] - centre - 1, chance) < FALSE_ALARM
    signs = (told[:, 0] > exact[0]) * 2 + (told[:, 1] > exact[1])
    above = sum(p for n, p in chance.items() if n > 0)
    both = {3: above**2, 2: above * (1 - above), 1: above * (1 - above), 0: (1 - above) ** 2}
    assert doubt(signs, both) > FALSE_ALARM
    assert doubt(signs, {3: above, 0: 1 - above}) < FALSE_ALARM


@pytest.mark.parametrize("mechanism", BOTH)
def test_the_law_is_the_product_of_laplace_laws_around_the_sums(mechanism: FixedSum) -> None:
    small = type(mechanism)(0, 2, "1/12")  # type: ignore[call-arg]
    law = small.law([0, 2, 2])
    centre, q = small.sums([0, 2, 2]), exp(-12)
    for outcome, (low, high) in zip(law.outcomes, law.weights, strict=True):
        assert isinstance(outcome, tuple)
        away = sum(abs(told - exact) for told, exact in zip(outcome, centre, strict=True))
        p = ((1 - q) / (1 + q)) ** len(centre) * q**away
        assert float(low) == pytest.approx(p, rel=1e-12)
        assert float(high) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("mechanism", [MeanPair(0, 4, 10**6), MomentTriple(0, 2, 10**6)])
def test_a_replayed_release_is_the_same_and_reads_fresh_bytes_for_each_sum(
    mechanism: FixedSum,
) -> None:
    data = np.random.default_rng(5).bytes(1000)
    one = mechanism.release([1, 2], entropy=Replay(data))
    assert one == mechanism.release((1, 2), entropy=Replay(data))
    assert one == mechanism.release(np.array([1, 2], np.uint8), entropy=Replay(data))
    noise = {told - exact for told, exact in zip(one, mechanism.sums([1, 2]), strict=True)}
    assert len(noise) == mechanism.width


@pytest.mark.parametrize("mechanism", BOTH)
def test_the_accuracy_is_that_of_all_sums_together(mechanism: FixedSum) -> None:
    """1 − (1 − P(|Z| > t))^(sums) by the closed form, on both sides of the least t."""
    q, width = exp(-1 / float(mechanism.scale)), mechanism.width
    for confidence, count in ((0.5, 1), (0.95, 1), (0.95, 10), (0.999, 3)):
        t = int(mechanism.accuracy(confidence, count))
        sure = [(1 - 2 * q ** (s + 1) / (1 + q)) ** (width * count) for s in (t - 1, t)]
        assert sure[0] < confidence <= sure[1]


def test_sums_never_wrap_around() -> None:
    rows = np.full(4, 2**61)
    assert added(rows) == 2**63
    for way in (1, -1):
        many = way * np.array([2**62 - 1, 2**32 - 1, 2**32, 5, 0] * 1000)
        assert added(many) == sum(many.tolist())
    assert added(np.zeros(0, np.int64)) == 0
    wide = MeanPair(-(2**61), 2**61, 2**40)
    assert wide.sums([2**61] * 5 + [-(2**61)]) == (5 * 2**62, 2**62)


@pytest.mark.parametrize("kind", [MeanPair, MomentTriple])
def test_bad_parameters_are_refused_when_they_are_given(kind: type[MeanPair]) -> None:
    for given in ((0, 0, 1), (1, 0, 1), (0, 1, 0), (0, 1, 2**41), (0, 1), (), ("1/2", 1, 1)):
        with pytest.raises(DiscreetError):
            kind(*given)


@pytest.mark.parametrize("mechanism", BOTH)
def test_rows_are_refused_before_anything_is_drawn(mechanism: FixedSum) -> None:
    with pytest.raises(DiscreetError) as error:
        mechanism.release([0.5], entropy=Replay(b""))  # type: ignore[list-item]
    assert error.value.code == "M71"
