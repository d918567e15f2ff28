"""The algebra of `base.py`, for every kind of loss in the conformance list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Final, Self, final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.loss.convert.graph import KINDS as CONVERTED
from discreet.numbers import Number, whole
from tests.laws.strategies import KINDS, LARGEST_GROUP, Kind

Claims = Iterator[tuple[str, bool]]
COUNTS: Final = st.integers(0, 6)
SIZES: Final = st.integers(1, LARGEST_GROUP)
BY_KIND: Final = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.of.__name__)


def broken(claims: Claims) -> list[str]:
    return [name for name, holds in claims if not holds]


# --- the laws ------------------------------------------------------------------------------------


def sums(a: Loss, b: Loss, c: Loss) -> Claims:
    yield "a + b == b + a", a + b == b + a
    yield "(a + b) + c == a + (b + c)", (a + b) + c == a + (b + c)
    yield "a + zero == a", a + a.zero() == a
    yield "zero is its own zero", a.zero().zero() == a.zero()


def multiples(a: Loss, b: Loss, m: int, n: int) -> Claims:
    yield "0·a is zero", 0 * a == a.zero()
    yield "n·a is a sum", n * a == sum([a] * n, start=a.zero())
    yield "(m + n)·a == m·a + n·a", (m + n) * a == m * a + n * a
    yield "m·(n·a) == (mn)·a", m * (n * a) == (m * n) * a
    yield "n·(a + b) == n·a + n·b", n * (a + b) == n * a + n * b


def order(a: Loss, b: Loss, c: Loss) -> Claims:
    yield "a <= a", a <= a  # noqa: PLR0124
    yield "antisymmetric", (a <= b <= a) == (a == b)
    yield "transitive", a <= c or not a <= b <= c
    yield "a < b", (a < b) == (a <= b and a != b) == (b > a)
    yield "a >= b", (a >= b) == (b <= a)
    yield "zero <= a", a.zero() <= a


def rising(a: Loss, b: Loss, c: Loss, m: int, n: int) -> Claims:
    yield "a <= a + b", a <= a + b
    yield "a <= b gives a + c <= b + c", not a <= b or a + c <= b + c
    yield "a + c <= a + b + c", a + c <= (a + b) + c
    yield "n·a rises with n", min(m, n) * a <= max(m, n) * a
    yield "n·a rises with a", n * a <= n * (a + b)


def groups(kind: Kind, a: Loss, b: Loss, j: int, k: int) -> Claims:
    above = kind.beyond_rounding
    once, twice = a.group(j * k), a.group(j).group(k)
    yield "group(1) is a", a.group(1) == a
    yield "group(0) is zero", a.group(0) == a.zero()
    yield "a <= group(k)", a <= a.group(k)
    yield "group(k) rises with k", a.group(min(j, k)) <= a.group(max(j, k))
    yield "group(jk) <= group(j).group(k)", once <= above(twice)
    yield "group(j).group(k) <= group(jk)", not kind.groups_multiply or twice <= above(once)
    yield "group keeps order", a.group(k) <= above((a + b).group(k))
    yield "group keeps order", not a <= b or a.group(k) <= above(b.group(k))


@BY_KIND
@settings(max_examples=60)
@given(data=st.data(), m=COUNTS, n=COUNTS)
def test_the_algebra_holds(kind: Kind, data: st.DataObject, m: int, n: int) -> None:
    a, b, c = (data.draw(kind.losses) for _ in range(3))
    assert broken(sums(a, b, c)) == []
    assert broken(multiples(a, b, m, n)) == []
    assert broken(rising(a, b, c, m, n)) == []
    for x, y, z in product((a, b, a + b, n * a), repeat=3):
        assert broken(order(x, y, z)) == []


@BY_KIND
@settings(max_examples=60)
@given(data=st.data(), j=SIZES, k=SIZES)
def test_groups_keep_their_laws(kind: Kind, data: st.DataObject, j: int, k: int) -> None:
    a, b = data.draw(kind.grouped), data.draw(kind.grouped)
    assert broken(groups(kind, a, b, j, k)) == []


# --- what the laws meet --------------------------------------------------------------------------


def test_every_kind_is_in_the_list() -> None:
    home = import_module("discreet.loss")  # `discreet.loss` is the function
    public = {getattr(home, name) for name in home.__all__}
    kinds = {each for each in public if isinstance(each, type) and issubclass(each, Loss)}
    listed = {kind.of for kind in KINDS}
    assert kinds - {Loss} == listed == set(CONVERTED)


FEW: Final = [Fraction(0), Fraction(1, 3), Fraction(1)]


@pytest.mark.parametrize(
    "losses",
    [
        [Pure(x) for x in FEW],
        [GDP.root(x) for x in FEW],
        [Approx(x, y) for x, y in product(FEW, FEW)],
        [ZCDP(x, y) for x, y in product(FEW, FEW)],
        [
            *(Renyi({2: x, 5: y}) for x, y in product(FEW, FEW)),
            *(Renyi({2: x, 3: x + y}) for x, y in product(FEW, FEW)),
            *(Renyi({2: x}) for x in FEW),
        ],
    ],
    ids=lambda losses: type(losses[0]).__name__,
)
def test_few_losses_meet_every_case_of_an_order(losses: Sequence[Loss]) -> None:
    met = {(a <= b, b <= a, a == b) for a, b in product(losses, repeat=2)}
    line = {(True, True, True), (True, False, False), (False, True, False)}
    in_line = isinstance(losses[0], Pure | GDP)
    assert met == line if in_line else met == {*line, (False, False, False)}
    for a, b, c in product(losses, repeat=3):
        assert broken(order(a, b, c)) == []


# --- the laws are judged -------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """What a made-up kind does with its two numbers."""

    plus: Callable[[Fraction, Fraction], Fraction] = lambda a, b: a + b
    times: Callable[[int, Fraction], Fraction] = lambda n, a: n * a
    at_most: Callable[[Fraction, Fraction], bool] = lambda a, b: a <= b
    group: Callable[[int, Fraction], Fraction] = lambda k, a: k * a
    zero: Fraction = Fraction(0)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Made(Loss):
    """A kind that never was, to show that each law can fail."""

    number: Fraction
    rule: Rule

    def _of(self, number: Fraction) -> Made:
        return Made(number, self.rule)

    def zero(self) -> Made:
        return self._of(self.rule.zero)

    def group(self, k: Number) -> Made:
        return self._of(self.rule.group(whole(k), self.number))

    def _plus(self, other: Self) -> Made:
        return self._of(self.rule.plus(self.number, other.number))

    def _times(self, n: int) -> Made:
        return self._of(self.rule.times(n, self.number))

    def _at_most(self, other: Self) -> bool:
        return self.rule.at_most(self.number, other.number)

    def _sketch(self) -> Made:
        return self

    def __str__(self) -> str:
        return str(self.number)


def broken_by(rule: Rule) -> set[str]:
    """The laws that a kind with this rule breaks somewhere."""
    row = Kind(Made, st.nothing(), st.nothing())
    numbers = [Fraction(0), Fraction(1, 2), Fraction(2), Fraction(3)]
    losses = [Made(number, rule) for number in numbers]
    found: set[str] = set()
    for a, b, c in product(losses, repeat=3):
        found.update(broken(sums(a, b, c)), broken(order(a, b, c)))
        for m, n in ((0, 2), (1, 3), (2, 2)):
            found.update(broken(multiples(a, b, m, n)), broken(rising(a, b, c, m, n)))
    for a, b in product(losses, repeat=2):
        for j, k in product((1, 2, 3), repeat=2):
            found.update(broken(groups(row, a, b, j, k)))
    return found


def test_a_kind_that_keeps_all_laws_is_let_through() -> None:
    assert broken_by(Rule()) == set()


@pytest.mark.parametrize(
    ("law", "rule"),
    [
        ("a + b == b + a", Rule(plus=lambda a, b: a + 2 * b)),
        ("(a + b) + c == a + (b + c)", Rule(plus=lambda a, b: a + b + a * b / (1 + a + b))),
        ("a + zero == a", Rule(zero=Fraction(1))),
        ("0·a is zero", Rule(times=lambda n, a: max(n, 1) * a)),
        ("n·a is a sum", Rule(plus=max)),
        ("(m + n)·a == m·a + n·a", Rule(times=lambda n, a: n**2 * a)),
        ("m·(n·a) == (mn)·a", Rule(times=lambda n, a: n * a + (n > 1))),
        ("n·(a + b) == n·a + n·b", Rule(times=lambda n, a: a**n)),
        ("a <= a", Rule(at_most=lambda a, b: a < b)),
        ("antisymmetric", Rule(at_most=lambda a, b: int(a) <= int(b))),
        ("transitive", Rule(at_most=lambda a, b: 2 * abs(a - b) <= 3)),
        ("zero <= a", Rule(at_most=lambda a, b: a >= b)),
        ("a <= a + b", Rule(plus=lambda a, b: (a + b) / 2)),
        ("a <= b gives a + c <= b + c", Rule(plus=lambda a, b: abs(a - b))),
        ("a + c <= a + b + c", Rule(plus=lambda a, b: abs(a - b))),
        ("n·a rises with n", Rule(times=lambda n, a: a * (n % 3))),
        ("n·a rises with a", Rule(times=lambda n, a: n / (1 + a))),
        ("group(1) is a", Rule(group=lambda k, a: (k + 1) * a)),
        ("group(0) is zero", Rule(group=lambda k, a: max(k, 1) * a)),
        ("a <= group(k)", Rule(group=lambda k, a: a / max(k, 1))),
        ("group(k) rises with k", Rule(group=lambda k, a: a * (1 + k % 2))),
        ("group(jk) <= group(j).group(k)", Rule(group=lambda k, a: a + k * (k - 1))),
        ("group(j).group(k) <= group(jk)", Rule(group=lambda k, a: k * a + (k > 1))),
        ("group keeps order", Rule(group=lambda k, a: k / (1 + a))),
    ],
)
def test_a_kind_that_breaks_a_law_is_found(law: str, rule: Rule) -> None:
    assert law in broken_by(rule)


@pytest.mark.parametrize(
    ("law", "name", "wrong"),
    [
        ("a < b", "__lt__", Loss.__le__),
        ("a < b", "__gt__", lambda a, b: b <= a),
        ("a >= b", "__ge__", lambda a, b: b < a),
        ("antisymmetric", "__le__", lambda *_: True),
    ],
)
def test_a_comparison_that_breaks_a_law_is_found(
    law: str, name: str, wrong: Callable[[Loss, Loss], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loss, name, wrong, raising=False)
    assert law in broken_by(Rule())


def test_what_is_not_claimed_of_a_renyi_curve_is_false_of_some_curve() -> None:
    """So that column of the list says something: three and five people are charged as four and
    eight, and fifteen as sixteen."""
    assert [kind.of for kind in KINDS if not kind.groups_multiply] == [Renyi]
    a = Renyi({64: 1})
    assert a.group(3).group(5) != a.group(15)
    assert a.group(15) <= a.group(3).group(5)
