"""Which ratios pass, which fail, and what the errors of figures and ratios are."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest

from bench.error.aims import TOLERANCE, Aim, beats, passed, shown
from bench.error.contest import Contest, Figure, cell
from bench.error.estimate import Estimate, mean_of, over, root_mean_square


def test_a_ratio_passes_up_to_five_of_its_errors_below_the_aim() -> None:
    assert Aim("x", 1.0, Estimate(1.0)).verdict == "pass"
    assert Aim("x", 1.0, Estimate(0.999)).verdict == "FAIL"
    assert Aim("x", 1.5, Estimate(1.46, 0.01)).verdict == "pass"
    assert Aim("x", 1.5, Estimate(1.44, 0.01)).verdict == "FAIL"
    assert TOLERANCE == 5


def test_what_is_not_demanded_is_reported_and_what_is_absent_is_excused_only_by_others() -> None:
    assert Aim("x", None, Estimate(0.1)).verdict == "reported"
    assert Aim("x", 1.0, None).verdict == "FAIL"
    assert Aim("x", 1.0, None, excused=True).verdict == "not measured"
    assert Aim("x", None, None).verdict == "not measured"


def test_one_missed_aim_is_enough() -> None:
    good, bad = Aim("x", 1.0, Estimate(2.0)), Aim("y", 1.0, Estimate(0.5))
    assert passed([good, Aim("z", None, Estimate(0.1))])
    assert not passed([good, bad])
    assert ["y", "≥", "1", "0.500", "exact", "FAIL"] in [
        line.split() for line in shown([good, bad]).splitlines()
    ]


def test_who_has_more_error_than_we_makes_the_ratio_larger() -> None:
    assert beats("x", Estimate(3.0), Estimate(2.0)).found == Estimate(1.5)
    assert beats("x", Estimate(2.0), Estimate(3.0)).verdict == "FAIL"
    assert beats("x", Estimate(3.0), Estimate(0.0)).verdict == "not measured"


def test_errors_of_means_roots_and_ratios() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0])
    assert mean_of(values).value == 2.5
    assert mean_of(values).error == pytest.approx(sqrt(5 / 3 / 4))
    # Squares 1, 4, 9, 16: their mean is 7.5, its variance (6.5² + 3.5² + 1.5² + 8.5²)/12.
    root = root_mean_square(-values)
    assert root.value == pytest.approx(sqrt(7.5))
    assert root.error == pytest.approx(sqrt(129 / 12) / (2 * sqrt(7.5)))
    found = over(Estimate(6.0, 0.3), Estimate(2.0, 0.2))
    assert found.value == 3.0
    assert found.error == pytest.approx(3 * sqrt(0.05**2 + 0.1**2))
    assert root_mean_square(np.zeros(3)) == Estimate(0.0, 0.0)


def test_the_stated_error_is_that_of_repeated_trials() -> None:
    """Of 2,000 roots of 400 squares each the spread is known to 1.6 %; 15 % is nine times that."""
    draws = np.random.default_rng(7).laplace(size=(2_000, 400))
    found = [root_mean_square(row) for row in draws]
    spread = float(np.std([each.value for each in found]))
    assert np.mean([each.error for each in found]) == pytest.approx(spread, rel=0.15)


def test_a_contest_becomes_tables_and_json() -> None:
    figures = [
        Figure("off", "A", "ours", Estimate(1.0, 0.1)),
        Figure("off", "A", "theirs", Estimate(2.5)),
        Figure("off", "B", "theirs", Estimate(14.0)),
        Figure("largest", "A", "ours", Estimate(0.0)),
    ]
    aims = [beats("A", Estimate(2.5), Estimate(1.0, 0.1))]
    contest = Contest("name", "Title", "how", figures, aims, ["peer: gone"])
    lines = [line.split() for line in contest.text().splitlines()]
    assert ["A", "1.00", "±", "0.10", "2.500"] in lines
    assert ["B", "–", "14"] in lines
    assert ["A", "0"] in lines
    assert ["peer:", "gone"] in lines
    told = json.loads(json.dumps(contest.json()))
    assert told["figures"][1]["found"] == {"value": 2.5, "error": 0.0}
    assert told["aims"][0]["verdict"] == "pass"
    assert cell(Estimate(0.19496)) == "0.1950"
