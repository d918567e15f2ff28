"""The claim of selection.md, and what all choices by score have in common."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from time import perf_counter
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from discreet.distances import L0, L1, L2, LInf, Monotone
from discreet.entropy import Replay
from discreet.errors import EntropyError, MechanismError, NumberError, UnitError
from discreet.loss import ZCDP
from discreet.loss.divergence import Law, either_way, max_divergence, renyi
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.mechanisms.selection import Selection, span
from discreet.mechanisms.top_k import TopK
from discreet.numbers import ball, up
from tests.figures import Figure
from tests.noise.chance import FALSE_ALARM, doubt

LOWEST, HIGHEST = -(2**63), 2**63 - 1
ORDERS: Final = [Fraction(order) for order in ("1.01", "2", "7", "40")]
MAKE: Final[dict[str, Callable[[Any], Selection[Any]]]] = {
    "Exponential": Exponential,
    "weighted": lambda scale: Exponential(scale, weights=[2, 1, 5]),
    "PermuteAndFlip": PermuteAndFlip,
    "NoisyMax": NoisyMax,
    "TopK": lambda scale: TopK(2, scale),
}
EACH: Final = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
PLAIN: Final = pytest.mark.parametrize("make", [Exponential, PermuteAndFlip, NoisyMax])


# --- span and bounded range ----------------------------------------------------------------------


@pytest.mark.parametrize("by", [0, 1, 2])
def test_the_span_is_attained(by: int) -> None:
    every = list(product(range(-by, by + 1), repeat=3))
    assert span(LInf(by), "x") == max(max(v) - min(v) for v in every)
    one_way = [v for v in every if min(v) >= 0 or max(v) <= 0]
    assert span(Monotone(by), "x") == max(max(v) - min(v) for v in one_way)


def laws(counts: Sequence[tuple[int, int]]) -> tuple[Law, Law]:
    sums = [sum(column) for column in zip(*counts, strict=True)]
    p, q = ({i: Fraction(c[k], sums[k]) for i, c in enumerate(counts)} for k in (0, 1))
    return Law(p), Law(q)


def keeps(counts: Sequence[tuple[int, int]], eighth: Fraction) -> bool:
    """Whether two laws are as near as bounded range says, with η² times this as ρ."""
    p, q = laws(counts)
    ratios = [Fraction(a, b) for a, b in counts]
    wide = max(ratios) / min(ratios)
    if wide == 1:
        return True
    eta = up(lambda: ball(wide).log())
    rho = eta**2 * eighth
    pure = either_way(max_divergence, p, q).low <= eta
    return pure and all(
        either_way(lambda a, b: renyi(a, b, order), p, q).low <= order * rho  # noqa: B023
        for order in ORDERS
    )


COUNTS: Final = st.lists(
    st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=2, max_size=5
)  # fmt: skip


@settings(max_examples=80)
@given(COUNTS)
def test_bounded_range_is_concentrated(counts: list[tuple[int, int]]) -> None:
    assert keeps(counts, Fraction(1, 8))


def test_less_than_an_eighth_is_false() -> None:
    near_by = [(100, 101), (101, 100)]
    assert keeps(near_by, Fraction(1, 8))
    assert not keeps(near_by, Fraction(124, 1000))


# --- losses ---------------------------------------------------------------------------------------


@PLAIN
def test_losses_in_closed_form(make: Callable[[Any], Selection[int]]) -> None:
    chooser = make("3/2")
    assert chooser.loss(LInf(3)).epsilon == 4
    assert chooser.loss(Monotone(3)).epsilon == 2
    assert chooser.loss(LInf(0)).epsilon == 0
    assert chooser.loss(LInf(6)) == chooser.loss(LInf(3)).group(2)


@EACH
def test_other_distances_are_refused(make: Callable[[Any], Selection[Any]]) -> None:
    chooser: Any = make(2)
    for wrong in (L0(1), L1(1), L2(1), 1, None):
        for ask in (chooser.loss, chooser.zcdp):
            with pytest.raises(UnitError) as refused:
                ask(wrong)
            assert refused.value.code == "U12"
            assert "LInf" in refused.value.problem
    for half in (LInf("1/2"), Monotone("3/2")):
        with pytest.raises(MechanismError) as unlike:
            chooser.loss(half)
        assert unlike.value.code == "M34"


@EACH
@pytest.mark.parametrize("bad", [0, -1, float("inf"), float("nan"), None, True, np.float32(1)])
def test_a_scale_is_a_number_above_zero(make: Callable[[Any], object], bad: object) -> None:
    with pytest.raises(NumberError):
        make(bad)


# --- releases -------------------------------------------------------------------------------------


BAD: Final[list[tuple[object, str]]] = [
    ([], "M02"),
    (5, "M02"),
    ([[1, 2, 3]], "M02"),
    (np.zeros((3, 1), np.int64), "M02"),
    ([0.5, 1.0, 2.0], "M01"),
    ([float("nan"), 1, 2], "M01"),
    (np.array([1.0, np.nan, 2.0]), "M01"),
    ([2**63, 0, 1], "M01"),
    ([True, False, True], "M01"),
    (["1", "2", "3"], "M01"),
    ([None, 1, 2], "M01"),
    (np.array([1, 2, 3], np.uint64), "M01"),
]


@EACH
@pytest.mark.parametrize(("scores", "code"), BAD, ids=repr)
def test_scores_are_refused_before_a_byte_is_read(
    make: Callable[[Any], Selection[Any]],
    scores: Any,  # noqa: ANN401
    code: str,
) -> None:
    for ask in (lambda: make(2).release(scores, entropy=Replay(b"")), lambda: make(2).law(scores)):
        with pytest.raises(MechanismError) as refused:
            ask()
        assert refused.value.code == code
        assert "`" in refused.value.cure


@EACH
def test_a_release_is_a_function_of_its_bytes(make: Callable[[Any], Selection[Any]]) -> None:
    pieces = [np.random.default_rng(seed).bytes(10_000) for seed in range(60)]
    forms: list[Any] = [
        [5, 3, 6],
        (5, 3, 6),
        np.array([5, 3, 6]),
        np.array([5, 3, 6], np.int8),
        np.array([5, 0, 3, 0, 6], ">i4")[::2],
    ]
    told = [[make(2).release(x, entropy=Replay(piece)) for piece in pieces] for x in forms]
    assert all(each == told[0] for each in told)
    assert len(set(told[0])) > 2
    with pytest.raises(EntropyError):
        make(2).release(forms[0], entropy=Replay(b""))


@EACH
def test_only_differences_of_scores_count(make: Callable[[Any], Selection[Any]]) -> None:
    pieces = [np.random.default_rng(seed).bytes(10_000) for seed in range(60)]
    shifted = ([0, 1, 3], [LOWEST, LOWEST + 1, LOWEST + 3], [HIGHEST - 3, HIGHEST - 2, HIGHEST])
    told = [[make(2).release(x, entropy=Replay(piece)) for piece in pieces] for x in shifted]
    assert told[0] == told[1] == told[2]
    assert len(set(told[0])) > 2


@EACH
@pytest.mark.parametrize("far", [10**6, 2**62, HIGHEST])
def test_scores_far_apart(make: Callable[[Any], Selection[Any]], far: int) -> None:
    """The best by so much is chosen; that it is not has a probability below e^-9000."""
    for scores, best in (([-far, far, 0], 1), ([far, -far, -far - 1], 0), ([0, -far, far], 2)):
        for _ in range(20):
            told = make(100).release(scores)
            assert (told[0] if isinstance(told, tuple) else told) == best
    assert type(make(100).release([far, 0, 0])) in {int, tuple}


@pytest.mark.parametrize("n", [1, 2, 32_767, 32_768, 32_769, 65_536, 65_537, 200_000])
def test_one_best_is_found_wherever_it_is(n: int) -> None:
    for chooser in (Exponential(1), Exponential(1, [1] * n), PermuteAndFlip(1), NoisyMax(1)):
        for place in {0, n // 2, n - 1}:
            scores = np.zeros(n, np.int64)
            scores[place] = 1000
            assert chooser.release(scores) == place
    assert TopK(1, 1).release([7] * n)[0] in range(n)


def test_laws_of_releases_fit_and_would_not_fit_another() -> None:
    """Counts against `law`, and against the law of half the scale."""
    scores = [0, 1, 5]
    for name, make in MAKE.items():
        kinds = list(permutations(range(3), 2)) if name == "TopK" else list(range(3))
        told = [make(3).release(scores) for _ in range(6_000)]
        drawn = np.array([kinds.index(each) for each in told])
        for scale, fits in ((3, True), ("3/2", False)):
            law = make(scale).law(scores)
            chances = dict(zip(law.outcomes, law.weights, strict=True))
            expected = {i: float(chances[kind][1]) for i, kind in enumerate(kinds)}
            assert (doubt(drawn, expected) > FALSE_ALARM) == fits, name


@EACH
def test_laws_add_up_and_are_narrow(make: Callable[[Any], Selection[Any]]) -> None:
    law = make("5/3").law([-3, 4, 0])
    assert law.missing[1] < Fraction(1, 2**200)
    assert all(high - low < high / 2**200 for low, high in law.weights)


@EACH
def test_a_mechanism_is_a_value(make: Callable[[Any], Selection[Any]]) -> None:
    assert make("1/2") == make(0.5)
    assert hash(make(2)) == hash(make(2))
    assert make(2) != make(3)
    with pytest.raises((AttributeError, TypeError)):
        make(2).scale = Fraction(1)  # type: ignore[misc]
    assert isinstance(make(2).zcdp(LInf(1)), ZCDP)


# --- accuracy -------------------------------------------------------------------------------------


@PLAIN
def test_a_count_and_a_confidence_are_asked_for(make: Callable[[Any], Selection[int]]) -> None:
    with pytest.raises(NumberError, match="the number of candidates is missing"):
        make(2).accuracy("0.95")
    for wrong in (0, -1, "3/2", True):
        with pytest.raises(NumberError):
            make(2).accuracy("0.95", wrong)
    for sure in (0, 1):
        with pytest.raises(MechanismError) as refused:
            make(2).accuracy(sure, 5)
        assert refused.value.code == "M35"
    assert make(2).accuracy("0.95", 1) == 0


@PLAIN
def test_a_shortfall_is_as_rare_as_is_said(make: Callable[[Any], Selection[int]]) -> None:
    """Of the exact law, on all scores of a grid, one by one."""
    for confidence, scale in product(("0.5", "0.9", "0.99"), ("1/2", "2")):
        chooser = make(scale)
        t = chooser.accuracy(confidence, 3)
        for scores in [(a, b, 0) for a in (0, 1, t, t + 1) for b in (-1, 0, t + 1, t + 2)]:
            assert shortfall(chooser, list(map(int, scores)), t) <= 1 - Fraction(confidence)


def shortfall(chooser: Selection[int], scores: list[int], t: Fraction) -> Fraction:
    """The least that P(the chosen one falls short by more than t) can be."""
    law, top = chooser.law(scores), max(scores)
    return sum(
        (low for i, (low, _) in zip(law.outcomes, law.weights, strict=True)
         if top - scores[i] > t),  # type: ignore[call-overload]
        Fraction(0),
    )  # fmt: skip


@pytest.mark.parametrize("make", [Exponential, PermuteAndFlip])
def test_a_smaller_bound_is_false(make: Callable[[Any], Selection[int]]) -> None:
    """The bound is the least, unless it is zero."""
    for n, scale in product((2, 3, 6), ("1/2", "2", "22/7")):
        t = make(scale).accuracy("0.9", n)
        assert t == 0 or shortfall(make(scale), [0] + [-int(t)] * (n - 1), t - 1) > Fraction("0.1")
        assert t > 0 or scale == "1/2"


def test_accuracies_in_order() -> None:
    scales: list[int | str] = ["1/3", 2, 10**9]
    for n, sure, scale in product((2, 10, 10**7), ("0.5", "0.95", "0.999999"), scales):
        flip, soft = PermuteAndFlip(scale).accuracy(sure, n), Exponential(scale).accuracy(sure, n)
        assert flip <= soft <= Exponential(scale).textbook_accuracy(sure, n)
        assert flip <= NoisyMax(scale).accuracy(sure, n)
        assert TopK(1, scale).accuracy(sure, n) == soft
    minute = Fraction(1, 10**3000)
    assert PermuteAndFlip(1).accuracy(1 - minute, 10) <= Exponential(1).accuracy(1 - minute, 10)
    assert 6_900 < TopK(1, 1).accuracy(1 - minute, 10) == Exponential(1).accuracy(1 - minute, 10)


# --- many candidates ------------------------------------------------------------------------------


@PLAIN
def test_memory_does_not_grow_with_the_candidates(make: Callable[[Any], Selection[int]]) -> None:
    scores = np.random.default_rng(13).integers(-1000, 1000, 1_000_000)
    assert traced(lambda: make(100).release(scores)) < 8 * 2**20


def traced(act: Callable[[], object]) -> int:
    """The most memory in use meanwhile, beyond what was."""
    tracemalloc.start()
    act()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.long
@PLAIN
def test_ten_million_candidates(make: Callable[[Any], Selection[int]], figure: Figure) -> None:
    scores = np.random.default_rng(14).integers(-1000, 1000, 10**7)
    name = type(make(100)).__name__
    peak = traced(lambda: make(100).release(scores))
    figure(f"{name}, 10^7 candidates: MiB beside the scores", f"{peak / 2**20:.1f}")
    assert peak < 16 * 2**20
    for wide, count in ((scores, 10**7), (scores[:100_000], 100_000)):
        begin = perf_counter()
        make(100).release(wide)
        figure(f"{name}, {count} candidates: ms", f"{1000 * (perf_counter() - begin):.0f}")
