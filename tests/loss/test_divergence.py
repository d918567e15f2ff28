"""The claim of divergence.md: every bracket holds what the definition says, over all events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Final, TypeAlias, final

import pytest
from flint import arb
from hypothesis import assume, given, settings, strategies as st

from discreet.errors import DiscreetError
from discreet.loss.divergence import (
    INFINITY,
    Bracket,
    Extended,
    Law,
    delta_at,
    either_way,
    hockey_stick,
    max_divergence,
    max_ratio,
    renyi,
    renyi_moment,
    total_variation,
)
from discreet.numbers import at, ball
from tests.loss import brute
from tests.loss.brute import DIGITS, Weights, decimal

NAMES: Final = "abcdef"
RATIOS: Final = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(7)]
DELTAS: Final = [Fraction(0), Fraction(1, 50), Fraction(1, 7), Fraction(1, 2), Fraction(1)]
EPSILONS: Final = [Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3)]
ORDERS: Final = [Fraction(101, 100), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(37, 3)]
CLOSE: Final = Decimal("1e-50")
NARROW: Final = Decimal("1e-20")

Pair: TypeAlias = tuple[Weights, Weights]


def full(weights: Weights) -> Law:
    return Law(dict(weights))


def bounded(number: Extended) -> Fraction:
    """An end that is known to be finite."""
    if not isinstance(number, Fraction):
        raise TypeError("this end is infinite")
    return number


def holds(bracket: Bracket, true: Decimal | Fraction | None, slack: Decimal = CLOSE) -> bool:
    """Whether a number, known to 50 digits, lies in the bracket; None is infinity."""
    if true is None:
        return bracket.high == INFINITY
    if isinstance(true, Fraction):
        return true in bracket
    slack = slack * max(Decimal(1), abs(true))
    above = bracket.high == INFINITY or true - slack <= decimal(bounded(bracket.high))
    return above and bracket.low != INFINITY and decimal(bounded(bracket.low)) <= true + slack


def hits(bracket: Bracket, true: Decimal | Fraction | None) -> bool:
    """As `holds`, and the bracket is exact for a rational, and narrow for a decimal."""
    if true is None:
        return bracket.is_exact and bracket.high == INFINITY
    if isinstance(true, Fraction):
        return bracket == Bracket(true, true)
    with localcontext(prec=DIGITS):
        if not holds(bracket, true):
            return False
        width = decimal(bounded(bracket.high)) - decimal(bounded(bracket.low))
        return width <= NARROW * max(Decimal(1), abs(true))


def logarithm(number: Fraction | None) -> Decimal | None:
    with localcontext(prec=DIGITS):
        return None if number is None else decimal(number).ln()


def at_epsilon(p: Weights, q: Weights, epsilon: Fraction) -> Decimal:
    """H at e^epsilon, in decimals."""
    with localcontext(prec=DIGITS):
        t = decimal(epsilon).exp()
        return max(decimal(of_p) - t * decimal(of_q) for of_p, of_q in brute.events(p, q))


@final
@dataclass(frozen=True)
class Reading:
    """One divergence read twice: by the code, and by its definition."""

    name: str
    code: Callable[..., Bracket]
    definition: Callable[[Weights, Weights], Decimal | Fraction | None]


def readings() -> Iterator[Reading]:
    for t in RATIOS:
        yield Reading(
            f"H {t}", partial(hockey_stick, ratio=t), partial(brute.hockey_stick, ratio=t)
        )
    for e in EPSILONS:
        yield Reading(f"delta {e}", partial(delta_at, epsilon=e), partial(at_epsilon, epsilon=e))
    for d in DELTAS:
        ratio = partial(brute.least_ratio, delta=d)
        yield Reading(f"ratio {d}", partial(max_ratio, delta=d), ratio)
        yield Reading(f"log {d}", partial(max_divergence, delta=d), _log_of(ratio))
    for a in ORDERS:
        whole = partial(brute.whole_moment, order=int(a))
        moment = whole if a.denominator == 1 else partial(brute.moment, order=a)
        yield Reading(f"M {a}", partial(renyi_moment, order=a), moment)
        yield Reading(f"D {a}", partial(renyi, order=a), partial(brute.renyi, order=a))


def _log_of(
    ratio: Callable[[Weights, Weights], Fraction | None],
) -> Callable[[Weights, Weights], Decimal | None]:
    return lambda p, q: logarithm(ratio(p, q))


READINGS: Final = tuple(readings())
ALL: Final = (*READINGS, Reading("TV", total_variation, brute.total_variation))


# --- laws that are wholly known ------------------------------------------------------------------


def _law(parts: list[int]) -> dict[str, Fraction]:
    whole = sum(parts)
    return {name: Fraction(part, whole) for name, part in zip(NAMES, parts, strict=False)}


@st.composite
def laws(draw: st.DrawFn, least: int = 0, most: int = 5) -> dict[str, Fraction]:
    parts = st.lists(st.integers(least, 30), min_size=2, max_size=most).filter(any)
    return _law(draw(parts))


@st.composite
def same_outcomes(draw: st.DrawFn, least: int = 1) -> Pair:
    count = draw(st.integers(2, 5))
    parts = st.lists(st.integers(least, 30), min_size=count, max_size=count).filter(any)
    return _law(draw(parts)), _law(draw(parts))


def misread(p: Weights, q: Weights) -> list[str]:
    """The divergences that the code does not find as the definition does."""
    return [r.name for r in ALL if not hits(r.code(full(p), full(q)), r.definition(p, q))]


@settings(max_examples=60)
@given(laws(), laws())
def test_known_laws_are_read_as_the_definitions_read_them(p: Weights, q: Weights) -> None:
    assert misread(p, q) == []


@settings(max_examples=60)
@given(laws(), laws())
def test_either_way_is_the_larger_direction(p: Weights, q: Weights) -> None:
    for t in RATIOS:
        both = max(brute.hockey_stick(p, q, t), brute.hockey_stick(q, p, t))
        found = either_way(partial(hockey_stick, ratio=t), full(p), full(q))
        assert found == Bracket(both, both)
    there, back = brute.least_ratio(p, q, Fraction(0)), brute.least_ratio(q, p, Fraction(0))
    found = either_way(max_ratio, full(p), full(q))
    assert hits(found, None if there is None or back is None else max(there, back))


def test_an_order_of_outcomes_does_not_matter() -> None:
    p, q = {"a": Fraction(1, 2), "b": Fraction(1, 2)}, {"b": Fraction(1, 3), "a": Fraction(2, 3)}
    assert misread(p, q) == []


@pytest.mark.parametrize("epsilon", [9_000, 8_874, 8_875, 10_000, 10**30])
def test_an_epsilon_beyond_all_powers(epsilon: int) -> None:
    """p(a) = 1/2 = 2^12999·q(a), and ln 2^12999 = 9010.2…"""
    minute = Fraction(1, 2**13_000)
    p, q = _law([1, 1]), {"a": minute, "b": 1 - minute}
    with localcontext(prec=5_000):
        lost = Decimal(epsilon).exp() / Decimal(2) ** 13_000 if epsilon <= 10_000 else Decimal(1)
        true = Fraction(max(Decimal(0), Decimal("0.5") - lost))
    found = delta_at(full(p), full(q), epsilon)
    assert bounded(found.low) <= true + Fraction(1, 10**20)
    assert true - Fraction(1, 10**20) <= bounded(found.high) <= Fraction(1, 2)
    assert epsilon > 8_874 or bounded(found.high) - bounded(found.low) < Fraction(1, 10**20)


# --- what follows from the definitions -----------------------------------------------------------


@settings(max_examples=60)
@given(laws(), laws(), st.lists(st.sampled_from("xyz"), min_size=6, max_size=6))
def test_putting_outcomes_together_never_increases(p: Weights, q: Weights, onto: list[str]) -> None:
    names = dict(zip(NAMES, onto, strict=True))
    less_p, less_q = full(brute.merged(p, names)), full(brute.merged(q, names))
    for reading in ALL:
        apart = reading.code(full(p), full(q))
        assert reading.code(less_p, less_q).low <= apart.high, reading.name


def test_a_quantity_that_merging_increases_is_found() -> None:
    """The same inequality is false of the *least* ratio of outcomes: merging raises it."""
    p, q = _law([1, 3]), _law([1, 1])
    merged = dict.fromkeys(NAMES, "x")
    least = min(p[x] / q[x] for x in p)
    assert least < min(brute.merged(p, merged)[x] / brute.merged(q, merged)[x] for x in "x")


@settings(max_examples=40)
@given(same_outcomes())
def test_renyi_rises_with_the_order_from_kullback_leibler_to_the_maximum(pair: Pair) -> None:
    p, q = pair
    orders = [1 + Fraction(1, 10**9), Fraction(3, 2), Fraction(4), Fraction(50), Fraction(10**6)]
    found = [renyi(full(p), full(q), order) for order in orders]
    largest = max_divergence(full(p), full(q))
    for lower, higher in pairwise([*found, largest]):
        assert lower.low <= higher.high
    # ln E_p e^{hL} with |L| ≤ R lies within h²R²/2 of h·E_p L, by Hoeffding's lemma.
    with localcontext(prec=DIGITS):
        reach = max(abs(decimal(p[x] / q[x]).ln()) for x in p)
        first = brute.kullback_leibler(p, q)
        assert holds(Bracket(found[0].low, found[0].low), first, Decimal("1e-9") * (1 + reach**2))
    # M_α ≥ p(x)·r^(α−1) for the outcome x with the largest ratio r.
    ratio, weight = max((p[x] / q[x], p[x]) for x in p)
    if ratio > 1:
        with localcontext(prec=DIGITS):
            least = decimal(ratio).ln() + decimal(weight).ln() / (10**6 - 1)
            assert decimal(bounded(found[-1].high)) >= least - CLOSE


@pytest.mark.parametrize("order", ["1e6", "1e30", "1e300"])
def test_no_order_is_too_large(order: str) -> None:
    p, q = full(_law([3, 1])), full(_law([1, 3]))
    found, largest = renyi(p, q, order), max_divergence(p, q)
    assert found.low <= largest.high
    assert bounded(largest.low) - bounded(found.high) <= 2 / Fraction(order)


@settings(max_examples=40)
@given(same_outcomes(least=0))
def test_equal_laws_are_no_distance_apart(pair: Pair) -> None:
    p, _ = pair
    for reading in ALL:
        nothing = Fraction(reading.name[:1] == "M" or reading.name.startswith("ratio"))
        if reading.name.startswith("delta"):
            assert reading.code(full(p), full(p)).low == 0
        else:
            assert reading.code(full(p), full(p)) == Bracket(nothing, nothing), reading.name


# --- laws with something hidden ------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Hidden:
    """Two whole laws, and which of their outcomes are listed."""

    p: Weights
    q: Weights
    p_listed: frozenset[str]
    q_listed: frozenset[str]
    slack: Fraction = Fraction(0)

    @property
    def laws(self) -> tuple[Law, Law]:
        return _shown(self.p, self.p_listed, self.slack), _shown(self.q, self.q_listed, self.slack)

    @property
    def rest(self) -> list[str]:
        """What is not listed by both."""
        return sorted((self.p.keys() | self.q.keys()) - (self.p_listed & self.q_listed))

    def ratio_of_rest(self) -> Fraction | None:
        """The least c with p ≤ c·q on the rest; None if there is none."""
        pairs = [(self.p.get(x, Fraction(0)), self.q.get(x, Fraction(0))) for x in self.rest]
        if any(p and not q for p, q in pairs):
            return None
        return max((p / q for p, q in pairs if q), default=Fraction(0))

    def moment_of_rest(self, order: int) -> Fraction | None:
        p = {x: self.p.get(x, Fraction(0)) for x in self.rest}
        return brute.whole_moment(p, self.q, order)


def _shown(law: Weights, listed: frozenset[str], slack: Fraction) -> Law:
    tail = sum((weight for x, weight in law.items() if x not in listed), Fraction(0))
    return Law(
        {x: weight for x, weight in law.items() if x in listed},
        min(Fraction(1), tail * (1 + slack)),
    )


@st.composite
def hidden(draw: st.DrawFn) -> Hidden:
    p, q = draw(same_outcomes(least=0))
    some = st.frozensets(st.sampled_from(sorted(p)))
    return Hidden(p, q, draw(some), draw(some), draw(st.sampled_from([Fraction(0), Fraction(2)])))


def astray(case: Hidden) -> list[str]:
    """The brackets that do not hold the truth about the whole laws, or that are refused."""
    return [reading.name for reading in ALL if not _found(reading, case, {})]


def _found(reading: Reading, case: Hidden, stated: Mapping[str, Fraction]) -> bool:
    try:
        bracket = reading.code(*case.laws, **stated)
    except DiscreetError:
        return False
    with localcontext(prec=DIGITS):
        return holds(bracket, reading.definition(case.p, case.q))


@settings(max_examples=150)
@given(hidden())
def test_what_is_hidden_lies_in_the_brackets(case: Hidden) -> None:
    assert astray(case) == []


@settings(max_examples=100)
@given(hidden(), st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(100)]))
def test_what_is_hidden_lies_in_the_brackets_beyond(case: Hidden, more: Fraction) -> None:
    ratio = case.ratio_of_rest()
    assume(ratio is not None)
    stated = {"beyond": max(ratio or Fraction(0), Fraction(1, 100)) * more}
    assert [r.name for r in READINGS if not _found(r, case, stated)] == []


@settings(max_examples=100)
@given(hidden(), st.sampled_from([2, 3, 5]), st.sampled_from([Fraction(1), Fraction(9, 8)]))
def test_what_is_hidden_lies_in_the_brackets_of_a_tail_moment(
    case: Hidden, order: int, more: Fraction
) -> None:
    moment = case.moment_of_rest(order)
    assume(moment is not None)
    stated = {"tail_moment": (moment or Fraction(0)) * more}
    asked = [
        Reading("M", partial(renyi_moment, order=order), partial(brute.whole_moment, order=order)),
        Reading("D", partial(renyi, order=order), partial(brute.renyi, order=Fraction(order))),
    ]
    assert [r.name for r in asked if not _found(r, case, stated)] == []


def test_without_a_statement_a_tail_leaves_ratios_and_moments_open() -> None:
    case = Hidden(_law([8, 1, 1]), _law([6, 2, 2]), frozenset("ab"), frozenset("ab"))
    assert max_ratio(*case.laws).high == INFINITY
    assert renyi(*case.laws, 2).high == INFINITY
    assert max_ratio(*case.laws, delta="1/10").high != INFINITY
    assert max_ratio(*case.laws, delta="99/1000").high == INFINITY


@st.composite
def balls(draw: st.DrawFn) -> tuple[Hidden, dict[str, arb], dict[str, arb], arb]:
    """Laws whose weights are known as balls only, not always centred."""
    case = draw(hidden())

    def blurred(number: Fraction) -> arb:
        radius, shift = draw(st.sampled_from(range(4))), draw(st.sampled_from([-1, 0, 1]))
        width = Fraction(radius, 40)
        return at(100, lambda: ball(number + shift * width)) + arb(
            0, at(100, lambda: ball(width * (1 + abs(shift)) + Fraction(1, 2**60)))
        )

    p = {x: blurred(w) for x, w in case.p.items() if x in case.p_listed}
    q = {x: blurred(w) for x, w in case.q.items() if x in case.q_listed}
    return case, p, q, arb(0, 1) + 1


@settings(max_examples=100)
@given(balls())
def test_the_brackets_hold_what_balls_may_mean(
    given_balls: tuple[Hidden, dict[str, arb], dict[str, arb], arb],
) -> None:
    case, p, q, tail = given_balls
    assume(not any(weight < 0 for weight in (*p.values(), *q.values())))
    for reading in ALL:
        with localcontext(prec=DIGITS):
            found = reading.code(Law(p, tail), Law(q, tail))
            assert holds(found, reading.definition(case.p, case.q)), reading.name
