"""The pair of discrete Gaussian noise against its definition, and moves against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, inf, sqrt
from time import perf_counter
from typing import Final, TypeAlias

import flint
import numpy as np
import pytest
from flint import arb, arb_poly

from discreet.distances import L2
from discreet.errors import MechanismError
from discreet.loss.divergence import Extended, Law, delta_at
from discreet.loss.pld import Atoms
from discreet.loss.pld.envelope import Envelope
from discreet.mechanisms import Gaussian, gaussian_pair
from discreet.mechanisms.compose import compose
from discreet.mechanisms.gaussian_pair import LONGEST, beside, distribution, one, summed, told_apart
from discreet.noise import DiscreteGaussian
from discreet.numbers import ball
from tests.figures import Figure

VARIANCES: Final = (Fraction(1, 4), Fraction(1), Fraction(9, 2), Fraction(100))


def float_of(number: Extended) -> float:
    return float(number) if isinstance(number, Fraction) else inf


def weights(variance: Fraction, reach: int) -> list[arb]:
    """By the definition: e^(−n²/2σ²) over their sum, from −reach to reach."""
    with flint.ctx.workprec(300):
        bare = [(-ball(n * n / (2 * variance))).exp() for n in range(-reach, reach + 1)]
        far = int(20 * float(variance) ** 0.5) + reach
        total = sum((-ball(n * n / (2 * variance))).exp() for n in range(-far, far + 1))
        return [weight / total for weight in bare]


def joint(variance: Fraction, move: tuple[int, ...], reach: int) -> tuple[Law, Law]:
    """Vectors of noise, in place and moved."""
    noise = weights(variance, reach + 3)
    laws = []
    with flint.ctx.workprec(300):
        for shift in ((0,) * len(move), move):
            law = {}
            for place in product(range(-reach, reach + 1), repeat=len(move)):
                chance = arb(1)
                for n, s in zip(place, shift, strict=True):
                    chance *= noise[n - s + reach + 3]
                law[place] = chance
            laws.append(Law(law, tail=1 - sum(law.values()) + arb(2) ** -200))
    return laws[0], laws[1]


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_distribution_has_the_delta_of_the_definition(variance: Fraction) -> None:
    reach = int(16 * float(variance) ** 0.5) + 3
    here, there = joint(variance, (1,), reach)
    pld = distribution(variance, 1)
    for epsilon in (Fraction(k, 4) / variance for k in range(9)):
        true, found = delta_at(here, there, epsilon), pld.delta(epsilon)
        assert true.low <= found.high
        assert found.low <= true.high
        assert float_of(found.high) - float_of(found.low) <= 1e-11


def test_the_continuous_law_is_refused_by_this_check() -> None:
    """As it would be charged, at σ = ½ and δ of about 10^-4."""
    here, there = joint(Fraction(1, 4), (1,), 12)
    epsilon = Fraction(19, 2)
    limit = Gaussian("1/2").limit(L2(1)).delta(epsilon)
    assert limit.high < delta_at(here, there, epsilon).low


@pytest.mark.parametrize("square", [2, 3])
@pytest.mark.parametrize("variance", VARIANCES[:3])
def test_as_many_steps_as_the_square_are_worst(square: int, variance: Fraction) -> None:
    reach = {2: 12, 3: 4}[square] * (1 if variance < 2 else 2)
    worst = distribution(variance, square)
    for move in product((-1, 0, 1), repeat=square):
        if list(move) == sorted(map(abs, move)) and (square == 2 or variance <= 1):
            here, there = joint(variance, move, reach)
            for epsilon in (Fraction(k, 3) / variance for k in range(7)):
                assert delta_at(here, there, epsilon).low <= worst.delta(epsilon).high


def test_the_sum_says_all() -> None:
    """Twins of two and three numbers have the losses of as many distributions."""
    for variance, square in product(VARIANCES, (1, 2, 3)):
        many = distribution(variance, square)
        twins = told_apart(variance, square)
        losses = twins.losses()
        for epsilon in (Fraction(k, 2) * square / variance for k in range(4)):
            bracket = many.delta(epsilon)
            float_epsilon = float(epsilon)
            beyond = losses.losses[1] - float_epsilon
            kept = beyond > 0
            shown = (losses.masses[1][kept] * -(-1 + 2.718281828459045 ** -beyond[kept])).sum()
            assert float_of(bracket.low) * (1 - 1e-9) <= shown + losses.infinite[1] + 1e-13
            assert shown <= float_of(bracket.high) + 1e-9


@pytest.mark.parametrize("variance", VARIANCES)
def test_masses_enclose_the_definition(variance: Fraction) -> None:
    atoms = distribution(variance, 1).parts[0][0].forward.upper
    assert atoms.index is not None
    reach = min(60, len(atoms) // 2)
    true = weights(variance, reach)
    for n in range(-reach, reach + 1):
        place = int((atoms.index == 1 - 2 * n).argmax())
        low, high = atoms.masses[0][place], atoms.masses[1][place]
        assert arb(float(low)) < true[n + reach] < arb(float(high))
    assert float(atoms.masses[1].sum()) + atoms.infinite[1] >= 1


def test_the_noise_is_that_of_the_mechanism() -> None:
    law = DiscreteGaussian(variance=Fraction(9, 2)).law()
    true = weights(Fraction(9, 2), 5)
    assert all(law.probability(n).overlaps(true[n + 5]) for n in range(-5, 6))


def test_the_mechanism_asks_in_steps() -> None:
    fine = Gaussian("1/2", step="1/10").pld(L2("1/10"))
    assert fine == Gaussian(5).pld(L2(1))
    assert Gaussian(5).pld(L2.root(2)) == 2 * Gaussian(5).pld(L2(1))
    assert Gaussian(5).pld(L2(0)).parts == ()


def test_coarse_noise_and_fine_steps_are_refused() -> None:
    with pytest.raises(MechanismError, match="no privacy-loss distribution"):
        Gaussian(5).pld(L2(20))
    for mechanism, distance in ((Gaussian(LONGEST), 1), (Gaussian(10**6), 10**6)):
        with pytest.raises(MechanismError, match="too many steps"):
            mechanism.pld(L2(distance))


# --- moves of larger squares: every one of them, in balls ----------------------------------------

DEEP: Final = (46, 3_000)
"""So many deviations, in so many bits: down to e^-1000; or"""
NEAR: Final = (18, 400)
"""to e^-150."""
Move: TypeAlias = tuple[int, ...]
CASES: Final = tuple(product((Fraction(1), Fraction(4), Fraction(9, 2)), (4, 5, 8, 9)))


def moves(square: int, largest: int | None = None) -> Iterator[Move]:
    """Up to signs and order."""
    if square == 0:
        yield ()
    for by in range(1, square + 1 if largest is None else largest + 1):
        if by * by <= square:
            yield from ((by, *rest) for rest in moves(square - by * by, by))


@cache
def along(variance: Fraction, move: Move, depth: tuple[int, int] = DEEP) -> tuple[list[arb], int]:
    """The law of the noise along a move by its definition, and the number of the first."""
    reach = ceil(depth[0] * sqrt(variance)) + 2
    with flint.ctx.workprec(depth[1]):
        single = [(-ball(Fraction(n * n) / (2 * variance))).exp() for n in range(-reach, reach + 1)]
        found = arb_poly([1])
        for by in sorted(set(move)):
            spaced = [arb(0)] * (2 * reach * by + 1)
            spaced[::by] = single
            found = found * arb_poly(spaced) ** move.count(by)
        total = sum(single, arb(0)) ** len(move)
        return [found[k] / total for k in range(2 * reach * sum(move) + 1)], -reach * sum(move)


def deltas(
    variance: Fraction, move: Move, places: Sequence[int], depth: tuple[int, int] = DEEP
) -> list[arb]:
    """P(S) − e^ε·Q(S) of the best event S, the noises below k, at the losses (s − 2k)/2σ²."""
    law, first = along(variance, move, depth)
    square = sum(by * by for by in move)
    with flint.ctx.workprec(depth[1]):
        below = [arb(0)]
        for mass in law:
            below.append(below[-1] + mass)

        def lower(k: int) -> arb:
            return below[min(max(k - first, 0), len(law))]

        return [
            lower(k) - ball(Fraction(square - 2 * k) / (2 * variance)).exp() * lower(k - square)
            for k in places
        ]


def curve(atoms: Atoms, indices: Iterable[int]) -> dict[int, arb]:
    """Of the upper ends, at multiples of the step."""
    assert atoms.index is not None
    assert atoms.step is not None
    left = sorted(zip(atoms.index.tolist(), atoms.masses[1].tolist(), strict=True))
    found = {}
    with flint.ctx.workprec(DEEP[1]):
        mass, shrunk = arb(atoms.infinite[1]), arb(0)
        for index in sorted(indices, reverse=True):
            while left and left[-1][0] > index:
                at, more = left.pop()
                mass += more
                shrunk += more * (-ball(at * atoms.step)).exp()
            found[index] = mass - shrunk * ball(index * atoms.step).exp()
    return found


def exceeded(
    variance: Fraction, move: Move, atoms: Atoms, far: int = 45, depth: tuple[int, int] = DEEP
) -> list[int]:
    """Where a move is easier to tell apart than the list says: all kinks of both curves are asked,
    and where x is nothing."""
    square = sum(by * by for by in move)
    reach = int(far * sqrt(variance * square))
    places = range(-reach, reach + square + 1)
    shown = curve(atoms, (square - 2 * k for k in places))
    true = deltas(variance, move, places, depth)
    total = sum(map(Fraction, atoms.masses[1].tolist()), Fraction(atoms.infinite[1]))
    wrong = [k for k, delta in zip(places, true, strict=True) if not shown[square - 2 * k] >= delta]
    return wrong + [reach] * (total < 1)


def envelope(variance: Fraction, square: int) -> Envelope:
    return gaussian_pair._envelope.__wrapped__(variance, square)


@pytest.mark.parametrize(("variance", "square"), CASES)
def test_every_move_is_dominated_everywhere(variance: Fraction, square: int) -> None:
    """And the list is no more than 10^-10 above the worst of them."""
    atoms = distribution(variance, square).parts[0][0].forward.upper
    for move in moves(square):
        assert exceeded(variance, move, atoms) == []
    places = range(-int(25 * sqrt(variance * square)), square // 2 + 1)
    shown = curve(atoms, (square - 2 * k for k in places))
    worst = map(max, *(map(float, deltas(variance, move, places)) for move in moves(square)))
    for k, delta in zip(places, worst, strict=True):
        assert float(shown[square - 2 * k]) <= delta * (1 + 1e-10)


@pytest.mark.parametrize("left_out", [0, 1], ids=["(1, 1, 1, 1)", "(2)"])
def test_no_move_can_be_left_out(left_out: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a square of four there are two, and each is somewhere worse than the other."""
    tried = gaussian_pair._moves

    def fewer(variance: Fraction, square: int) -> Iterator[gaussian_pair.Along]:
        return (move for k, move in enumerate(tried(variance, square)) if k != left_out)

    monkeypatch.setattr(gaussian_pair, "_moves", fewer)
    for variance in (Fraction(1), Fraction(9, 2)):
        atoms = envelope(variance, 4).atoms()
        assert exceeded(variance, [(1, 1, 1, 1), (2,)][left_out], atoms) != []
        assert exceeded(variance, [(2,), (1, 1, 1, 1)][left_out], atoms) == []


Mutation: TypeAlias = Callable[[gaussian_pair.Summed, Fraction, int], np.ndarray]
HEIGHTS: Final = gaussian_pair._heights
MUTANTS: Final[dict[str, Mutation]] = {
    "a hair too low": lambda law, v, s: HEIGHTS(law, v, s) * (1 - 1e-9),
    "one place off": lambda law, v, s: np.append(HEIGHTS(law, v, s)[1:], 0.0),
    "nothing infinite": lambda law, v, s: np.append(HEIGHTS(law, v, s)[:-1], 0.0),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_lower_heights_are_refused(mutant: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaussian_pair, "_heights", mutant)
    atoms = envelope(Fraction(1), 5).atoms()
    assert any(exceeded(Fraction(1), move, atoms) for move in moves(5))


@pytest.mark.parametrize("variance", [Fraction(1, 100), *VARIANCES[:3], Fraction(20)])
def test_the_noise_along_a_move_has_the_law_of_the_definition(variance: Fraction) -> None:
    for move in ((1, 1, 1, 1), (2, 1), (3, 2, 1), (2, 2, 1, 1)):
        found = one(move[0])
        for by in move[1:]:
            found = beside(found, one(by), variance)
        places, masses, error, _ = summed(found, variance)
        law, first = along(variance, move)
        for place, mass in zip(places.tolist(), masses.tolist(), strict=True):
            true = law[place - first] if 0 <= place - first < len(law) else arb(0)
            assert abs(true - mass) <= error * true + arb(2) ** -1000


def test_all_moves_are_tried() -> None:
    for square in range(4, 20):
        number = sum(1 for _ in gaussian_pair._moves(Fraction(1), square))
        assert number == sum(1 for _ in moves(square))


def uneven(variance: Fraction, move: Move) -> arb:
    """Half of what the weights along a move differ by, as a part of their middle."""
    law, first = along(variance, move, NEAR)
    square = sum(by * by for by in move)
    with flint.ctx.workprec(NEAR[1]):
        weights = [
            law[k - first] * ball(Fraction(k * k) / (2 * variance * square)).exp()
            for k in range(square)
        ]
        least, most = min(weights, key=float), max(weights, key=float)
        return (most - least) / (most + least)


def test_moves_without_a_divisor_are_alike() -> None:
    """As far as is claimed, and not by half of it."""
    for square, share in product((5, 10, 13, 26), (Fraction(3, 5), Fraction(1), Fraction(2))):
        claimed = gaussian_pair._unlike(share * square, square)
        for move in moves(square):
            if np.gcd.reduce(move) == 1 and len(move) < 8:
                assert uneven(share * square, move) <= claimed
    assert uneven(Fraction(13), (5, 1)) > gaussian_pair._unlike(Fraction(13), 26) / 2
    assert gaussian_pair._unlike(Fraction(12), 26) == inf


@pytest.mark.parametrize(("variance", "square"), [(50, 16), (50, 60), (50, 64), (70000, 4)])
def test_moves_that_are_told_by_their_divisor_are_dominated(variance: int, square: int) -> None:
    atoms = distribution(Fraction(variance), square).parts[0][0].forward.upper
    some = [move for move in moves(square) if len(move) <= 3 or len(set(move)) == 1]
    for move in some[:: 1 + len(some) // 4]:
        assert exceeded(Fraction(variance), move, atoms, 12, NEAR) == []


def test_ten_answers_together_cost_what_is_claimed() -> None:
    """Against the exact law: ten moves, one beside the other, are one move of ten times the
    square."""
    variance = Fraction(9, 2)
    found = 10 * distribution(variance, 4)
    for place in (18, 10, 0, -20, -60):
        bracket = found.delta(Fraction(40 - 2 * place) / (2 * variance))
        mixes = [(2,) * n + (1, 1, 1, 1) * (10 - n) for n in (0, 3, 10)]
        ones, *others = (float(deltas(variance, move, [place], NEAR)[0]) for move in mixes)
        assert float_of(bracket.low) <= ones * (1 + 1e-12)
        assert max(ones, *others) <= float_of(bracket.high) * (1 + 1e-12)
        assert float_of(bracket.low) >= ones * (1 - 1e-4)
        assert float_of(bracket.high) <= 1.5 * max(ones, *others)


def test_small_squares_agree_with_their_product() -> None:
    for variance, square in product(VARIANCES, (1, 2, 3)):
        atoms = envelope(variance, square).atoms()
        assert exceeded(variance, (1,) * square, atoms, 40) == []
        for place in (0, -3, -int(4 * sqrt(variance * square))):
            index = square - 2 * place
            bracket = distribution(variance, square).delta(Fraction(index) / (2 * variance))
            shown = float(curve(atoms, [index])[index])
            assert float_of(bracket.low) <= shown <= float_of(bracket.high) * (1 + 1e-8) + 1e-300


def of_sample(variance: Fraction, move: Move, rate: Fraction, epsilon: Fraction) -> list[float]:
    """δ with the row and without it, and the other way."""
    law, first = along(variance, move, NEAR)
    square = sum(by * by for by in move)
    with flint.ctx.workprec(NEAR[1]):
        x, share, ways = ball(epsilon).exp(), ball(rate), [arb(0), arb(0)]
        for k in range(first, first + len(law) + square):
            here = law[k - first] if k - first < len(law) else arb(0)
            there = law[k - square - first] if k - square >= first else arb(0)
            mixed = share * here + (1 - share) * there
            for way, over in enumerate((mixed - x * there, there - x * mixed)):
                ways[way] += max(over, arb(0), key=float)
    return [float(way) for way in ways]


@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(1, 2), Fraction(1)])
def test_samples_of_larger_squares(rate: Fraction) -> None:
    variance = Fraction(9, 2)
    mechanism = Gaussian(variance=variance).at(L2(2))
    drawn = mechanism.without_replacement(rate.numerator, rate.denominator)
    for epsilon in (Fraction(0), Fraction(1, 100), Fraction(1, 3), Fraction(2)):
        bracket = compose(mechanism.poisson(rate)).delta(epsilon)
        twos, ones = (max(of_sample(variance, move, rate, epsilon)) for move in ((2,), (1,) * 4))
        assert max(twos, ones) <= float_of(bracket.high) * (1 + 1e-12)
        assert float_of(bracket.low) <= ones * (1 + 1e-12)
        assert float_of(bracket.low) >= ones * (1 - 1e-9) - 1e-11
        assert float_of(bracket.high) <= max(twos, ones) * 1.15 + 1e-15
        # One row for another: r·f((x − 1 + r)/r), which at x ≥ 1 is the first of the two ways.
        first = max(of_sample(variance, move, rate, epsilon)[0] for move in ((2,), (1,) * 4))
        assert first <= float_of(compose(drawn).delta(epsilon).high) * (1 + 1e-12)


def test_the_bracket_is_narrow_and_soon_made(figure: Figure) -> None:
    for mechanism, distance in ((Gaussian(20), L2(2)), (Gaussian(100), L2(100))):
        start = perf_counter()
        found = (100 * mechanism.pld(distance)).epsilon("1e-6")
        took = perf_counter() - start
        low, high = map(float_of, (found.low, found.high))
        assert high < low * (1 + 1e-3)
        figure(f"100 × {mechanism} at {distance}", f"ε in [{low:.5f}, {high:.5f}], {took:.2f} s")
    gaussian_pair._envelope.cache_clear()
    start = perf_counter()
    distribution(Fraction(64), 48)
    figure("the envelope of 90 moves", f"{perf_counter() - start:.2f} s")
