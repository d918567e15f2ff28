"""The claim of weighted_gaussian.md."""

from __future__ import annotations

import os
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from discreet.distances import L0, L1, L2
from discreet.entropy import Replay
from discreet.errors import DiscreetError
from discreet.lab.exact import Neighbours, check, refuted
from discreet.loss import ZCDP, AnyLoss, Approx
from discreet.mechanisms.keys import WeightedGaussian
from discreet.numbers import exact
from tests.mechanisms.cases_keys import KEYS, WEIGHTED, subsets, weighed
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import weight


@cache
def above(variance: Fraction) -> dict[int, Decimal]:
    """P(Z ≥ t) for each t, added up term by term from the outside."""
    reach = int(16 * float(variance) ** 0.5) + 5
    found, summed = {}, Decimal(0)
    with localcontext(prec=50):
        for n in range(reach, -reach - 1, -1):
            summed += weight(Fraction(n * n) / (2 * variance))
            found[n] = summed
        return {n: part / summed for n, part in found.items()}


def tail(variance: Fraction, t: int) -> Decimal:
    return above(variance).get(t, Decimal(0))


@pytest.mark.parametrize("resolution", [50, 1024, 2**20])
def test_nobody_has_a_norm_above_one(resolution: int) -> None:
    mechanism = WeightedGaussian(2000, variance=1, threshold=1, resolution=resolution)
    for t in range(1, 2001):
        found = mechanism.weight(t)
        assert t * found**2 <= resolution**2 < t * (found + 1) ** 2
        assert found >= 1


def test_weights_rounded_to_the_nearest_would_pass_it() -> None:
    """The mutant."""
    assert any(t * round(1024 / t**0.5) ** 2 > 1024**2 for t in range(1, 100))


def test_weights_that_vanish_are_refused() -> None:
    assert WeightedGaussian(100, variance=1, threshold=1, resolution=10).weight(100) == 1
    with pytest.raises(DiscreetError):
        WeightedGaussian(101, variance=1, threshold=1, resolution=10)


@pytest.mark.parametrize(
    ("groups", "variance", "threshold", "resolution"),
    [(1, 64, 30, 8), (3, 64, 10, 8), (30, 16, 21, 16), (200, 400, 100, 64), (77, 9, 66, 64)],
)
def test_the_purse_is_the_largest_over_all_numbers_of_keys(
    groups: int, variance: int, threshold: int, resolution: int
) -> None:
    mechanism = WeightedGaussian(
        groups, variance=variance, threshold=threshold, resolution=resolution
    )
    with localcontext(prec=50):
        tails = {
            w: tail(Fraction(variance), threshold - w)
            for w in {mechanism.weight(t) for t in range(1, groups + 1)}
        }
        each = [1 - (1 - tails[mechanism.weight(t)]) ** t for t in range(1, groups + 1)]
        found = mechanism.loss(L2(1)).delta
        true = Decimal(found.numerator) / Decimal(found.denominator)
        assert abs(true / max(each) - 1) < Decimal("1e-20")


def test_the_worst_number_of_keys_may_be_the_least_or_the_most() -> None:
    """Charging only one of them, as the one heaviest key or as all light ones, is too little."""
    with localcontext(prec=50):
        for variance, threshold, worst in ((64, 90, 1), (900, 70, 40)):
            mechanism = WeightedGaussian(40, variance=variance, threshold=threshold, resolution=64)
            each = [
                1 - (1 - tail(Fraction(variance), threshold - mechanism.weight(t))) ** t
                for t in range(1, 41)
            ]
            assert each.index(max(each)) + 1 == worst


def test_rho_is_that_of_the_norm_of_one_person_and_of_two() -> None:
    assert WEIGHTED.loss(L2(1)).rho == Fraction(8**2, 2 * 64)
    assert WEIGHTED.loss(L2.root(2)).rho == 2 * WEIGHTED.loss(L2(1)).rho
    assert WEIGHTED.loss(L2.root(2)).delta == WEIGHTED.loss(L2(1)).delta
    assert WEIGHTED.loss(L2(0)) == ZCDP(0)


def test_distances_hold_for_all_who_enter_leave_or_change_places() -> None:
    fine = WeightedGaussian(3, variance=1, threshold=1, resolution=1024)

    def square(x: dict[str, int], y: dict[str, int]) -> int:
        return sum((x[key] - y[key]) ** 2 for key in KEYS)

    alone = [square(weighed(fine, ()), weighed(fine, (one,))) for one in subsets()]
    assert max(alone) == 1024**2
    swapped = [
        square(weighed(fine, (one,)), weighed(fine, (other,)))
        for one, other in product(subsets(), repeat=2)
    ]
    # The mutant: one person in another's place, charged as one.
    assert 1024**2 < max(swapped) == 2 * 1024**2


def test_smaller_purses_are_refuted() -> None:
    """The mutants: the purse of one key, of a strict threshold, of weights that nobody has."""
    loss = WEIGHTED.loss(L2(1))
    pairs = [
        Neighbours(weighed(WEIGHTED, ()), weighed(WEIGHTED, (keys,)), L2(1)) for keys in subsets()
    ]
    assert not any(refuted(check(WEIGHTED, pair, loss)) for pair in pairs)
    only_one_key = WeightedGaussian(1, variance=64, threshold=10, resolution=8)
    strict = WeightedGaussian(3, variance=64, threshold=11, resolution=8)
    for mutant in (only_one_key, strict):
        less = ZCDP(loss.rho, mutant.loss(L2(1)).delta)
        assert any(refuted(check(WEIGHTED, pair, less)) for pair in pairs)


def test_two_who_share_a_key_are_refuted() -> None:
    """What L2 alone does not say, and why more than one person is refused."""
    mechanism = WeightedGaussian.within(1, ZCDP("1/50", "1e-4"))
    both = Neighbours({"a": 0}, {"a": 2 * mechanism.weight(1)}, L2(1))
    assert refuted(check(mechanism, both, mechanism.loss(L2.root(2))))
    with pytest.raises(DiscreetError) as refused:
        mechanism.loss(L2(2))
    assert refused.value.code == "M83"


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("groups", [1, 7, 300])
@pytest.mark.parametrize(
    "budget", [Approx(1, "1e-6"), Approx("0.1", "1e-9"), ZCDP("1/50", "1e-6")], ids=str
)
def test_within_a_budget_no_smaller_threshold_would_do(
    groups: int, budget: AnyLoss, people: int
) -> None:
    made = WeightedGaussian.within(groups, budget, moves=people)
    lower = WeightedGaussian(
        groups, variance=made.variance, threshold=made.threshold - 1, resolution=made.resolution
    )
    distance = L2.root(people)
    if isinstance(budget, ZCDP):
        assert made.loss(distance) <= budget
        assert made.loss(distance).rho == budget.rho
        assert not lower.loss(distance) <= budget
    if isinstance(budget, Approx):
        assert made.loss(distance).to(Approx, epsilon=budget.epsilon) <= budget
        assert lower.loss(distance).delta > budget.delta / 2
        more = ZCDP(made.loss(distance).rho * (1 + Fraction(1, 10**6)))
        assert more.to(Approx, epsilon=budget.epsilon).delta > budget.delta / 2


def test_a_tiny_budget_takes_a_coarser_lattice() -> None:
    made = WeightedGaussian.within(4, ZCDP("1e-16", "1e-9"))
    assert made.resolution < 2**20
    assert made.loss(L2(1)) <= ZCDP("1e-16", "1e-9")


def test_two_people_at_most_are_moved() -> None:
    with pytest.raises(DiscreetError) as refused:
        WeightedGaussian.within(3, ZCDP(1, "1e-6"), moves=3)
    assert refused.value.code == "M83"


@pytest.mark.parametrize("confidence", ["0.01", "1/2", "0.95"])
@pytest.mark.parametrize("count", [1, 9])
def test_accuracy_is_the_least_number_of_people(confidence: str, count: int) -> None:
    mechanism = WeightedGaussian(9, variance=100, threshold=60, resolution=12)
    assert mechanism.weight(9) == 4
    with localcontext(prec=50):

        def chance(people: int) -> Decimal:
            return tail(Fraction(100), 60 - 4 * people) ** count

        sure = Decimal(exact(confidence).numerator) / exact(confidence).denominator
        least = int(mechanism.accuracy(confidence, count))
        assert chance(least) >= sure > chance(least - 1)


def test_releases_follow_the_law() -> None:
    mechanism = WeightedGaussian(4, variance=20, threshold=12, resolution=8)
    wrong = WeightedGaussian(4, variance=24, threshold=12, resolution=8)
    strict = WeightedGaussian(4, variance=20, threshold=13, resolution=8)
    people, many = {"a": 8, "b": 12, "c": 17, "d": 0}, 60_000
    found = set(mechanism.release({(i, key): n for i in range(many) for key, n in people.items()}))
    place = {"a": 1, "b": 2, "c": 4}
    drawn = np.array(
        [sum(bit for key, bit in place.items() if (i, key) in found) for i in range(many)], np.int64
    )

    def law(of: WeightedGaussian) -> dict[int, float]:
        told = of.law(people)
        return {
            sum(place[key] for key in keys): float(low)  # type: ignore[attr-defined, misc]
            for keys, (low, _) in zip(told.outcomes, told.weights, strict=True)
        }

    assert doubt(drawn, law(mechanism)) > FALSE_ALARM
    assert doubt(drawn, law(strict)) < FALSE_ALARM
    assert doubt(drawn, law(wrong)) < FALSE_ALARM


def test_the_same_bytes_tell_the_same() -> None:
    chosen, people = os.urandom(300_000), dict.fromkeys(range(1000), 12)
    mechanism = WeightedGaussian(4, variance=20, threshold=12, resolution=8)
    first, again = (mechanism.release(people, entropy=Replay(chosen)) for _ in range(2))
    assert first == again
    assert 0 < len(first) < 1000


@pytest.mark.parametrize("variance", [0, -1, 2**81, None])
def test_bad_variances_are_refused(variance: int) -> None:
    with pytest.raises(DiscreetError):
        WeightedGaussian(3, variance=variance, threshold=3)


@pytest.mark.parametrize("groups", [0, -1, "1/2", None])
def test_bad_numbers_of_keys_are_refused(groups: int) -> None:
    with pytest.raises(DiscreetError):
        WeightedGaussian(groups, variance=1, threshold=3)
    with pytest.raises(DiscreetError):
        WeightedGaussian.within(groups, ZCDP(1, "1e-6"))
    with pytest.raises(DiscreetError):
        WEIGHTED.weight(groups)


@pytest.mark.parametrize("distance", [L0(3), L1(1)])
def test_the_number_of_keys_is_no_distance_here(distance: L2) -> None:
    """L0(2g) for a change of places would charge half of rho."""
    with pytest.raises(DiscreetError) as refused:
        WEIGHTED.loss(distance)
    assert refused.value.code == "U12"
