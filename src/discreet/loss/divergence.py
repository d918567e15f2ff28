"""How far apart two finite laws are: exactly, or between two rationals that are proven.

Laws may have rational weights or balls, and a tail of outcomes that are not listed.  All that is
not known is turned outwards: the result is a `Bracket` that holds the truth, and a bracket whose
ends meet is exact.  `divergence.md` has the definitions and the proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, TypeVar, final

from flint import arb, fmpq

from discreet.errors import LossError
from discreet.numbers import (
    REACH,
    Number,
    at,
    ball,
    down,
    exact,
    nonnegative,
    positive,
    probability,
    up,
)

_BITS: Final = 256
_LARGEST_EXPONENT: Final = REACH * 2 // 3  # exp of it is below 2^REACH
_EXACT_BITS: Final = 2**16
_LAW_CURE: Final = (
    'such as `from discreet.loss.divergence import Law; Law({"yes": "3/4", "no": "1/4"})`'
)


@final
@dataclass(frozen=True, slots=True)
class Infinity:
    """Larger than every number, and equal to itself."""

    def __lt__(self, other: Fraction | Infinity) -> bool:
        return False

    def __le__(self, other: Fraction | Infinity) -> bool:
        return isinstance(other, Infinity)

    def __gt__(self, other: Fraction | Infinity) -> bool:
        return not isinstance(other, Infinity)

    def __ge__(self, other: Fraction | Infinity) -> bool:
        return True


INFINITY: Final = Infinity()
Extended: TypeAlias = Fraction | Infinity
_Ends: TypeAlias = tuple[Fraction, Fraction]
_Outcome = TypeVar("_Outcome", bound=Hashable)


@final
@dataclass(frozen=True, slots=True)
class Bracket:
    """A real number, or infinity, that is no smaller than `low` and no larger than `high`."""

    low: Extended
    high: Extended

    def __post_init__(self) -> None:
        if self.high < self.low:
            raise LossError(
                "a bracket must not end before it begins",
                cure="give its lower end first",
                code="L43",
            )

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def __contains__(self, number: Extended) -> bool:
        return self.low <= number <= self.high


@final
@dataclass(frozen=True, slots=True, init=False)
class Law:
    """A probability law: weights of listed outcomes, and a bound of all others together.

    A weight is an exact number or a ball that holds it.  Each pair is a lower and an upper end.

    >>> Law({"heads": "1/2", "tails": "1/2"}).missing
    (Fraction(0, 1), Fraction(0, 1))
    >>> Law({n: Fraction(1, 2 ** (n + 1)) for n in range(10)}, tail="1e-3").missing
    (Fraction(1, 1024), Fraction(1, 1024))
    """

    outcomes: tuple[Hashable, ...]
    weights: tuple[_Ends, ...]
    missing: _Ends

    def __init__(self, weights: Mapping[_Outcome, Number | arb], tail: Number | arb = 0) -> None:
        ends = tuple(_ends(weight) for weight in weights.values())
        least = 1 - sum((high for _, high in ends), Fraction(0))
        most = min(_ends(tail)[1], 1 - sum((low for low, _ in ends), Fraction(0)))
        if most < max(least, Fraction(0)):
            raise LossError(
                "the weights of a law and its tail must add up to one",
                cure=f"list all outcomes, or state a bound of the others as its tail, {_LAW_CURE}",
                code="L41",
            )
        object.__setattr__(self, "outcomes", tuple(weights))
        object.__setattr__(self, "weights", ends)
        object.__setattr__(self, "missing", (max(least, Fraction(0)), most))


def _ends(weight: Number | arb) -> _Ends:
    if not isinstance(weight, arb):
        number = nonnegative(weight, "a weight")
        return number, number
    if not weight.is_finite() or weight < 0:
        raise LossError(
            "a ball that is a weight must be finite, and not below zero",
            cure=f"give a ball around the weight, or the weight exactly, {_LAW_CURE}",
            code="L40",
        )
    low, high = at(_BITS, weight.lower), at(_BITS, weight.upper)
    least = down(lambda: low, relative_bits=_BITS)
    return max(least, Fraction(0)), up(lambda: high, relative_bits=_BITS)


# --- the divergences ------------------------------------------------------------------------------


def max_ratio(p: Law, q: Law, *, delta: Number = 0, beyond: Number | None = None) -> Bracket:
    """The least t ≥ 1 with p(S) ≤ t·q(S) + delta for every event S."""
    allowed = _rational(probability(delta, "delta"))
    return _pair(p, q, beyond).bracket(lambda cells: _least_ratio(cells, allowed))


def max_divergence(p: Law, q: Law, *, delta: Number = 0, beyond: Number | None = None) -> Bracket:
    """The least epsilon ≥ 0 with p(S) ≤ exp(epsilon)·q(S) + delta for every event S."""
    ratio = max_ratio(p, q, delta=delta, beyond=beyond)
    return Bracket(_log(ratio.low, down), _log(ratio.high, up))


def hockey_stick(p: Law, q: Law, ratio: Number, *, beyond: Number | None = None) -> Bracket:
    """The largest p(S) - ratio·q(S) over all events S: the delta at epsilon = ln(ratio).

    >>> yes, no = Law({1: "3/4", 0: "1/4"}), Law({1: "1/4", 0: "3/4"})
    >>> hockey_stick(yes, no, 2).high
    Fraction(1, 4)
    """
    t = exact(ratio, "ratio")
    if t < 1:
        raise LossError(
            "the ratio exp(epsilon) must be at least one",
            cure="choose one or more, such as `dp.exact(1)`; epsilon itself is for delta_at",
            code="L42",
        )
    return _pair(p, q, beyond).bracket(lambda cells: _overhang(cells, t))


def delta_at(p: Law, q: Law, epsilon: Number, *, beyond: Number | None = None) -> Bracket:
    """The largest p(S) - exp(epsilon)·q(S) over all events S."""
    exponent = nonnegative(epsilon, "epsilon")
    tame = min(exponent, Fraction(_LARGEST_EXPONENT))
    least = down(lambda: ball(tame).exp())
    most = up(lambda: ball(tame).exp()) if tame == exponent else INFINITY
    pair = _pair(p, q, beyond)
    return pair.bracket(lambda cells: _overhang(cells, most), lambda cells: _overhang(cells, least))


def total_variation(p: Law, q: Law) -> Bracket:
    """The largest |p(S) - q(S)| over all events S."""
    one, other = hockey_stick(p, q, 1), hockey_stick(q, p, 1)
    return Bracket(max(one.low, other.low), min(one.high, other.high))


def renyi_moment(
    p: Law,
    q: Law,
    order: Number,
    *,
    beyond: Number | None = None,
    tail_moment: Number | None = None,
) -> Bracket:
    """The sum of p^order·q^(1 - order), which is exp((order - 1)·renyi).

    Exact for rational laws and whole orders, unless the numbers grow beyond 2^16 bits.
    """
    alpha = _order(order)
    pair = _pair(p, q, beyond, tail_moment)
    low = max(Fraction(1), pair.low(lambda cells: _moment(cells, alpha, down)))
    return _agreeing(low, pair.high(lambda cells: _moment(cells, alpha, up)))


def renyi(
    p: Law,
    q: Law,
    order: Number,
    *,
    beyond: Number | None = None,
    tail_moment: Number | None = None,
) -> Bracket:
    """The Rényi divergence of an order above one: ln of `renyi_moment`, over order - 1."""
    alpha = _order(order)
    pair = _pair(p, q, beyond, tail_moment)
    low = max(Fraction(0), pair.low(lambda cells: _renyi(cells, alpha, down)))
    return _agreeing(low, pair.high(lambda cells: _renyi(cells, alpha, up)))


def _agreeing(low: Extended, high: Extended) -> Bracket:
    if high < low:
        raise LossError(
            "tail_moment is smaller than the moment of the outcomes that only one law lists",
            cure="state a larger bound of the moment, or leave tail_moment out",
            code="L46",
        )
    return Bracket(low, high)


def either_way(measure: Callable[[Law, Law], Bracket], p: Law, q: Law) -> Bracket:
    """The larger of both directions, as differential privacy needs.

    >>> certain, fair = Law({1: 1}), Law({1: "1/2", 0: "1/2"})
    >>> max_ratio(certain, fair).high
    Fraction(2, 1)
    >>> either_way(max_ratio, certain, fair).high
    Infinity()
    """
    one, other = measure(p, q), measure(q, p)
    return Bracket(max(one.low, other.low), max(one.high, other.high))


# --- two laws as cells ----------------------------------------------------------------------------

_Cells: TypeAlias = list[tuple[fmpq, fmpq]]
"""Weights under p and q.  Every divergence here grows with the first, and falls with the second."""
_Pairs: TypeAlias = tuple[fmpq, fmpq]
_Measure: TypeAlias = Callable[[_Cells], Extended]
_Rounding: TypeAlias = Callable[[Callable[[], arb]], Fraction]


@final
@dataclass(frozen=True, slots=True)
class _Pair:
    """Cells that are at most, and at least, as far apart as the laws; divergence.md, "Tails"."""

    closer: tuple[_Cells, _Cells]
    farther: _Cells

    def low(self, measure: _Measure) -> Extended:
        return max(measure(cells) for cells in self.closer)

    def high(self, measure: _Measure) -> Extended:
        return measure(self.farther)

    def bracket(self, low: _Measure, high: _Measure | None = None) -> Bracket:
        return Bracket(self.low(low), self.high(high or low))


def _pair(p: Law, q: Law, beyond: Number | None, tail_moment: Number | None = None) -> _Pair:
    """One cell for each outcome that both laws list, and one for the rest."""
    of_p, of_q = (dict(zip(law.outcomes, map(_pairs, law.weights), strict=True)) for law in (p, q))
    shared = [outcome for outcome in p.outcomes if outcome in of_q]
    closer = [(of_p[x][0], of_q[x][1]) for x in shared]
    farther = [(of_p[x][1], of_q[x][0]) for x in shared]
    (p_alone, _), (p_least, p_most) = _rest(of_p, shared, p.missing)
    _, (_, q_most) = _rest(of_q, shared, q.missing)
    q_missing = _rational(q.missing[1])
    rest = (p_most, fmpq(0))
    if beyond is not None:
        most = _rational(positive(beyond, "beyond"))
        if p_least > most * q_most or p_alone > most * q_missing:
            raise LossError(
                "beyond is smaller than the ratio of the outcomes that only one law lists",
                cure="state a larger bound of the ratio, or leave beyond out",
                code="L44",
            )
        rest = (p_most, p_most / most)
    if tail_moment is not None:
        moment = _rational(nonnegative(tail_moment, "tail_moment"))
        rest = (moment, moment)
    together, alone = (p_least, q_most), (p_alone, q_missing)
    return _Pair(([*closer, together], [*closer, alone]), [*farther, rest])


def _rest(
    weights: Mapping[Hashable, _Pairs], shared: Iterable[Hashable], missing: _Ends
) -> tuple[_Pairs, _Pairs]:
    """Ends of what is listed here but not shared, and of that with all that is missing."""
    both_low, both_high = (_sum(weights[x][end] for x in shared) for end in (0, 1))
    alone_low, alone_high = (_sum(pair[end] for pair in weights.values()) for end in (0, 1))
    alone_low, alone_high = alone_low - both_low, alone_high - both_high
    missing_low, missing_high = _pairs(missing)
    least = max(alone_low + missing_low, 1 - both_high)
    most = min(alone_high + missing_high, 1 - both_low)
    return (alone_low, alone_high), (least, most)


# --- measures of cells ----------------------------------------------------------------------------


def _overhang(cells: _Cells, ratio: Extended) -> Fraction:
    """The sum of p - ratio·q where that is positive; a law has no more than one of it."""
    if isinstance(ratio, Infinity):
        over = _sum(p for p, q in cells if q == 0)
    else:
        t = _rational(ratio)
        over = _sum(p - t * q for p, q in cells if p > t * q)
    return min(_fraction(over), Fraction(1))


def _least_ratio(cells: _Cells, delta: fmpq) -> Extended:
    """The least t ≥ 1 at which the overhang is at most delta: a root of a falling line, found on
    the way down the ratios."""
    above = _sum(p for p, q in cells if q == 0)
    if above > delta:
        return INFINITY
    below = fmpq(0)
    for ratio, p, q in sorted(((p / q, p, q) for p, q in cells if p > q > 0), reverse=True):
        if above - ratio * below > delta:
            break
        above, below = above + p, below + q
    return Fraction(1) if below == 0 else max(_fraction((above - delta) / below), Fraction(1))


def _moment(cells: _Cells, order: fmpq, rounded: _Rounding) -> Extended:
    cells = [(p, q) for p, q in cells if p > 0]
    if any(q == 0 for _, q in cells):
        return INFINITY
    if all(p == q for p, q in cells):
        return _fraction(_sum(p for p, _ in cells))
    size = sum(p.height_bits() + q.height_bits() for p, q in cells)
    if order.q == 1 and order * size <= _EXACT_BITS:
        power = int(order.p) - 1
        return _fraction(_sum(p * (p / q) ** power for p, q in cells))
    terms = [(p, p / q) for p, q in cells]
    return rounded(lambda: _weighted(terms, order - 1))


def _renyi(cells: _Cells, order: fmpq, rounded: _Rounding) -> Extended:
    cells = [(p, q) for p, q in cells if p > 0]
    if any(q == 0 for _, q in cells):
        return INFINITY
    if not cells or (all(p == q for p, q in cells) and sum(p for p, _ in cells) == 1):
        return Fraction(0)
    # The largest ratio is taken out, so that no order is too large to be computed.
    top = max(p / q for p, q in cells)
    terms = [(p, p / q / top) for p, q in cells]
    return rounded(lambda: arb(top).log() + _weighted(terms, order - 1).log() / arb(order - 1))


def _weighted(terms: Iterable[tuple[fmpq, fmpq]], power: fmpq) -> arb:
    """A ball around the sum of weight·ratio^power."""
    return sum((arb(w) * (arb(r).log() * arb(power)).exp() for w, r in terms), arb(0))


# --- numbers --------------------------------------------------------------------------------------


def _order(order: Number) -> fmpq:
    alpha = exact(order, "order")
    if alpha <= 1:
        raise LossError(
            "the order of a Rényi divergence must be greater than one",
            cure="choose a number above one, such as `dp.exact(2)`",
            code="L45",
        )
    return _rational(alpha)


def _log(number: Extended, rounded: _Rounding) -> Extended:
    if isinstance(number, Infinity):
        return INFINITY
    return Fraction(0) if number == 1 else rounded(lambda: ball(number).log())


def _sum(numbers: Iterable[fmpq]) -> fmpq:
    return sum(numbers, fmpq(0))


def _pairs(ends: _Ends) -> _Pairs:
    return _rational(ends[0]), _rational(ends[1])


def _rational(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
