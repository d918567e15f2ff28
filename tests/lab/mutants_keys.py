"""Keys of persons: what is counted, against which threshold, and for how many keys it is paid."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias

from flint import arb

from discreet.distances import L0, L2
from discreet.lab.exact import Neighbours
from discreet.loss import ZCDP, Approx, Pure
from discreet.loss.divergence import Law
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric, WeightedGaussian
from discreet.numbers import down, up
from discreet.units import Replace
from tests.lab.mutants import (
    ENDLESS,
    Mutant,
    Told,
    at_least,
    e_to,
    laplace,
    told,
    undercharged,
)

Persons: TypeAlias = tuple[tuple[str, ...], ...]
"""The keys of each person's rows."""

ONE: Final = L0(1)
E: Final = down(lambda: arb(1).exp())
STRICT: Final = ThresholdedRelease(1, 5)
LOOSE: Final = ThresholdedRelease(1, 4)
RARE: Final = ThresholdedRelease.within(ONE, Approx(1, "1e-7"))
SHARP: Final = ThresholdedRelease("1/5", 2)
OPTIMAL: Final = TruncatedGeometric(1, "1/1000")
SINGLE: Final = TruncatedGeometric(1, "1e-6")
WEIGHED: Final = WeightedGaussian(3, variance=64 * 16, threshold=100, resolution=8)
NEW: Final = Neighbours((), (("a",),), ONE)
BOTH: Final = Neighbours((), (("a", "b"),), L0(2))
THREE: Final = Neighbours((), (("a", "b", "c"),), L2(1))
MORE: Final = Neighbours((("a", "b"),) * 5, (("a", "b"),) * 6, L0(2))


def people(mechanism: ThresholdedRelease | TruncatedGeometric) -> Told:
    """A person counts once for each of their keys."""
    return lambda x: mechanism.law(Counter(key for keys in x for key in set(keys)))


def by_rows(x: Persons) -> Law:
    """A person counts as often as they have rows."""
    return RARE.law(Counter(key for keys in x for key in keys))


def weighed(x: Persons) -> Law:
    return WEIGHED.law(_sums(x, {1: 8, 2: WEIGHED.weight(2), 3: WEIGHED.weight(3)}))


def whole_weights(x: Persons) -> Law:
    """Everybody adds their whole weight to each of their keys."""
    return WEIGHED.law(_sums(x, {1: 8, 2: 8, 3: 8}))


def _sums(x: Persons, weight: dict[int, int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for keys in x:
        found.update(dict.fromkeys(keys, weight[len(keys)]))
    return found


def all_keys(x: Persons) -> Law:
    """Every key of the table is told with a noisy count; the list came from the table."""
    if not x:
        return Law({(): 1, **{(("a", n),): 0 for n in range(9)}})
    return told(laplace(1), lambda n: (("a", len(x) + n),))


def listed_keys(x: Persons) -> Law:
    """The same for a list that is public."""
    return told(laplace(1), lambda n: (("a", len(x) + n),))


def exactly_enough(x: Persons) -> Law:
    """The exact count is held against the threshold of three; what is told of it is noisy."""
    return listed_keys(x) if len(x) >= 3 else Law({(): 1})


def one_row(x: tuple[str, ...]) -> Law:
    """One of the rows is published, drawn fairly."""
    return Law({row: Fraction(x.count(row), len(x)) for row in ("alice", "bob", "carol")})


def half_recursion(n: int) -> Law:
    """π(n) = e^ε·π(n − 1) + δ up to one, and nothing said of those who are not told."""
    chance = Fraction(0)
    for _ in range(n):
        chance = min(E * chance + Fraction(1, 10**6), Fraction(1))
    return Law({"told": chance, "not told": 1 - chance})


def optimal(n: int) -> Law:
    chance = SINGLE.chance(n)
    return Law({"told": chance, "not told": 1 - chance})


def saturated() -> int:
    """The number of people at which the half recursion comes to one."""
    return next(n for n in range(99) if half_recursion(n).weights[0][0] == 1)


def before(n: int) -> Fraction:
    """Who is not told one person earlier."""
    return half_recursion(n - 1).weights[1][1]


def two_keys_at(persons: int) -> Fraction:
    """The delta at ε = 1 of two keys with so many people each, and one less: by π in decimals."""
    with localcontext(prec=50):
        e, rare, chances = Decimal(1).exp(), Decimal(1) / 1000, [Decimal(0)]
        for _ in range(persons):
            p = chances[-1]
            chances.append(min(e * p + rare, 1 - (1 - p - rare) / e, Decimal(1)))
        more, less = chances[persons], chances[persons - 1]
        coins = [((more, less), (1 - more, 1 - less))] * 2
        over = [a[0] * b[0] - e * a[1] * b[1] for a, b in product(*coins)]
        back = [a[1] * b[1] - e * a[0] * b[0] for a, b in product(*coins)]
        worst = max(sum(max(Decimal(0), each) for each in way) for way in (over, back))
        return Fraction(worst) + Fraction(1, 10**40)


def gaussian_tail(t: int, keys: int) -> Fraction:
    """That any of so many keys is told, each with P(Z ≥ t): by a sum over the law's definition."""
    with localcontext(prec=60):
        spread = 2 * Decimal(WEIGHED.variance.numerator)
        weights = {n: (-Decimal(n * n) / spread).exp() for n in range(-900, 901)}
        tail = sum((w for n, w in weights.items() if n >= t), Decimal(0)) / sum(weights.values())
        return Fraction(1 - (1 - tail) ** keys) + Fraction(1, 10**40)


FULL: Final = saturated()

MUTANTS: Final = [
    undercharged(
        "Four and more are told, and more than four are charged",
        "OpenDP issue 2922: ≥ is told and > is charged",
        NEW,
        people(LOOSE),
        claimed=STRICT.loss(ONE),
        keeps=LOOSE.loss(ONE),
        truth=Approx(1, up(lambda: at_least(1, 3))),
    ),
    Mutant(
        name="Rows are held against the threshold of people",
        stands_for="a person with many rows in a group of their own",
        claimed=Approx(1, "1e-7"),
        pair=Neighbours((), (("a",) * (RARE.threshold - 1),), ONE),
        broken=by_rows,
        sound=people(RARE),
        truth=Approx(1, up(lambda: at_least(1, 1))),
    ),
    undercharged(
        "The delta of one key is charged for two",
        "δ not shared among the keys of a person",
        BOTH,
        people(SHARP),
        claimed=Approx(10, SHARP.loss(ONE).delta),
        keeps=SHARP.loss(L0(2)),
        truth=Approx(10, up(lambda: 1 - (1 - at_least("1/5", 1)) ** 2)),
    ),
    undercharged(
        "Half of the purse beside a large rho",
        "a delta that no small epsilon shows",
        NEW,
        people(SHARP),
        claimed=ZCDP(SHARP.zcdp(ONE).rho, SHARP.zcdp(ONE).delta / 2),
        keeps=SHARP.zcdp(ONE),
        truth=SHARP.zcdp(ONE),
    ),
    undercharged(
        "The threshold and the noise of one key serve two",
        "a bound of the keys of a person that is ignored",
        BOTH,
        people(LOOSE),
        claimed=LOOSE.loss(ONE),
        keeps=LOOSE.loss(L0(2)),
        truth=Approx(1, up(lambda: 1 - (1 - at_least(1, 3)) ** 2)),
    ),
    undercharged(
        "The epsilon of one key is charged for two",
        "ε not shared among the keys of a person",
        MORE,
        people(OPTIMAL),
        claimed=Approx(1, OPTIMAL.loss(L0(2)).delta),
        keeps=OPTIMAL.loss(L0(2)),
        truth=Approx(1, two_keys_at(6)),
    ),
    Mutant(
        name="Weights of a person with several keys are not made smaller",
        stands_for="Gopi and others 2020 without the norm of one",
        claimed=WEIGHED.loss(L2(1)),
        pair=THREE,
        broken=whole_weights,
        sound=weighed,
        truth=ZCDP(3 * WEIGHED.loss(L2(1)).rho, gaussian_tail(92, 3)),
    ),
    Mutant(
        name="Keys are taken from the table",
        stands_for="group keys from the data",
        claimed=Pure(1),
        pair=replace(NEW, beyond=e_to(1)),
        broken=all_keys,
        sound=listed_keys,
        truth=ENDLESS,
    ),
    Mutant(
        name="The exact count decides whether the noisy one is told",
        stands_for="small counts suppressed before the noise",
        claimed=Approx(1, "1/100"),
        pair=Neighbours((("a",),) * 2, (("a",),) * 3, ONE),
        broken=exactly_enough,
        sound=listed_keys,
        truth=Approx(1, 1),
    ),
    Mutant(
        name="Half of the recursion decides who is told",
        stands_for="Desfontaines, Voss, Gipson and Mandayam 2022 without the other branch",
        claimed=Approx(1, "1e-6"),
        pair=Neighbours(FULL - 1, FULL, ONE),
        broken=half_recursion,
        sound=optimal,
        truth=Approx(1, before(FULL)),
    ),
    undercharged(
        "One row is published, and called pure",
        "name and shame: δ = 1/n of each row",
        Neighbours(("alice", "bob", "bob"), ("carol", "bob", "bob"), Replace(1)),
        one_row,
        claimed=Pure(100),
        keeps=Approx(0, "1/3"),
        truth=ENDLESS,
    ),
]
