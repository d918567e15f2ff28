"""The search for an epsilon: whatever the curve, each end was asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, expm1, log
from typing import Final, cast, final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import LossError
from discreet.loss.pld import ends
from discreet.loss.pld.ends import epsilons
from discreet.loss.pld.plan import End


@final
@dataclass(frozen=True)
class Asked:
    """A curve that remembers what it was asked."""

    shape: Callable[[float], tuple[float, float]]
    seen: dict[float, float] = field(default_factory=dict)

    def delta(self, epsilon: float) -> tuple[float, float]:
        shown, rate = self.shape(epsilon)
        self.seen[epsilon] = shown
        return shown, rate


def found(shape: Callable[[float], tuple[float, float]], delta: float) -> tuple[float, float, int]:
    """Both ends, checked against what the curve said; and how often it was asked."""
    asked = Asked(shape)
    low, high = epsilons(cast("End", asked), delta)
    assert 0 <= low <= high
    assert asked.seen[high] <= delta
    assert low == 0 or asked.seen[low] > delta
    return low, high, len(asked.seen)


SHAPES: Final[dict[str, Callable[[float], tuple[float, float]]]] = {
    "falling evenly": lambda e: (exp(-e), exp(-e)),
    "like a bell": lambda e: (exp(-e * e), 2 * e * exp(-e * e)),
    "minute": lambda e: (exp(-e * 1e9), 1e9 * exp(-e * 1e9)),
    "wide": lambda e: (exp(-e * 1e-9), 1e-9 * exp(-e * 1e-9)),
    "up to one point": lambda e: (max(0.0, -expm1(e - 30)), exp(min(e - 30, 0))),
    "a cliff": lambda e: (float(e < 7.3), 0.0),
    "steps": lambda e: (1 / (2 + int(e * 3)), 0.0),
    "with a lie about its rate": lambda e: (exp(-e), 1e300),
    "with no rate": lambda e: (exp(-e), 0.0),
    "with a rate below zero": lambda e: (exp(-e), -1.0),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("delta", [0.9, 0.3, 1e-3, 1e-9, 1e-200])
def test_the_ends_are_close_and_were_asked(name: str, delta: float) -> None:
    if name == "steps" and delta < 1e-3:
        return
    low, high, asked = found(SHAPES[name], delta)
    assert high - low <= 1.01e-10 * high
    assert asked <= 150


def test_where_a_curve_crosses_is_found() -> None:
    low, high, _ = found(SHAPES["falling evenly"], 1e-6)
    assert low <= -log(1e-6) <= high
    low, high, _ = found(SHAPES["a cliff"], 0.5)
    assert low < 7.3 <= high


def test_a_good_rate_saves_questions() -> None:
    assert found(SHAPES["like a bell"], 1e-9)[2] < 32 < found(SHAPES["with no rate"], 1e-9)[2]


def test_what_begins_below_delta_needs_no_epsilon() -> None:
    assert found(lambda e: (0.1 * exp(-e), 0.0), 0.1)[:2] == (0.0, 0.0)


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1)), min_size=1, max_size=20),
    st.floats(1e-12, 0.999),
    st.floats(-1e9, 1e9),
)
def test_even_a_curve_that_is_not_monotone_is_believed_only_where_asked(
    knots: list[tuple[float, float]], delta: float, rate: float
) -> None:
    def shape(epsilon: float) -> tuple[float, float]:
        heights = [height for place, height in knots if place > epsilon]
        return (heights[0] if heights else 0.0), rate

    found(shape, delta)


def test_a_curve_that_never_falls_is_refused() -> None:
    with pytest.raises(LossError, match="next to the chance that all is told"):
        epsilons(cast("End", Asked(lambda _: (0.1, 0.0))), 0.05)


def test_a_mutant_that_trusts_the_line_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """To give back where the rate says that delta is reached, without asking, is wrong."""

    def trusting(curve: Asked, delta: float) -> tuple[float, float]:
        place = ends._newton(1.0, *curve.delta(1.0), delta)
        return place, place

    monkeypatch.setitem(globals(), "epsilons", trusting)
    with pytest.raises((AssertionError, KeyError)):
        found(SHAPES["like a bell"], 1e-9)
