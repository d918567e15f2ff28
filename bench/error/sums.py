"""Mean and variance of 1,000 rows on [0, 1] at ε = 1, one row added or removed."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np

from bench.error.aims import Aim, beats
from bench.error.contest import Contest, Figure
from bench.error.data import UNIT, Column, shapes
from bench.error.estimate import Estimate, Floats, over, root_mean_square
from bench.error.rivals_sums import SplitMean, SplitVariance
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import PARTS, MomentTriple

EPSILON: Final = Fraction(1)
NEARLY: Final = 0.98
"""How much of a theorem for large n must be there with 1,000 rows."""
CUT_OFF: Final = 0.95
"""The same of a variance: near a bound both are cut off at zero, which helps the worse one."""


def means(trials: int) -> Contest:
    """`MeanPair` against sum and count."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for column in shapes():
        ours, theirs = _mean_errors(column, trials)
        pair = root_mean_square(ours)
        split = root_mean_square(theirs)
        figures += [_figure("mean", column, "MeanPair", pair)]
        figures += [_figure("mean", column, "sum, count", split)]
        aims += [beats(f"mean, {column.name}: sum, count (√2)", split, pair, NEARLY * sqrt(2))]
    how = f"{trials:,} releases each; the root of the mean squared error, in parts of the range"
    return Contest("mean", "Mean of 1,000 rows, ε = 1", how, figures, aims)


def _mean_errors(column: Column, trials: int) -> tuple[Floats, Floats]:
    true = float(column.rows.mean())
    pair = MeanPair(column.low, column.high, (column.high - column.low) / EPSILON)
    ours = [float(pair.mean(pair.release(column.rows))) for _ in range(trials)]
    split = SplitMean(column.low, column.high, EPSILON)
    theirs = split.mean(split.release(column.rows, trials))
    return (np.array(ours) - true) / UNIT, (theirs - true) / UNIT


# --- variance -------------------------------------------------------------------------------------


def variances(trials: int) -> Contest:
    """`MomentTriple` against squares, sum and count."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for column in shapes():
        found = _moments(column, trials)
        for measure in ("variance", "standard deviation", "mean"):
            figures += [
                _figure(measure, column, who, root_mean_square(errors[measure]))
                for who, errors in found.items()
            ]
        ours, split, centred = (root_mean_square(each["variance"]) for each in found.values())
        expected = {each: predicted(column, squares_centred=each) for each in (False, True)}
        for who, theirs, kind in (("thirds", split, False), ("centred", centred, True)):
            what = f"variance, {column.name}: {who} ({expected[kind]:.2f})"
            aims.append(Aim(what, CUT_OFF * expected[kind], over(theirs, ours)))
    how = (
        f"{trials:,} releases each; the root of the mean squared error, in parts of the range.\n"
        "Thirds: Google's, whose squares lie between 0 and R²/4.  Centred: half of their noise.\n"
        "Aims: what theory gives for many rows.  Research: 1.61, 1.80, 0.93 against centred ones."
    )
    return Contest("variance", "Variance of 1,000 rows, ε = 1", how, figures, aims)


def _moments(column: Column, trials: int) -> dict[str, dict[str, Floats]]:
    """By contestant and by measure, the errors of all trials."""
    low, high = column.low, column.high
    triple = MomentTriple(low, high, PARTS / EPSILON)
    told = [triple.release(column.rows) for _ in range(trials)]
    found = {
        "MomentTriple": (
            np.array([float(triple.variance(each)) for each in told]),
            np.array([float(triple.mean(each)) for each in told]),
        )
    }
    for who, centred in (("thirds", False), ("centred", True)):
        split = SplitVariance(low, high, EPSILON, squares_centred=centred)
        noisy = split.release(column.rows, trials)
        found[who] = split.variance(noisy), split.mean(noisy)
    return {who: _errors(column, *each) for who, each in found.items()}


def _errors(column: Column, variance: Floats, mean: Floats) -> dict[str, Floats]:
    true = float(column.rows.var())
    return {
        "variance": (variance - true) / UNIT**2,
        "standard deviation": (np.sqrt(variance) - sqrt(true)) / UNIT,
        "mean": (mean - float(column.rows.mean())) / UNIT,
    }


def predicted(column: Column, *, squares_centred: bool) -> float:
    """The ratio of both errors of the variance for many rows: how it moves with each sum, times the
    noise of that sum."""
    t = column.rows / UNIT
    a, b, c = ((1 - t) ** 2).mean(), (2 * t * (1 - t)).mean(), (t**2).mean()
    spread = t.var()
    ours = np.hypot(np.hypot(c - 2 * spread, a - 2 * spread), b / 2 + 2 * spread)
    y = t - 0.5
    m, square = y.mean(), (y**2).mean()
    # Scales at ε = 1: of Σ y² 3/4, or 3/8 about its middle R²/8; of Σ y 3/2; of n 3.
    middle = 0.125 if squares_centred else 0.0
    noise = 0.375 if squares_centred else 0.75
    by_count = 3 * (2 * m**2 - (square - middle))
    return float(np.hypot(np.hypot(noise, 1.5 * 2 * m), by_count) / ours)


def _figure(measure: str, column: Column, who: str, found: Estimate) -> Figure:
    return Figure(measure, column.name, who, found)
