"""Sums that move farther than is said: wrong bounds, no bounds, and arithmetic of machines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from discreet.lab.exact import Neighbours
from discreet.loss import Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.numbers import Number, exact
from discreet.units import Rows
from tests.lab.mutants import ENDLESS, Mutant, Scale, Told, at_least, e_to, laplace, plus, told

Table: TypeAlias = Sequence[int | None]


def one_row(x: Table, y: Table, epsilon: Number = 1) -> Neighbours:
    """One row more; the right sum keeps ε."""
    return Neighbours(x, y, Rows(1), beyond=e_to(epsilon))


def summed(scale: Scale, low: int, high: int) -> Told:
    """The right one: each row is put between the bounds, a row without a number at the lower."""

    def law(rows: Table) -> Law:
        kept = (low if row is None else min(max(row, low), high) for row in rows)
        return Laplace(scale).law(sum(kept))

    return law


def plain(scale: Scale) -> Told:
    """Rows as they are."""

    def law(rows: Sequence[int]) -> Law:
        whole = sum(rows)
        return told(laplace(scale), lambda n: whole + n)

    return law


def clamped_after(rows: Table) -> Law:
    """Only what is told is put between 0 and the number of places."""
    whole = sum(row or 0 for row in rows)
    chances = {n: plus(at_least(1, n - whole), -at_least(1, n + 1 - whole)) for n in range(1, 4)}
    return Law({0: plus(at_least(1, whole)), 4: at_least(1, 4 - whole), **chances})


def by_its_own_range(rows: Table) -> Law:
    """Bounds are read off the rows: where all are equal, there is no noise."""
    values = [row or 0 for row in rows]
    scale = max(values) - min(values)
    whole = sum(values)
    return told(laplace(scale), lambda n: whole + n) if scale else Law({whole: 1})


def without_noise(rows: Table) -> Law:
    """The sensitivity of squares between 0 and 3 was found as 0·3, and the scale with it."""
    return Law({sum((row or 0) ** 2 for row in rows): 1})


def squares(rows: Table) -> Law:
    return Laplace(9).law(sum(min(max(row or 0, 0), 3) ** 2 for row in rows))


def no_number(rows: Table) -> Law:
    """A row without a number makes the sum none."""
    whole = sum(row or 0 for row in rows)
    if None in rows:
        return Law({"none": 1})
    return told(laplace(1), lambda n: whole + n, ["none"])


def in_eight_bits(rows: Sequence[int]) -> int:
    """The sum wraps around at 128."""
    return (sum(rows) + 128) % 256 - 128


def in_short_floats(rows: Sequence[int]) -> int:
    """Eleven binary digits, as of 16-bit floats: every partial sum is rounded, ties to even."""
    found = 0
    for row in rows:
        found += row
        unit = 2 ** max(0, found.bit_length() - 11)
        found = round(Fraction(found, unit)) * unit
    return found


THREES: Final = (3,) * 690
ONES: Final = (1,) * 30
ORDERED: Final = one_row(THREES + ONES, (*ONES, *THREES, 3))
"""The same rows in another order, as a table without an order may be read, and one row more."""

MUTANTS: Final = [
    Mutant(
        name="A sum of numbers from -10 to 3 is charged as a count",
        stands_for="sensitivity one for every answer",
        claimed=Pure(1),
        pair=one_row((), (-10,)),
        broken=plain(1),
        sound=summed(10, -10, 3),
        truth=Pure(10),
    ),
    Mutant(
        name="A sum of numbers from -10 to 3 is charged by its upper bound",
        stands_for="U in the place of max(|L|, |U|)",
        claimed=Pure(1),
        pair=one_row((), (-10,)),
        broken=plain(3),
        sound=summed(10, -10, 3),
        truth=Pure("10/3"),
    ),
    Mutant(
        name="A row that enters is charged by the width of the bounds",
        stands_for="diffprivlib GaussianNB and KMeans: U − L for a sum of a part of the rows",
        claimed=Pure(1),
        pair=one_row((), (11,)),
        broken=plain(1),
        sound=summed(11, 10, 11),
        truth=Pure(11),
    ),
    Mutant(
        name="Rows are not clamped, only what is told",
        stands_for="clamping after the noise for clamping before it",
        claimed=Pure(1),
        pair=one_row((), (9,)),
        broken=clamped_after,
        sound=summed(1, 0, 1),
        truth=Pure(9),
    ),
    Mutant(
        name="Bounds are those of the rows",
        stands_for="bounds that default to the data, as in diffprivlib",
        claimed=Pure(1),
        pair=one_row((5, 5), (5, 5, 6)),
        broken=by_its_own_range,
        sound=summed(6, 0, 6),
        truth=ENDLESS,
    ),
    Mutant(
        name="A formula gives a sensitivity of zero, and no noise is added",
        stands_for="diffprivlib LinearRegression, issues 104 and 105: the lower bound twice",
        claimed=Pure(1),
        pair=one_row((2,), (2, 3)),
        broken=without_noise,
        sound=squares,
        truth=ENDLESS,
    ),
    Mutant(
        name="A row that is no number makes the answer none",
        stands_for="NaN, which survives clipping",
        claimed=Pure(1),
        pair=one_row((1,), (1, None)),
        broken=no_number,
        sound=summed(1, 0, 1),
        truth=ENDLESS,
    ),
    Mutant(
        name="A sum wraps around in eight bits",
        stands_for="Casacuberta, Shoemate, Vadhan and Wagaman 2022: overflow",
        claimed=Pure("1/10"),
        pair=one_row((1,) * 127, (1,) * 128, "1/10"),
        broken=lambda rows: plain(10)([in_eight_bits(rows)]),
        sound=summed(10, 0, 1),
        truth=Pure("25.5"),
    ),
    Mutant(
        name="Every addend of a sum is rounded",
        stands_for="Casacuberta, Shoemate, Vadhan and Wagaman 2022: rounding and order",
        claimed=Pure(1),
        pair=ORDERED,
        broken=lambda rows: plain(3)([in_short_floats(rows)]),
        sound=summed(3, 0, 3),
        truth=Pure(
            exact(Fraction(abs(in_short_floats(ORDERED.x) - in_short_floats(ORDERED.y)), 3))
        ),
    ),
]
