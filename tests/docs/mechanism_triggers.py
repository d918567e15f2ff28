"""Ways to get every error of the floor `mechanisms`; see triggers.py."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import numpy as np

import discreet as dp
from discreet.app.account import account
from discreet.lab.exact import Neighbours
from discreet.lab.picture import picture
from discreet.mechanisms import Exponential, Gaussian, Laplace, NoisyMax, TopK
from discreet.mechanisms.fit import fit
from discreet.mechanisms.keys import (
    ThresholdedRelease,
    TruncatedGeometric,
    WeightedGaussian,
    choose,
)
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import MomentTriple
from discreet.mechanisms.quantile import Quantile
from discreet.mechanisms.response import Response
from discreet.mechanisms.response_estimate import Tally
from discreet.mechanisms.response_keep import TwoCoins
from discreet.mechanisms.sensitivity import Statistic, Taken, sensitivity
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse
from discreet.mechanisms.sparse.stream import Stream
from discreet.mechanisms.written import LONGEST, composition
from discreet.noise.weighted_gumbel import WeightedGumbelMax

Trigger: TypeAlias = Callable[[], object]
PURE, BELL, PLAIN = dp.Pure(1), dp.GDP(2), dp.ZCDP("1/2")


def wrong(value: Any) -> Any:  # noqa: ANN401 - its type is what is wrong
    """`value` where its type is not allowed, as a caller without a type checker may give it."""
    return value


ANSWERS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M30": (lambda: Laplace(1, step=2).release(np.array([2])),),
    "M31": (
        lambda: Laplace(1).release("1/2"),
        lambda: Gaussian(1).law((1, wrong("0.5"))),
    ),
    "M32": (
        lambda: Laplace(1).release(wrong(np.array([0.5]))),
        lambda: Laplace(1).release(wrong(np.array([2**63], np.uint64))),
    ),
    "M33": (
        lambda: Laplace(1).release(np.array([2**62])),
        lambda: Gaussian(1).release(np.array([-(2**62)])),
    ),
    "M34": (
        lambda: Laplace(1).loss(dp.L1("1/2")),
        lambda: Exponential(1).loss(dp.LInf("1/2")),
        lambda: Gaussian(1).loss(dp.L2.root("1/2")),
    ),
    "M35": (lambda: Laplace(1).accuracy(1), lambda: Gaussian(1).textbook_accuracy(0)),
    "M37": (
        lambda: dp.noise_for(PURE, dp.L2(1)),
        lambda: dp.noise_for(BELL, dp.L1(1)),
        lambda: dp.noise_for(dp.Approx(1, 1), dp.L2(1)),
        lambda: dp.noise_for(dp.Approx(1, 0), dp.L2(1)),
    ),
    "M38": (lambda: dp.noise_within(Laplace, "1/2", "0.95"),),
    "M39": (
        lambda: dp.noise_for(PURE, dp.L1(0)),
        lambda: dp.noise_for(PLAIN, dp.L2(0)),
    ),
    "M36": (lambda: Laplace(10**6).law(0), lambda: Gaussian(10).law((0, 0, 0, 0))),
}

RESPONSES: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M40": (
        lambda: Response.flip("1/2"),
        lambda: Response.truth("0.3", values=3),
        lambda: Response.truth(0),
    ),
    "M41": (
        lambda: Response.truth(1),
        lambda: Response.resample(0),
        lambda: Response.two_coins("1/2", yes=1),
    ),
    "M42": (
        lambda: Response(TwoCoins("1/2", yes="1/2"), values=3),
        lambda: Response.pure(1, values=2**62 + 1),
        lambda: Response(wrong("3/4")),
    ),
    "M43": (
        lambda: Response.pure(1).release(2),
        lambda: Response.pure(1).release(np.array([0, -1])),
        lambda: Response.pure(1).release(wrong("yes")),
        lambda: Response.pure(1).release(wrong([1])),
        lambda: Response.pure(1).release(wrong([1, [1]])),
        lambda: Response.pure(1, values=3).release(True),
        lambda: Tally(Response.pure(1), [1, 2, 3]),
    ),
    "M44": (
        lambda: Response.pure(0).accuracy("0.95"),
        lambda: Tally(Response.resample_one_in(1), [1, 2]),
    ),
    "M45": (
        lambda: Response.pure(1).law([0] * 21),
        lambda: Tally.of(Response.pure(1, values=2**21), [0, 1]),
    ),
}

CHOICES: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M50": (
        lambda: Exponential(1, [1, 0]),
        lambda: Exponential(1, np.array([1, -1])),
        lambda: Exponential(1, ["1e-20", 1]),
        lambda: Exponential(1, wrong(3)),
    ),
    "M51": (
        lambda: Exponential(1, [1, 2]).release([1, 2, 3]),
        lambda: Exponential(1, [1, 2]).accuracy("0.9", 3),
        lambda: WeightedGumbelMax(1).choose([1, 2], [1]),
    ),
    "M52": (lambda: NoisyMax(1).law([0, 10**6]), lambda: TopK(9, 1).law([0] * 9)),
    "M53": (lambda: TopK(3, 1).release([1, 2]), lambda: TopK(3, 1).accuracy("0.9", 2)),
}

QUANTILES: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M70": (
        lambda: Quantile("1/2", 1, 0, 1),
        lambda: Quantile("1/2", "1/2", 1, 1),
        lambda: ManyQuantiles(["1/2"], 0, 2**62, 1),
        lambda: MeanPair(5, 5, 1),
        lambda: MomentTriple(0, "0.5", 1),
    ),
    "M71": (
        lambda: Quantile("1/2", 0, 1, 1).release(wrong([0.5])),
        lambda: Quantile("1/2", 0, 1, 1).release(wrong(3)),
        lambda: ManyQuantiles(["1/2"], 0, 1, 1).law(wrong([True])),
        lambda: MeanPair(0, 1, 1).release(wrong(np.array([0.5]))),
        lambda: MomentTriple(0, 1, 1).sums(wrong(["1"])),
    ),
    "M72": (
        lambda: Quantile("1/2", 0, 1, 1).loss(wrong(dp.L1(1))),
        lambda: ManyQuantiles(["1/2"], 0, 1, 1).loss(wrong(dp.Ids("id", rows=1))),
        lambda: MeanPair(0, 1, 1).zcdp(wrong(1)),
    ),
    "M73": (
        lambda: Quantile("1/1000001", 0, 1, 1),
        lambda: ManyQuantiles(["1/1001", "1/1000"], 0, 1, 1),
    ),
    "M74": (
        lambda: Quantile("1/2", 0, 2**20, 1).law([]),
        lambda: ManyQuantiles(["1/2"], 0, 3, 1).law([1, 2]),
    ),
    "M75": (
        ManyQuantiles,
        lambda: ManyQuantiles([], 0, 1, 1),
        lambda: ManyQuantiles(["1/2", "1/4"], 0, 1, 1),
        lambda: ManyQuantiles(["1/2", "1/2"], 0, 1, 1),
    ),
    "M76": (
        lambda: ManyQuantiles(["1/2"], 0, 2**50, 1),
        lambda: ManyQuantiles(["1/2"], -(2**50), 0, 1),
    ),
}
KEYS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M80": (
        lambda: ThresholdedRelease(1, 20).release({1.5: 40}),
        lambda: TruncatedGeometric(1, "1e-6").law({("A", float("nan")): 40}),
    ),
    "M81": (
        lambda: ThresholdedRelease(1, 20).release({"A": -1}),
        lambda: TruncatedGeometric(1, "1e-6").release({"A": wrong("3")}),
        lambda: TruncatedGeometric(1, "1e-6").release({"A": 2**62}),
    ),
    "M82": (
        lambda: choose(1, dp.Pure(1)),
        lambda: ThresholdedRelease.within(dp.L0(1), dp.ZCDP("1/2")),
        lambda: TruncatedGeometric.within(dp.L0(1), dp.Approx(1, 0)),
        lambda: WeightedGaussian.within(1, dp.GDP(1)),
    ),
    "M83": (
        lambda: choose(1, dp.Approx(1, "1e-6"), moves=3),
        lambda: WeightedGaussian(3, variance=4, threshold=9).loss(dp.L2(2)),
    ),
    "M84": (
        lambda: ThresholdedRelease(1, 2**62 + 1),
        lambda: ThresholdedRelease(10, 3).law(dict.fromkeys("abc", 9)),
        lambda: TruncatedGeometric(1, "1e-6").law(dict.fromkeys(range(21), 9)),
        lambda: TruncatedGeometric("1e-6", "1e-9").release({"A": 9}),
    ),
    "M85": (
        lambda: sensitivity(Statistic.MEAN, dp.Rows(1), bounds=(0, 1)),
        lambda: sensitivity(Statistic.VARIANCE, dp.Replace(1), bounds=(0, 1), rows=9),
        lambda: sensitivity(Statistic.MEAN, dp.Replace(1), bounds=(0, 1), taken=Taken.ALL),
    ),
    "M86": (lambda: sensitivity(Statistic.MAX, dp.Rows(1)),),
    "M87": (lambda: sensitivity(Statistic.COUNT, dp.Ids("id")),),
    "M88": (lambda: sensitivity(Statistic.COUNT, dp.Rows(1), rows=9),),
    "M89": (lambda: sensitivity(Statistic.SUM, dp.Rows(1), bounds=(1, 0)),),
}


def _asked_after_the_halt() -> object:
    session = AboveThreshold(2, 4).stream()
    return [session.ask(10**9) for _ in range(2)]


def _asked_in_another_process() -> object:
    session = AboveThreshold(2, 4).stream()
    with patch("discreet.mechanisms.sparse.stream.getpid", lambda: 0):
        return session.ask(3)


def _asked_meanwhile(ask: Callable[[Stream], object]) -> Trigger:
    """A question while another one is being answered."""

    def trigger() -> object:
        session = AboveThreshold(2, 4).stream()
        session._lock.acquire()
        return ask(session)

    return trigger


STREAMS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M60": (
        lambda: AboveThreshold(2, 4).release([wrong(0.5)]),
        lambda: AboveThreshold(2, 4).stream(threshold=wrong("20")),
        lambda: NumericSparse(1, 2, 4, 4).stream().ask(wrong(True)),
        lambda: Sparse(2, 2, 4).law([wrong(None)]),
    ),
    "M61": (_asked_after_the_halt,),
    "M62": (
        lambda: copy(AboveThreshold(2, 4).stream()),
        lambda: AboveThreshold(2, 4).stream().__getstate__(),
        lambda: pickle.dumps(NumericSparse(1, 2, 4, 4).stream()),
    ),
    "M63": (_asked_in_another_process,),
    "M64": (_asked_meanwhile(lambda session: session.ask(3)), _asked_meanwhile(Stream.close)),
    "M65": (
        lambda: AboveThreshold.best(1, dp.LInf(0)),
        lambda: NumericSparse.textbook(1, 2, dp.LInf(0)),
    ),
    "M66": (
        lambda: Sparse(20, 1, 1).law([0] * 40),
        lambda: AboveThreshold(10**6, 1).law([0]),
        lambda: NumericSparse.textbook(1, 3).law([0, 0, 0]),
    ),
}


def _without_altair() -> object:
    with patch.dict(sys.modules, {"altair": None}):
        return picture(Laplace(2), Neighbours(10, 11, dp.L1(1))).plot()


PICTURES: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M91": (_without_altair,),
    "M92": (lambda: picture(Laplace(2), Neighbours(10, [11], dp.L1(1))),),
}


COMPOSITIONS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    "M90": (lambda: dp.compose(Laplace(2).poisson("1/2"), Laplace(2).without_replacement(1, 2)),),
    "M93": (
        lambda: Gaussian(5).pld(dp.L2(10)),
        lambda: WeightedGaussian(3, variance=1024, threshold=100, resolution=8).pld(dp.L2(1)),
    ),
    "M94": (
        lambda: Laplace(10**7).pld(dp.L1(10**7)),
        lambda: Laplace(10**7).twins(dp.L1(10**7)),
    ),
    "M95": (lambda: Gaussian(10**6).pld(dp.L2(1)),),
    "M96": (
        lambda: Gaussian(20).poisson(5),
        lambda: Gaussian(20).without_replacement(1000, 10),
    ),
    "M97": (
        lambda: MeanPair(0, 100, 50).at(dp.Replace(1)).poisson("1/100"),
        lambda: MeanPair(0, 100, 50).without_replacement(10, 1000),
        lambda: MeanPair(0, 100, 50).at(dp.Rows(2)).poisson("1/100"),
        lambda: Response.pure(1).twins(dp.L0(1)),
    ),
    "L57": (lambda: account("laplace(1)", noise_for="rho=1"),),
    "M98": (
        lambda: composition("laplace(10) and gaussian(20)"),
        lambda: composition(" " * LONGEST + " "),
        lambda: composition("laplace(10, 3)"),
        lambda: composition("laplace(10).at(sqrt(2))"),
        lambda: composition("gaussian(10).at(sqrt(2)"),
        lambda: composition("nothing(10)"),
    ),
    "M99": (
        lambda: fit(dp.compose(Response.pure(1)), dp.Approx(1, "1e-6")),
        lambda: fit(dp.compose(Exponential(1)), dp.Approx("1e-12", 0)),
    ),
}


OF_MECHANISMS: Final[Mapping[str, tuple[Trigger, ...]]] = {
    **ANSWERS,
    **RESPONSES,
    **CHOICES,
    **QUANTILES,
    **KEYS,
    **STREAMS,
    **PICTURES,
    **COMPOSITIONS,
}
