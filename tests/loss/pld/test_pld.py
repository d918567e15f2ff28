"""Claim (pld.md): the truth lies in every bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log10, sqrt
from typing import Final, TypeAlias, final

import flint
import numpy as np
import pytest
from flint import arb

from discreet.errors import DiscreetError
from discreet.loss import Approx, Pure
from discreet.loss.divergence import Bracket, Law
from discreet.loss.pld import PLD, Atoms, Losses, Pair, Twins, normal, of_loss, plan, pld as home
from discreet.loss.pld.curve import Curve
from discreet.loss.pld.grid import Cells, Grid
from discreet.loss.pld.listed import Listed
from discreet.loss.pld.pld import Way
from tests.figures import Figure
from tests.loss.pld.truths import (
    BITS,
    Profile,
    Responses,
    after_responses,
    all_outcomes,
    coarsely,
    holds,
    mixture_cells,
    mixture_profiles,
    normal_profile,
    real,
    turned,
    width,
)

Draw: TypeAlias = np.random.Generator
QUESTIONS: Final = 10
"""Asked of each law."""
COUNTED: Final = Fraction(1, 10**20)
"""A bracket of a smaller delta may be wide."""


@final
@dataclass(frozen=True)
class Case:
    """What is composed, the truth about both ways, and where the loss is large."""

    pld: PLD
    truths: Sequence[Profile]
    spread: float
    middle: float = 0.0
    away: Fraction = Fraction(0)
    """The chance that all is told, at most."""

    def delta(self, epsilon: Fraction) -> arb:
        with flint.ctx.workprec(BITS):
            first, *others = (truth(epsilon) for truth in self.truths)
            return first.max(others[0]) if others else first


def number(low: float, high: float, draw: Draw) -> Fraction:
    """Between two powers of ten, with a denominator that no lattice likes."""
    found = 10 ** draw.uniform(low, high)
    denominator = int(draw.choice([1_000, 997, 7, 2**20])) * 10 ** max(0, -round(log10(found)))
    return max(Fraction(round(found * denominator), denominator), Fraction(1, denominator))


def count(draw: Draw) -> int:
    return int(10 ** draw.uniform(0, 4)) if draw.random() < 0.7 else int(draw.integers(1, 12))


def responses(draw: Draw) -> Case:
    """Randomised response, or discrete Laplace noise against a distance of one."""
    epsilon = 1 / number(-1, 3, draw) if draw.random() < 0.5 else number(-3, 0.7, draw)
    leak = Fraction(1, 10 ** int(draw.integers(1, 14))) if draw.random() < 0.3 else Fraction(0)
    law = Responses(epsilon, count(draw), leak)
    loss = Approx(epsilon, leak) if leak else Pure(epsilon)
    mean = law.count * float(epsilon) * float(np.tanh(float(epsilon) / 2))
    spread = float(epsilon) * sqrt(law.count)
    return Case(law.count * of_loss(loss), [law.profile()], spread, mean, law.count * leak)


def normals(draw: Draw) -> Case:
    mu, n = number(-3, 1.47, draw), count(draw)
    mean = float(n * mu * mu / 2)
    return Case(n * normal(mu), [normal_profile(n * mu * mu)], float(mu) * sqrt(n), mean)


def different(draw: Draw) -> Case:
    """Up to twelve laws of two outcomes; every fifth has an outcome that only one law has."""

    def point() -> Fraction:
        bottom = int(draw.choice([7, 100, 10**6]))
        return Fraction(int(draw.integers(1, bottom)), bottom)

    laws = [(point(), point()) for _ in range(int(draw.integers(1, 13)))]
    if draw.random() < 0.2:
        laws[0] = (laws[0][0], Fraction(0))
    total = PLD()
    for p, q in laws:
        ours, theirs = Law({1: p, 0: 1 - p}), Law({1: q, 0: 1 - q})
        ways = (Losses.exactly(Atoms.of(*laws)) for laws in ((ours, theirs), (theirs, ours)))
        total = total + PLD.of(Pair(*ways))
    truths = [all_outcomes(laws), all_outcomes(turned(laws))]
    away = laws[0][0] if laws[0][1] == 0 else Fraction(0)
    return Case(total, truths, sqrt(len(laws)), away=away)


def mixtures(draw: Draw) -> Case:
    """A row that is taken with some probability, after a few responses."""
    mu, rate = number(-2, 1, draw), min(number(-4, 0, draw), Fraction(1))
    law = Responses(number(-2, 0, draw), int(draw.integers(1, 30)))
    ways = mixture_profiles(mu, rate)
    pld = normal(mu, rate)
    if draw.random() < 0.5:
        return Case(pld, ways, float(mu))
    last = [after_responses(law, way) for way in ways]
    return Case(pld + law.count * of_loss(Pure(law.epsilon)), last, float(mu) + float(law.epsilon))


FAMILIES: Final = (responses, normals, different, mixtures)


@final
@dataclass
class Tally:
    """What was found in many brackets."""

    asked: int = 0
    wrong: int = 0
    widest: float = 0.0

    def take(self, found: Bracket, right: bool, counted: bool) -> None:
        self.asked += 1
        self.wrong += not right
        if counted:
            self.widest = max(self.widest, width(found))


def ask(case: Case, draw: Draw, tally: dict[str, Tally]) -> None:
    """Delta at some epsilon, or epsilon at some delta."""
    if draw.random() < 0.5:
        epsilon = Fraction(abs(case.middle + case.spread * draw.uniform(-3, 9)))
        found, truth = case.pld.delta(epsilon), case.delta(epsilon)
        tally["delta"].take(found, holds(found, truth), bool(truth > real(COUNTED)))
        return
    delta = Fraction(10 ** draw.uniform(-20, -0.3))
    if delta <= case.away * Fraction(11, 10):
        return  # so much is given away: there may be no epsilon
    found = case.pld.epsilon(delta)
    tally["epsilon"].take(found, at_delta(case, found, delta), counted=True)


def ends(found: Bracket) -> tuple[Fraction, Fraction]:
    assert isinstance(found.low, Fraction)
    assert isinstance(found.high, Fraction)
    return found.low, found.high


def at_delta(case: Case, found: Bracket, delta: Fraction) -> bool:
    """Whether the least epsilon at delta lies in the bracket: delta falls."""
    low, high = ends(found)
    enough = not bool(case.delta(high) > real(delta))
    return enough and (low == 0 or not bool(case.delta(low) < real(delta)))


def tallied(points: int, seed: int, families: Sequence[Callable[[Draw], Case]]) -> dict[str, Tally]:
    draw = np.random.default_rng(seed)
    tally = {"delta": Tally(), "epsilon": Tally()}
    for k in range(points // QUESTIONS):
        case = families[k % len(families)](draw)
        for _ in range(QUESTIONS):
            ask(case, draw, tally)
    return tally


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.__name__))
def test_the_truth_lies_in_every_bracket(family: Callable[[Draw], Case]) -> None:
    found = tallied(120, 1, [family])
    assert [kind.wrong for kind in found.values()] == [0, 0]
    assert all(kind.asked > 20 for kind in found.values())


@pytest.mark.long
def test_the_truth_lies_in_a_hundred_thousand_brackets(figure: Figure) -> None:
    found = tallied(100_000, 2, FAMILIES)
    for kind, tally in found.items():
        figure(
            f"brackets of {kind} against the truth", f"{tally.asked}, of them {tally.wrong} wrong"
        )
        figure(f"widest bracket of {kind} where delta is at least 1e-20", f"{tally.widest:.1e}")
    assert [kind.wrong for kind in found.values()] == [0, 0]


def test_different_laws_are_right_on_a_grid_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, where lists are not multiplied out."""
    monkeypatch.setattr(plan, "TOGETHER", 4)
    draw = np.random.default_rng(3)
    case = different(draw)
    while len(case.pld.parts) < 4:
        case = different(draw)
    lower, upper = plan.curves(case.pld.ways()[0], lambda leaning: leaning.for_epsilon(1.0))
    assert isinstance(lower, Curve)
    assert isinstance(upper, Curve)
    found = tallied(60, 4, [different])
    assert [kind.wrong for kind in found.values()] == [0, 0]


# --- against cells that are cut coarsely --------------------------------------------------------


@pytest.mark.parametrize("mu", [Fraction(1), Fraction(5, 2)])
@pytest.mark.parametrize("times", [4, 16])
def test_many_mixtures_agree_with_coarse_cells(mu: Fraction, times: int) -> None:
    rate, step = Fraction(1, 20), Fraction(1, 100)
    ways = [mixture_cells(mu, rate, step, way) for way in (1, -1)]
    coarse = {side: [coarsely(cells, times, side) for cells in ways] for side in (1, -1)}
    found = times * normal(mu, rate)
    for epsilon in (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(3)):
        high = max(bounded(truth(epsilon)) for truth in coarse[1])
        low = max(bounded(truth(epsilon)) for truth in coarse[-1])
        delta = found.delta(epsilon)
        assert low <= high
        assert low <= ends(delta)[1]
        assert ends(delta)[0] <= high
        assert width(delta) < 0.05


def bounded(truth: arb) -> float:
    return float(truth.mid())


# --- what others know -----------------------------------------------------------------------------


def whole_noise(rate: Fraction) -> PLD:
    """Integers with weights exp(-n²/2), moved by one by a row that is taken with this chance."""
    reach = 40
    with flint.ctx.workprec(BITS):
        weights = [(-real(n * n) / 2).exp() for n in range(-reach, reach + 1)]
        total = sum(weights, arb(0))
        masses = np.array([float((weight / total).mid()) for weight in weights])
    twins = Twins.shifted(masses, 1, 1e-15, 1e-300)
    first = Losses.exactly(twins.mixed(rate).losses())
    return PLD.of(Pair(first, Losses.exactly(twins.mixed(rate).turned().losses())))


@pytest.mark.parametrize(
    ("pld", "known"),
    [
        (10**4 * normal(1, "1/100"), 6.907),
        (10**4 * whole_noise(Fraction(1, 100)), 6.907),
        (1_000 * of_loss(Pure("1/10")), 19.345),
    ],
    ids=["normal", "whole numbers", "scale ten"],
)
def test_brackets_are_narrower_than_a_thousandth(pld: PLD, known: float, figure: Figure) -> None:
    found = pld.epsilon("1e-6")
    low, high = ends(found)
    figure(f"epsilon near {known}", f"{float(low):.6f} to {float(high):.6f}")
    assert width(found) < 1e-3
    assert float(low) - 2e-3 < known < float(high) + 2e-3


# --- the ends of what may be asked ----------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["0", "1/7", "1e-12", "1e-1000", "100", "1e6"])
@pytest.mark.parametrize("times", [1, 3, 100])
def test_zero_delta_is_exact_for_pure_answers(epsilon: str, times: int) -> None:
    found = (times * of_loss(Pure(epsilon))).epsilon(0)
    assert found == Bracket(times * Pure(epsilon).epsilon, times * Pure(epsilon).epsilon)


def test_at_delta_zero_a_normal_law_has_no_epsilon() -> None:
    assert refused(lambda: normal(1).epsilon(0)) == "L52"


def test_nothing_costs_nothing() -> None:
    for nothing in (PLD(), 0 * of_loss(Pure(1)), normal(0), normal(1, 0)):
        assert nothing == PLD()
        assert nothing.epsilon(0) == nothing.epsilon("1e-9") == nothing.delta(0)
        assert nothing.delta(0) == Bracket(Fraction(0), Fraction(0))
        assert nothing.approx(0) == Approx(0, 0)


@pytest.mark.parametrize("times", [1, 3, 10**6])
def test_a_delta_of_one_tells_all(times: int) -> None:
    all_told = times * of_loss(Approx(1, 1))
    assert all_told.delta(10**6).high == 1
    assert all_told.delta(0).low > Fraction(999, 1000)
    assert refused(lambda: all_told.epsilon("1/2")) == "L52"


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(DiscreetError) as error:
        ask()
    return error.value.code


ONE, LEAKY = of_loss(Pure(1)), 2 * of_loss(Approx(1, "1/10"))
BAD: Final[Sequence[tuple[str, Callable[[], object]]]] = [
    ("N03", lambda: ONE.epsilon(-1)),
    ("N04", lambda: ONE.epsilon("3/2")),
    ("L53", lambda: ONE.epsilon(1)),
    ("L53", lambda: ONE.epsilon("1e-251")),
    ("L53", lambda: ONE.epsilon("1e-999")),
    ("N03", lambda: ONE.delta(-1)),
    ("L52", lambda: LEAKY.epsilon(0)),
    ("L52", lambda: LEAKY.epsilon("1e-250")),
    ("L52", lambda: LEAKY.epsilon("1/10")),
    ("L52", lambda: LEAKY.approx(0)),
    ("N05", lambda: -1 * ONE),
    ("N05", lambda: "1/2" * ONE),
    ("L54", lambda: 10**13 * ONE),
    ("L54", lambda: (10**6 * of_loss(Pure(10**7))).delta(1)),
    ("L54", lambda: normal("40.001")),
    ("N03", lambda: normal(-1)),
    ("N04", lambda: normal(1, 2)),
]


@pytest.mark.parametrize(("code", "ask"), BAD)
def test_bad_questions_are_refused(code: str, ask: Callable[[], object]) -> None:
    assert refused(ask) == code


def test_delta_may_be_asked_of_any_epsilon() -> None:
    for epsilon in (0, "1e-4000", "1e400", "1e4000"):
        found = (100 * of_loss(Pure("1/10")) + normal(1)).delta(epsilon)
        assert all(end in Bracket(Fraction(0), Fraction(1)) for end in ends(found))


def test_what_may_be_charged_is_the_upper_end() -> None:
    found = 100 * of_loss(Pure("1/10"))
    assert found.approx("1e-6") == Approx(ends(found.epsilon("1e-6"))[1], "1e-6")


# --- mutants --------------------------------------------------------------------------------------


def of_one_way(pld: PLD) -> object:
    return [[(pair.forward, count) for pair, count in pld.parts]]


def test_who_forgets_one_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PLD, "ways", of_one_way)
    assert sum(kind.wrong for kind in tallied(200, 5, [different]).values()) > 0


def test_who_confuses_the_ends_is_found(monkeypatch: pytest.MonkeyPatch) -> None:

    def turned_around(many: Way, aim: plan.Aim, most: float) -> tuple[plan.End, plan.End]:
        lower, upper = plan.curves(many, aim, most)
        return upper, lower

    monkeypatch.setattr(home, "curves", turned_around)
    for family in (different, normals):
        assert sum(kind.wrong for kind in tallied(30, 6, [family]).values()) > 0


def to_the_nearest(cells: Cells) -> Grid:
    """All of a cell's mass goes to its lower point."""
    return Grid.of(Fraction(cells.step), cells.index, cells.mass, cells.infinite)


def test_who_moves_losses_down_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "TOGETHER", 4)
    monkeypatch.setattr(plan, "connected", to_the_nearest)
    assert sum(kind.wrong for kind in tallied(30, 7, [different]).values()) > 0


def test_who_forgets_what_is_given_away_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Listed.of

    def forgetful(atoms: Atoms, side: int) -> Listed:
        return replace(kept(atoms, side), infinite=0.0)

    monkeypatch.setattr(Listed, "of", forgetful)
    leaky = Responses(Fraction(1, 10), 10, Fraction(1, 1000))
    case = Case(10 * of_loss(Approx("1/10", "1/1000")), [leaky.profile()], 1.0)
    assert not holds(case.pld.delta(2), case.delta(Fraction(2)))
