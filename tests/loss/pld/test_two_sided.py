"""Continuous Laplace laws against closed forms and against themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial, inf

import flint
import pytest
from flint import arb

from discreet.loss.divergence import Extended
from discreet.loss.pld.two_sided import two_sided
from discreet.numbers import ball


def float_of(number: Extended) -> float:
    return float(number) if isinstance(number, Fraction) else inf


def once(epsilon: Fraction, at: Fraction) -> arb:
    """1 − e^((at − ε)/2) up to ε: half of the mass has the loss ε, the rest is spread below."""
    return arb(0) if at >= epsilon else 1 - (ball(at - epsilon) / 2).exp()


@pytest.mark.parametrize("epsilon", [Fraction(1, 1000), Fraction(1, 10), Fraction(2), Fraction(30)])
def test_one_answer_has_the_delta_of_the_closed_form(epsilon: Fraction) -> None:
    pld = two_sided(epsilon)
    for part in range(11):
        at = epsilon * part / 10
        true, found = once(epsilon, at), pld.delta(at)
        assert not true > ball(Fraction(float_of(found.high)))
        assert not true < ball(Fraction(float_of(found.low)))
        assert float_of(found.high) - float_of(found.low) <= 1e-3 * float_of(found.high) + 1e-12


def several(epsilon: Fraction, times: int, at: Fraction) -> arb:
    """Sum over how many losses are ε, −ε or between; between them the sum of k uniform ones has a
    density that is piecewise polynomial, times an exponential that does not depend on the place:
    integrated by Gauss and Legendre between its knots."""
    total = arb(0)
    for top in range(times + 1):
        for bottom in range(times + 1 - top):
            k = times - top - bottom
            ways = comb(times, top) * comb(times - top, bottom)
            weight = arb(ways) * arb(2) ** -(top + bottom) * (-ball(epsilon * bottom)).exp()
            total += weight * _between(epsilon, k, at - epsilon * (top - bottom))
    return total


def _between(e: Fraction, k: int, cut: Fraction) -> arb:
    """∫ of (1 − e^(cut − s))_+ over the density of s, a sum of k losses between −ε and ε of which
    each has the density e^((s − ε)/2)/4: e^((s − kε)/2)/4^k times the volume of Irwin and Hall."""
    if k == 0:
        return 1 - ball(cut).exp() if cut < 0 else arb(0)
    knots = sorted({-k * e + 2 * e * j for j in range(k + 1)} | {cut})
    return sum(
        (_piece(e, k, (low, high), cut) for low, high in pairwise(knots) if low >= cut), arb(0)
    )


def _piece(e: Fraction, k: int, ends: tuple[Fraction, Fraction], cut: Fraction) -> arb:
    nodes, low, high = 24, ball(ends[0]), ball(ends[1])
    found = arb(0)
    for j in range(nodes):
        x, w = arb.legendre_p_root(nodes, j, weight=True)
        s = (low + high) / 2 + (high - low) / 2 * x
        started = [i for i in range(k + 1) if -k * e + 2 * e * i <= ends[0]]
        volume = sum(
            ((-1) ** i * comb(k, i) * (s + ball(k * e - 2 * e * i)) ** (k - 1) for i in started),
            arb(0),
        ) / factorial(k - 1)
        density = volume * ((s - ball(k * e)) / 2).exp() / arb(4) ** k
        found += w * (high - low) / 2 * density * (1 - (ball(cut) - s).exp())
    return found


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)])
@pytest.mark.parametrize("times", [2, 3, 5])
def test_a_few_answers_against_an_integral(epsilon: Fraction, times: int) -> None:
    many = times * two_sided(epsilon)
    with flint.ctx.workprec(200):
        for part in (1, 4, 8):
            at = epsilon * times * part / 10
            true, found = float(several(epsilon, times, at)), many.delta(at)
            assert float_of(found.low) <= true * (1 + 1e-12)
            assert true * (1 - 1e-12) <= float_of(found.high)
            assert float_of(found.high) <= float_of(found.low) * (1 + 1e-3)


def test_a_shorter_move_is_refused_by_this_check() -> None:
    with flint.ctx.workprec(200):
        true = float(several(Fraction(2), 3, Fraction(3)))
    assert float_of((3 * two_sided(Fraction(199, 100))).delta(3).high) < true


def test_no_epsilon_is_more_than_pure() -> None:
    for epsilon in (Fraction(1, 7), Fraction(3)):
        found = two_sided(epsilon).epsilon(0)
        assert Fraction(float_of(found.low)) <= epsilon
        assert epsilon <= Fraction(float_of(found.high)) <= epsilon * (1 + Fraction(1, 100))
