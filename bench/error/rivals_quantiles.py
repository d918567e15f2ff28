"""Quantiles as other libraries release them, on the lattice and for the ε of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, final

import numpy as np

from bench.error.estimate import Floats
from discreet.entropy import SYSTEM, Entropy
from discreet.loss import Pure
from discreet.mechanisms.lattice import Integers
from discreet.mechanisms.quantile import Quantile
from discreet.noise import DiscreteLaplace

EDGE: Final = 0.005
"""Google's tree answers no quantile nearer to an end than this."""
CLOSE: Final = 1e-6


def undivided(q: Fraction, low: int, high: int, epsilon: Fraction) -> Quantile:
    """The exponential mechanism with Δ = 1: diffprivlib's law, on our lattice.  It charges ε, which
    is the loss where a row may be changed; where rows are added or removed it loses only half of
    that for the median, so half of the budget is left unused."""
    return Quantile(q, low, high, 2 / epsilon)


def one_by_one(
    qs: Sequence[Fraction], low: int, high: int, epsilon: Fraction
) -> tuple[Quantile, ...]:
    """Each quantile by itself for an equal share of ε: 2·max(q, 1 − q)/scale is ε/m."""
    return tuple(Quantile(q, low, high, 2 * max(q, 1 - q) * len(qs) / epsilon) for q in qs)


@final
@dataclass(frozen=True, slots=True)
class Tree:
    """Google's quantile tree, which PipelineDP has, too: the range in `branching` equal parts, each
    of them in as many, and so on; each of `height` levels tells the counts of all its parts.

    A row is counted once on each level, so one row that is added or removed moves the counts by
    `height` together: with Laplace noise of scale height/ε they cost ε.  All quantiles are computed
    from the same counts.  `cut` is the share of its siblings below which a part is taken to be
    empty: 0.5 % or 0.75 %, by the version.
    """

    low: int
    high: int
    scale: Fraction
    cut: float
    height: int = 4
    branching: int = 16

    @property
    def leaves(self) -> int:
        return int(self.branching**self.height)

    def loss(self) -> Pure:
        """Of one row."""
        return Pure(self.height / self.scale)

    def counts(self, rows: Integers) -> list[Integers]:
        """How many rows are in each part, level by level, without noise."""
        reach = self.high - self.low
        up = np.clip(rows, self.low, self.high) - self.low
        leaf = np.minimum(up * self.leaves // reach, self.leaves - 1)
        levels = range(self.height - 1, -1, -1)
        sizes = [self.branching**level for level in levels]
        return [np.bincount(leaf // s, minlength=self.leaves // s).astype(np.int64) for s in sizes]

    def noisy(self, exact: Sequence[Integers], entropy: Entropy = SYSTEM) -> NoisyTree:
        """One release of all counts."""
        return NoisyTree(self, exact, entropy)


@final
@dataclass(frozen=True, slots=True, eq=False)
class NoisyTree:
    """The counts of one release.  Noise is drawn where it is first looked at, and stays."""

    tree: Tree
    exact: Sequence[Integers]
    entropy: Entropy
    drawn: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def children(self, level: int, parent: int) -> Floats:
        """The noisy counts of the parts of one part."""
        if (level, parent) not in self.drawn:
            first = parent * self.tree.branching
            exact = self.exact[level][first : first + self.tree.branching]
            noise = DiscreteLaplace(self.tree.scale).sample(len(exact), entropy=self.entropy)
            self.drawn[level, parent] = (exact + noise).astype(float)
        return self.drawn[level, parent]

    def quantile(self, q: Fraction) -> int:
        """Down from the whole range to where the share q of the counts is reached, then straight
        between the ends of that part; to the nearest place of the lattice."""
        tree = self.tree
        share, part, width = min(max(float(q), EDGE), 1 - EDGE), 0, float(tree.high - tree.low)
        begin = float(tree.low)
        for level in range(tree.height):
            found = chosen(self.children(level, part), share, tree.cut)
            if found is None:
                break
            child, share = found
            part, width = part * tree.branching + child, width / tree.branching
            begin += child * width
        return round(begin + share * width)


def chosen(counts: Floats, share: float, cut: float) -> tuple[int, float] | None:
    """Which part holds the share of the counts, and which share of it; None if all look empty."""
    total = counts.sum()
    if total <= 0:
        return None
    kept = np.where(counts >= total * cut, counts, 0.0)
    shares = np.cumsum(kept) / kept.sum()
    child = int(np.argmax(shares >= share - CLOSE))
    before = shares[child - 1] if child else 0.0
    rest = (share - before) / (shares[child] - before)
    return child, min(max(float(rest), 0.0), 1.0)
