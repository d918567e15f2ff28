"""The claim of noisy_max.md: the law and its ties by enumeration, the losses with their mutants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final, TypeAlias

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from discreet.distances import L0, L1, LInf, Monotone
from discreet.entropy import Replay
from discreet.errors import MechanismError
from discreet.lab.exact import Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import noisy_max as module
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.numbers import exact
from tests.mechanisms.cases_selection import CUBES, moves
from tests.noise.chance import FALSE_ALARM, doubt

Share: TypeAlias = Callable[[int, tuple[int, ...], Sequence[int]], Fraction]
"""What part of a tie goes to one of those who are tied, given the exact scores."""
BITS: Final = 256
REACH: Final = 120


def smallest(i: int, tied: tuple[int, ...], scores: Sequence[int]) -> Fraction:
    del scores
    return Fraction(i == min(tied))


def evenly(i: int, tied: tuple[int, ...], scores: Sequence[int]) -> Fraction:
    del i, scores
    return Fraction(1, len(tied))


def best_score(i: int, tied: tuple[int, ...], scores: Sequence[int]) -> Fraction:
    """The mutant: of those who are tied, one with the best exact score."""
    top = max(scores[j] for j in tied)
    return Fraction(i == min(j for j in tied if scores[j] == top))


def point(q: arb, z: int) -> arb:
    return (1 - q) / (1 + q) * q ** abs(z)


def at_most(q: arb, z: int) -> arb:
    return 1 - q ** (z + 1) / (1 + q) if z >= 0 else q ** (-z) / (1 + q)


def enumerated(scale: str, scores: Sequence[int], share: Share) -> Law:
    """Over all noisy scores h and all sets of those who are tied at h, with all others below."""
    unit = 1 / exact(scale)
    with flint.ctx.workprec(BITS):
        q = (-arb(fmpq(unit.numerator, unit.denominator))).exp()
        chances = [arb(0)] * len(scores)
        everyone = range(len(scores))
        for h in range(min(scores) - REACH, max(scores) + REACH):
            for size in range(1, len(scores) + 1):
                for tied in combinations(everyone, size):
                    together = arb(1)
                    for j in everyone:
                        z = h - scores[j]
                        together *= point(q, z) if j in tied else at_most(q, z - 1)
                    for i in tied:
                        part = share(i, tied, scores)
                        chances[i] += together * arb(fmpq(part.numerator, part.denominator))
        left = arb(0).union(3 * len(scores) * q**REACH)
        return Law({i: chance + left for i, chance in enumerate(chances)})


# --- the law --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["1/3", "1"])
@pytest.mark.parametrize("scores", [(5,), (0, 0), (0, 1), (3, 1), (0, 0, 0), (1, -2, 1)])
def test_the_law_is_that_of_the_enumeration(scale: str, scores: tuple[int, ...]) -> None:
    found, true = NoisyMax(scale).law(scores), enumerated(scale, scores, smallest)
    close = Fraction(1, 10**40)
    for mine, theirs in zip(found.weights, true.weights, strict=True):
        assert max(mine[0], theirs[0]) <= min(mine[1], theirs[1]) * (1 + close)
        assert theirs[1] - theirs[0] < close
    if len(scores) > 1:
        other = enumerated(scale, scores, evenly).weights
        assert any(a[0] > b[1] or a[1] < b[0] for a, b in zip(found.weights, other, strict=True))


def test_a_law_of_scores_far_apart_is_refused() -> None:
    for mechanism, scores in ((NoisyMax(1), [0, 10**6]), (NoisyMax(10**6), [0, 1])):
        with pytest.raises(MechanismError) as refused:
            mechanism.law(scores)
        assert refused.value.code == "M52"


# --- releases -------------------------------------------------------------------------------------


def test_a_release_is_the_first_of_the_largest_noisy_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the same bytes, in blocks of one and in blocks of many; ties are common."""
    scores, ties = [1, 0, 2, 2, 1], 0
    monkeypatch.setattr(module, "LANES", len(scores))
    for seed in range(300):
        data = np.random.default_rng(seed).bytes(4096)
        noise = NoisyMax(1).noise.sample(len(scores), entropy=Replay(data)).tolist()
        noisy = [s + z for s, z in zip(scores, noise, strict=True)]
        assert NoisyMax(1).release(scores, entropy=Replay(data)) == noisy.index(max(noisy))
        ties += noisy.count(max(noisy)) > 1
    assert ties > 30


@pytest.mark.parametrize("lanes", [1, 2, 3, 7])
def test_ties_between_blocks_go_to_the_first(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LANES", lanes)
    law = NoisyMax("1/3").law([0, 0, -1, 0])
    drawn = np.array([NoisyMax("1/3").release([0, 0, -1, 0]) for _ in range(4_000)])
    assert doubt(drawn, {i: float(low) for i, (low, _) in enumerate(law.weights)}) > FALSE_ALARM
    even = enumerated("1/3", [0, 0, -1, 0], evenly)
    assert doubt(drawn, {i: float(low) for i, (low, _) in enumerate(even.weights)}) < FALSE_ALARM


def test_the_whole_range_of_scores_at_the_largest_scale() -> None:
    """Nothing wraps around: who is far behind is cut where nobody can win."""
    low, high = -(2**63), 2**63 - 1
    for scores, best in (([low, high, 0], 1), ([high, low, low], 0), ([low, low + 1, high], 2)):
        assert {NoisyMax(2**40).release(scores) for _ in range(200)} == {best}
    wide = np.array([low, high, high - 2**62, 0], np.int64)
    found = module._behind(wide, wide.max()).tolist()
    assert found == [2**62 + 1, 0, 2**62, 2**62 + 1]
    assert min(-(2**61) - b for b in found) >= -(2**63)


def test_noise_far_out_is_put_where_it_cannot_wrap(monkeypatch: pytest.MonkeyPatch) -> None:
    class Huge:
        def sample(self, size: int, *, entropy: object) -> Any:  # noqa: ANN401
            del entropy
            return np.array([-(2**62), 2**62, -(2**62)][:size], np.int64)

    monkeypatch.setattr(NoisyMax, "noise", property(lambda _: Huge()))
    assert NoisyMax(1).release([2**62 + 2, 0, -(2**63)]) == 0
    assert NoisyMax(1).release([2**62, 1, 2**62]) == 1


# --- losses ---------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("share", [smallest, evenly])
def test_every_tie_rule_that_does_not_look_at_scores_keeps_the_loss(share: Share) -> None:
    laws: dict[tuple[int, ...], Law] = {}
    for x, (v, distance) in product(CUBES[:5], moves(3, 1)):
        pair = Neighbours(x, tuple(a + b for a, b in zip(x, v, strict=True)), distance)
        for each in (pair.x, pair.y):
            laws[each] = laws.get(each) or enumerated("1", each, share)
        claim = NoisyMax(1).loss(distance)
        assert all(f.kept for f in compare(laws[pair.x], laws[pair.y], claim, pair))


def test_even_ties_keep_the_loss_of_two() -> None:
    for x, (v, distance) in product([(0, 0), (0, 1), (2, 0)], moves(2, 1)):
        pair = Neighbours(x, tuple(a + b for a, b in zip(x, v, strict=True)), distance)
        for share in (evenly, smallest):
            one, other = (enumerated("1/2", each, share) for each in (pair.x, pair.y))
            assert not refuted(compare(one, other, NoisyMax("1/2").loss(distance), pair))


def against_many(n: int, score: int, *, wins_ties: bool) -> Law:
    """Whether one candidate beats n others with score zero, at scale one."""
    with flint.ctx.workprec(BITS):
        q = arb(-1).exp()
        chance = sum(
            (point(q, h - score) * at_most(q, h if wins_ties else h - 1) ** n
             for h in range(-REACH, REACH)),
            start=arb(0),
        )  # fmt: skip
        chance += arb(0).union(3 * q ** (REACH - 2))
        return Law({True: chance, False: 1 - chance})


class TestMutants:
    """Other rules and smaller losses are refuted by the checker."""

    def test_ties_broken_by_the_exact_scores(self) -> None:
        """One rises by one and all others fall by one: from losing all ties to winning them."""
        pair = Neighbours(None, None, LInf(1))
        claim = NoisyMax(1).loss(LInf(1))
        assert claim == Pure(2)
        looking = [against_many(200, 1, wins_ties=True), against_many(200, -1, wins_ties=False)]
        for ties in (True, False):
            fixed = [against_many(200, score, wins_ties=ties) for score in (1, -1)]
            assert not refuted(compare(fixed[0], fixed[1], claim, pair))
        assert refuted(compare(looking[0], looking[1], claim, pair))
        assert refuted(compare(looking[0], looking[1], Pure("2.9"), pair))
        assert not refuted(compare(looking[0], looking[1], Pure(3), pair))

    def test_many_others_are_as_the_law_says(self) -> None:
        """The same law by the mechanism, where the one comes first or last."""
        for place, ties in ((0, True), (4, False)):
            scores = [0] * 5
            scores[place] = 1
            low, high = NoisyMax(1).law(scores).weights[place]
            true = against_many(4, 1, wins_ties=ties).weights[0]
            assert max(low, true[0]) <= min(high, true[1])

    def test_the_factor_two_is_needed_unless_all_scores_move_one_way(self) -> None:
        chooser = NoisyMax("1/2")
        pair = Neighbours((0, 60), (1, 59), LInf(1))
        assert not refuted(check(chooser, pair))
        assert refuted(check(chooser, pair, chooser.loss(Monotone(1))))
        assert refuted(check(chooser, pair, Pure(Fraction("3.9"))))

    def test_half_the_noise(self) -> None:
        pair = Neighbours((0, 20), (1, 19), LInf(1))
        right, sharp = NoisyMax(1), NoisyMax("1/2")
        claim = right.loss(LInf(1))
        assert not refuted(compare(right.law(pair.x), right.law(pair.y), claim, pair))
        assert refuted(compare(sharp.law(pair.x), sharp.law(pair.y), claim, pair))

    def test_telling_the_noisy_score_too(self) -> None:
        """Two equal scores rise by one: the choice tells nothing of it, with the score twice what
        the choice may cost at most."""
        pair = Neighbours((0, 0), (1, 1), Monotone(1))
        claim = NoisyMax(1).loss(Monotone(1))
        assert not refuted(check(NoisyMax(1), pair))
        assert refuted(compare(with_score(0), with_score(1), claim, pair))
        assert refuted(compare(with_score(0), with_score(1), Pure("1.99"), pair))


def with_score(both: int) -> Law:
    """Who of two equal candidates wins, by which noisy score, at scale one."""
    with flint.ctx.workprec(BITS):
        q = arb(-1).exp()
        chances = {
            (i, h): point(q, h - both) * at_most(q, h - both - i)
            for i in (0, 1)
            for h in range(-30, 30)
        }
        # The first wins ties.
        return Law(chances, tail=4 * q**29)


def test_the_zcdp_is_what_pure_privacy_gives() -> None:
    for scale in (1, 3, "22/7"):
        assert NoisyMax(scale).zcdp(LInf(2)) == NoisyMax(scale).loss(LInf(2)).to(ZCDP)


def test_the_cost_does_not_grow_with_the_candidates_and_that_of_all_scores_does() -> None:
    assert NoisyMax(10).loss(LInf(1)).epsilon == Fraction(1, 5)
    for n in (2, 3, 1000):
        everything = Laplace(10).loss(L1.bound(L0(n), LInf(1)))
        assert everything.epsilon == Fraction(n, 10)
        assert everything >= NoisyMax(10).loss(LInf(1))


# --- accuracy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["1/3", "1"])
@pytest.mark.parametrize("sure", ["0.6", "0.9", "0.999"])
def test_accuracy_is_the_least_bound_for_two(scale: str, sure: str) -> None:
    t = int(NoisyMax(scale).accuracy(sure, 2))
    for by, holds in ((t, True), (t - 1, False)):
        if by >= 0:
            low, high = enumerated(scale, [-by - 1, 0], smallest).weights[0]
            assert (high <= 1 - exact(sure)) == holds
            assert (low <= 1 - exact(sure)) == holds


@pytest.mark.parametrize("scale", ["1/3", "1", "2"])
def test_how_often_two_noises_are_so_far_apart(scale: str) -> None:
    """The closed form against the enumeration, in which the first wins ties."""
    for k in (1, 2, 5):
        low, high = enumerated(scale, [-k, 0], smallest).weights[0]
        with flint.ctx.workprec(BITS):
            found = NoisyMax(scale)._apart(k)
            slack = arb((1, -70))
            assert found > arb(fmpq(low.numerator, low.denominator)) * (1 - slack)
            assert found < arb(fmpq(high.numerator, high.denominator)) * (1 + slack)


def test_accuracy_in_figures() -> None:
    """More than permute-and-flip's for the same loss, by about scale·ln of how far it is."""
    assert NoisyMax(100).accuracy("0.95", 10**7) - PermuteAndFlip(100).accuracy("0.95", 10**7) > 150


def test_the_scale_is_that_of_a_sampler() -> None:
    with pytest.raises(MechanismError) as refused:
        NoisyMax(2**41)
    assert refused.value.code == "M21"
