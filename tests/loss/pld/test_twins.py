"""The claim of twins.md: with what is mixed in, shifted and hidden, the losses lie between the
ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import pytest

from discreet.loss.divergence import Law, delta_at
from discreet.loss.pld.floats import above
from discreet.loss.pld.listed import Listed
from discreet.loss.pld.twins import Twins
from tests.loss.pld.exactly import Ratios, Weights, encloses, random_law

RATES: Final = [
    Fraction(rate) for rate in ("0", "1e-400", "1e-300", "1e-9", "1/100", "1/3", "1/2", "1")
]
Mutant: TypeAlias = Callable[[Twins], Twins]
EPSILONS: Final = [Fraction(e) for e in ("0", "1e-9", "1/100", "1/10", "1/2", "1", "3", "50")]


def generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def twins(rng: np.random.Generator, p: Weights, q: Weights, error: float) -> Twins:
    """Masses that are wrong by as much as they say, and some that are missing."""
    names = sorted(set(p) | set(q))
    shown = [name for name in names if rng.random() < 0.8]
    columns, missing = [], []
    for law in (p, q):
        exact = np.array([float(law.get(name, Fraction(0))) for name in shown])
        columns.append(exact * (1 + 0.99 * error * rng.choice([-1, 1], len(shown))))
        hidden = sum((w for name, w in law.items() if name not in shown), Fraction(0))
        missing.append(above(hidden))
    return Twins(columns[0], columns[1], error, (missing[0], missing[1]))


def mixture(p: Weights, q: Weights, rate: Fraction) -> Weights:
    nothing = Fraction(0)
    return {x: rate * p.get(x, nothing) + (1 - rate) * q.get(x, nothing) for x in {**p, **q}}


@pytest.mark.parametrize("error", [2.0**-50, 2.0**-40, 2.0**-12])
def test_two_laws_and_their_mixtures_lie_between_the_ends(error: float) -> None:
    rng = generator(1)
    for _ in range(25):
        p, q = random_law(rng, 6), random_law(rng, 6)
        made = twins(rng, p, q, error)
        assert encloses(made.losses(), Ratios.of(p, q))
        assert encloses(made.turned().losses(), Ratios.of(q, p))
        for rate in RATES:
            mixed = mixture(p, q, rate)
            assert encloses(made.mixed(rate).losses(), Ratios.of(mixed, q))
            assert encloses(made.mixed(rate).turned().losses(), Ratios.of(q, mixed))


def test_delta_of_a_mixture_is_that_of_the_mixed_law() -> None:
    rng = generator(2)
    for _ in range(20):
        p, q = (
            {x: (w + Fraction(1, 100)) / Fraction(105, 100) for x, w in random_law(rng, 5).items()}
            for _ in range(2)
        )
        full = Twins(
            np.array([float(w) for w in p.values()]),
            np.array([float(q[x]) for x in p]),
            2.0**-52,
            (0.0, 0.0),
        )
        for rate in RATES:
            law, other = Law(mixture(p, q, rate)), Law(q)
            there = full.mixed(rate)
            for made, (one, two) in ((there, (law, other)), (there.turned(), (other, law))):
                atoms = made.losses()
                for epsilon in EPSILONS:
                    true = delta_at(one, two, epsilon)
                    low, high = (
                        Listed.of(atoms, side).delta(_at(epsilon, side)) for side in (-1, 1)
                    )
                    assert Fraction(low[0]) <= true.low
                    assert true.high <= Fraction(high[0])
                    assert high[0] - low[0] < 1e-13


def _at(epsilon: Fraction, side: int) -> float:
    """No epsilon but a double is asked for: the one beyond, for a lower end."""
    return -above(-epsilon) if side > 0 else above(epsilon)


@pytest.mark.parametrize("by", [0, 1, 3, 8, 9, 10, 30])
def test_a_law_against_itself_moved_up(by: int) -> None:
    rng = generator(3)
    for error in (2.0**-50, 2.0**-20):
        for _ in range(15):
            law = random_law(rng, 9, "012345678")
            tails = Fraction(int(rng.integers(3)), 10)
            whole = {str(int(x)): w * (1 - tails) for x, w in law.items()}
            whole["-50"], whole["60"] = tails / 2, tails / 2
            moved = {str(int(x) + by): w for x, w in whole.items()}
            masses = np.array([float(whole[str(i)]) for i in range(9)])
            masses *= 1 + 0.99 * error * rng.choice([-1, 1], 9)
            made = Twins.shifted(masses, by, error, above(tails))
            assert encloses(made.losses(), Ratios.of(whole, moved))
            assert encloses(made.turned().losses(), Ratios.of(moved, whole))
            rate = Fraction(1, 3)
            mixed = made.mixed(rate)
            assert encloses(mixed.losses(), Ratios.of(mixture(whole, moved, rate), moved))


def test_what_is_minute_counts_as_hidden() -> None:
    """A first mass below all that is exact, and a second one below: neither has a known ratio."""
    minute = Fraction(1, 2**1_010)
    p = {"a": minute, "b": Fraction(1, 2), "c": Fraction(1, 2) - minute}
    q = {"a": Fraction(1, 2), "b": minute, "c": Fraction(1, 2) - minute}
    made = Twins(
        np.array([float(w) for w in p.values()]),
        np.array([float(w) for w in q.values()]),
        2.0**-52,
        (0.0, 0.0),
    )
    for rate in RATES:
        mixed = made.mixed(rate)
        truth = mixture(p, q, rate)
        assert encloses(mixed.losses(), Ratios.of(truth, q))
        assert encloses(mixed.turned().losses(), Ratios.of(q, truth))


# --- mutants -------------------------------------------------------------------------------------


def cases(seed: int, error: float) -> list[tuple[Twins, Weights, Weights]]:
    rng = generator(seed)
    found = []
    for _ in range(40):
        p, q = random_law(rng, 6), random_law(rng, 6)
        found.append((twins(rng, p, q, error), p, q))
    return found


def test_what_is_forgotten_is_found_out() -> None:
    every = cases(4, 2.0**-30)
    mutants: list[Mutant] = [
        lambda made: replace(made, missing=(0.0, 0.0)),
        lambda made: replace(made, error=0.0),
    ]
    for mutant in mutants:
        found = sum(not encloses(mutant(made).losses(), Ratios.of(p, q)) for made, p, q in every)
        assert found > 10


def test_a_mixture_that_is_wrong_is_found_out() -> None:
    rate = Fraction(1, 3)
    every = cases(5, 2.0**-40)

    def found(wrong: Mutant) -> int:
        return sum(
            not encloses(wrong(made).losses(), Ratios.of(mixture(p, q, rate), q))
            for made, p, q in every
        )

    assert found(lambda made: made.mixed(rate)) == 0
    mutants: list[Mutant] = [
        lambda made: made.mixed(1 - rate),
        lambda made: made.turned().mixed(rate).turned(),
        lambda made: replace(made.mixed(rate), missing=(0.9 * made.mixed(rate).missing[0], 0.0)),
        lambda made: replace(made.mixed(rate), second=made.first),
    ]
    for mutant in mutants:
        assert found(mutant) > 10


def test_a_move_in_the_other_direction_is_found_out() -> None:
    masses = np.array([0.5, 0.25, 0.125, 0.125])
    law = {str(i): Fraction(mass) for i, mass in enumerate(masses.tolist())}
    up, down = ({str(int(x) + by): w for x, w in law.items()} for by in (1, -1))
    made = Twins.shifted(masses, 1, 0.0, 0.0)
    assert encloses(made.losses(), Ratios.of(law, up))
    assert not encloses(made.losses(), Ratios.of(law, down))
