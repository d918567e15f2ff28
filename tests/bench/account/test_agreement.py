"""Who lies below what is proven, and whom we pass by more than it allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from bench.account.agreement import Agreement, Survey, surveyed
from bench.account.compositions import cases
from bench.account.plan import QUICK
from tests.bench.account.scripted import Scripted, seat

EFFORT = replace(QUICK, cases=6, slow_cases=2)
DELTAS = {case.delta for case in cases(EFFORT.cases)}


def ours(low: float = 2.0, high: float = 2.001, noisy: float = 2.0) -> Scripted:
    """Another lower end where delta is larger by what floating point may do."""
    return Scripted("limit", ends=lambda delta: (low if delta in DELTAS else noisy, high))


def asked(own: Scripted, *peers: Scripted) -> Survey:
    return surveyed([seat(each) for each in (own, *peers)], EFFORT)


def one(low: float | None, high: float | None, own: Scripted | None = None) -> Agreement:
    peer = Scripted("dp-accounting", ends=lambda _: (low, high))
    (found,) = asked(own or ours(), peer).agreements
    assert len(found.compared) == 6
    return found


def test_above_ours_is_agreement() -> None:
    found = one(1.99, 2.01)
    assert not found.below
    assert not found.above
    apart = found.compared[0].apart
    assert apart is not None
    assert abs(apart - 0.005) < 1e-12


def test_below_what_is_proven_is_not() -> None:
    assert len(one(1.9, 1.9999).below) == 6
    assert not one(1.9, 2.0 - 1e-10).below


def test_what_floating_point_may_do_to_delta_is_allowed() -> None:
    noisy = ours(noisy=1.9998)
    assert not one(1.9, 1.9999, noisy).below
    assert len(one(1.9, 1.9997, noisy).below) == 6


def test_we_may_pass_theirs_by_their_own_width_or_by_a_step_for_each_answer() -> None:
    wide = ours(high=20.0)
    assert not one(5.0, 13.0, wide).above
    assert len(one(7.0, 13.0, wide).above) == 6
    # 2e-4 for each of so many answers.
    (least, *_, most) = sorted(sum(part.count for part in case.parts) for case in cases(6))
    assert least < most
    narrow = ours(high=2.0 + 2e-4 * (most - 1))
    assert len(one(2.0, 2.0, narrow).above) == 5
    assert not one(2.0, 2.0, ours(high=2.0 + 1.9e-4 * least)).above


def test_we_must_not_lie_below_their_lower_end() -> None:
    assert not one(2.001, 2.01).under
    assert len(one(2.0011, 2.01).under) == 6
    assert not one(None, 2.01).under
    excess = one(1.9, 2.0).compared[0].excess
    assert excess is not None
    assert abs(excess - 0.0005) < 1e-12


def test_without_a_lower_end_nothing_is_allowed_or_forbidden() -> None:
    found = one(None, 2.01, ours(high=9.0))
    assert not found.above
    assert {each.above for each in found.compared} == {None}


def test_an_endless_upper_end_is_above_all() -> None:
    found = one(None, None)
    assert not found.below
    assert {each.apart for each in found.compared} == {None}


def test_the_slow_are_asked_less() -> None:
    fast, slow = Scripted("a"), Scripted("b", slow=True)
    counts = {each.name: len(each.compared) for each in asked(ours(), fast, slow).agreements}
    assert counts == {"a": 6, "b": 2}


def test_where_we_do_not_answer_nobody_is_asked_and_it_is_told() -> None:
    silent = ours()
    silent.fails_at = 2
    peer = Scripted("a")
    found = asked(silent, peer)
    assert [reason for _, reason in found.refused] == ["no answer within 9 s"]
    assert [case for case, _ in found.refused] == [cases(6)[1]]
    assert len(found.own) == len(peer.asked) == 5


def test_an_endless_end_of_ours_is_no_answer() -> None:
    endless = Scripted("limit", ends=lambda _: (1.0, None))
    assert len(asked(endless).refused) == 6


def test_where_they_do_not_answer_it_is_counted() -> None:
    (found,) = asked(ours(), Scripted("a", fails_at=4)).agreements
    assert found.failed == {"no answer within 9 s": 1}
    assert len(found.compared) == 5


def test_without_us_nothing_is_compared() -> None:
    assert asked(Scripted("a")) == Survey()


def test_delta_reaches_the_contestants_exactly() -> None:
    peer = Scripted("a")
    asked(ours(), peer)
    assert [Fraction(str(each["delta"])) for each in peer.asked] == [
        case.delta for case in cases(6)
    ]
