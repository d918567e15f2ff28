"""plan.py and saddle.py claim nothing: whatever they choose, the truth lies in the bracket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest

from discreet.errors import LossError
from discreet.loss import Approx, Pure
from discreet.loss.divergence import Law
from discreet.loss.pld import PLD, Atoms, Losses, Pair, normal, of_loss, plan
from discreet.loss.pld.curve import Curve
from discreet.loss.pld.listed import Listed
from discreet.loss.pld.pld import Way
from discreet.loss.pld.saddle import Leaning, Many
from tests.loss.pld.truths import (
    Profile,
    Responses,
    after_responses,
    all_outcomes,
    normal_profile,
    real,
    turned,
)

POINTS = [Fraction(k, 7) for k in range(0, 70, 3)]


def coins(*points: tuple[Fraction, Fraction]) -> PLD:
    total = PLD()
    for p, q in points:
        ours, theirs = Law({1: p, 0: 1 - p}), Law({1: q, 0: 1 - q})
        ways = Losses.exactly(Atoms.of(ours, theirs)), Losses.exactly(Atoms.of(theirs, ours))
        total = total + PLD.of(Pair(*ways))
    return total


TILTED = [(Fraction(k, 11), Fraction(9 - k, 13)) for k in range(1, 9)]
CASES: list[tuple[str, Way, Profile]] = [
    ("responses", (200 * of_loss(Pure("1/9"))).ways()[0], Responses(Fraction(1, 9), 200).profile()),
    (
        "leaky",
        (40 * of_loss(Approx("1/3", "1e-5"))).ways()[0],
        Responses(Fraction(1, 3), 40, Fraction(1, 10**5)).profile(),
    ),
    ("coins", coins(*TILTED).ways()[0], all_outcomes(TILTED)),
    ("coins back", coins(*TILTED).ways()[1], all_outcomes(turned(TILTED))),
    ("normal", (9 * normal("1/2")).ways()[0], normal_profile(Fraction(9, 4))),
    (
        "normal and responses",
        (normal("1/2") + 20 * of_loss(Pure("1/7"))).ways()[0],
        after_responses(Responses(Fraction(1, 7), 20), normal_profile(Fraction(1, 4))),
    ),
]


@contextmanager
def any_plan(draw: np.random.Generator) -> Iterator[None]:
    """Every choice is made by lot."""

    def tilt(_: Leaning, __: float) -> float:
        return float(10 ** draw.uniform(-4, 3))

    def ranges(leaning: Leaning, _: float, __: float) -> list[tuple[int, int]]:
        found = []
        for _losses, masses, _count in leaning.laws:
            low, high = sorted(draw.integers(0, len(masses) + 1, 2).tolist())
            if draw.random() < 0.6:
                low, high = 0, len(masses)
            found.append((min(low, len(masses) - 1), max(high, low + 1)))
        return found

    with (
        patch.object(Leaning, "for_delta", tilt),
        patch.object(Leaning, "for_epsilon", tilt),
        patch.object(Leaning, "ranges", ranges),
        patch.multiple(
            plan,
            TOGETHER=int(draw.choice([1, 4, 2**15])),
            CONVOLVED=int(draw.choice([1, 16, 2**12])),
            COMMON=int(draw.choice([1, 2**8, 2**19])),
            FINE=10 ** draw.uniform(-4, 0),
            NEAR=10 ** draw.uniform(-4, 0),
        ),
    ):
        yield


def astray(way: Way, truth: Profile, draw: np.random.Generator) -> Sequence[tuple[str, Fraction]]:
    with any_plan(draw):
        lower, upper = plan.curves(way, lambda leaning: leaning.for_epsilon(1.0))
    found = []
    for epsilon in POINTS:
        delta, asked = truth(epsilon), float(epsilon)
        up, down = (asked, np.nextafter(asked, np.inf)), (np.nextafter(asked, -np.inf), asked)
        if real(Fraction(lower.delta(float(up[1]))[0])) > delta:
            found.append(("lower", epsilon))
        if real(Fraction(upper.delta(float(max(down[0], 0.0)))[0])) < delta:
            found.append(("upper", epsilon))
    return found


@pytest.mark.parametrize(("way", "truth"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_no_plan_can_make_an_end_wrong(way: Way, truth: Profile) -> None:
    draw = np.random.default_rng(1)
    for _ in range(12):
        assert astray(way, truth, draw) == []


@pytest.mark.long
def test_no_plan_of_many_can_make_an_end_wrong() -> None:
    draw = np.random.default_rng(2)
    for _ in range(500):
        for _, way, truth in CASES:
            assert astray(way, truth, draw) == []


def test_a_plan_that_loses_atoms_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant cuts the list, and puts nothing elsewhere."""
    kept = plan._trimmed

    def cut(laws: Many, ranges: Sequence[tuple[int, int]]) -> Many:
        return [
            (
                Atoms.scattered(
                    (trimmed.losses[0], trimmed.losses[1]), (trimmed.masses[0], trimmed.masses[1])
                ),
                count,
            )
            for trimmed, count in kept(laws, ranges)
        ]

    monkeypatch.setattr(plan, "_trimmed", cut)
    draw = np.random.default_rng(3)
    assert any(astray(way, truth, draw) for _ in range(6) for _, way, truth in CASES)


# --- what is chosen -------------------------------------------------------------------------------


def chosen(pld: PLD) -> tuple[plan.End, plan.End]:
    return plan.curves(pld.ways()[0], lambda leaning: leaning.for_delta(1e-6))


def test_few_outcomes_are_listed() -> None:
    mixed = of_loss(Pure(1)) + of_loss(Pure("1e-9")) + 3 * of_loss(Pure("1/7"))
    assert all(isinstance(end, Listed) for end in chosen(mixed))
    assert all(isinstance(end, Listed) for end in chosen(coins(*TILTED)))


def test_one_lattice_stays_exact() -> None:
    """Ten thousand answers on one lattice need no other grid."""
    for end in chosen(10**4 * of_loss(Pure("1/10"))):
        assert isinstance(end, Curve)
        assert end.window.step == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize(
    "pld",
    [
        1000 * of_loss(Pure(1)) + 1000 * of_loss(Pure("1e-9")),
        of_loss(Pure("1e-9")) * 10**6 + of_loss(Pure(1)),
        of_loss(Pure(1)) * 10**6 + of_loss(Pure(10**5)),
        10**5 * of_loss(Pure("1/7")) + 10**6 * of_loss(Pure("1/1000000007")),
        10**12 * of_loss(Pure("1e-7")),
        10**6 * normal("1e-3", "1e-9"),
        10**6 * normal(30),
        10**6 * of_loss(Pure(100)),
        10**6 * of_loss(Pure("1e-20")),
        10**6 * of_loss(Pure("1e-1000")),
        sum((k * of_loss(Pure(Fraction(1, k))) for k in range(2, 40)), PLD()),
    ],
)
def test_whatever_is_composed_has_an_answer(pld: PLD) -> None:
    found = pld.epsilon("1e-6")
    assert found.low <= found.high
    assert pld.delta(1).low <= pld.delta(1).high


def test_losses_that_no_double_counts_are_refused() -> None:
    with pytest.raises(LossError) as error:
        chosen(of_loss(Pure(10**13)))
    assert error.value.code == "L54"


def test_a_law_without_finite_losses_decides_alone() -> None:
    for end in chosen(of_loss(Approx(0, 1)) + 10**5 * of_loss(Pure(1))):
        assert end.delta(10.0)[0] >= 1 - 1e-14
