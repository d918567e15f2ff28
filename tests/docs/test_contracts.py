"""What docs/contracts.md promises, where it exists already, is so."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np
import pytest

import discreet as dp
from tests.arch.source import ROOT

TEXT: Final = (ROOT / "docs" / "contracts.md").read_text("utf-8")


def section(title: str) -> str:
    """What stands below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


LOSSES: Final = re.findall(r"`((?:epsilon|rho|mu|renyi)=[^`]+)`", section("Losses as text"))


def test_the_contract_shows_every_kind_of_loss() -> None:
    kinds = {type(dp.loss(text)) for text in LOSSES}
    assert kinds == {dp.Pure, dp.Approx, dp.ZCDP, dp.GDP, dp.Renyi}


@pytest.mark.parametrize("text", LOSSES)
def test_losses_as_text(text: str) -> None:
    loss = dp.loss(text)
    assert dp.loss(str(loss)) == loss
    if "," in text:
        assert dp.loss(", ".join(reversed(text.split(", ")))) == loss
        with pytest.raises(dp.LossError):
            dp.loss(f"{text}, {text.split(', ', maxsplit=1)[0]}")


def test_numbers() -> None:
    for third in ("1/3", Fraction(1, 3)):
        assert dp.exact(third) == Fraction(1, 3)
    for small in ("1e-6", Decimal("1e-6"), 1e-6):
        assert dp.exact(small) == Fraction(1, 10**6)
    assert dp.exact(0.1) == Fraction(1, 10)
    for refused in (np.float32(0.5), float("nan"), float("inf"), "inf", Decimal("NaN")):
        with pytest.raises(dp.NumberError):
            dp.exact(refused)  # type: ignore[arg-type]


UNITS: Final = re.findall(r"`(dp\.(?:Rows|Replace|Ids)\([^`]*\))`", section("Opening"))


def test_units_of_the_contract_can_be_made() -> None:
    made = [eval(code, {"dp": dp}) for code in UNITS]  # noqa: S307
    assert {type(unit) for unit in made} == {dp.Rows, dp.Replace, dp.Ids}
    assert all((2 * unit).rows_bound() == 2 * unit.rows_bound() for unit in made)


def test_an_error_has_its_parts_in_order() -> None:
    with pytest.raises(dp.DiscreetError) as caught:
        dp.DiscreteLaplace(0)
    error = caught.value
    first, second, third = str(error).split("\n")
    assert first == error.problem
    assert second.strip() == f"cure: {error.cure}"
    assert third.strip() == f"more: docs/errors.md#{error.code}"


def test_the_make_targets_exist() -> None:
    promised = re.findall(r"^`([a-z -]+)`\.", section("Make"))[0].split()
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert set(promised) <= set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))


def test_the_core_asks_for_nothing_that_the_contract_does_not_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = section("Make").lower()
    for requirement in project["dependencies"]:
        assert re.match(r"[\w-]+", requirement)[0].lower() in named  # type: ignore[index]
    extras = set(re.findall(r"extras: `([^`]+)`", section("Make"))[0].split())
    assert set(project["optional-dependencies"]) <= extras
