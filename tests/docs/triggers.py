"""Ways to get every error: for each code, calls that a user could make, or that force a check that
no user should meet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from operator import add, le
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from flint import arb

import discreet as dp
from discreet.entropy import OsEntropy, Replay
from discreet.loss import advanced, simple
from discreet.loss.divergence import Bracket, Law, delta_at, hockey_stick, max_ratio, renyi_moment
from discreet.loss.filters import Filter
from discreet.loss.odometer import Odometer
from discreet.loss.pld import Atoms, normal, of_loss
from discreet.loss.pld.ends import epsilons
from discreet.loss.pld.fold import fast_size, folded
from discreet.loss.pld.grid import Grid, in_cells
from discreet.loss.pld.listed import Listed
from discreet.noise.exponential import ExponentialRace
from discreet.noise.gumbel import GumbelMax
from discreet.noise.reveal import Revealed
from discreet.noise.uniform import UniformInteger
from discreet.numbers import ball, floor_of, up
from tests.docs.mechanism_triggers import OF_MECHANISMS, Trigger, wrong


def without_randomness(failure: object) -> Trigger:
    """A draw while the operating system gives no bytes, or too few."""

    def draw() -> object:
        with patch("os.urandom", failure):
            return dp.DiscreteLaplace(1).sample()

    return draw


def _fails(_: int) -> bytes:
    raise OSError


def _is_not_there(_: int) -> bytes:
    raise NotImplementedError


PURE, SMALL = dp.Pure(1), dp.Approx("1/2", "1e-9")
PURSE, PLAIN = dp.ZCDP("1/3", "1e-7"), dp.ZCDP("1/2")
CURVE, BELL = dp.Renyi({2: "1/2", 4: 1}), dp.GDP(2)
LONG = dp.Approx("1.000000000000000000000000001", "0.999999999999999999999999")
CROWDED = dp.Renyi({"1.0000000000000000000000001": 1, "1.0000000000000000000000002": 2, 3: 4})
OF_EACH_KIND: Final[tuple[Any, ...]] = (PURE, SMALL, PURSE, PLAIN, CURVE, BELL, LONG, CROWDED)

YES, NO = Law({1: "3/4", 0: "1/4"}), Law({1: "1/4", 0: "3/4"})
HEAD, OTHER_HEAD = Law({0: "1/2"}, tail="1/2"), Law({0: "3/4"}, tail="1/4")


def _mixed() -> tuple[Trigger, ...]:
    """Every two losses of different kinds, added and compared."""
    return tuple(
        lambda ours=ours, theirs=theirs, done=done: done(ours, theirs)
        for ours, theirs in permutations(OF_EACH_KIND, 2)
        if type(ours) is not type(theirs)
        for done in (add, le)
    )


NUMBERS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "N01": (
        lambda: dp.exact("half"),
        lambda: dp.exact(True),
        lambda: dp.exact(float("nan")),
        lambda: dp.exact("1/0"),
        lambda: dp.exact("1e5000"),
        lambda: dp.exact("9" * 5_000),
        lambda: dp.exact("9" * 50_000),
        lambda: dp.Pure(wrong(np.float32(0.5))),
        lambda: dp.Pure(wrong([1])),
    ),
    "N02": (lambda: dp.DiscreteLaplace(0), lambda: dp.DiscreteGaussian(variance=-1)),
    "N03": (lambda: dp.Pure(-1), lambda: dp.loss("epsilon=-1"), lambda: dp.Approx(1, "-1e-6")),
    "N04": (lambda: dp.Approx(1, 2), lambda: dp.ZCDP(1).to(dp.Approx, delta="1.5")),
    "N05": (
        lambda: PURE.group("1/2"),
        lambda: "3/2" * PURE,
        lambda: -1 * PURE,
        lambda: UniformInteger(0),
    ),
    "N06": (
        lambda: renyi_moment(YES, NO, 100_000),
        lambda: up(lambda: ball(1) / 0),
        lambda: advanced(10, 10**5, 0, "1e-6"),
    ),
    "N07": (
        dp.DiscreteLaplace,
        dp.Geometric,
        lambda: dp.exact(wrong(None)),
        lambda: dp.exact(""),
        lambda: dp.Approx(1, " "),
    ),
    "N08": (lambda: floor_of(lambda: 3 * (ball(1) / 3)),),
    "N10": (
        without_randomness(_fails),
        without_randomness(_is_not_there),
        without_randomness(lambda count: bytes(count - 1)),
    ),
    "N11": (
        lambda: Replay(b"").take(1),
        lambda: dp.DiscreteLaplace(1).sample(entropy=Replay(b"few")),
    ),
    "N12": (lambda: OsEntropy().take(-1), lambda: Replay(b"some").take(-1)),
}

UNITS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "U01": (
        lambda: dp.Rows(0),
        dp.Rows,
        dp.Replace,
        lambda: dp.Replace(wrong("many")),
        lambda: dp.Ids("patient_id", rows=0),
        lambda: dp.Ids("patient_id", groups=-1),
        lambda: dp.Ids("patient_id", rows_per_group=wrong(1.5)),
        lambda: dp.Ids("patient_id", people=0),
    ),
    "U02": (dp.Ids, lambda: dp.Ids(" "), lambda: dp.Ids("a\0b"), lambda: dp.Ids(wrong(5))),
    "U03": (lambda: 0 * dp.Rows(1), lambda: "1/2" * dp.Replace(1), lambda: -1 * dp.Ids("id")),
    "U10": (
        lambda: dp.L0(-1),
        lambda: dp.Monotone(-1),
        dp.L1,
        dp.L2,
        lambda: dp.L1("far"),
        lambda: dp.L2(wrong(None)),
        lambda: dp.L2.root(-2),
        lambda: dp.LInf(float("inf")),
    ),
    "U11": (lambda: dp.L0("1/2"),),
    "U12": (
        lambda: dp.L1.bound(wrong(dp.L1(3)), dp.LInf(1)),
        lambda: dp.L1.bound(wrong(dp.L2.root(3)), dp.LInf(1)),
        lambda: dp.L1.bound(dp.L0(1), wrong(dp.L1("1/2"))),
        lambda: dp.L1.bound(dp.L0(1), wrong(2)),
        lambda: dp.Exponential(1).loss(wrong(dp.L1(1))),
        lambda: dp.L2.bound(l1=wrong(dp.L2(3))),
        lambda: dp.L2.bound(dp.L0(1), wrong(dp.L0(2))),
    ),
    "U13": (
        lambda: dp.L1(1) <= wrong(dp.L2(1)),
        lambda: dp.Monotone(1) <= wrong(dp.LInf(1)),
        lambda: dp.L2(1) < wrong(1),
        lambda: dp.L0(1) >= wrong(dp.LInf(1)),
        lambda: dp.LInf(1) > wrong("1"),
    ),
    "U14": (dp.L2.bound, lambda: dp.L2.bound(dp.L0(1)), lambda: dp.L2.bound(linf=dp.LInf(1))),
    "U16": (lambda: 2 * dp.Monotone(1),),
    "U15": (lambda: -1 * dp.L1(1), lambda: -1 * dp.Monotone(1), lambda: "1/2" * dp.L2(1)),
}

TOO_MANY: Final = np.broadcast_to(np.ones(1), 2**22 + 1)
TWO: Final = np.ones(2)
ONCE, LEAKY = of_loss(PURE), 2 * of_loss(dp.Approx(1, "1/10"))

LOSSES: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "L01": (dp.Pure, lambda: dp.Approx(1), lambda: dp.Approx(delta=0), dp.ZCDP, dp.GDP),
    "L02": (
        dp.Renyi,
        lambda: dp.Renyi([]),
        lambda: dp.Renyi(wrong("2:1")),
        lambda: dp.Renyi([wrong((2, 1, 3))]),
        lambda: dp.Renyi({1: 1}),
        lambda: dp.Renyi([(2, 1), ("2.0", 2)]),
        lambda: PURE.to(dp.Renyi, orders=[]),
        lambda: PURE.to(dp.Renyi, orders=[2, 1]),
    ),
    "L03": (lambda: CURVE.at(5), lambda: CROWDED.at(5)),
    "L04": (lambda: PURE + wrong(1), lambda: wrong("epsilon=1") >= PURE, *_mixed()),
    "L05": (lambda: sum([PURE, PURE]), lambda: 1 + wrong(PURE)),
    "L06": (lambda: PURSE.group(2), lambda: dp.ZCDP(1, delta=1).group(2)),
    "L07": (lambda: dp.Renyi({2: 1}).group(2), lambda: CURVE.group(9)),
    "L08": (
        lambda: PLAIN.to(dp.Pure),
        lambda: PLAIN.to(dp.GDP),
        lambda: BELL.to(dp.Pure),
        lambda: CURVE.to(dp.ZCDP),
        lambda: SMALL.to(dp.GDP),
        lambda: LONG.to(dp.Renyi),
    ),
    "L09": (
        lambda: PLAIN.to(dp.Approx),
        lambda: PURSE.to(dp.Approx),
        lambda: BELL.to(dp.Approx),
        lambda: CURVE.to(dp.Approx),
        lambda: PLAIN.to(dp.Approx, delta=0),
        lambda: PURSE.to(dp.Approx, delta="1e-8"),
        lambda: LONG.to(dp.Approx, delta="1e-6"),
        lambda: BELL.to(dp.Approx, delta=0),
        lambda: CROWDED.to(dp.Approx, delta=0),
    ),
    "L10": (
        lambda: PLAIN.to(dp.Approx, delta="1e-6", epsilon=1),
        lambda: PURE.to(dp.ZCDP, delta="1e-6"),
        lambda: PURE.to(dp.Approx, orders=[2]),
    ),
    "L11": (lambda: SMALL.to(dp.Pure), lambda: PURSE.to(dp.Renyi)),
    "L12": (lambda: PURE.to(wrong(int)), lambda: CROWDED.to(wrong("Approx"))),
    "L13": (
        lambda: dp.loss(""),
        lambda: dp.loss("3"),
        lambda: dp.loss("epsilon="),
        lambda: dp.loss(wrong(3)),
        lambda: dp.loss("renyi=2 0.5"),
        lambda: dp.loss("epsilon=3 delta=1e-6"),
    ),
    "L14": (lambda: dp.loss("eps=1"), lambda: dp.loss("eps\0ilon=1")),
    "L15": (lambda: dp.loss("epsilon=1, epsilon=2"),),
    "L16": (lambda: dp.loss("delta=1e-6"), lambda: dp.loss("rho=1, mu=1")),
    "L17": (lambda: simple([PURE, wrong(PLAIN)]),),
    "L18": (lambda: advanced(100, "1/10", 0, 0), lambda: advanced(100, "1/10", 0, 1)),
    "L40": (lambda: Law({1: arb("nan")}), lambda: Law({1: arb(-1)})),
    "L41": (lambda: Law({1: "1/2"}), lambda: Law({1: 2}), lambda: Law({1: "1/2"}, tail="1/3")),
    "L42": (lambda: hockey_stick(YES, NO, "1/2"),),
    "L43": (lambda: Bracket(dp.exact(1), dp.exact(0)),),
    "L44": (
        lambda: max_ratio(HEAD, OTHER_HEAD, beyond=1),
        lambda: delta_at(YES, HEAD, 1, beyond=1),
    ),
    "L45": (lambda: renyi_moment(YES, NO, 1),),
    "L46": (lambda: renyi_moment(HEAD, OTHER_HEAD, 2, tail_moment=0),),
    "L50": (lambda: Atoms.scattered((TOO_MANY, TOO_MANY), (TOO_MANY, TOO_MANY)),),
    "L51": (lambda: fast_size(2**30),),
    "L52": (lambda: LEAKY.epsilon(0), lambda: LEAKY.epsilon("1/10")),
    "L53": (lambda: ONCE.epsilon("1e-251"), lambda: ONCE.epsilon(1)),
    "L54": (
        lambda: 10**13 * ONCE,
        lambda: of_loss(dp.Pure(10**13)).delta(1),
        lambda: normal(dp.exact(41)),
    ),
    "L55": (lambda: folded([(Grid.of(dp.exact(1), np.array([0]), np.ones(1), 0.0), 2**41)], 1, 1),),
    "L56": (
        lambda: epsilons(Listed.of(Atoms.scattered((TWO, TWO), (TWO, TWO), (0.5, 0.5)), 1), 0.25),
    ),
    "L58": (lambda: of_loss(dp.Pure(10**400)),),
    "L59": (lambda: in_cells(Atoms.scattered((2.0**60 * TWO, 2.0**60 * TWO), (TWO, TWO)), 1.0, 1),),
    "L60": (
        lambda: Filter(wrong(BELL)),
        lambda: Filter(wrong(3)),
        lambda: Odometer(wrong(dp.Renyi)),
        lambda: Filter(dp.Approx(1, 1)),
        lambda: Filter(dp.ZCDP(1, 1)),
        lambda: Filter(PURE, delta="1e-6"),
    ),
    "L61": (
        lambda: Filter(PURE).charge(SMALL),
        lambda: Filter(PURE).charge(PLAIN),
        lambda: Filter(SMALL).charge(PURSE),
        lambda: Filter(SMALL).admits(CURVE),
        lambda: Filter(SMALL).price(CROWDED),
        lambda: Filter(PLAIN).charge(CURVE),
        lambda: Odometer(dp.Approx).charge(BELL),
    ),
    "L62": (
        lambda: Filter(PURE).charge(dp.Pure(2)),
        lambda: Filter(PURE).charge(PURE).charge(dp.Pure("1e-30")),
        lambda: Filter(SMALL).charge(LONG),
        lambda: Filter(PURSE).charge(BELL),
        lambda: Filter(dp.Pure("1/7")).charge(dp.Pure("1e-15")).charge(PURE),
    ),
    "L63": (
        lambda: Filter(PURE).charge(wrong("epsilon=1")),
        lambda: Filter(SMALL).charge(wrong(100 * of_loss(dp.Pure("1/10")))),
        lambda: Odometer(dp.Approx).charge(wrong(of_loss(dp.Pure("1/10")))),
    ),
    "L64": (
        lambda: Odometer(dp.ZCDP),
        lambda: Odometer(dp.ZCDP, delta=1),
        lambda: Odometer(dp.ZCDP, delta="1e-6", levels=[]),
        lambda: Odometer(dp.Pure, delta="1e-6"),
        lambda: Odometer(dp.Approx, levels=[1]),
    ),
}

MECHANISMS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M01": (
        lambda: GumbelMax(1).choose(wrong([0.5, 1.5])),
        lambda: GumbelMax(1).choose([2**70, 1]),
        lambda: ExponentialRace().choose_rows(wrong(np.array([[0.5, 1.5]]))),
    ),
    "M02": (
        lambda: GumbelMax(1).choose_rows([[1, 2], [3]]),
        lambda: GumbelMax(1).choose([]),
        lambda: GumbelMax(1).choose(wrong([[1, 2]])),
        lambda: GumbelMax(1).choose_rows(wrong([1, 2])),
        lambda: ExponentialRace().choose(wrong(3)),
    ),
    "M03": (lambda: ExponentialRace().choose([1, -1]), lambda: ExponentialRace().choose([0, 0])),
    "M04": (lambda: UniformInteger(2**64).sample(size=1),),
    "M05": (lambda: ExponentialRace().choose(["1e-20", 1]),),
    "M19": (lambda: Revealed(Replay(b"")).below(lambda: arb(0, 1)),),
    "M20": (
        lambda: dp.DiscreteLaplace(2).sample(size=-1),
        lambda: dp.DiscreteGaussian(2).sample(size=wrong([2, 3])),
        lambda: dp.Geometric(2).sample(size=(2, wrong(1.5))),
        lambda: dp.Geometric(2).sample(size=(0, 2**70)),
        lambda: dp.Geometric(2).sample(size=(1,) * 70),
    ),
    "M21": (lambda: dp.DiscreteLaplace(2**41), lambda: dp.DiscreteGaussian("1e13")),
    "M22": (lambda: dp.DiscreteGaussian(variance=2**81),),
    "M24": (
        lambda: dp.DiscreteLaplace(2).law().probability(wrong("1/2")),
        lambda: dp.Geometric(2).law().at_least(wrong(1.5)),
    ),
    "M23": (dp.DiscreteGaussian, lambda: dp.DiscreteGaussian(3, variance=9)),
}

TRIGGERS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    **NUMBERS,
    **UNITS,
    **LOSSES,
    **MECHANISMS,
    **OF_MECHANISMS,
}
