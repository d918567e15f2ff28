"""Many quantiles from their definition, in decimals and rationals: the ways down to each of them,
what is spent on the way, and the law."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import floor, log2
from typing import NamedTuple, TypeAlias

from discreet.loss.divergence import Law
from discreet.mechanisms.many_quantiles import ManyQuantiles
from tests.mechanisms.test_quantile import distance
from tests.noise.closed import weight

Told: TypeAlias = tuple[int, ...]


# --- the scales ----------------------------------------------------------------------------------


class Stop(NamedTuple):
    """A quantile on the way down to one: its q between those that were told before it, on how many
    levels its range is asked, and what it spends."""

    which: int
    q: Fraction
    levels: int
    epsilon: Fraction

    @property
    def row(self) -> Fraction:
        """How unequally one row moves its distances."""
        return Fraction(1) if self.q in {0, 1} else 2 * max(self.q, 1 - self.q)

    @property
    def change(self) -> Fraction:
        return Fraction(1) if self.q in {0, 1} else Fraction(2)


def way_to(qs: Sequence[Fraction], i: int, given: Fraction) -> Iterator[Stop]:
    """By bisection to the quantile i, spending on each level an equal part of what is left."""
    low, high, middle = 0, len(qs), -1
    while middle != i:
        middle = (low + high) // 2
        before = qs[low - 1] if low else Fraction(0)
        after = qs[high] if high < len(qs) else Fraction(1)
        levels = floor(log2(high - low)) + 1
        yield Stop(middle, (qs[middle] - before) / (after - before), levels, given / levels)
        given -= given / levels
        low, high = (low, middle) if i < middle else (middle + 1, high)


def ways(qs: Sequence[Fraction], scale: Fraction) -> list[list[Stop]]:
    """The way to each quantile.  If all had one scale, the dearest would cost the same."""
    several = range(len(qs))
    whole = max(sum(stop.row for stop in way_to(qs, i, Fraction(0))) for i in several)
    return [list(way_to(qs, i, whole / scale)) for i in several]


def scales(qs: Sequence[Fraction], scale: Fraction) -> list[Fraction]:
    """Of each quantile."""
    return [way[-1].row / way[-1].epsilon for way in ways(qs, scale)]


# --- the law -------------------------------------------------------------------------------------


def step(q: Fraction, rows: Sequence[int], places: range, scale: Fraction) -> dict[int, Decimal]:
    weights = {v: weight(distance(q, rows, v) / scale) for v in places}
    return {v: each / sum(weights.values()) for v, each in weights.items()}


def halved(
    qs: Sequence[Fraction], rows: Sequence[int], places: range, own: Sequence[Fraction]
) -> Iterator[tuple[Told, Decimal]]:
    """All answers with their probabilities, for quantiles of these rows among these places, each
    with a scale of its own."""
    if not qs:
        yield (), Decimal(1)
        return
    middle = len(qs) // 2
    q = qs[middle]
    for v, p in step(q, rows, places, own[middle]).items():
        lower = [each / q for each in qs[:middle]]
        upper = [(each - q) / (1 - q) for each in qs[middle + 1 :]]
        below, above = range(places.start, v + 1), range(v, places.stop)
        for before, b in halved(lower, [x for x in rows if x <= v], below, own[:middle]):
            for after, a in halved(upper, [x for x in rows if x > v], above, own[middle + 1 :]):
                yield (*before, v, *after), p * b * a


def closed(
    many: ManyQuantiles, rows: Sequence[int], own: Sequence[Fraction] | None = None
) -> dict[Told, Decimal]:
    """The law, or what it would be with other scales."""
    taken = scales(many.qs, many.scale) if own is None else own
    places = range(many.low * many.parts, (many.high + 1) * many.parts)
    found: dict[Told, Decimal] = {}
    with localcontext(prec=60):
        throws = list(product(range(many.parts), repeat=len(rows)))
        for dice in throws:
            fine = [x * many.parts + die for x, die in zip(rows, dice, strict=True)]
            for told, p in halved(many.qs, fine, places, taken):
                key = tuple(place // many.parts for place in told)
                found[key] = found.get(key, Decimal(0)) + p / len(throws)
    return found


def with_scales(many: ManyQuantiles, rows: Sequence[int], own: Sequence[Fraction]) -> Law:
    """The law of a mutant with other scales."""
    found = {told: Fraction(p) for told, p in closed(many, rows, own).items()}
    whole = sum(found.values())
    return Law({told: p / whole for told, p in found.items()}, "1e-50")


def chance(
    told: Sequence[int],
    qs: Sequence[Fraction],
    rows: Sequence[int],
    places: range,
    own: Sequence[Fraction],
) -> Decimal:
    """Of these answers alone."""
    if not qs:
        return Decimal(1)
    m = len(qs) // 2
    q, v = qs[m], told[m]
    lower = [each / q for each in qs[:m]]
    upper = [(each - q) / (1 - q) for each in qs[m + 1 :]]
    below, above = range(places.start, v + 1), range(v, places.stop)
    return (
        step(q, rows, places, own[m])[v]
        * chance(told[:m], lower, [x for x in rows if x <= v], below, own[:m])
        * chance(told[m + 1 :], upper, [x for x in rows if x > v], above, own[m + 1 :])
    )
