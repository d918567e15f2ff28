"""Sparse vector by its definition, question by question, in decimals: the right ones and the broken
ones.  Nothing here is shared with the package; tails are sums, not closed forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Final

from discreet.loss.divergence import Law

Told = tuple[bool, ...]
Scale = int | str | Fraction
NEGLIGIBLE: Final = Decimal("1e-35")
TAIL: Final = Fraction(1, 10**25)


@cache
def noise(scale: Fraction) -> dict[int, Decimal]:
    """P(n) for discrete Laplace noise, down to almost nothing."""
    with localcontext(prec=50):
        q = (-Decimal(scale.denominator) / Decimal(scale.numerator)).exp()
        reach = next(n for n in range(10**6) if q**n < NEGLIGIBLE)
        return {n: (1 - q) / (1 + q) * q ** abs(n) for n in range(-reach, reach + 1)}


@cache
def reaches(scale: Fraction) -> Callable[[int], Decimal]:
    """P(noise ≥ t)."""
    chances = noise(scale)
    last = max(chances)
    outside_in = range(last, -last - 1, -1)
    tails = dict(zip(outside_in, accumulate(map(chances.__getitem__, outside_in)), strict=True))

    def tail(t: int) -> Decimal:
        return Decimal(0) if t > last else tails[max(t, -last)]

    return tail


def answered(
    values: Sequence[int],
    threshold: Scale,
    query: Scale | None,
    *,
    stop: int | None = None,
    lasts: int | None = None,
    tie: int = 0,
) -> dict[Told, Decimal]:
    """The probability of each sequence of answers to `values` held against a threshold of zero.

    No `query`: questions get no noise.  No `stop`: it never halts.  No `lasts`: the threshold is
    drawn once.  With a `tie` of one, the noisy answer must be greater than the threshold.
    """
    bars = noise(Fraction(threshold))
    tail = None if query is None else reaches(Fraction(query))

    def above(t: int) -> Decimal:
        return Decimal(t <= 0) if tail is None else tail(t)

    with localcontext(prec=50):
        open_: dict[Told, dict[int, Decimal]] = {(): dict(bars)}
        ended: dict[Told, Decimal] = {}
        for value in values:
            after: dict[Told, dict[int, Decimal]] = {}
            for told, weights in open_.items():
                yes = {bar: w * above(bar + tie - value) for bar, w in weights.items()}
                after[*told, False] = {bar: w - yes[bar] for bar, w in weights.items()}
                positives, then = sum(told) + 1, (*told, True)
                if positives == stop:
                    ended[then] = sum(yes.values(), Decimal(0))
                elif lasts and positives % lasts == 0:
                    total = sum(yes.values(), Decimal(0))
                    after[then] = {bar: total * p for bar, p in bars.items()}
                else:
                    after[then] = yes
            open_ = after
        return ended | {told: sum(weights.values(), Decimal(0)) for told, weights in open_.items()}


def law(chances: dict[Told, Decimal]) -> Law:
    """The same as a law, with what the window cuts off as its tail."""
    return Law({told: Fraction(max(p, Decimal(0))) for told, p in chances.items()}, TAIL)


def with_its_own_noise(
    values: Sequence[int], threshold: Scale, query: Scale, window: int
) -> dict[tuple[object, ...], Decimal]:
    """The broken one that halts at the first above and tells the noisy answer that was compared.
    Numbers outside the window are put together."""
    bars, own, tail = noise(Fraction(threshold)), noise(Fraction(query)), reaches(Fraction(query))
    with localcontext(prec=50):
        found: dict[tuple[object, ...], Decimal] = {}
        weights = dict(bars)
        for place, value in enumerate(values):
            listed = Decimal(0)
            for number in range(-window, window + 1):
                p = own[number - value] * sum(w for bar, w in weights.items() if bar <= number)
                found[(place, number)] = p
                listed += p
            yes = {bar: w * tail(bar - value) for bar, w in weights.items()}
            found[(place, "another")] = max(sum(yes.values(), Decimal(0)) - listed, Decimal(0))
            weights = {bar: w - yes[bar] for bar, w in weights.items()}
        return found | {("none",): sum(weights.values(), Decimal(0))}
