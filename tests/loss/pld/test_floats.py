"""What floats.py assumes of this machine's libraries, measured against balls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import pytest
from flint import acb, arb, ctx
from hypothesis import given, settings, strategies as st

from discreet.loss.pld.floats import ELEMENTARY, TRANSFORM, UNIT, Reals, above, below, frozen
from discreet.loss.pld.fold import fast_size
from tests.figures import Figure
from tests.loss.pld.balls import ball, in_units, transformed

HERE: Final = 100_000
SIZES: Final = tuple(2**k for k in range(6, 15)) + tuple(3 * 2**k for k in range(4, 13))
LARGE: Final = (2**16, 3 * 2**15, 2**18, 3 * 2**16)
Pair: TypeAlias = tuple[Callable[[Reals], Reals], Callable[[float], float]]
ELSEWHERE: Final[dict[str, Callable[[arb], arb]]] = {
    "exp": lambda x: x.exp(),
    "expm1": lambda x: x.expm1(),
    "log": lambda x: x.log(),
    "log1p": lambda x: x.log1p(),
}
LIBRARIES: Final[dict[str, Pair]] = {
    "exp": (np.exp, math.exp),
    "expm1": (np.expm1, math.expm1),
    "log": (np.log, math.log),
    "log1p": (np.log1p, math.log1p),
}


def places(name: str, count: int, rng: np.random.Generator) -> Reals:
    """Where functions are tried: ordinary, near their zeros, minute, denormal and huge."""
    signs = rng.choice([-1.0, 1.0], count)
    near = signs * 10.0 ** rng.uniform(-17, 0, count)
    minute = signs * 10.0 ** rng.uniform(-323, -1, count)
    wide = rng.uniform(-708.0, 709.7, count)
    chosen = rng.integers(0, 4, count)
    if name in {"exp", "expm1"}:
        lower = rng.uniform(-745.0, -700.0, count)
        return np.choose(chosen, [near, minute, wide, lower])
    huge = 10.0 ** rng.uniform(-5, 308, count)
    if name == "log":
        return np.choose(chosen, [1 + near / 2, abs(minute), huge, rng.uniform(1e-3, 1e3, count)])
    return np.choose(chosen, [near * (1 - 1e-16), minute, huge, rng.uniform(-1, 1, count)])


def worst(name: str, count: int, function: Callable[[Reals], Reals], seed: int = 1) -> float:
    """The largest error among some places, in roundings."""
    where = places(name, count, np.random.default_rng(seed))
    found = function(where)
    with ctx.workprec(140):
        pairs = zip(where.tolist(), found.tolist(), strict=True)
        return max(in_units(y, ELSEWHERE[name](arb(x))) for x, y in pairs)


def each(function: Callable[[float], float]) -> Callable[[Reals], Reals]:
    return lambda where: np.array([function(x) for x in where.tolist()])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_elementary_functions_are_eight_times_as_good_as_assumed(name: str, figure: Figure) -> None:
    of_numpy, of_python = LIBRARIES[name]
    errors = worst(name, HERE, of_numpy), worst(name, HERE // 10, each(of_python))
    figure(f"{name}: error in roundings, of {ELEMENTARY / UNIT:g}", "{:.2f} {:.2f}".format(*errors))
    assert max(errors) * 8 * UNIT <= ELEMENTARY


@pytest.mark.long
@pytest.mark.parametrize("name", ELSEWHERE)
def test_elementary_functions_at_many_points(name: str, figure: Figure) -> None:
    error = max(worst(name, 100_000, LIBRARIES[name][0], seed) for seed in range(2, 7))
    figure(f"{name}: error in roundings at 500,000 points", f"{error:.3f}")
    assert error * 8 * UNIT <= ELEMENTARY


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_function_of_single_precision_is_found(name: str) -> None:
    of_numpy, _ = LIBRARIES[name]

    def coarse(where: Reals) -> Reals:
        found: Reals = of_numpy(where)
        return found * (1 + 2.0**-24)

    assert worst(name, 1_000, coarse) * UNIT > ELEMENTARY


def test_powers_of_sizes_are_eight_times_as_good_as_assumed(figure: Figure) -> None:
    rng = np.random.default_rng(5)
    error = 0.0
    with ctx.workprec(140):
        for count in (1, 2, 3, 7, 97, 1_000, 12_345, 10**6):
            bases = 1 - 10.0 ** rng.uniform(-16, 0, 2_000)
            found = bases**count
            pairs = zip(bases.tolist(), found.tolist(), strict=True)
            error = max(error, *(in_units(y, arb(x) ** count) for x, y in pairs))
    figure("powers: error in roundings", f"{error:.2f}")
    assert error * 8 * UNIT <= ELEMENTARY


# --- the Fourier transform -----------------------------------------------------------------------


def shapes(size: int, rng: np.random.Generator) -> Iterator[tuple[str, Reals]]:
    """Inputs that are even, one-sided, bell-shaped, alternating, single, and over all sizes."""
    at = np.arange(size)
    yield "even", np.full(size, 1 / size)
    yield "geometric", 0.5 ** np.minimum(at, 1_000)
    yield "bell", np.exp(-(((at - size / 3) / (size / 40)) ** 2))
    yield "alternating", np.where(at % 2, -1.0, 1.0) * rng.uniform(0, 1, size)
    yield "single", (at == size - 1) * 0.7
    yield "random", 10.0 ** rng.uniform(-20, 0, size)


def forward_error(numbers: Reals, found: np.ndarray[tuple[int], np.dtype[np.complex128]]) -> float:
    """The largest error of a transform, over log2(N)·(sum of sizes), in roundings."""
    true = transformed(numbers)[: len(found)]
    with ctx.workprec(120):
        off = max(float(abs(acb(x) - y).upper()) for x, y in zip(found.tolist(), true, strict=True))
    return off / (math.log2(len(numbers)) * float(np.abs(numbers).sum()) * UNIT)


def backward_error(numbers: Reals) -> float:
    """The same of the inverse, whose inputs are a computed transform."""
    wave = np.fft.rfft(numbers)
    size = len(numbers)
    full = np.concatenate([wave, np.conj(wave[1 : size // 2][::-1])])
    full[0], full[size // 2] = full[0].real, full[size // 2].real
    with ctx.workprec(120):
        true = acb.dft([acb(x) for x in np.conj(full).tolist()])  # real, so its own conjugate
        pairs = zip(np.fft.irfft(wave, size).tolist(), true, strict=True)
        off = max(float(abs(x * arb(size) - y.real).upper()) for x, y in pairs)
    return off / (math.log2(size) * float(np.abs(full).sum()) * UNIT)


def transforms_error(sizes: tuple[int, ...], inverse: tuple[int, ...]) -> tuple[float, float]:
    rng = np.random.default_rng(11)
    there = back = 0.0
    for size in sizes:
        assert fast_size(size) == size
        for _, numbers in shapes(size, rng):
            there = max(there, forward_error(numbers, np.fft.rfft(numbers)))
            if size in inverse:
                back = max(back, backward_error(numbers))
    return there, back


def test_transforms_are_eight_times_as_good_as_assumed(figure: Figure) -> None:
    there, back = transforms_error(SIZES, SIZES)
    of = TRANSFORM / UNIT
    figure(f"transforms: error in roundings, of {of:g}", f"{there:.3f}, inverse {back:.3f}")
    assert max(there, back) * 8 * UNIT <= TRANSFORM


@pytest.mark.long
def test_large_transforms_are_eight_times_as_good_as_assumed(figure: Figure) -> None:
    there, back = transforms_error(LARGE, LARGE)
    figure("large transforms: error in roundings", f"{there:.3f}, inverse {back:.3f}")
    assert max(there, back) * 8 * UNIT <= TRANSFORM


@pytest.mark.long
def test_a_transform_known_in_closed_form(figure: Figure) -> None:
    """Of 2^−j for j < N it is (1 − 2^−N)/(1 − w^k/2), and 2^−1000 more or less is nothing."""
    size = 2**20
    found = np.fft.rfft(0.5 ** np.minimum(np.arange(size), 1_074)).tolist()
    with ctx.workprec(120):
        error = 0.0
        for k in range(0, size // 2 + 1, 97):
            true = 1 / (1 - acb.exp_pi_i(acb(arb(-2 * k) / size)) / 2)
            error = max(error, float(abs(acb(found[k]) - true).upper()))
    figure("transform of 2^20: error in roundings", f"{error / 2 / 20 / UNIT:.4f}")
    assert error * 8 <= TRANSFORM * 20 * 2


def test_a_transform_of_single_precision_is_found() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.uniform(0, 1, 256)
    coarse = np.fft.rfft(numbers.astype(np.float32)).astype(np.complex128)
    assert forward_error(numbers, coarse) * UNIT > TRANSFORM


# --- doubles on one side -------------------------------------------------------------------------

RATIONALS: Final = st.one_of(
    st.fractions(),
    st.builds(
        lambda n, k: Fraction(n) * Fraction(10) ** k, st.integers(-99, 99), st.integers(-400, 400)
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(Fraction),
)


@settings(max_examples=300)
@given(RATIONALS)
def test_above_and_below_are_the_nearest_on_their_side(number: Fraction) -> None:
    high, low = above(number), below(number)
    assert math.isinf(high) or Fraction(high) >= number
    assert math.isinf(low) or Fraction(low) <= number
    if abs(number) < Fraction(10) ** 308:
        assert Fraction(math.nextafter(high, -math.inf)) < number
        assert Fraction(math.nextafter(low, math.inf)) > number
    else:
        assert abs(number) >= Fraction(10) ** 308


@given(st.fractions())
def test_the_nearest_double_alone_is_not_on_one_side(number: Fraction) -> None:
    nearest = float(number)
    assert below(number) <= nearest <= above(number)
    assert (Fraction(nearest) == number) == (below(number) == above(number))


def test_frozen_is_a_copy_that_cannot_change() -> None:
    array = np.array([1.0, 2.0])
    copy = frozen(array)
    array[0] = 5.0
    assert copy.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        copy[0] = 3.0


def test_the_errors_are_measured_by_their_definition() -> None:
    with ctx.workprec(140):
        assert in_units(1.0, arb(1)) == 0
        assert 0.99 < in_units(1.0, ball(1 - Fraction(1, 2**53))) < 1.01
