"""Mechanisms that are wrong: what each of them is, and the laws they are made of.

Each module `mutants_NAME.py` has a list `MUTANTS`; `test_mutants.py` finds them all and holds each
against the exact checker.  Laws here are computed from the definitions, with balls or rationals,
and share nothing with the mechanisms of the package; the sound ones beside them are those.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias, final

import flint
from flint import arb

from discreet.distances import L1
from discreet.lab.exact import Neighbours
from discreet.loss import AnyLoss
from discreet.loss.divergence import Law
from discreet.numbers import Number, at, ball, exact, up

BITS: Final = 256
UNLISTED: Final = Fraction(1, 2**128)
"""Noise is listed until no more than this is left."""

Scale: TypeAlias = int | str | Fraction
Told: TypeAlias = Callable[[Any], Law]


@final
class Endless:
    """The loss of what no finite epsilon is true of: an outcome that only one neighbour has."""


ENDLESS: Final = Endless()


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Mutant:
    """A law or a charge that is wrong, on two neighbours that show it.

    `broken` says what is told of x and of y, and is `claimed` to lose so much.  `sound` is the
    right mechanism on the same neighbours, which keeps `keeps`: the same claim, unless the claim is
    what is wrong.  `truth` is what the mutant loses in truth; `near` is how much of it these
    neighbours use up.
    """

    name: str
    stands_for: str
    claimed: AnyLoss
    pair: Neighbours
    broken: Told
    sound: Told
    truth: AnyLoss | Endless
    keeps: AnyLoss | None = None
    near: Fraction = Fraction(99, 100)


def undercharged(
    name: str,
    stands_for: str,
    pair: Neighbours,
    law: Told,
    *,
    claimed: AnyLoss,
    keeps: AnyLoss,
    truth: AnyLoss | Endless,
    near: Number = "99/100",
) -> Mutant:
    """The right law, and too small a loss; `keeps` is what the mechanism itself says."""
    return Mutant(
        name=name,
        stands_for=stands_for,
        claimed=claimed,
        pair=pair,
        broken=law,
        sound=law,
        keeps=keeps,
        truth=truth,
        near=exact(near),
    )


# --- noise by its definition ----------------------------------------------------------------------


@cache
def laplace(scale: Scale) -> dict[int, arb]:
    """P(n) = (1 − q)/(1 + q)·q^|n| with q = e^(−1/scale)."""
    rate = 1 / exact(scale)

    def weights() -> dict[int, arb]:
        q = (-ball(rate)).exp()
        reach = next(n for n in range(10**6) if 2 * q ** (n + 1) / (1 + q) < ball(UNLISTED))
        return {n: (1 - q) / (1 + q) * q ** abs(n) for n in range(-reach, reach + 1)}

    with flint.ctx.workprec(BITS):
        return weights()


def at_least(scale: Scale, t: int) -> arb:
    """P(Z ≥ t) for the same noise: its geometric sum."""
    rate = 1 / exact(scale)

    def tail() -> arb:
        q = (-ball(rate)).exp()
        return q**t / (1 + q) if t > 0 else 1 - q ** (1 - t) / (1 + q)

    return at(BITS, tail)


def told(
    noise: Mapping[int, arb], tell: Callable[[int], Hashable], never: Iterable[Hashable] = ()
) -> Law:
    """The law of what is told of each noise, another for another; `never` is certainly not told.

    What is not listed then lies at other outcomes, as it must in a law.
    """
    found: dict[Hashable, arb] = {tell(n): chance for n, chance in noise.items()}
    if len(found) != len(noise):
        raise ValueError("two noises are told alike")
    return Law(dict.fromkeys(never, arb(0)) | found, UNLISTED)


def folded(
    noise: Mapping[int, arb], tell: Callable[[int], Hashable], never: Iterable[Hashable] = ()
) -> Law:
    """The same where only finitely many outcomes can be told, all of which are listed: each may
    have any part of the noise that is not listed."""
    found: dict[Hashable, arb] = dict.fromkeys(never, arb(0))
    for n, chance in noise.items():
        found[tell(n)] = plus(found.get(tell(n), arb(0)), chance)
    rest = arb(0).union(ball(UNLISTED))
    return Law({each: plus(p, rest) if p > 0 else p for each, p in found.items()})


def plus(*parts: arb) -> arb:
    return at(BITS, lambda: sum(parts, start=arb(0)))


def times(*parts: arb) -> arb:
    def product() -> arb:
        found = arb(1)
        for part in parts:
            found *= part
        return found

    return at(BITS, product)


# --- numbers --------------------------------------------------------------------------------------


def e_to(x: Number) -> Fraction:
    """e^x, rounded up."""
    power = exact(x)
    return up(lambda: ball(power).exp())


def ln(x: Number) -> Fraction:
    """ln x, rounded up."""
    number = exact(x)
    return up(lambda: ball(number).log())


def number(move: int, scale: Scale) -> Neighbours:
    """A number that moves, and how far apart noise of this scale can take it."""
    return Neighbours(0, move, L1(abs(move)), beyond=e_to(abs(move) / exact(scale)))
