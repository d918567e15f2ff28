"""distances.md, "One direction": the promise on vectors, what follows, and what does not."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, strategies as st

import discreet
from discreet.distances import L0, L1, L2, Distance, LInf, Monotone, require
from discreet.errors import UnitError

GRID: Final = [tuple(map(Fraction, v)) for v in product(range(-2, 3), repeat=3)]
KINDS: Final[list[type[Distance]]] = [L0, L1, L2, LInf]


def keeps(v: Sequence[Fraction], distance: Monotone) -> bool:
    """The promise, read word by word."""
    up = all(0 <= x <= distance.by for x in v)
    down = all(-distance.by <= x <= 0 for x in v)
    return up or down


def span(v: Sequence[Fraction]) -> Fraction:
    return max(v) - min(v)


def of(m: int) -> list[tuple[Fraction, ...]]:
    found = [v for v in GRID if keeps(v, Monotone(m))]
    assert len(found) == 2 * (m + 1) ** 3 - 1
    return found


@pytest.mark.parametrize("m", [0, 1, 2])
def test_the_largest_move_and_the_span_are_attained(m: int) -> None:
    assert LInf(max(max(map(abs, v)) for v in of(m))) == Monotone(m).as_linf() == LInf(m)
    assert max(map(span, of(m))) == m
    assert max(span(v) for v in GRID if max(map(abs, v)) <= m) == 2 * m


def test_more_than_the_largest_move_is_promised() -> None:
    mixed = (Fraction(1), Fraction(-1))
    assert max(map(abs, mixed)) <= 1
    assert not keeps(mixed, Monotone(1))
    assert not keeps(mixed, Monotone(100))


def counts(rows: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(sum(row == key for row in rows)) for key in range(3))


def moved(one: Sequence[int], other: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(b - a for a, b in zip(counts(one), counts(other), strict=True))


@given(st.lists(st.integers(0, 2), max_size=6), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_counts_are_monotone_when_rows_are_added_or_removed(
    rows: list[int], more: list[int]
) -> None:
    assert keeps(moved(rows, rows + more), Monotone(len(more)))
    assert keeps(moved(rows + more, rows), Monotone(len(more)))
    assert not keeps(moved(rows, [*rows, 1]), Monotone("1/2"))


def test_counts_are_not_monotone_when_a_row_is_replaced() -> None:
    assert not keeps(moved([0, 1, 1], [2, 1, 1]), Monotone(100))


def test_two_moves_may_go_against_each_other() -> None:
    """Why a multiple is refused; the span adds up all the same."""
    sums = [tuple(map(operator.add, v, w)) for v, w in product(of(1), repeat=2)]
    assert not all(keeps(v, Monotone(2)) for v in sums)
    assert max(map(span, sums)) == 2
    assert all(max(map(abs, v)) <= (2 * Monotone(1).as_linf()).by for v in sums)


def test_multiples_up_to_one() -> None:
    for times, found in ((0, Monotone(0)), (1, Monotone("1/2"))):
        assert times * Monotone("1/2") == Monotone("1/2") * times == found
    several: list[Callable[[], Monotone]] = [
        lambda: 2 * Monotone("1/2"),
        lambda: Monotone(3) * np.int64(7),
    ]
    for one in several:
        with pytest.raises(UnitError) as refused:
            one()
        assert refused.value.code == "U16"
        assert isinstance(pasted(refused.value)[0], LInf)


def pasted(error: UnitError) -> list[Any]:
    """What the lines of a cure give."""
    return [eval(line, {"dp": discreet}) for line in error.cure.split("`")[1::2]]  # noqa: S307


def test_whole_order_text_and_value() -> None:
    assert Monotone("5/2").whole() == Monotone(2)
    assert Monotone(1) <= Monotone(2)
    assert Monotone(1) < Monotone(2)
    assert not Monotone(1) >= Monotone("4/3")
    assert len({Monotone(2), Monotone("4/2"), LInf(2)}) == 2
    assert repr(Monotone("1/3")) == 'Monotone("1/3")'
    assert pickle.loads(pickle.dumps(Monotone(3))) == Monotone(3)  # noqa: S301
    with pytest.raises((AttributeError, TypeError)):
        Monotone(1).by = Fraction(0)  # type: ignore[misc]


@pytest.mark.parametrize("bad", [-1, "-1/3", float("nan"), None, True, "two", np.float32(1)])
def test_a_distance_is_a_number_from_zero_up(bad: Any) -> None:  # noqa: ANN401
    with pytest.raises(UnitError) as refused:
        Monotone(bad)
    assert refused.value.code == "U10"
    assert pasted(refused.value) == [Monotone(1)]


@pytest.mark.parametrize("bad", [-1, 1.5, True, None, "x"])
def test_a_multiple_is_whole(bad: Any) -> None:  # noqa: ANN401
    with pytest.raises(UnitError) as refused:
        bad * Monotone(1)
    assert refused.value.code == "U15"


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_no_other_kind(kind: type[Distance]) -> None:
    other: Any = kind(1)
    mine: Any = Monotone(1)
    compare: Callable[[Any, Any], object]
    for compare in (operator.le, operator.lt, operator.ge, operator.gt):
        for pair in ((mine, other), (other, mine)):
            with pytest.raises(UnitError) as refused:
                compare(*pair)
            assert refused.value.code == "U13"
            assert pasted(refused.value) == [True]
    for wanted, given_ in ((kind, mine), (Monotone, other)):
        with pytest.raises(UnitError) as refused:
            require(wanted, given_, "Exponential")
        assert refused.value.code == "U12"
    assert require(Monotone, mine, "Exponential") is mine


def test_the_way_to_linf_works() -> None:
    given_: Any = Monotone("2/3")
    with pytest.raises(UnitError) as refused:
        require(LInf, given_, "Exponential")
    assert pasted(refused.value)[0] == LInf("2/3")
