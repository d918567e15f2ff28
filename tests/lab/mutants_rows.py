"""Quantiles, means and variances of rows: scores that move too far, and rows of unequal weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from flint import arb

from discreet.lab.exact import Neighbours
from discreet.loss import Pure
from discreet.loss.divergence import Law
from discreet.mechanisms import Laplace
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import MomentTriple
from discreet.mechanisms.quantile import Quantile
from discreet.numbers import at
from discreet.units import Replace, Rows
from tests.lab.mutants import BITS, ENDLESS, Mutant, e_to, laplace, ln, times, told, undercharged
from tests.mechanisms.cases_moments import known
from tests.mechanisms.cases_quantile import apart
from tests.mechanisms.test_many_quantiles import QUARTERS, WIDE, by_true_counts
from tests.mechanisms.test_moment_triple import rounded_alone

TWO_THIRDS: Final = Quantile("2/3", 0, 1199, 1)
MEDIAN: Final = Quantile("1/2", 0, 799, 1)
CLOSE: Final = Quantile("1/2", 0, 59, 1)
SMALL: Final = Quantile("1/2", 0, 9, 1)
ONE_PLACE: Final = apart((4, 6), (4, 5, 6), Rows(1))
LONG: Final = ManyQuantiles(["1/4", "1/2"], 0, 59, 1, parts=1)
MANY: Final = ManyQuantiles(QUARTERS, 0, WIDE - 1, 1, parts=1)
PAIR: Final = MeanPair(0, 2, "1/8")
TRIPLE: Final = MomentTriple(0, 2, "1/20", parts=2)
CHANGED, THRICE, SPLIT = (
    *known(PAIR, [apart((0,), (2,), Replace(1)), apart((1,), (1, 2, 2, 2), Rows(3))]),
    *known(TRIPLE, [apart((), (1,), Rows(1))]),
)


def behind(rows: Sequence[int], v: int) -> Fraction:
    """How many ranks v is off the median."""
    half = Fraction(len(rows), 2)
    smaller, upto = sum(row < v for row in rows), sum(row <= v for row in rows)
    return max(Fraction(0), smaller - half, half - upto)


def softmax(rows: Sequence[int], places: dict[int, int]) -> Law:
    """Places, each as often as it is said to be there, by e^(−ranks off)."""

    def weights() -> dict[int, arb]:
        return {
            v: many * (-arb(behind(rows, v).numerator) / behind(rows, v).denominator).exp()
            for v, many in places.items()
        }

    def share(v: int) -> arb:
        found = weights()
        return found[v] / sum(found.values(), start=arb(0))

    return Law({v: at(BITS, lambda: share(v)) for v in places})  # noqa: B023


def one_of_the_rows(rows: Sequence[int]) -> Law:
    """Only values of rows are candidates."""
    return softmax(rows, {v: int(v in rows) for v in range(10)})


def between_the_rows(rows: Sequence[int]) -> Law:
    """Only what lies between two rows has a width; the places of the rows themselves have none."""
    return softmax(rows, {v: int(v not in rows) for v in range(10)})


def as_often_as_rows(rows: Sequence[int]) -> Law:
    """A place counts once, and ten times more for each of its rows."""
    many = Counter(rows)
    return softmax(rows, {v: 1 + 10 * many[v] for v in range(10)})


def of_both_groups(groups: tuple[Sequence[int], Sequence[int]]) -> Law:
    """A median of each, one beside the other."""
    one, other = (CLOSE.chances(rows) for rows in groups)
    return Law({(v, w): times(p, r) for v, p in one.items() for w, r in other.items()})


def by_public_count(rows: Sequence[int]) -> Law:
    """The noisy sum over the exact number of rows."""
    whole, n = sum(rows), len(rows)
    never = [Fraction(k, 6) for k in range(-9, 10) if (k * n) % 6]
    return told(laplace(2), lambda z: Fraction(whole + z, n), never)


MUTANTS: Final = [
    undercharged(
        "The score of every quantile is charged as that of the median",
        "Δ = 1/2 at q = 2/3, where it is max(q, 1 − q)",
        apart((1197, 1197), (1197, 1197, 1199), Rows(1)),
        TWO_THIRDS.law,
        claimed=Pure(1),
        keeps=TWO_THIRDS.loss(Rows(1)),
        truth=Pure("4/3"),
    ),
    undercharged(
        "A changed row is charged to a median as one that enters",
        "Δ = 1/2 under Replace",
        apart((0, 2), (2, 799), Replace(1)),
        MEDIAN.law,
        claimed=Pure(1),
        keeps=MEDIAN.loss(Replace(1)),
        truth=Pure(2),
    ),
    Mutant(
        name="A median is one of the rows",
        stands_for="candidates from the data",
        claimed=Pure(1),
        pair=ONE_PLACE,
        broken=one_of_the_rows,
        sound=SMALL.law,
        truth=ENDLESS,
    ),
    Mutant(
        name="The places of rows have no width",
        stands_for="Smith 2011 on a lattice: atoms",
        claimed=Pure(1),
        pair=ONE_PLACE,
        broken=between_the_rows,
        sound=SMALL.law,
        truth=ENDLESS,
    ),
    Mutant(
        name="A place counts as often as it has rows",
        stands_for="intervals between equal rows that are widened, each of them",
        claimed=Pure(1),
        pair=ONE_PLACE,
        broken=as_often_as_rows,
        sound=SMALL.law,
        # One for the ranks, and the place of the row counts eleven times in the place of once.
        truth=Pure(1 + ln(11)),
        near=Fraction(7, 10),
    ),
    Mutant(
        name="Many quantiles get the true counts of their ranges",
        stands_for="Kaplan, Schnapp and Stemmer 2022 with exact ranks after each halving",
        claimed=MANY.loss(Rows(1)),
        pair=apart((1, 2, 2), (1, 2, 2, WIDE - 1), Rows(1)),
        broken=by_true_counts,
        sound=MANY.law,
        # Twice 1/2 for the middle, and for its sides twice 1/4 and twice 3/4.
        truth=Pure(3),
        near=Fraction(4, 5),
    ),
    undercharged(
        "Ranges of many quantiles are charged as parallel under Replace",
        "the price of one way down, where a row leaves one and enters another",
        apart((0, 2), (2, 59), Replace(1)),
        LONG.law,
        claimed=LONG.loss(Rows(1)),
        keeps=LONG.loss(Replace(1)),
        truth=LONG.loss(Replace(1)),
        near="1/2",  # what is proven for Replace is not attained on lattices so short
    ),
    undercharged(
        "Medians of two groups are charged as parallel under Replace",
        "the largest of both, where a row leaves one and enters the other",
        Neighbours(((58,), (1, 2, 59)), ((58, 59), (1, 2)), Replace(1)),
        of_both_groups,
        claimed=CLOSE.loss(Rows(1)),
        keeps=2 * CLOSE.loss(Rows(1)),
        truth=Pure(2),
        near="47/50",
    ),
    undercharged(
        "Many quantiles are charged as one",
        "one level of halving for two",
        apart((58,), (58, 59), Rows(1)),
        LONG.law,
        claimed=ManyQuantiles(["1/2"], 0, 59, 1, parts=1).loss(Rows(1)),
        keeps=LONG.loss(Rows(1)),
        truth=Pure(2),
        near="9/10",
    ),
    undercharged(
        "A pair of sums is charged under Replace as one row that enters",
        "the simplex pair: U − L in the place of 2(U − L)",
        CHANGED,
        PAIR.law,
        claimed=PAIR.loss(Rows(1)),
        keeps=PAIR.loss(Replace(1)),
        truth=Pure(32),
    ),
    undercharged(
        "A person with three rows is charged as one row",
        "contributions that nobody bounds",
        THRICE,
        PAIR.law,
        claimed=PAIR.loss(Rows(1)),
        keeps=PAIR.loss(Rows(3)),
        truth=Pure(48),
    ),
    Mutant(
        name="Parts of a row are rounded one by one",
        stands_for="a Bernstein triple whose rows have no fixed sum",
        claimed=TRIPLE.loss(Rows(1)),
        pair=SPLIT,
        broken=rounded_alone,
        sound=TRIPLE.law,
        truth=Pure(60),
    ),
    Mutant(
        name="A mean is the noisy sum over the exact count",
        stands_for="smartnoise-sdk issue 547; a public n under adding and removing",
        claimed=Pure(1),
        pair=Neighbours((1, 1), (1, 1, 2), Rows(1), beyond=e_to(1)),
        broken=by_public_count,
        sound=lambda rows: Laplace(2).law(sum(rows)),
        truth=ENDLESS,
    ),
]
