"""Divergences of finite laws from their definitions, by going through all events: a second reading
that shares nothing with `discreet.loss.divergence`.

Laws are mappings from outcomes to rational weights that add up to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

Weights: TypeAlias = Mapping[str, Fraction]
DIGITS = 60


def decimal(number: Fraction) -> Decimal:
    with localcontext(prec=DIGITS):
        return Decimal(number.numerator) / Decimal(number.denominator)


def events(p: Weights, q: Weights) -> Iterator[tuple[Fraction, Fraction]]:
    """p(S) and q(S) for every event S."""
    outcomes = sorted(p.keys() | q.keys())
    nothing = Fraction(0)
    for size in range(len(outcomes) + 1):
        for event in combinations(outcomes, size):
            yield (
                sum((p.get(x, nothing) for x in event), nothing),
                sum((q.get(x, nothing) for x in event), nothing),
            )


def hockey_stick(p: Weights, q: Weights, ratio: Fraction) -> Fraction:
    return max(of_p - ratio * of_q for of_p, of_q in events(p, q))


def least_ratio(p: Weights, q: Weights, delta: Fraction) -> Fraction | None:
    """The least t ≥ 1 with p(S) ≤ t·q(S) + delta for every event; None if there is none."""
    needed = Fraction(1)
    for of_p, of_q in events(p, q):
        if of_q:
            needed = max(needed, (of_p - delta) / of_q)
        elif of_p > delta:
            return None
    return needed


def total_variation(p: Weights, q: Weights) -> Fraction:
    return max(abs(of_p - of_q) for of_p, of_q in events(p, q))


def moment(p: Weights, q: Weights, order: Fraction) -> Decimal | None:
    """Σ p^order·q^(1 - order) in decimals; None if it is infinite."""
    if any(weight and not q.get(x) for x, weight in p.items()):
        return None
    with localcontext(prec=DIGITS):
        power = decimal(order) - 1
        return sum(
            (
                decimal(weight) * decimal(weight / q[x]) ** power
                for x, weight in p.items()
                if weight
            ),
            Decimal(0),
        )


def whole_moment(p: Weights, q: Weights, order: int) -> Fraction | None:
    """The same as a rational, for whole orders."""
    if any(weight and not q.get(x) for x, weight in p.items()):
        return None
    terms = (weight * (weight / q[x]) ** (order - 1) for x, weight in p.items() if weight)
    return sum(terms, Fraction(0))


def renyi(p: Weights, q: Weights, order: Fraction) -> Decimal | None:
    found = moment(p, q, order)
    if found is None:
        return None
    with localcontext(prec=DIGITS):
        return found.ln() / (decimal(order) - 1)


def kullback_leibler(p: Weights, q: Weights) -> Decimal:
    """Σ p·ln(p/q), for laws on the same outcomes."""
    with localcontext(prec=DIGITS):
        return sum(
            (decimal(weight) * decimal(weight / q[x]).ln() for x, weight in p.items() if weight),
            Decimal(0),
        )


def merged(law: Weights, names: Mapping[str, str]) -> dict[str, Fraction]:
    """The law of names[outcome]."""
    together: dict[str, Fraction] = {}
    for x, weight in law.items():
        together[names[x]] = together.get(names[x], Fraction(0)) + weight
    return together
