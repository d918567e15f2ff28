"""The envelope of a family of pairs against the pairs themselves, in balls of 600 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import pytest
from flint import arb, ctx

from discreet.loss.pld import PLD, Atoms, Losses, Pair, subset
from discreet.loss.pld.envelope import Envelope
from discreet.loss.pld.floats import SMALLEST, Reals, Whole, above
from discreet.numbers import up

Law: TypeAlias = list[tuple[Fraction, Fraction]]
"""The masses of each outcome under two laws."""
Curve: TypeAlias = Callable[[arb], arb]
BITS: Final = 600
STEPS: Final = (Fraction(1, 7), Fraction(3, 2), Fraction(1, 1000), Fraction(1, 10**9), Fraction(40))


def ball(number: Fraction | float) -> arb:
    exactly = Fraction(number)
    return arb(exactly.numerator) / arb(exactly.denominator)


def family(seed: int, size: int, widest: float) -> list[Law]:
    """Pairs of laws that are the same both ways: each outcome has its mirror image."""
    rng = np.random.Generator(np.random.PCG64(seed))
    found = []
    for _ in range(size):
        outcomes = int(rng.integers(1, 5))
        weights = [Fraction(w) for w in 10.0 ** rng.uniform(-6, 0, outcomes)]
        ratios = [Fraction(r) for r in np.exp(rng.uniform(0, widest, outcomes))]
        half = [(w, w / r) for w, r in zip(weights, ratios, strict=True)]
        law = [*half, *((q, p) for p, q in half), (Fraction(1, 100), Fraction(1, 100))]
        if rng.integers(3) == 0:
            law += [(Fraction(1, 10**6), Fraction(0)), (Fraction(0), Fraction(1, 10**6))]
        total = sum(p for p, _ in law)
        found.append([(p / total, q / total) for p, q in law])
    return found


def over(law: Law, x: arb) -> arb:
    """P(S) − x·Q(S) of the best event."""
    differences = (ball(p) - x * ball(q) for p, q in law)
    return sum((max(d, arb(0), key=float) for d in differences), arb(0))


def of_atoms(atoms: Atoms) -> Curve:
    """Of the upper ends, which are doubles or multiples of a step."""
    losses = [Fraction(loss) for loss in atoms.losses[1].tolist()]
    if atoms.step is not None and atoms.index is not None:
        losses = [int(i) * atoms.step for i in atoms.index]
    ratios = [ball(loss).exp() for loss in losses]
    masses = [ball(mass) for mass in atoms.masses[1].tolist()]

    def shown(x: arb) -> arb:
        found = ball(atoms.infinite[1])
        for mass, ratio in zip(masses, ratios, strict=True):
            if ratio > x:
                found += mass * (1 - x / ratio)
        return found

    return shown


def places(laws: Sequence[Law], atoms: Atoms) -> list[arb]:
    """The kinks of all curves, which are straight between them; nothing, and beyond all of them."""
    ratios = [ball(p) / ball(q) for law in laws for p, q in law if p > 0 and q > 0]
    ratios += [ball(loss).exp() for loss in atoms.losses[1].tolist()]
    return [arb(0), *ratios, 2 * max(ratios, key=float)]


def grid(step: Fraction, parity: int, widest: float) -> Whole:
    most = min(60, int(widest / float(step)) + 2)
    return parity + np.arange(most, dtype=np.int64) * max(1, int(widest / float(step) / most))


def heights(laws: Sequence[Law], step: Fraction, index: Whole) -> Reals:
    def worst(i: int) -> float:
        highs = [over(law, ball(i * step).exp()) for law in laws]
        return max(above(up(lambda high=high: high)) for high in highs)  # type: ignore[misc]

    return np.array([worst(i) for i in index.tolist()])


def made(seed: int) -> tuple[list[Law], Envelope]:
    step, parity = STEPS[seed % len(STEPS)], seed // len(STEPS) % 2
    widest = [3.0, 0.01, 30.0][seed % 3]
    laws = family(seed, 1 + seed % 4, widest)
    index = grid(step, parity, widest)
    return laws, Envelope.of(step, index, heights(laws, step, index))


def dominated(laws: Sequence[Law], atoms: Atoms) -> bool:
    with ctx.workprec(BITS):
        shown = of_atoms(atoms)
        asked = places(laws, atoms)
        return all(not shown(x) < over(law, x) for law in laws for x in asked)


@pytest.mark.parametrize("seed", range(30))
def test_an_envelope_dominates_every_member(seed: int) -> None:
    with ctx.workprec(BITS):
        laws, envelope = made(seed)
    assert dominated(laws, envelope.atoms())


def test_it_joins_the_heights_by_chords() -> None:
    with ctx.workprec(BITS):
        laws, step = family(3, 3, 3.0), Fraction(1, 7)
        index = grid(step, 0, 3.0)
        high = heights(laws, step, index)
        shown = of_atoms(Envelope.of(step, index, high).atoms())
        for i, height in zip(index.tolist(), high.tolist(), strict=True):
            found = shown(ball(i * step).exp())
            assert height <= float(found) <= height * (1 + 1e-13)


def lowered(masses: Reals) -> Reals:
    """The largest mass but the first, a place down."""
    found, k = masses.copy(), 1 + int(masses[1:].argmax())
    found[k - 1], found[k] = found[k - 1] + found[k], 0.0
    return found


MUTANTS: Final[dict[str, Callable[[Envelope], Envelope]]] = {
    "a hair less": lambda e: replace(e, masses=e.masses * (1 - 1e-12)),
    "without a centre": lambda e: replace(e, masses=np.append(0.0, e.masses[1:])),
    "nothing infinite": lambda e: replace(e, infinite=0.0),
    "a step lower": lambda e: replace(e, masses=np.append(e.masses[1:], 0.0)),
    "the largest goes down": lambda e: replace(e, masses=lowered(e.masses)),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
@pytest.mark.parametrize("parity", [0, 1])
def test_what_hides_anything_is_refused(
    mutant: Callable[[Envelope], Envelope], parity: int
) -> None:
    sure, near, far, rest = Fraction(1, 1000), Fraction(2, 5), Fraction(1, 10), Fraction(499, 1000)
    laws, step = family(5, 3, 0.1), Fraction(1, 7)
    laws.append([(sure, Fraction(0)), (Fraction(0), sure), (near, far), (far, near), (rest, rest)])
    with ctx.workprec(BITS):
        index = grid(step, parity, 3.0)
        envelope = Envelope.of(step, index, heights(laws, step, index))
    assert dominated(laws, envelope.atoms())
    assert not dominated(laws, mutant(envelope).atoms())


@pytest.mark.parametrize("seed", range(10))
def test_a_member_that_is_left_out_is_missed(seed: int) -> None:
    """Of two laws that cross, the heights of one do not cover the other."""
    step, index = Fraction(1, 8), np.arange(0, 40)
    near, far = (
        [(a, b), (b, a), (1 - a - b, 1 - a - b)]
        for a, b in ((Fraction(2, 5), Fraction(1, 5)), (Fraction(seed + 1, 90), Fraction(0)))
    )
    with ctx.workprec(BITS):
        both, one, other = (
            Envelope.of(step, index, heights(laws, step, index)).atoms()
            for laws in ([near, far], [near], [far])
        )
    assert dominated([near, far], both)
    assert not dominated([far], one)
    assert not dominated([near], other)


@pytest.mark.parametrize("seed", range(0, 30, 3))
def test_its_two_laws_are_the_same_both_ways(seed: int) -> None:
    with ctx.workprec(BITS):
        _, envelope = made(seed)
        atoms, twins = envelope.atoms(), envelope.twins()
        assert atoms.index is not None
        assert atoms.step is not None
        masses = dict(zip(envelope.index.tolist(), envelope.masses.tolist(), strict=True))
        listed = dict(zip(atoms.index.tolist(), atoms.masses[1].tolist(), strict=True))
        half = len(twins.first) // 2
        for i, mass in masses.items():
            if i == 0 or mass == 0:
                continue
            mirrored = ball(mass) * (-ball(i * atoms.step)).exp()
            assert listed[i] == mass
            assert mirrored <= listed[-i] <= mirrored * (1 + 1e-12) + SMALLEST
        outcomes = sorted([-i for i in masses if i] + list(masses))
        assert np.array_equal(twins.first, twins.second[::-1])
        assert len(outcomes) == len(twins.first)
        for i, first in zip(outcomes[:half], twins.first[:half].tolist(), strict=True):
            mirrored = ball(masses[-i]) * ball(i * atoms.step).exp()
            assert abs(mirrored - first) <= twins.error * mirrored + arb(2) ** -1074
        total = sum(map(Fraction, atoms.masses[1].tolist()), Fraction(atoms.infinite[1]))
        assert 1 <= total < 1 + 1e-10


def sampled(law: Law, rate: Fraction) -> tuple[Law, Law]:
    """With a row and without, and the other way."""
    mixed = [(rate * p + (1 - rate) * q, q) for p, q in law]
    return mixed, [(q, p) for p, q in mixed]


@pytest.mark.parametrize("seed", [0, 1, 3, 6, 7, 12])
@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(1, 2), Fraction(1)])
def test_samples_of_members_are_dominated_both_ways(seed: int, rate: Fraction) -> None:
    with ctx.workprec(BITS):
        laws, envelope = made(seed)
    mixed = envelope.twins().mixed(rate)
    ways = zip(*(sampled(law, rate) for law in laws), strict=True)
    for laws_of_way, twins in zip(ways, (mixed, mixed.turned()), strict=True):
        assert dominated(laws_of_way, twins.losses())


@pytest.mark.parametrize("seed", [0, 1, 3, 6])
def test_a_sample_at_half_the_rate_is_refused_by_this_check(seed: int) -> None:
    with ctx.workprec(BITS):
        laws, envelope = made(seed)
    mixed = envelope.twins().mixed(Fraction(1, 4))
    with_it, without = zip(*(sampled(law, Fraction(1, 2)) for law in laws), strict=True)
    assert not dominated(with_it, mixed.losses())
    assert not dominated(without, mixed.turned().losses())


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_subsets_of_members_are_dominated(seed: int) -> None:
    """As subset.md has it: γ·f((x − 1 + γ)/γ) at x ≥ 1, and the mirror image below."""
    rate = Fraction(1, 3)
    with ctx.workprec(BITS):
        laws, envelope = made(seed)
        shown = of_atoms(subset(envelope.twins(), rate))
        for law in laws:
            for x in (arb(k) / 7 for k in range(7, 30)):
                high = ball(rate) * over(law, (x - 1 + ball(rate)) / ball(rate))
                assert not shown(x) < high
                assert not shown(1 / x) < 1 - 1 / x + high / x


@pytest.mark.parametrize("members", [1, 2])
def test_of_several_answers_the_upper_end_stands(members: int) -> None:
    """Three answers, each of any member, against all their outcomes; of one it is near."""
    with ctx.workprec(BITS):
        laws = family(9, members, 1.0)
        step, index = Fraction(1, 30), np.arange(0, 60)
        upper = Envelope.of(step, index, heights(laws, step, index)).atoms()
        nothing = Atoms.on_lattice(step, np.array([0]), (np.ones(1), np.ones(1)))
        pld = 3 * PLD.of(Pair.even(Losses(nothing, upper)))
        one, other = laws[0], laws[-1]
        three = [(p * r * t, q * s * u) for p, q in one for r, s in other for t, u in one]
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2)):
            high, true = pld.delta(epsilon).high, float(over(three, ball(epsilon).exp()))
            assert isinstance(high, Fraction)
            assert true * (1 - 1e-15) <= high
            assert members == 2 or float(high) <= 1.1 * true + 1e-6


def test_heights_that_bend_the_wrong_way_stay_covered() -> None:
    """Numbers that no convex curve has, as rounding may make them."""
    rng = np.random.Generator(np.random.PCG64(4))
    step = Fraction(1, 5)
    for _ in range(20):
        high = np.sort(rng.uniform(0, 1, 12))[::-1] * (1 + rng.uniform(-1e-3, 1e-3, 12))
        envelope = Envelope.of(step, np.arange(12), high)
        with ctx.workprec(BITS):
            shown = of_atoms(envelope.atoms())
            found = [shown(ball(i * step).exp()) for i in range(12)]
            assert all(a >= min(b, 1.0) for a, b in zip(found, high.tolist(), strict=True))
            slopes = [
                (a - b) / (ball((i + 1) * step).exp() - ball(i * step).exp())
                for i, (a, b) in enumerate(pairwise(found))
            ]
            assert all(not b > a * (1 + arb(1e-12)) for a, b in pairwise(slopes))
