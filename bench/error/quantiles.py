"""One median, and nineteen quantiles from one budget: how many ranks they are off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np

from bench.error.aims import Aim, beats
from bench.error.contest import Contest, Figure
from bench.error.data import Column, ages, bell, clusters, even, lognormal
from bench.error.estimate import Estimate, Floats, mean_of
from bench.error.peers import Peer
from bench.error.ranks import ranks_off
from bench.error.rivals_quantiles import Tree, one_by_one, undivided
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.quantile import Quantile
from discreet.units import Rows

MEDIAN: Final = Fraction(1, 2)
NINETEEN: Final = tuple(Fraction(k, 20) for k in range(1, 20))
CUTS: Final = (0.005, 0.0075)
Release = Callable[[], Sequence[float]]


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A column and an ε.  `demanded`: it is one of those of research, and an aim."""

    column: Column
    epsilon: Fraction
    demanded: bool = True

    def __str__(self) -> str:
        return f"{self.column.name}, ε = {float(self.epsilon):g}"


def settings() -> tuple[Setting, ...]:
    one, tenth = Fraction(1), Fraction(1, 10)
    return (
        Setting(lognormal(1000), one),
        Setting(lognormal(10_000), one),
        Setting(lognormal(1000), tenth),
        Setting(bell(1000), one),
        Setting(bell(1000), tenth, demanded=False),
        Setting(even(1000), one, demanded=False),
        Setting(even(1000), tenth, demanded=False),
        Setting(clusters(1000), one, demanded=False),
        Setting(clusters(1000), tenth, demanded=False),
        Setting(ages(1000), one, demanded=False),
        Setting(ages(1000), tenth, demanded=False),
    )


@final
@dataclass(frozen=True, slots=True)
class Off:
    """How many ranks the answers of all trials are off: in the mean over the quantiles, and the
    largest of them."""

    mean: Estimate
    largest: Estimate


def off(setting: Setting, release: Release, qs: Sequence[Fraction], trials: int) -> Off:
    """Of so many releases."""
    return off_by(setting, np.array([release() for _ in range(trials)], dtype=float), qs)


def off_by(setting: Setting, told: Floats, qs: Sequence[Fraction]) -> Off:
    """Of what was told, a row for each release."""
    found = ranks_off(setting.column.rows, told, qs)
    return Off(mean_of(found.mean(axis=1)), mean_of(found.max(axis=1)))


def tree_of(setting: Setting, qs: Sequence[Fraction], cut: float) -> Release:
    tree = Tree(setting.column.low, setting.column.high, 4 / setting.epsilon, cut)
    exact = tree.counts(setting.column.rows)

    def release() -> Sequence[float]:
        noisy = tree.noisy(exact)
        return [noisy.quantile(q) for q in qs]

    return release


# --- one median -----------------------------------------------------------------------------------


def medians(trials: int, peers: Sequence[Peer], peer_trials: int) -> Contest:
    """`Quantile` against the same with Δ = 1, the tree, and what other libraries answer."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    problems: list[str] = [f"{peer.name}: {peer.missing}" for peer in peers if peer.missing]
    for setting in settings():
        found = _medians(setting, trials)
        figures += [Figure("ranks off", str(setting), who, f) for who, f in found.items()]
        ours, twice, *trees = found.values()
        least = 1.0 if setting.demanded else None
        aims.append(beats(f"median, {setting}: Δ = 1", twice, ours, least))
        tree = min(trees, key=lambda each: each.value)
        aims.append(beats(f"median, {setting}: better tree", tree, ours, least))
        for peer in peers:
            if peer.missing:
                continue
            answers = peer.medians(setting.column, setting.epsilon, peer_trials)
            if isinstance(answers, str):
                problems.append(f"{peer.name}, {setting}: {answers}")
            else:
                their = off_by(setting, answers[:, np.newaxis], (MEDIAN,)).mean
                figures.append(Figure("ranks off", str(setting), peer.name, their))
    how = (
        f"{trials:,} releases each, of other libraries {peer_trials:,}; the mean distance from the "
        "wanted rank.\nTree: 4 levels of 16, which cuts parts below 0.5 % or 0.75 %.\n"
        "OpenDP chooses from a list, here 1,000 places over the range, which lie well or badly."
    )
    return Contest("median", "One median", how, figures, aims, problems)


def _medians(setting: Setting, trials: int) -> dict[str, Estimate]:
    column, epsilon = setting.column, setting.epsilon
    ours = Quantile(MEDIAN, column.low, column.high, 1 / epsilon)
    twice = undivided(MEDIAN, column.low, column.high, epsilon)
    ways: dict[str, Release] = {
        "Quantile": lambda: [ours.release(column.rows)],
        "Δ = 1": lambda: [twice.release(column.rows)],
    }
    ways |= {f"tree {100 * cut:g} %": tree_of(setting, (MEDIAN,), cut) for cut in CUTS}
    return {who: off(setting, way, (MEDIAN,), trials).mean for who, way in ways.items()}


# --- nineteen quantiles ---------------------------------------------------------------------------


def within(setting: Setting, qs: Sequence[Fraction]) -> ManyQuantiles:
    """`ManyQuantiles` for the whole ε: its loss is what it is at scale one, over the scale."""
    low, high = setting.column.low, setting.column.high
    unit = ManyQuantiles(qs, low, high, 1).loss(Rows(1)).epsilon
    return ManyQuantiles(qs, low, high, unit / setting.epsilon)


def many(trials: int) -> Contest:
    """`ManyQuantiles` against one by one and the tree."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for setting in settings():
        found = _many(setting, trials)
        for who, each in found.items():
            figures.append(Figure("ranks off", str(setting), who, each.mean))
            figures.append(Figure("the largest of 19", str(setting), who, each.largest))
        ours, alone, *trees = found.values()
        least = 1.0 if setting.demanded else None
        aims.append(beats(f"19 quantiles, {setting}: one by one", alone.mean, ours.mean, least))
        tree = min(trees, key=lambda each: each.mean.value)
        aims.append(beats(f"19 quantiles, {setting}: better tree", tree.mean, ours.mean, least))
    how = (
        f"{trials:,} releases each of 0.05, 0.1, …, 0.95; the mean distance from wanted ranks.\n"
        "The figures of research for ours came from a script that is not private: no aim."
    )
    return Contest("quantiles", "Nineteen quantiles", how, figures, aims)


def _many(setting: Setting, trials: int) -> dict[str, Off]:
    column = setting.column
    ours = within(setting, NINETEEN)
    alone = one_by_one(NINETEEN, column.low, column.high, setting.epsilon)
    ways: dict[str, Release] = {
        "ManyQuantiles": lambda: ours.release(column.rows),
        "one by one": lambda: [each.release(column.rows) for each in alone],
    }
    ways |= {f"tree {100 * cut:g} %": tree_of(setting, NINETEEN, cut) for cut in CUTS}
    return {who: off(setting, way, NINETEEN, trials) for who, way in ways.items()}
