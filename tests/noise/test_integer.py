"""What the three integer laws have in common: parameters, shapes, entropy."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

from discreet.entropy import Entropy, Replay
from discreet.errors import DiscreetError, EntropyError
from discreet.noise import DiscreteGaussian, DiscreteLaplace, Geometric
from discreet.noise.integer import IntegerNoise

KINDS: list[type[Any]] = [DiscreteLaplace, DiscreteGaussian, Geometric]
BAD: list[Any] = [
    0,
    "0",
    -1,
    "-1/2",
    float("nan"),
    float("inf"),
    float("-inf"),
    "nan",
    "inf",
    Decimal("NaN"),
    None,
    True,
    "",
    "scale",
    np.float32(1),
    [1],
    2**40 + 1,
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", BAD, ids=repr)
def test_bad_scales_are_refused_with_a_cure(kind: type[Any], scale: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        kind(scale)
    assert refused.value.cure
    assert "cure:" in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_scale_is_refused_with_a_cure(kind: type[Any]) -> None:
    with pytest.raises(DiscreetError, match=r"missing|neither") as refused:
        kind()
    assert refused.value.cure


@pytest.mark.parametrize("variance", [*BAD[:-1], 2**80 + 1], ids=repr)
def test_bad_variances_are_refused_with_a_cure(variance: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        cast("Any", DiscreteGaussian)(variance=variance)
    assert refused.value.cure


def test_a_gaussian_has_a_scale_or_a_variance() -> None:
    with pytest.raises(DiscreetError, match="neither"):
        DiscreteGaussian()
    with pytest.raises(DiscreetError, match="both"):
        DiscreteGaussian(3, variance=9)
    assert DiscreteGaussian("22/7") == DiscreteGaussian(variance=Fraction(484, 49))


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_a_frozen_value(kind: type[Any]) -> None:
    noise = kind("22/7")
    assert noise == kind(Fraction(22, 7))
    assert hash(noise) == hash(kind(Fraction(22, 7)))
    assert kind(0.1) == kind("1/10") == kind(Decimal("0.1"))
    assert kind(2**40).sample(3).shape == (3,)
    with pytest.raises(AttributeError):
        setattr(noise, fields(noise)[0].name, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_one_call_for_a_scalar_and_for_arrays(kind: type[Any]) -> None:
    noise: IntegerNoise = kind(3)
    assert type(noise.sample()) is int
    for size, shape in (
        (0, (0,)),
        (1, (1,)),
        (5, (5,)),
        ((2, 3), (2, 3)),
        ((), ()),
        ((0, 4), (0, 4)),
    ):
        drawn = noise.sample(size)
        assert drawn.shape == shape
        assert drawn.dtype == np.int64
    assert noise.sample(np.int64(4)).shape == (4,)  # type: ignore[call-overload]


@pytest.mark.parametrize("size", [-1, 1.5, "many", (2, -1), [3], True, (2.5,)], ids=repr)
def test_bad_sizes_are_refused_with_a_cure(size: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        cast("Any", DiscreteLaplace(1)).sample(size)
    assert refused.value.code == "M20"


@pytest.mark.parametrize("kind", KINDS)
def test_samples_come_from_the_given_entropy_alone(kind: type[Any]) -> None:
    noise: IntegerNoise = kind(100)
    data = np.random.default_rng(7).bytes(10**6)
    first = noise.sample(5_000, entropy=Replay(data))
    assert (first == noise.sample(5_000, entropy=Replay(data))).all()
    assert noise.sample(entropy=Replay(data)) == noise.sample(entropy=Replay(data))
    other = np.random.default_rng(8).bytes(10**6)
    assert (first != noise.sample(5_000, entropy=Replay(other))).any()
    with pytest.raises(EntropyError):
        noise.sample(5_000, entropy=Replay(b"too little"))


class Broken(Entropy):
    def take(self, count: int) -> bytes:
        raise EntropyError(f"no {count} bytes", cure="none", code="N10")


@pytest.mark.parametrize("kind", KINDS)
def test_without_randomness_nothing_is_drawn(kind: type[Any]) -> None:
    for size in (None, 1, 10_000):
        with pytest.raises(EntropyError):
            kind(1).sample(size, entropy=Broken())


def test_the_smallest_scales_are_nearly_silent() -> None:
    """exp(-1000) is no noise to speak of, and still a law: nothing divides by zero."""
    for kind in KINDS:
        for scale in ("1/1000", "1e-30", "1e-300"):
            assert (kind(scale).sample(1000) == 0).all()
            assert kind(scale).sample() == 0
