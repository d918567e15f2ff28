"""Rows drawn without replacement: exact laws of small tables against what is charged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Final

import numpy as np
import pytest

from discreet.loss.divergence import Law, hockey_stick
from discreet.loss.pld import Atoms, Twins, subset

Answer = Callable[[tuple[int, ...]], dict[int, Fraction]]
COIN: Final = {0: Fraction(3, 4), 1: Fraction(1, 4)}


def coin(rows: tuple[int, ...]) -> dict[int, Fraction]:
    """Whether the number of ones is odd, told with probability three quarters."""
    odd = sum(rows) % 2
    return {odd: Fraction(3, 4), 1 - odd: Fraction(1, 4)}


def steps(rows: tuple[int, ...]) -> dict[int, Fraction]:
    """The sum with two-sided noise of ratio one half, from 0 to 3 and clamped there."""
    q, total = Fraction(1, 2), sum(rows)
    law = dict.fromkeys(range(4), Fraction(0))
    for n in range(-60, 61):
        law[min(max(total + n, 0), 3)] += (1 - q) / (1 + q) * q ** abs(n)
    left = 1 - sum(law.values(), Fraction(0))
    law[0] += left / 2
    law[3] += left / 2
    return law


def drawn(answer: Answer, table: Sequence[int], taken: int) -> Law:
    """The law of what is told if each set of so many rows is drawn alike."""
    sets = list(combinations(table, taken))
    told: dict[int, Fraction] = {}
    for rows in sets:
        for outcome, chance in answer(rows).items():
            told[outcome] = told.get(outcome, Fraction(0)) + chance / len(sets)
    return Law(told)


def twins_of(answer: Answer, rows: int, values: Sequence[int]) -> list[Twins]:
    """Of all tables of so many rows that differ in one."""
    found = []
    for others in product(values, repeat=rows - 1):
        for one, other in product(values, repeat=2):
            p, q = answer((*others, one)), answer((*others, other))
            first = np.array([float(p[x]) for x in p])
            found.append(Twins(first, np.array([float(q[x]) for x in p]), 1e-15, (0.0, 0.0)))
    return found


def curve(atoms: Atoms, x: Fraction) -> float:
    """The upper end of sup P − x·Q."""
    beyond = np.log(float(x)) if x else -np.inf
    kept = atoms.losses[1] > beyond
    masses, losses = atoms.masses[1][kept], atoms.losses[1][kept]
    return float((masses * (1 - float(x) * np.exp(-losses))).sum()) + atoms.infinite[1]


RATIOS: Final = [Fraction(k, 20) for k in range(1, 80)]


@pytest.mark.parametrize("answer", [coin, steps])
@pytest.mark.parametrize(("taken", "rows"), [(1, 3), (2, 3), (2, 5), (3, 4), (3, 3)])
def test_tables_that_differ_in_a_row_are_no_farther_apart(
    answer: Answer, taken: int, rows: int
) -> None:
    """At ratios on both sides of one; the pair is the worst of all, since these are coins."""
    worst = max(
        twins_of(answer, taken, (0, 1)), key=lambda twins: abs(twins.first - twins.second).sum()
    )
    rate = Fraction(taken, rows)
    ways = (subset(worst, rate), subset(worst.turned(), rate))
    for others in product((0, 1), repeat=rows - 1):
        here, there = (drawn(answer, (*others, row), taken) for row in (0, 1))
        for x in RATIOS:
            allowed = max(curve(atoms, x) for atoms in ways)
            for a, b in ((here, there), (there, here)):
                assert float(_stick(a, b, x)) <= allowed + 1e-12


def _stick(p: Law, q: Law, x: Fraction) -> Fraction:
    if x >= 1:
        found = hockey_stick(p, q, x).low
    else:  # H_x(P, Q) = x·H_(1/x)(Q, P) + 1 − x
        found = hockey_stick(q, p, 1 / x).low
        assert isinstance(found, Fraction)
        found = x * found + 1 - x
    assert isinstance(found, Fraction)
    return found


def test_the_price_of_half_the_rate_is_refused_by_this_check() -> None:
    worst = twins_of(coin, 2, (0, 1))[1]
    here, there = (drawn(coin, (0, 0, row), 2) for row in (0, 1))
    cheap = subset(worst, Fraction(1, 3))
    assert any(float(_stick(here, there, x)) > curve(cheap, x) + 1e-6 for x in RATIOS)


def test_the_curve_is_met_by_a_coin() -> None:
    """One of n rows is drawn and told by the coin: exactly what the claim allows at x = 1."""
    worst = twins_of(coin, 1, (0, 1))[1]
    for rows in (2, 4):
        atoms = subset(worst, Fraction(1, rows))
        here, there = (drawn(coin, (0,) * (rows - 1) + (row,), 1) for row in (0, 1))
        assert curve(atoms, Fraction(1)) == pytest.approx(0.5 / rows, abs=1e-12)
        assert float(_stick(here, there, Fraction(1))) == pytest.approx(0.5 / rows, abs=1e-12)


def test_all_rows_are_no_sample() -> None:
    for twins in twins_of(steps, 1, (0, 1)):
        whole, all_drawn = twins.losses(), subset(twins, Fraction(1))
        for x in RATIOS:
            assert curve(all_drawn, x) == pytest.approx(curve(whole, x), abs=1e-12)


def test_the_curve_falls_and_bends_up() -> None:
    for twins in twins_of(steps, 2, (0, 1, 2)):
        for rate in (Fraction(1, 10), Fraction(1, 2)):
            heights = [curve(subset(twins, rate), x) for x in RATIOS]
            slopes = [b - a for a, b in pairwise(heights)]
            assert all(slope <= 1e-12 for slope in slopes)
            assert all(a <= b + 1e-12 for a, b in pairwise(slopes))


def test_what_is_not_listed_is_infinite() -> None:
    twins = Twins(np.array([0.5, 0.25]), np.array([0.25, 0.5]), 1e-15, (0.25, 0.25))
    atoms = subset(twins, Fraction(1, 2))
    assert atoms.infinite[1] >= 0.25
    assert curve(atoms, Fraction(100)) >= 0.25
