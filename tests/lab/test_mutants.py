"""The exact checker refutes every mutant of the table, and not the sound mechanism beside it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from discreet.lab.exact import Finding, compare, refuted
from discreet.loss import AnyLoss, Pure
from discreet.loss.divergence import INFINITY, Infinity, Law
from tests.figures import Figure
from tests.lab.mutants import Endless, Mutant
from tests.lab.mutants_sums import ORDERED, in_short_floats

MUTANTS: Final[list[Mutant]] = [
    mutant
    for path in sorted(Path(__file__).parent.glob("mutants_*.py"))
    for mutant in import_module(f"tests.lab.{path.stem}").MUTANTS
]
EACH: Final = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)


@cache
def laws(mutant: Mutant) -> tuple[Law, Law]:
    return mutant.broken(mutant.pair.x), mutant.broken(mutant.pair.y)


def found(mutant: Mutant, loss: AnyLoss) -> list[Finding]:
    """What the checker finds of the mutant.  Bounds of what is not listed are those of the sound
    noise, so they are left out: nothing is granted to the mutant, and nothing held against it."""
    blind = replace(mutant.pair, beyond=None, tail_moment=None)
    return compare(*laws(mutant), loss, blind)


@EACH
def test_the_mutant_is_refuted(mutant: Mutant) -> None:
    assert refuted(found(mutant, mutant.claimed))


@EACH
def test_the_sound_one_beside_it_is_kept(mutant: Mutant) -> None:
    """On the same neighbours, and the checker is certain of it."""
    keeps = mutant.claimed if mutant.keeps is None else mutant.keeps
    one, other = mutant.sound(mutant.pair.x), mutant.sound(mutant.pair.y)
    findings = compare(one, other, keeps, mutant.pair)
    assert [each for each in findings if not each.kept] == []


@EACH
def test_what_it_loses_in_truth_is_found(mutant: Mutant) -> None:
    """The formula is not refuted, and it is used up; or there is no end, and that is found."""
    if isinstance(mutant.truth, Endless):
        assert all(each.found.low == INFINITY for each in found(mutant, Pure(1)))
    else:
        findings = found(mutant, mutant.truth)
        assert not refuted(findings)
        assert max(each.attained for each in findings) >= mutant.near


def test_short_floats_are_those_of_the_machine() -> None:
    """The one mutant whose law is not its own definition, but imitates a type."""
    for rows in (ORDERED.x, ORDERED.y, (2047, 1, 1, 1), (2048, 3, 3, 1), (4099, 5)):
        found = np.float16(0)
        for row in rows:
            found += np.float16(row)
        assert in_short_floats(rows) == int(found)


def test_no_two_are_called_the_same() -> None:
    assert len({each.name for each in MUTANTS}) == len(MUTANTS) >= 60


@pytest.mark.long
def test_the_table_is_told(figure: Figure) -> None:
    for mutant in MUTANTS:
        worst = max(found(mutant, mutant.claimed), key=excess)
        low = worst.found.low
        told = "no end" if isinstance(low, Infinity) else f"{float(low):.7g}"
        figure(mutant.name, f"{worst.what}: {float(worst.allowed):.7g} claimed, {told} found")
        assert worst.refuted


def excess(finding: Finding) -> Fraction | Infinity:
    """How many times over what is allowed is reached."""
    low = finding.found.low
    return low if isinstance(low, Infinity) or not finding.allowed else low / finding.allowed
