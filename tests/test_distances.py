"""distances.md: each claim on random vectors, tightness by enumeration, wrong claims rejected."""

import copy
import operator
import pickle
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import floor, isqrt
from typing import Any, NamedTuple, TypeAlias, assert_never

import numpy as np
import pytest
from hypothesis import Phase, given, settings, strategies as st

from discreet.distances import L0, L1, L2, Distance, LInf, Monotone, require
from discreet.errors import UnitError

Vector: TypeAlias = Sequence[Fraction | int]
FRACTIONS = st.fractions(-5, 5, max_denominator=6)
INTEGERS = st.lists(st.integers(-4, 4), min_size=1, max_size=7)
REALS = st.lists(FRACTIONS, min_size=1, max_size=7)
SLACK = st.fractions(0, 2, max_denominator=3)
KINDS: list[type[Distance]] = [L0, L1, L2, LInf]
NORMS = [L1, L2, LInf]
DISTANCES: st.SearchStrategy[Distance] = st.one_of(
    st.builds(L0, st.integers(0, 10**20)),
    st.builds(L1, st.fractions(0)),
    st.builds(LInf, st.fractions(0)),
    st.builds(L2, st.fractions(0)),
    st.builds(L2.root, st.fractions(0)),
)


def holds(distance: Distance, v: Vector) -> bool:
    """The promise, read word by word."""
    match distance:
        case L0():
            return sum(1 for x in v if x != 0) <= distance.by
        case L1():
            return sum((abs(Fraction(x)) for x in v), Fraction(0)) <= distance.by
        case LInf():
            return all(abs(Fraction(x)) <= distance.by for x in v)
        case L2():
            return sum((Fraction(x) ** 2 for x in v), Fraction(0)) <= distance.square
        case Monotone():
            rising, falling = all(x >= 0 for x in v), all(x <= 0 for x in v)
            return (rising or falling) and all(abs(Fraction(x)) <= distance.by for x in v)
        case _:
            assert_never(distance)


class Known(NamedTuple):
    """What is known of a vector."""

    l0: L0
    l1: L1
    l2: L2
    linf: LInf


def kept_by(v: Vector, slack: Fraction) -> Known:
    """Distances that v keeps, by `slack` more than the least of their kind."""
    return Known(
        L0(sum(x != 0 for x in v) + floor(slack)),
        L1(sum((abs(Fraction(x)) for x in v), slack)),
        L2.root(sum((Fraction(x) ** 2 for x in v), slack)),
        LInf(max(abs(Fraction(x)) for x in v) + slack),
    )


# --- every claim holds for every vector that keeps what the claim starts from ---------------------

Claim: TypeAlias = Callable[[Known], Distance]

REAL_CLAIMS: dict[str, Claim] = {
    "L1.as_l2": lambda v: v.l1.as_l2(),
    "L1.as_linf": lambda v: v.l1.as_linf(),
    "L2.as_linf": lambda v: v.l2.as_linf(),
    "L1.bound": lambda v: L1.bound(v.l0, v.linf),
    "L2.bound(l0, linf)": lambda v: L2.bound(v.l0, v.linf),
    "L2.bound(l0, linf, l1)": lambda v: L2.bound(v.l0, v.linf, v.l1),
    "L2.bound(linf, l1)": lambda v: L2.bound(linf=v.linf, l1=v.l1),
    "L2.bound(l0, l1)": lambda v: L2.bound(l0=v.l0, l1=v.l1),
}
WHOLE_CLAIMS: dict[str, Claim] = {
    "L0.whole": lambda v: v.l0.whole(),
    "L1.whole": lambda v: v.l1.whole(),
    "L2.whole": lambda v: v.l2.whole(),
    "LInf.whole": lambda v: v.linf.whole(),
    "L1.whole_l0": lambda v: v.l1.whole_l0(),
    "L2.whole_l0": lambda v: v.l2.whole_l0(),
    "L2.whole_l1": lambda v: v.l2.whole_l1(),
    "L2.whole_linf": lambda v: v.l2.whole_linf(),
    "L2.bound of whole": lambda v: L2.bound(v.l0, v.linf.whole(), v.l1.whole()),
}


def check(claim: Claim, vectors: st.SearchStrategy[Any], examples: int = 60) -> None:
    phases = (Phase.generate,) if examples > 60 else tuple(Phase)  # a mutant need not be shrunk

    @settings(deadline=None, max_examples=examples, database=None, phases=phases)
    @given(vectors, SLACK)
    def for_all(v: Vector, slack: Fraction) -> None:
        assert holds(claim(kept_by(v, slack)), v)

    for_all()


@pytest.mark.parametrize("name", REAL_CLAIMS)
def test_claims_about_real_vectors(name: str) -> None:
    check(REAL_CLAIMS[name], REALS)
    check(REAL_CLAIMS[name], INTEGERS)


@pytest.mark.parametrize("name", WHOLE_CLAIMS)
def test_claims_about_vectors_of_integers(name: str) -> None:
    check(WHOLE_CLAIMS[name], INTEGERS)


WRONG: dict[str, Claim] = {
    "L2 of k coordinates without the root's square": lambda v: L2.root(v.l0.by * v.linf.by),
    "L2 of k coordinates as if one": lambda v: L2(v.linf.by),
    "L1 of k coordinates as if √k": lambda v: L1(isqrt(floor(v.l0.by)) * v.linf.by),
    "L2 from L1 by the root": lambda v: L2.root(v.l1.by),
    "L1 from L2 unchanged": lambda v: L1(v.l2.up()),
    "L1 from LInf unchanged": lambda v: L1(v.linf.by),
    "LInf from L2 halved": lambda v: LInf(v.l2.up() / 2),
    "rest forgotten": lambda v: L2.root((v.l1.by // v.linf.by if v.linf.by else 0) * v.linf.by**2),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_claims_are_rejected(name: str) -> None:
    with pytest.raises(AssertionError):
        check(WRONG[name], INTEGERS, 500)


@pytest.mark.parametrize("name", [name for name in WHOLE_CLAIMS if name != "L0.whole"])
def test_claims_about_integers_are_false_for_reals(name: str) -> None:
    with pytest.raises(AssertionError):
        check(WHOLE_CLAIMS[name], REALS, 500)


# --- and is the least that is true ----------------------------------------------------------------

GRID = list(product(range(4), repeat=4))
"""Up to order and sign, every vector of four integers up to three."""


def worst(kind: type[Distance], vectors: list[tuple[int, ...]]) -> Distance:
    """The least distance of one kind that all of the vectors keep."""
    match kind.__name__:
        case "L0":
            return L0(max(sum(x != 0 for x in v) for v in vectors))
        case "L1":
            return L1(max(sum(v) for v in vectors))
        case "LInf":
            return LInf(max(max(v) for v in vectors))
        case _:
            return L2.root(max(sum(x * x for x in v) for v in vectors))


def test_bounds_from_several_norms_are_attained() -> None:
    for z, m, t in product(range(5), range(4), range(13)):
        both = [v for v in GRID if holds(L0(z), v) and holds(LInf(m), v)]
        assert L1.bound(L0(z), LInf(m)) == worst(L1, both)
        assert L2.bound(L0(z), LInf(m)) == worst(L2, both)
        three = [v for v in both if holds(L1(t), v)]
        assert L2.bound(L0(z), LInf(m), L1(t)) == worst(L2, three)


@given(st.integers(0, 9), st.fractions(0, 9), st.fractions(0, 30))
def test_the_bound_from_three_norms_is_attained_by_a_real_vector(
    z: int, m: Fraction, t: Fraction
) -> None:
    v, left = [], t
    for _ in range(z):
        v.append(min(m, left))
        left -= v[-1]
    assert holds(L0(z), v)
    assert holds(LInf(m), v)
    assert holds(L1(t), v)
    assert L2.bound(L0(z), LInf(m), L1(t)).square == sum(x * x for x in v)


def test_bounds_from_one_norm_are_attained() -> None:
    for n in range(4):
        one_coordinate = [v for v in GRID if sum(x != 0 for x in v) <= 1 and sum(v) <= n]
        assert L1(n).as_l2() == worst(L2, one_coordinate)
        assert L1(n).as_linf() == L2(n).as_linf() == worst(LInf, one_coordinate)
        assert L1(n).whole_l0() == worst(L0, [v for v in GRID if holds(L1(n), v)])
    for square in range(5):
        near = [v for v in GRID if holds(L2.root(square), v)]
        assert L2.root(square).whole_l0() == worst(L0, near)
        assert L2.root(square).whole_l1() == worst(L1, near)
        assert L2.root(square).whole_linf() == worst(LInf, near)


# --- k of them ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.lists(FRACTIONS, min_size=5, max_size=5), min_size=1, max_size=4))
def test_k_steps_keep_k_times_the_distance(steps: list[list[Fraction]]) -> None:
    total = [sum(column) for column in zip(*steps, strict=True)]
    for kind in range(4):
        each = [kept_by(step, Fraction(0))[kind] for step in steps]
        assert holds(len(steps) * max(each), total)


@given(st.integers(0, 9), st.fractions(0, 9), st.integers(1, 4))
def test_k_times_is_attained(k: int, by: Fraction, n: int) -> None:
    v = [k * by] + [Fraction(0)] * n
    assert k * L1(by) == kept_by(v, Fraction(0))[1]
    assert k * L2(by) == kept_by(v, Fraction(0))[2]
    assert k * LInf(by) == kept_by(v, Fraction(0))[3]
    assert k * L0(n) == kept_by([Fraction(1)] * (k * n) + [Fraction(0)], Fraction(0))[0]


def test_k_times_the_square_is_rejected_by_the_same_check() -> None:
    """The mutant of `L2.__rmul__` that multiplies the square by k instead of k²."""
    v = [Fraction(2), Fraction(0)]
    assert holds(2 * L2(1), v)
    assert not holds(L2.root(2 * L2(1).square), v)


@given(DISTANCES, st.integers(0, 40), st.integers(0, 40))
def test_multiples_multiply(distance: Distance, a: int, b: int) -> None:
    assert a * (b * distance) == (a * b) * distance
    assert 1 * distance == distance
    assert 0 * distance == type(distance)(0)


def test_k_coordinates_that_move_by_m() -> None:
    assert L2.bound(L0(2), LInf(1)) == L2.root(2)
    assert L2.bound(L0(10_000), LInf("1/3")) == L2("100/3")


# --- numbers, order, texts ------------------------------------------------------------------------


def test_the_root_is_rounded_up_and_hardly() -> None:
    with localcontext() as context:
        context.prec = 80
        for square in ("2", "3/7", "1e-300", "1e300", "123456789/1000003"):
            distance = L2.root(square)
            exact = distance.square
            true = (Decimal(exact.numerator) / Decimal(exact.denominator)).sqrt()
            rounded = Decimal(distance.up().numerator) / Decimal(distance.up().denominator)
            assert distance.up() ** 2 >= exact
            assert rounded <= true * (1 + Decimal(2) ** -70)


@given(st.fractions(0))
def test_a_rational_root_is_exact(by: Fraction) -> None:
    assert L2.root(by**2) == L2(by)
    assert L2(by).up() == by


@given(st.fractions(0), st.fractions(0))
def test_order_is_of_numbers(a: Fraction, b: Fraction) -> None:
    for make in (L1, L2, LInf, L2.root, lambda x: L0(floor(x))):
        x, y = make(a), make(b)
        p, q = (floor(a), floor(b)) if isinstance(x, L0) else (a, b)
        assert (x <= y) == (p <= q)  # type: ignore[operator]
        assert (x < y) == (p < q)  # type: ignore[operator]
        assert (x >= y) == (p >= q)  # type: ignore[operator]
        assert (x > y) == (p > q)  # type: ignore[operator]
        assert (x == y) == (p == q)


@pytest.mark.parametrize("left", KINDS)
@pytest.mark.parametrize("right", [*KINDS, int])
def test_order_needs_one_norm(left: type[Distance], right: type[Distance]) -> None:
    if left is right:
        return
    one: Any = left(1)
    other: Any = right(2)
    for compare in (operator.le, operator.lt, operator.ge, operator.gt):
        for first, second in ((one, other), (other, one)):
            with pytest.raises(UnitError) as refused:
                compare(first, second)
            assert refused.value.code == "U13"
    assert one != right(1)


def test_how_distances_read() -> None:
    given = [L0(2), L1("1/3"), LInf("0.5"), L2(3), L2("1/2"), L2.root(2), L2.root("4/9")]
    assert [str(d) for d in given] == [
        "L0(2)", 'L1("1/3")', 'LInf("1/2")', "L2(3)", 'L2("1/2")', "L2.root(2)", 'L2("2/3")',
    ]  # fmt: skip


@given(DISTANCES)
def test_a_distance_reads_as_the_code_that_makes_it(distance: Distance) -> None:
    for made in (
        eval(repr(distance), {"L0": L0, "L1": L1, "L2": L2, "LInf": LInf}),  # noqa: S307
        pickle.loads(pickle.dumps(distance)),  # noqa: S301
        copy.deepcopy(distance),
    ):
        assert made == distance
        assert hash(made) == hash(distance)
    with pytest.raises((AttributeError, TypeError)):
        distance.by = Fraction(1)  # type: ignore[misc, union-attr]


# --- what is refused ------------------------------------------------------------------------------

BAD: list[Any] = [
    -1, "-1/3", float("nan"), float("inf"), Decimal("Infinity"), None, True, "two", np.float32(1),
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=repr)
@pytest.mark.parametrize("make", [L0, L1, L2, LInf, L2.root])
def test_a_distance_is_a_number_from_zero_up(make: Callable[[int], Distance], bad: int) -> None:
    with pytest.raises(UnitError) as refused:
        make(bad)
    assert refused.value.code == "U10"
    assert "`" in refused.value.cure


def test_l0_counts() -> None:
    with pytest.raises(UnitError) as refused:
        L0("1/2")
    assert refused.value.code == "U11"


@pytest.mark.parametrize("bad", [-1, 1.5, True, None, "x", Fraction(1, 2)], ids=repr)
@pytest.mark.parametrize("distance", [L0(1), L1(1), L2(1), LInf(1)], ids=str)
def test_a_multiple_is_whole(distance: Distance, bad: int) -> None:
    with pytest.raises(UnitError) as refused:
        bad * distance
    assert refused.value.code == "U15"


def test_a_bound_needs_enough() -> None:
    for few in ({}, {"l0": L0(1)}, {"linf": LInf(1)}):
        with pytest.raises(UnitError) as refused:
            L2.bound(**few)
        assert refused.value.code == "U14"


def test_a_bound_needs_its_norms_in_place() -> None:
    for wrong in (
        lambda: L2.bound(LInf(1), L0(1)),  # type: ignore[arg-type]
        lambda: L2.bound(L0(1), LInf(1), L2(1)),  # type: ignore[arg-type]
        lambda: L1.bound(LInf(1), L0(1)),  # type: ignore[arg-type]
        lambda: L1.bound(3, LInf(1)),  # type: ignore[arg-type]
    ):
        with pytest.raises(UnitError) as refused:
            wrong()
        assert refused.value.code == "U12"


@pytest.mark.parametrize("wanted", KINDS)
@pytest.mark.parametrize(
    "given_", [L0(2), L1("1/2"), L2.root(2), LInf(3), 5, None, "L1(3)"], ids=repr
)
def test_the_wrong_norm_is_refused_with_a_way_that_works(
    wanted: type[Distance], given_: object
) -> None:
    if isinstance(given_, wanted):
        assert require(wanted, given_, "Gaussian") is given_
        return
    with pytest.raises(UnitError) as refused:
        require(wanted, given_, "Gaussian")
    error = refused.value
    assert error.code == "U12"
    assert f"Gaussian takes an {wanted.__name__} distance" in error.problem
    lines = error.cure.split("`")[1::2]
    assert lines
    for line in lines:
        made = eval(line.replace("dp.", ""), {"L0": L0, "L1": L1, "L2": L2, "LInf": LInf})  # noqa: S307
        assert isinstance(made, wanted)


def test_distances_of_any_size_are_printed() -> None:
    huge = 10**4000
    assert repr(huge * L1("1e4000")) == f"L1(1{'0' * 8000})"
    assert repr(10**2000 * L2.root(2 * 10**2000)).endswith("000)")
    with pytest.raises(UnitError):
        assert huge * L1("1e4000") <= L2(1)  # type: ignore[operator]


@pytest.mark.parametrize("three", [np.float32(3), np.float16(3), np.array(3), np.arange(3)])
def test_a_number_that_is_not_exact_is_no_multiple(three: int) -> None:
    for distance in (L0(1), L1(1), L2(1), LInf(1)):
        with pytest.raises(UnitError):
            three * distance
    assert np.int64(3) * L1(1) == L1(1) * 3 == L1(3)


def test_a_subclass_is_not_taken_for_a_distance() -> None:
    """One that has not passed the constructor could say what it likes."""

    class Sly(L1):  # type: ignore[misc]
        def __init__(self) -> None:
            object.__setattr__(self, "by", Fraction(-3))

    with pytest.raises(UnitError):
        L2.bound(l1=Sly())
