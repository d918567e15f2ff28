"""Keys: all neighbours over one key and over two, with keys that only one of them has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from discreet.distances import L0, L2
from discreet.lab.exact import Neighbours
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric, WeightedGaussian
from tests.mechanisms.cases import Case, own, zcdp

KEYS: Final = ("a", "b", "c")


def tables(keys: int, most: int) -> Iterator[tuple[int, ...]]:
    return product(range(most + 1), repeat=keys)


def key_pairs(keys: int, most: int) -> Iterator[Neighbours]:
    """Every two tables of which each number differs by at most one, with the number of those that
    do.  What is mapped to zero is left out of one table, and kept in the other."""
    for x, y in combinations(tables(keys, most), 2):
        moved = [abs(a - b) for a, b in zip(x, y, strict=True)]
        if max(moved) == 1:
            first = {key: n for key, n in zip(KEYS, x, strict=False) if n}
            yield Neighbours(first, dict(zip(KEYS, y, strict=False)), L0(sum(moved)))


def subsets() -> list[tuple[str, ...]]:
    return [each for size in (1, 2, 3) for each in combinations(KEYS, size)]


def weighed(mechanism: WeightedGaussian, people: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """What people with these keys add up to."""
    found = dict.fromkeys(KEYS, 0)
    for keys in people:
        for key in keys:
            found[key] += mechanism.weight(len(keys))
    return found


def weighted_pairs(mechanism: WeightedGaussian) -> Iterator[Neighbours]:
    """Others with any keys, and somebody who enters, or takes the place of somebody else."""
    others = [(), *((each,) for each in subsets())]
    for base, entering in product(others, subsets()):
        yield Neighbours(weighed(mechanism, base), weighed(mechanism, (*base, entering)), L2(1))
    for base in (others[0], others[4]):
        for leaving, entering in combinations(subsets(), 2):
            yield Neighbours(
                weighed(mechanism, (*base, leaving)),
                weighed(mechanism, (*base, entering)),
                L2.root(2),
            )


WEIGHTED: Final = WeightedGaussian(3, variance=64, threshold=10, resolution=8)

CASES: Final = [
    Case(ThresholdedRelease("22/7", 3), list(key_pairs(1, 5))),
    Case(ThresholdedRelease("1/2", 4), list(key_pairs(1, 7)), claims=(own,)),
    Case(ThresholdedRelease("1/5", 2), list(key_pairs(2, 2)), claims=(own,)),
    Case(
        ThresholdedRelease(2, 2),
        [each for each in key_pairs(2, 1) if each.distance == L0(2)],
        long=True,
    ),
    Case(TruncatedGeometric("1/2", "1/10"), list(key_pairs(1, 9))),
    Case(TruncatedGeometric(1, "1/50"), list(key_pairs(2, 5)), claims=(own,)),
    Case(TruncatedGeometric("1/4", "1/3"), list(key_pairs(2, 3)), claims=(zcdp,)),
    Case(TruncatedGeometric(Fraction(3), "1/1000"), list(key_pairs(3, 2)), claims=(own,)),
    Case(WEIGHTED, list(weighted_pairs(WEIGHTED)), claims=(own,)),
]
