"""Every mechanism keeps its loss on all neighbours of small domains, and uses it up somewhere."""

from __future__ import annotations

import pkgutil
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

import discreet.mechanisms
from discreet.distances import L1, LInf
from discreet.lab.exact import Finding, Neighbours, check, compare, refuted
from discreet.loss import ZCDP, Approx, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import Exponential, Mechanism
from tests.mechanisms.cases import Case

FOLDER: Final = Path(__file__).resolve().parents[1] / "mechanisms"
CASES: Final[list[Case]] = [
    case
    for path in sorted(FOLDER.glob("cases_*.py"))
    for case in import_module(f"tests.mechanisms.{path.stem}").CASES
]
TIGHT: Final = Fraction(99, 100)


def kinds() -> set[type[Any]]:
    """Every mechanism that can be made: the final classes below `Mechanism`."""
    for module in pkgutil.walk_packages(discreet.mechanisms.__path__, "discreet.mechanisms."):
        import_module(module.name)
    found: set[type[Any]] = set()
    below: list[type[Any]] = [Mechanism]
    while below:
        kind = below.pop()
        below += kind.__subclasses__()
        if getattr(kind, "__final__", False):
            found.add(kind)
    return {kind for kind in found if kind.__module__.startswith("discreet.")}


def test_no_mechanism_goes_unchecked() -> None:
    assert {kind.__name__ for kind in kinds()} == {type(case.mechanism).__name__ for case in CASES}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=repr(case.mechanism), marks=[pytest.mark.long] if case.long else [])
        for case in CASES
    ],
)
def test_a_mechanism_keeps_its_loss_and_uses_it_up(case: Case) -> None:
    for claim in case.claims:
        findings = [
            finding
            for pair in case.pairs
            for finding in check(case.mechanism, pair, claim(case.mechanism, pair.distance))
        ]
        assert [each for each in findings if not each.kept] == []
        assert bool(case.slack) or max(map(used, findings)) >= TIGHT


def used(finding: Finding) -> Fraction:
    """How much of the claim is reached; a claim of nothing is no proof of tightness."""
    return finding.attained if finding.allowed else Fraction(0)


def test_a_minute_claim_is_no_excuse() -> None:
    """Claims that are false by any factor are found, however small they are."""
    never, hardly = Law({0: 1}), Law({0: 1 - Fraction(1, 2**81), 1: Fraction(1, 2**81)})
    pair = Neighbours(0, 1, L1(1))
    assert refuted(compare(hardly, never, Approx(1, 0), pair))
    scores = Neighbours([0, 0], [1, -1], LInf(1))
    choice = Exponential(10**13)
    assert not refuted(check(choice, scores))
    assert refuted(check(choice, scores, ZCDP("1e-30")))
    assert refuted(check(choice, scores, Pure(0)))
