"""Laws that must hold between brackets, whatever the numbers are: two brackets contradict a law if
the upper end of what costs more lies below the lower end of what costs less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias, final

import numpy as np
import pytest

from discreet.loss import Approx, Pure
from discreet.loss.divergence import Bracket, Law
from discreet.loss.pld import PLD, Atoms, Losses, Pair, normal, of_loss, pld as home
from tests.figures import Figure

Claims: TypeAlias = Iterator[tuple[str, bool]]
Draw: TypeAlias = np.random.Generator
MOST_GIVEN_AWAY: Final = Fraction(1, 1000)


@lru_cache(maxsize=64)
def bell(mu: Fraction, rate: Fraction) -> PLD:
    return normal(mu, rate)


def one(draw: Draw) -> PLD:
    """One kind of answer."""
    size = Fraction(int(draw.integers(1, 30)), int(draw.choice([7, 10, 100])))
    kind = draw.integers(0, 5)
    if kind == 0:
        return of_loss(Pure(size))
    if kind == 1:
        return of_loss(Approx(size, Fraction(1, 10 ** int(draw.integers(17, 25)))))
    if kind == 2:
        return coins(*(Fraction(int(n), 100) for n in draw.integers(1, 100, 2)))
    mu = Fraction(int(draw.integers(1, 4)), int(draw.choice([1, 3, 10])))
    return bell(mu, Fraction(1) if kind == 3 else Fraction(1, int(draw.choice([2, 20, 100]))))


def coins(p: Fraction, q: Fraction) -> PLD:
    """Two laws of two outcomes, which differ from each other in each way."""
    ours, theirs = Law({1: p, 0: 1 - p}), Law({1: q, 0: 1 - q})
    forth, back = (Losses.exactly(Atoms.of(*laws)) for laws in ((ours, theirs), (theirs, ours)))
    return PLD.of(Pair(forth, back))


def some(draw: Draw) -> PLD:
    """Of one kind or two, some times each."""
    times = [1, 2, 3, 10, 57] if draw.random() < 0.8 else [400, 3_000]
    found = int(draw.choice(times)) * one(draw)
    return found + one(draw) if draw.random() < 0.3 else found


def at_most(less: Bracket, more: Bracket) -> bool:
    """Whether the truths may be in this order."""
    return less.low <= more.high


@final
@dataclass(frozen=True)
class Asked:
    epsilon: Fraction
    larger: Fraction
    delta: Fraction
    more: Fraction

    @classmethod
    def of(cls, draw: Draw) -> Asked:
        epsilons = sorted(Fraction(float(x)) for x in draw.exponential(3, 2))
        deltas = sorted(Fraction(float(10**x)) for x in draw.uniform(-12, -0.5, 2))
        return cls(epsilons[0], epsilons[1], deltas[0], deltas[1])


# --- the laws ------------------------------------------------------------------------------------


def algebra(a: PLD, b: PLD, c: PLD, n: int) -> Claims:
    yield "a + b == b + a", a + b == b + a
    yield "(a + b) + c == a + (b + c)", (a + b) + c == a + (b + c)
    yield "n·a is a sum", n * a == sum([a] * n, start=PLD())
    yield "n·(a + b) == n·a + n·b", n * (a + b) == n * a + n * b
    yield "a + nothing == a", a + PLD() == a


def order(a: PLD, b: PLD, asked: Asked) -> Claims:
    """In epsilon, in delta, and in what is answered."""
    here, far = a.delta(asked.epsilon), a.delta(asked.larger)
    yield "delta falls", at_most(far, here)
    low, high = a.epsilon(asked.more), a.epsilon(asked.delta)
    yield "epsilon falls", at_most(low, high)
    both = a + b
    yield "more answers, delta", at_most(here, both.delta(asked.epsilon))
    yield "more answers, epsilon", at_most(high, both.epsilon(asked.delta))
    yield "ends", all(found.low <= found.high for found in (here, far, low, high))
    yield "between 0 and 1", 0 <= rational(here)[0] <= rational(here)[1] <= 1


def back_and_forth(a: PLD, asked: Asked) -> Claims:
    """At the epsilon of a delta there is this delta, and the other way."""
    low, high = rational(a.epsilon(asked.delta))
    yield "delta at epsilon's upper end", a.delta(high).low <= asked.delta
    yield "delta at epsilon's lower end", low == 0 or a.delta(low).high >= asked.delta
    _, most = rational(a.delta(asked.epsilon))
    if MOST_GIVEN_AWAY < most < 1:
        yield "epsilon at delta's upper end", a.epsilon(most).low <= asked.epsilon


def both_ways(a: PLD, asked: Asked) -> Claims:
    """The roles of the neighbours may be exchanged, and each way costs no more than both."""
    turned = PLD((Pair(pair.backward, pair.forward), count) for pair, count in a.parts)
    here, there = a.delta(asked.epsilon), turned.delta(asked.epsilon)
    yield "exchanged", here == there
    for pair, count in a.parts:
        alone = count * PLD.of(Pair.even(pair.backward))
        yield "one way of one part", at_most(alone.delta(asked.epsilon), here)


def sampled(draw: Draw, asked: Asked) -> Claims:
    """The less often a row is taken, and the nearer the laws, the less it costs."""
    mu, times = Fraction(int(draw.integers(1, 4))), int(draw.choice([1, 5, 60]))
    seldom, often = (times * bell(mu, rate) for rate in (Fraction(1, 50), Fraction(1, 5)))
    always, near = times * bell(mu, Fraction(1)), times * bell(mu / 2, Fraction(1, 5))
    found = [pld.delta(asked.epsilon) for pld in (seldom, often, always)]
    yield "a smaller rate", at_most(found[0], found[1]) and at_most(found[1], found[2])
    yield "a smaller distance", at_most(near.delta(asked.epsilon), found[1])
    found = [pld.epsilon(asked.delta) for pld in (seldom, often, always)]
    yield "a smaller rate, epsilon", at_most(found[0], found[1]) and at_most(found[1], found[2])


def rational(found: Bracket) -> tuple[Fraction, Fraction]:
    assert isinstance(found.low, Fraction)
    assert isinstance(found.high, Fraction)
    return found.low, found.high


def claims(draw: Draw) -> Claims:
    a, b, c, asked = some(draw), some(draw), one(draw), Asked.of(draw)
    yield from algebra(a, b, c, int(draw.integers(0, 6)))
    given = draw.integers(0, 4)
    if given == 0:
        yield from order(a, b, asked)
    elif given == 1:
        yield from back_and_forth(a, asked)
    elif given == 2:
        yield from both_ways(a, asked)
    else:
        yield from sampled(draw, asked)


def broken(cases: int, seed: int) -> tuple[int, list[str]]:
    """How many claims there were, and which did not hold."""
    draw, count, found = np.random.default_rng(seed), 0, []
    for _ in range(cases):
        for name, holds in claims(draw):
            count += 1
            found += [] if holds else [name]
    return count, found


def test_the_laws_hold() -> None:
    count, found = broken(70, 1)
    assert found == []
    assert count > 450


@pytest.mark.long
def test_the_laws_hold_for_ten_thousand_cases(figure: Figure) -> None:
    count, found = broken(10_000, 2)
    figure("laws of privacy-loss distributions", f"{count} claims, {len(found)} broken")
    assert found == []


# --- the laws are judged --------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["_epsilon", "_delta"])
def test_ends_that_are_made_up_break_laws(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant answers at random, between a half and one and a half of the truth."""
    kept, draw = getattr(home, part), np.random.default_rng(1)

    def wrong(many: home.Way, asked: Fraction) -> tuple[Fraction, Fraction]:
        found = kept(many, asked)[1] * Fraction(float(draw.uniform(0.5, 1.5)))
        return min(found, Fraction(1)), min(found, Fraction(1))

    monkeypatch.setattr(home, part, wrong)
    assert broken(20, 3)[1] != []


def test_a_sum_that_forgets_breaks_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    def second(_: PLD, other: PLD) -> PLD:
        return other

    monkeypatch.setattr(PLD, "__add__", second)
    assert {"a + b == b + a", "a + nothing == a"} <= set(broken(5, 4)[1])


def test_one_way_alone_breaks_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    def forth(pld: PLD) -> list[home.Way]:
        return [[(pair.forward, count) for pair, count in pld.parts]]

    monkeypatch.setattr(PLD, "ways", forth)
    assert "exchanged" in broken(40, 5)[1]
