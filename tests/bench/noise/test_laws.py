"""The check that a contestant draws the law it was asked for, and that it rejects another."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from bench.figures import Draw
from bench.noise.laws import moments, objection
from bench.noise.plan import SETTINGS, Law, Setting


def summed(law: Law, scale: float, reach: int) -> tuple[float, float]:
    """The moments by the definition of the law, term by term."""
    ns = range(-reach, reach + 1)
    if law is Law.LAPLACE:
        weights = [exp(-abs(n) / scale) for n in ns]
    else:
        weights = [exp(-n * n / (2 * scale * scale)) for n in ns]
    mass = sum(weights)
    absolute = sum(abs(n) * w for n, w in zip(ns, weights, strict=True)) / mass
    return absolute, sum(n * n * w for n, w in zip(ns, weights, strict=True)) / mass


@pytest.mark.parametrize("law", Law)
@pytest.mark.parametrize("scale", ["1/2", "1", "22/7", "10", "1000"])
def test_moments_are_those_of_the_law(law: Law, scale: str) -> None:
    found = moments(law, Fraction(scale))
    absolute, square = summed(law, float(Fraction(scale)), 60 * int(Fraction(scale) + 1))
    assert found.absolute == pytest.approx(absolute, rel=1e-6)
    assert found.square == pytest.approx(square, rel=1e-6)


@pytest.mark.parametrize("law", Law)
def test_continuous_moments_are_those_of_numpy(law: Law) -> None:
    generator = np.random.default_rng(1)
    draw = generator.laplace if law is Law.LAPLACE else generator.normal
    sample = draw(scale=3.0, size=10**6)
    found = moments(law, Fraction(3), continuous=True)
    assert found.absolute == pytest.approx(np.abs(sample).mean(), rel=0.01)
    assert found.square == pytest.approx((sample**2).mean(), rel=0.02)


def drawn(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[Draw]:
    return [Draw(len(values), 1.0, 1.0, float(values.sum()), float(np.abs(values).sum()))]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_law_passes_and_its_neighbours_do_not(setting: Setting) -> None:
    count = 200_000
    generator = np.random.default_rng(2)
    expected = moments(setting.law, setting.scale, continuous=True)
    named = generator.laplace if setting.law is Law.LAPLACE else generator.normal
    scale = float(setting.scale)
    sample = named(scale=scale, size=count)
    assert objection(drawn(sample), expected) is None
    assert "mean size" in (objection(drawn(1.05 * sample), expected) or "")
    assert "mean size" in (objection(drawn(sample / 1.05), expected) or "")
    assert "not 0" in (objection(drawn(np.abs(sample)), expected) or "")
    if scale != 1:
        variance_for_sigma = named(scale=scale**2, size=count)
        assert objection(drawn(variance_for_sigma), expected) is not None


def test_too_few_samples_are_not_judged() -> None:
    assert objection([Draw(3, 1.0, 1.0, 1e9, 1e9)], moments(Law.LAPLACE, Fraction(1))) is None
