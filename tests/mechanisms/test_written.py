"""Compositions as text: what is read, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import DiscreetError
from discreet.mechanisms.compose import compose
from discreet.mechanisms.event import Event
from discreet.mechanisms.written import LONGEST, composition

PAGE = "1000 * laplace(10) + 50 * gaussian(20).poisson(1/100)"


def test_the_page_of_the_command_is_read() -> None:
    assert composition(PAGE) == compose(
        1000 * dp.Laplace(10), 50 * dp.Gaussian(20).poisson("1/100")
    )


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("laplace(1/2)", Event(dp.Laplace("1/2"))),
        (" 7*laplace ( 2.5 ) ", 7 * dp.Laplace("5/2")),
        ("1_000 * laplace(1e3)", 1000 * dp.Laplace(1000)),
        ("laplace(2).at(3)", dp.Laplace(2).at(dp.L1(3))),
        ("gaussian(2).at(sqrt(3))", dp.Gaussian(2).at(dp.L2.root(3))),
        (
            "gaussian(2) . at ( sqrt( 3 ) ) . poisson( 1/7 )",
            dp.Gaussian(2).at(dp.L2.root(3)).poisson("1/7"),
        ),
        ("laplace(2).without_replacement( 3,7 )", dp.Laplace(2).without_replacement(3, 7)),
        ("response(1)", Event(dp.Response.pure(1))),
        ("response(1, 5).at(2)", dp.Response.pure(1, 5).at(dp.L0(2))),
        ("exponential(3).at(2)", dp.Exponential(3).at(dp.LInf(2))),
        ("noisy_max(3)", Event(dp.NoisyMax(3))),
        ("permute_and_flip(3)", Event(dp.PermuteAndFlip(3))),
    ],
)
def test_each_form_is_read(text: str, event: Event) -> None:
    assert composition(text) == compose(event)
    assert composition(f"{text} + laplace(9)") == compose(event, dp.Laplace(9))


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "+", "laplace", "laplace()", "laplace(10", "laplace(10))", "Laplace(10)",
        "laplace(10) +", "+ laplace(10)", "laplace(10) laplace(10)", "laplace(10) * 3",
        "-1 * laplace(10)", "1/2 * laplace(10)", "laplace(10, 3)", "laplace(10).at(sqrt(2))",
        "laplace(10).poisson(1/2).at(3)", "laplace(10).at(3).at(3)", "gaussian(2).at(sqrt(3)",
        "laplace(__import__('os'))", "laplace(10).loss(3)", "laplace(0)", "laplace(1/0)",
        "gaussian(20).poisson(2)", "gaussian(20).poisson(0)", "laplace(1.2.3)", "laplace(--3)",
        "laplace(10) ** 2", "sum(laplace(10))", "x * laplace(10)", "laplace(10)\0",
    ],
)  # fmt: skip
def test_what_is_no_composition_is_refused_with_a_cure(text: str) -> None:
    with pytest.raises(DiscreetError) as refused:
        composition(text)
    assert refused.value.cure


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(DiscreetError, match="cannot be read"):
        composition("laplace(1)" + " " * LONGEST)


@settings(max_examples=300)
@given(st.text("laplcegusin()*+./0123456789 _esqrtof", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = composition(text)
    except DiscreetError:
        return
    assert found.events
