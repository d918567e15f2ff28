"""The claim of atoms.md: the curve of a pair of laws lies between those of the two ends, one after
the other too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import nextafter

import numpy as np
import pytest
from flint import arb

from discreet.errors import LossError
from discreet.loss.divergence import Law
from discreet.loss.pld import atoms as module
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.floats import above, below
from discreet.numbers import at, ball
from tests.figures import Figure
from tests.loss.pld.exactly import (
    Points,
    Ratios,
    Weights,
    composed,
    encloses,
    exact,
    listed,
    lists,
    random_law,
)


def generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def pair(rng: np.random.Generator, size: int = 5) -> tuple[Weights, Weights]:
    return random_law(rng, size), random_law(rng, size)


# --- of two laws ----------------------------------------------------------------------------------


def test_the_losses_of_two_laws_lie_between_the_ends() -> None:
    rng = generator(1)
    for _ in range(200):
        p, q = pair(rng)
        assert encloses(Atoms.of(Law(p), Law(q)), Ratios.of(p, q))


def test_what_is_not_listed_may_be_anything() -> None:
    rng = generator(2)
    for _ in range(200):
        p, q = pair(rng)
        shown = [{x: w for x, w in law.items() if rng.random() < 0.7} for law in (p, q)]
        ours, theirs = (
            Law(part, 1 - sum(part.values(), Fraction(0)) + Fraction(int(rng.integers(2)), 9))
            for part in shown
        )
        assert encloses(Atoms.of(ours, theirs), Ratios.of(p, q))


def test_balls_lie_between_the_ends() -> None:
    rng = generator(3)
    for _ in range(150):
        p, q = pair(rng)

        def blurred(weight: Fraction) -> arb:
            width = Fraction(int(rng.integers(4)), 400)
            moved = ball(weight + width * int(rng.integers(-1, 2)))
            return at(100, lambda: arb(max(moved, ball(2 * width))) + arb(0, ball(2 * width)))

        ours, theirs = (Law({x: blurred(w) for x, w in law.items()}, tail=1) for law in (p, q))
        assert encloses(Atoms.of(ours, theirs), Ratios.of(p, q))


def test_a_list_that_hides_what_is_certain_is_found_out() -> None:
    p, q = {"a": Fraction(1, 3), "b": Fraction(2, 3)}, {"a": Fraction(1)}
    atoms = Atoms.of(Law(p), Law(q))
    truth = Ratios.of(p, q)
    assert encloses(atoms, truth)
    (less, more), (low, high) = atoms.masses, atoms.losses
    assert not encloses(Atoms.scattered((low, high), (less, more), (0.0, 0.5)), truth)
    assert not encloses(Atoms.scattered((low, high), (less, more), (0.7, 0.8)), truth)
    wrong = nextafter(1 / 3, 0.0), nextafter(1 / 3, 1.0)
    two = np.array([0.0]), np.array([0.0])
    assert not encloses(Atoms.scattered(two, (np.array([wrong[1]]),) * 2, (0.6, 0.8)), truth)
    assert not encloses(Atoms.scattered(two, (np.array([wrong[0]]),) * 2, (0.6, 0.7)), truth)


# --- one after the other --------------------------------------------------------------------------


def test_scattered_lists_one_after_the_other() -> None:
    rng = generator(4)
    for _ in range(60):
        first, second = pair(rng, 4), pair(rng, 3)
        one, other = (Atoms.of(Law(p), Law(q)) for p, q in (first, second))
        truth = [(Ratios.of(*first), 2), (Ratios.of(*second), 1)]
        for both in (one.squared().times(other), one.times(other).times(one)):
            assert encloses(both, composed(truth))


def test_no_sum_of_two_losses_is_outside_its_ends() -> None:
    """Powers of two, and half of a last digit: what rounds to even moves by all that it can."""
    rng = generator(5)
    places = [sign * 2.0**k for k in (-1, 0, 1, 5) for sign in (-1, 1)]
    for place in places:
        for less in [2.0**-53, -(2.0**-53), 2.0**-54, 3 * 2.0**-54, *rng.normal(size=5) * 2.0**-52]:
            summed = listed([place], [1.0]).times(listed([less * abs(place)], [1.0]))
            low, high = (exact(end)[0] for end in summed.losses)
            assert low <= Fraction(place) + Fraction(less * abs(place)) <= high


def test_one_rounding_is_not_enough_for_a_sum() -> None:
    """As the code had it: twice as much is needed beside a power of two."""
    place, unit = 1 + 2.0**-53, 2.0**-53
    assert place + unit * place == 1.0
    assert Fraction(place + unit * place) < 1 + Fraction(unit)


def on_a_lattice(rng: np.random.Generator, size: int, reach: int) -> tuple[Points, Atoms]:
    """A law on a lattice, and atoms whose ends are around it."""
    step = Fraction(1, int(rng.choice([1, 7, 10**9])))
    index = rng.choice(np.arange(-reach, reach + 1), size, replace=False)
    parts = [int(part) for part in rng.integers(1, 10**6, size + 1)]
    minute = rng.random() < 0.3
    masses = [
        Fraction(part, sum(parts)) / (10 ** int(rng.integers(300)) if minute else 1)
        for part in parts
    ]
    infinite = 1 - sum(masses[1:], Fraction(0)) if rng.random() < 0.6 else Fraction(0)
    if infinite == 0:
        masses[1] += 1 - sum(masses[1:], Fraction(0))
    truth = Points.made((int(i) * step for i in index), masses[1:], infinite)
    less, more = (np.array([rounded(mass) for mass in masses[1:]]) for rounded in (below, above))
    wider = rng.random() < 0.5
    ends = (less * 0.999, more * 1.001) if wider else (less, more)
    return truth, Atoms.on_lattice(step, index, ends, (below(infinite), above(infinite)))


def between(atoms: Atoms, truth: Points) -> bool:
    low, high = Points.of_atoms(atoms, 0), Points.of_atoms(atoms, 1)
    return truth.dominates(low) and high.dominates(truth)


def test_lattices_are_convolved_as_rationals_are() -> None:
    rng = generator(6)
    for _ in range(60):
        truth, atoms = on_a_lattice(rng, int(rng.integers(1, 9)), 12)
        again, _ = truth, atoms
        assert between(atoms, truth)
        assert between(atoms.squared(), truth.times(truth))
        assert between(atoms.squared().times(atoms), truth.times(again).times(truth))
        assert between(atoms.squared().squared(), truth.times(truth).times(truth).times(truth))
        assert atoms.squared().step == atoms.step


@pytest.mark.long
def test_lattices_of_two_thousand_points_are_convolved_as_rationals_are(figure: Figure) -> None:
    rng = generator(7)
    truth, atoms = on_a_lattice(rng, 1_000, 1_000)
    twice = truth.times(truth)
    square = atoms.squared()
    assert between(square, twice)
    figure("atoms: points of a convolution against rationals", str(len(square)))


def test_losses_of_lattices_lie_between_their_ends() -> None:
    for step in map(Fraction, ("1/7", "1e-9", "1e-320", "3e-322", "1e300", "123456789/1000")):
        index = np.array([-(2**62) - 1, -(2**53) - 1, -7, 0, 3, 2**53 + 1, 2**62 + 1])
        index = index if step < 1e200 else np.array([-7, 0, 3])
        ones = np.ones(len(index))
        atoms = Atoms.on_lattice(step, index, (ones, ones))
        for low, high, i in zip(*map(exact, atoms.losses), index.tolist(), strict=True):
            assert low <= i * step <= high
            assert high - low <= abs(i * step) * Fraction(2, 10**15) + Fraction(1, 10**300)


def test_lists_that_are_trimmed_tell_no_less_and_no_more() -> None:
    rng = generator(8)

    def cut(atoms: Atoms) -> Atoms:
        low, high = sorted(rng.choice(np.arange(len(atoms) + 1), 2, replace=False).tolist())
        part = atoms.trimmed(low, high)
        assert len(part) == high - low
        return part

    for atoms, _ in lists(8, 150):
        part = cut(atoms)
        assert Points.of_atoms(part, 1).dominates(Points.of_atoms(atoms, 1))
        assert Points.of_atoms(atoms, 0).dominates(Points.of_atoms(part, 0))
    for _ in range(60):
        truth, atoms = on_a_lattice(rng, 8, 12)
        assert between(cut(atoms), truth)
        assert between(cut(atoms).times(cut(atoms)), truth.times(truth))


def test_what_is_trimmed_and_forgotten_is_found_out() -> None:
    atoms = listed([-1.0, 0.0, 1.0], [0.25, 0.25, 0.5])
    part = atoms.trimmed(1, 2)
    whole = Points.of_atoms(atoms, 1)
    for mutant in (
        Atoms.scattered(part.losses, part.masses, (0.0, 0.0)),
        Atoms.scattered(part.losses, (part.masses[0], atoms.masses[1][1:2]), part.infinite),
    ):
        assert not Points.of_atoms(mutant, 1).dominates(whole)


def test_what_is_too_small_for_a_double_is_kept() -> None:
    """The mass of the highest loss is 1e-400."""
    both = np.array([1.0, 1e-200])
    atoms = Atoms.on_lattice(Fraction(1), np.array([-1, 5]), (both, both))
    square = atoms.squared()
    assert square.index is not None
    assert square.index.tolist() == [-2, 4, 10]
    scattered = listed([-1.0, 5.0], [1.0, 1e-200]).squared()
    for found in (square, scattered):
        assert found.masses[0][-1] == 0 < found.masses[1][-1]


def test_all_is_told_by_one_of_two() -> None:
    """With 1/10 each it is 19/100: neither 1/10, nor 2/10."""
    half = Ratios({Fraction(1): Fraction(9, 10)}, Fraction(1, 10))
    once = listed([0.0], [0.9])
    atoms = Atoms.scattered(
        once.losses,
        (np.array([below(Fraction(9, 10))]), np.array([above(Fraction(9, 10))])),
        (below(Fraction(1, 10)), above(Fraction(1, 10))),
    )
    twice = atoms.squared()
    assert encloses(twice, half.times(half))
    low, high = twice.infinite
    assert 0.19 - 1e-15 < low <= Fraction(19, 100) <= high < 0.19 + 1e-15
    for wrong in ((0.2, 0.2), (0.1, 0.1)):
        assert not encloses(Atoms.scattered(twice.losses, twice.masses, wrong), half.times(half))


# --- as a list ------------------------------------------------------------------------------------


def test_losses_rise_by_their_upper_ends() -> None:
    for atoms, _ in lists(9, 100):
        assert all(one <= other for one, other in pairwise(atoms.losses[1].tolist()))


def test_masses_without_a_known_loss_count_for_upper_ends_only() -> None:
    inf, mass = float("inf"), np.array([0.25, 0.5, 0.125])
    low, high = np.array([-inf, 0.0, 2.0]), np.array([1.0, inf, 2.0])
    atoms = Atoms.scattered((low, high), (mass, mass), (0.0, 0.0))
    assert Points.of_atoms(atoms, 0) == Points(
        {Fraction(1): Fraction(0), Fraction(2): Fraction(1, 8)}
    )
    top = Points.of_atoms(atoms, 1)
    assert top.masses == {Fraction(1): Fraction(1, 4), Fraction(2): Fraction(1, 8)}
    assert Fraction(1, 2) <= top.infinite < Fraction(1, 2) + Fraction(1, 10**12)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(bad: float) -> None:
    one, wrong = np.ones(1), np.array([bad])
    with pytest.raises(LossError):
        Atoms.scattered((one, one), (one, wrong))
    with pytest.raises(LossError):
        Atoms.on_lattice(Fraction(1), np.array([1]), (wrong, wrong))
    with pytest.raises(LossError):
        Atoms.scattered((one, np.array([float("nan")])), (one, one))
    with pytest.raises(LossError):
        Atoms.on_lattice(Fraction(10**400), np.array([0, 1]), (np.ones(2), np.ones(2)))
    with pytest.raises(LossError):
        Atoms.on_lattice(Fraction(10**308), np.array([0, 100]), (np.ones(2), np.ones(2)))


def test_too_many_atoms_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 5)
    assert len(listed(range(5), [0.1] * 5)) == 5
    with pytest.raises(LossError, match="more atoms"):
        listed(range(6), [0.1] * 6)


def test_lists_of_nothing_add_up_to_nothing() -> None:
    nothing = np.zeros(0)
    scattered = Atoms.scattered((nothing, nothing), (nothing, nothing), (0.5, 0.5))
    lattice = Atoms.on_lattice(Fraction(1), np.array([], np.int64), (nothing, nothing), (0.5, 0.5))
    for one in (scattered, lattice):
        assert (len(one), one.span) == (0, 0)
        for other in (scattered, lattice, listed([1.0], [0.5], 0.5)):
            both = one.times(other)
            assert len(both) == 0
            assert both.infinite[1] >= 0.5
        assert len(one.squared()) == 0


def test_two_lists_are_equal_if_all_their_numbers_are() -> None:
    one = listed([1.0, 2.0], [0.5, 0.25], 0.125)
    assert one == listed([2.0, 1.0], [0.25, 0.5], 0.125)
    others: list[Callable[[], Atoms]] = [
        lambda: listed([1.0, 2.5], [0.5, 0.25], 0.125),
        lambda: listed([1.0, 2.0], [0.5, 0.5], 0.125),
        lambda: listed([1.0, 2.0], [0.5, 0.25], 0.25),
        lambda: listed([1.0], [0.5], 0.125),
    ]
    assert all(one != other() for other in others)


def test_no_number_of_a_list_can_be_changed() -> None:
    both = np.array([0.5, 0.25])
    lattice = Atoms.on_lattice(Fraction(1), np.array([1, 2]), (both, both))
    both[0] = 0.0
    assert lattice.masses[1].tolist() == [0.5, 0.25]
    assert lattice.index is not None
    for array in (*lattice.losses, *lattice.masses, lattice.index):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3
    with pytest.raises(AttributeError):
        replace(Losses.exactly(lattice)).lower = lattice  # type: ignore[misc]
