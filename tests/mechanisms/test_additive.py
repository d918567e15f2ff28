"""The claim of additive.md: exact answer plus noise, nothing wraps, accuracy is the least bound."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
import pytest

from discreet.entropy import Replay
from discreet.errors import DiscreetError, MechanismError
from discreet.mechanisms import Gaussian, Laplace
from discreet.mechanisms.search import least
from discreet.noise import DiscreteGaussian, DiscreteLaplace
from discreet.noise.integer import IntegerNoise
from discreet.numbers import at
from tests.figures import Figure
from tests.noise.chance import FALSE_ALARM, doubt

Kind: TypeAlias = Callable[..., Any]
KINDS: list[Kind] = [Laplace, Gaussian]
BYTES = np.random.default_rng(11).bytes(10**6)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_told_is_the_exact_answer_plus_the_noise(kind: Kind) -> None:
    mechanism = kind(7)
    x = np.array([[0, 5], [-3, 10**15]])
    told = mechanism.release(x, entropy=Replay(BYTES))
    noise = mechanism.noise.sample((2, 2), entropy=Replay(BYTES))
    assert (told - noise == x).all()
    assert told.dtype == np.int64
    one = mechanism.release(10**40, entropy=Replay(BYTES))
    assert one - mechanism.noise.sample(entropy=Replay(BYTES)) == 10**40
    assert type(one) is int


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_the_unit_of_all(kind: Kind) -> None:
    fine, plain = kind("1/2", step="0.01"), kind(50)
    assert fine.noise == plain.noise
    told = fine.release("12.34", entropy=Replay(BYTES))
    assert told == (1234 + plain.noise.sample(entropy=Replay(BYTES))) / Fraction(100)
    assert fine.accuracy("0.95") == plain.accuracy("0.95") / 100
    assert type(kind(10, step=5).release(15)) is int
    assert kind(10, step=5).release(15) % 5 == 0
    with pytest.raises(MechanismError):
        fine.release("12.345")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "bad",
    [
        np.array([0.5]),
        np.array([True]),
        np.array([2**63], np.uint64),
        np.array([2**62]),
        np.array([-(2**62)]),
        np.array(["1"]),
        "one",
        None,
        float("nan"),
        0.5,
    ],
    ids=repr,
)
def test_bad_answers_are_refused_before_anything_is_drawn(kind: Kind, bad: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        kind(3).release(bad, entropy=Replay(b""))  # an empty replay fails if it is asked
    assert refused.value.code != "N11"
    assert refused.value.cure


BAD = [0, -1, "nan", float("inf"), None, True, np.float32(1)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_bad_scales_and_steps_are_refused_at_construction(kind: Kind, bad: object) -> None:
    for words in ({"scale": bad}, {"scale": 1, "step": bad}):
        with pytest.raises(DiscreetError) as refused:
            kind(**words)
        assert refused.value.cure


@pytest.mark.parametrize("kind", KINDS)
def test_a_scale_that_no_sampler_has_is_refused_at_construction(kind: Kind) -> None:
    with pytest.raises(MechanismError) as refused:
        kind(2**41)
    assert refused.value.code == "M21"
    assert kind(2**41, step=2).noise == kind(2**40).noise


@pytest.mark.parametrize("kind", KINDS)
def test_the_law_is_that_of_what_is_told(kind: Kind) -> None:
    mechanism = kind("3/2")
    law = mechanism.law(4)
    chances = {int(n): float(low) for n, (low, _) in zip(law.outcomes, law.weights, strict=True)}
    drawn = mechanism.release(np.full(300_000, 4))
    assert doubt(drawn, {n: p for n, p in chances.items() if p > 1e-9}) > FALSE_ALARM
    assert doubt(drawn + 1, {n: p for n, p in chances.items() if p > 1e-9}) < FALSE_ALARM


def test_the_law_of_a_vector_is_the_product() -> None:
    mechanism = Laplace("1/3")
    one, two = mechanism.law(0), mechanism.law((0, 5))
    chance = dict(zip(one.outcomes, one.weights, strict=True))
    both = dict(zip(two.outcomes, two.weights, strict=True))
    assert len(both) == len(chance) ** 2
    low, high = both[1, 4]
    assert low <= chance[1][1] * chance[-1][1]
    assert high >= chance[1][0] * chance[-1][0]
    assert high - low < Fraction(1, 2**200)


@pytest.mark.parametrize(
    ("mechanism", "noise"), [(Laplace(4), DiscreteLaplace(4)), (Gaussian(4), DiscreteGaussian(4))]
)
@pytest.mark.parametrize("confidence", ["0.5", "0.95", "0.999999"])
@pytest.mark.parametrize("count", [1, 10, 10**6])
def test_accuracy_is_the_least_bound(
    mechanism: Laplace | Gaussian, noise: IntegerNoise, confidence: str, count: int
) -> None:
    t = int(mechanism.accuracy(confidence, count))
    law = noise.law()

    def all_within(bound: int) -> Decimal:
        inside = at(300, lambda: (1 - law.at_least(bound + 1)) ** count)
        return Decimal(inside.str(50, radius=False))

    assert all_within(t) >= Decimal(confidence)
    assert t == 0 or all_within(t - 1) < Decimal(confidence)


def test_ten_thousand_names() -> None:
    """All of 10,000 errors of scale 1 are at most 12 with probability 0.9675."""
    assert Laplace(1).accuracy("0.95", 10_000) == 12
    assert Laplace(1).accuracy("0.9674", 10_000) == 12
    assert Laplace(1).accuracy("0.9676", 10_000) == 13


@pytest.mark.parametrize("answer", [0, 1, 2, 3, 4, 5, 7, 8, 9, 1000, 12345])
def test_the_least_that_is_enough_is_found(answer: int) -> None:
    assert least(lambda n: n >= answer) == answer


@pytest.mark.long
def test_ten_thousand_names_ten_thousand_times(figure: Figure) -> None:
    """The share of trials in which all errors are at most 12 is 0.9675; by Hoeffding's inequality
    it strays by 0.0327 less than once in 10^9 times."""
    names, trials = np.zeros(10_000, np.int64), 10_000
    kept = sum(int(np.abs(Laplace(1).release(names)).max()) <= 12 for _ in range(trials))
    spread = 1.96 * (0.9675 * 0.0325 / trials) ** 0.5
    figure("10,000 names, all within 12", f"{kept / trials:.4f} ± {spread:.4f} of 10^4 trials")
    assert abs(kept / trials - 0.9675) < 0.0327


@pytest.mark.long
def test_a_histogram_of_ten_thousand_cells_takes_less_than_a_millisecond(figure: Figure) -> None:
    cells = np.arange(10_000)
    Laplace(1).release(cells)
    times = []
    for _ in range(50):
        begin = perf_counter()
        Laplace(1).release(cells)
        times.append(perf_counter() - begin)
    figure("histogram of 10,000 cells", f"{1000 * min(times):.3f} ms")
    assert min(times) < 0.001
