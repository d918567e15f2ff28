"""The pair of discrete Laplace noise against its definition, and vectors against one coordinate."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf
from typing import Final

import numpy as np
import pytest
from flint import arb

from discreet.distances import L1
from discreet.errors import MechanismError
from discreet.loss.divergence import Extended, Law, delta_at
from discreet.mechanisms import Laplace, laplace_pair
from discreet.mechanisms.laplace_pair import MOST, distribution, told_apart
from discreet.numbers import ball

SCALES: Final = (Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(10))
REACH: Final = 60


def moved(scale: Fraction, by: int) -> tuple[Law, Law]:
    """The noise by its definition: in place, and moved."""
    q = (-1 / ball(scale)).exp()
    size = int(REACH * scale) + by + 2

    def law(shift: int) -> Law:
        places = range(-size, size + 1)
        tail = 2 * q ** (size - by)
        return Law({n: (1 - q) / (1 + q) * q ** abs(n - shift) for n in places}, tail=tail)

    return law(0), law(by)


def float_of(number: Extended) -> float:
    return float(number) if isinstance(number, Fraction) else inf


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("by", [1, 2, 5])
def test_the_distribution_has_the_delta_of_the_definition(scale: Fraction, by: int) -> None:
    here, there = moved(scale, by)
    pld = distribution(scale, by)
    for part in (0, 1, 3, 7, 9):
        epsilon = Fraction(part, 10) * by / scale
        true, found = delta_at(here, there, epsilon), pld.delta(epsilon)
        assert true.low <= found.high
        assert found.low <= true.high
        assert float_of(found.high) - float_of(found.low) <= 1e-12


def test_a_scale_that_is_a_tenth_larger_is_refused_by_this_check() -> None:
    here, there = moved(Fraction(1), 2)
    found = distribution(Fraction(11, 10), 2).delta(1)
    assert found.high < delta_at(here, there, 1).low


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("by", [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_one_coordinate_that_moves_by_all_is_worst(scale: Fraction, by: tuple[int, int]) -> None:
    """All kinks of both curves, which decide for every ratio: of epsilon also below zero, where
    delta(−y) = e^−y·delta(y) + 1 − e^−y for both."""
    many = distribution(scale, by[0]) + distribution(scale, by[1])
    one = distribution(scale, sum(by))
    for k in range(sum(by) + 1):
        epsilon = Fraction(k) / scale
        assert many.delta(epsilon).low <= one.delta(epsilon).high
        assert float_of(many.delta(epsilon).high) <= float_of(one.delta(epsilon).high) + 1e-12


def test_one_coordinate_that_moves_by_less_is_not() -> None:
    many = distribution(Fraction(1), 2) + distribution(Fraction(1), 2)
    assert many.delta(1).low > distribution(Fraction(1), 3).delta(1).high


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("by", [0, 1, 4])
def test_twins_have_the_same_losses(scale: Fraction, by: int) -> None:
    twins = told_apart(scale, by).losses()
    atoms = distribution(scale, by).parts[0][0].forward.upper
    assert np.allclose(twins.losses[1], atoms.losses[1], rtol=1e-12, atol=1e-12)
    assert np.allclose(twins.masses[1], atoms.masses[1], rtol=1e-12)
    assert (twins.losses[0] <= atoms.losses[1]).all()
    assert (atoms.losses[0] <= twins.losses[1]).all()


def test_masses_enclose_the_definition() -> None:
    for scale, by in product(SCALES, (1, 3, 40)):
        atoms = distribution(scale, by).parts[0][0].forward.upper
        q = (-1 / ball(scale)).exp()
        true = [q**by / (1 + q)]
        true += [(1 - q) / (1 + q) * q**i for i in range(by - 1, 0, -1)]
        true += [1 / (1 + q)]
        for low, mass, high in zip(atoms.masses[0], true, atoms.masses[1], strict=True):
            assert arb(float(low)) < mass < arb(float(high))


def test_the_mechanism_asks_in_steps() -> None:
    fine = Laplace("1/2", step="1/10").pld(L1(1))
    assert fine == Laplace(5).pld(L1(10))
    assert fine != Laplace(5).pld(L1(9))
    assert Laplace(5).pld(L1(10)).epsilon(0).high == 2


def test_the_limit_is_another_law() -> None:
    """Many answers of the continuous law cost less than what is told."""
    limit, true = (1_000 * pld for pld in (Laplace(10).limit(L1(1)), Laplace(10).pld(L1(1))))
    assert f"{float_of(limit.epsilon('1e-6').high):.3f}" == "18.950"
    assert f"{float_of(true.epsilon('1e-6').high):.3f}" == "19.345"


def test_too_many_steps_are_refused() -> None:
    for asked in (distribution, told_apart):
        with pytest.raises(MechanismError, match="too many steps"):
            asked(Fraction(1), MOST)
    assert laplace_pair.told_apart(Fraction(10**6), 1000).missing == (0.0, 0.0)
