"""Two ways to publish that keep (0, δ), and nobody's secret.  Claim: warnings.md

They stand here as a warning: δ is the probability of a disaster that the definition allows, and it
must be far below one over the number of people.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import final

from discreet.loss import Approx
from discreet.loss.divergence import Law
from discreet.noise.bernoulli import Bernoulli
from discreet.numbers import Number, probability, whole


@final
@dataclass(frozen=True, slots=True, init=False)
class NameAndShame:
    """Each record is published as it is with probability `chance`, and else kept back.

    >>> NameAndShame("1/1000").loss(), float(NameAndShame("1/1000").harm(10_000)) > 0.9999
    (loss('epsilon=0, delta=0.001'), True)
    """

    chance: Fraction

    def __init__(self, chance: Number) -> None:
        object.__setattr__(self, "chance", probability(chance, "chance"))

    def loss(self) -> Approx:
        """(0, chance), for one record that is added, removed or changed; no smaller δ is true."""
        return Approx(0, self.chance)

    def harm(self, records: int) -> Fraction:
        """The probability that somebody's record is published whole."""
        return 1 - (1 - self.chance) ** whole(records, "records")

    def publish(self, table: Sequence[Hashable]) -> list[Hashable]:
        """What is published of an invented table, in its order."""
        told = Bernoulli(self.chance).sample(len(table))
        return [record for record, out in zip(table, told.tolist(), strict=True) if out]

    def law(self, table: Sequence[Hashable]) -> Law:
        chances: dict[Hashable, Fraction] = {}
        for told in product([False, True], repeat=len(table)):
            out = tuple(r for r, is_out in zip(table, told, strict=True) if is_out)
            share = self.chance ** sum(told) * (1 - self.chance) ** (len(told) - sum(told))
            chances[out] = chances.get(out, Fraction(0)) + share
        return Law(chances)


@final
@dataclass(frozen=True, slots=True, init=False)
class SubsampleAndPublish:
    """Of n records, `size` are chosen by lot and published as they are.

    >>> SubsampleAndPublish(10).loss(1000)
    loss('epsilon=0, delta=0.01')
    """

    size: int

    def __init__(self, size: Number) -> None:
        object.__setattr__(self, "size", whole(size, "size"))

    def loss(self, records: int) -> Approx:
        """(0, size/n) when one of n records is changed; no smaller δ is true."""
        return Approx(0, Fraction(min(self.size, records), whole(records, "records", least=1)))

    def harm(self, records: int) -> Fraction:
        """The probability that somebody's record is published whole."""
        return Fraction(self.size > 0 and records > 0)

    def law(self, table: Sequence[Hashable]) -> Law:
        chances: dict[Hashable, Fraction] = {}
        for out in self._samples(table):
            chances[out] = chances.get(out, Fraction(0)) + self._each(len(table))
        return Law(chances)

    def _samples(self, table: Sequence[Hashable]) -> Iterator[tuple[Hashable, ...]]:
        return combinations(table, min(self.size, len(table)))

    def _each(self, records: int) -> Fraction:
        return Fraction(1, comb(records, min(self.size, records)))
