"""Rényi differential privacy as a curve over orders.  Claim and proof: renyi.md"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Self, TypeAlias, final, overload

from discreet.errors import LossError
from discreet.loss.base import Loss, pasted
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, exact, nonnegative, shorter, whole

Point: TypeAlias = tuple[Fraction, Fraction]

_DOUBLED_BITS: Final = 512
"""Each doubling multiplies by the digits of an order; beyond this, epsilon is rounded up."""
_MOST_CORNERS: Final = 4_096
"""A curve with fewer corners lies above: more than these are thinned out, but for the last."""
_EXAMPLE: Final = 'dp.Renyi({2: "1/2", 4: 1})'


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class Renyi(Loss):
    """Rényi divergence at most `epsilon` at each `order` of the curve, and what follows between.

    (order − 1)·epsilon is convex in the order and zero at order one, so a point bounds the orders
    on its left; a point that follows from the others is not kept.  Beyond the last order nothing
    is promised.

    >>> Renyi({2: "1/2", 4: 1}) + Renyi({3: 1})
    loss('renyi=2:1.5 3:1.875')
    """

    curve: tuple[Point, ...]

    # One type for each form, so that a type checker reads a literal as the form it has.
    @overload
    def __init__(self, curve: Mapping[Number, Number]) -> None: ...

    @overload
    def __init__(self, curve: Iterable[tuple[Number, Number]] | None = None) -> None: ...

    def __init__(self, curve: object = None) -> None:
        object.__setattr__(self, "curve", _hull(_points(curve)))

    @property
    def last(self) -> Fraction:
        """The largest order at which something is promised."""
        return self.curve[-1][0]

    def at(self, order: Number) -> Fraction:
        """The epsilon promised at `order`.

        >>> Renyi({2: "1/2", 4: 1}).at(3)
        Fraction(7, 8)
        """
        wanted = _order(order)
        if wanted > self.last:
            raise LossError(
                "this curve promises nothing at so large an order",
                cure=f"ask at its last order or below: `{pasted(self)}.at({_code(self.last)})`",
                code="L03",
            )
        return _chords(self.curve)(wanted) / (wanted - 1)

    def zero(self) -> Self:
        return type(self)([(self.last, 0)])

    def group(self, k: Number) -> Self:
        """For the next power of two, 2^c ≥ k, at 2^c times lower orders."""
        size = whole(k, "the size of the group")
        if size == 0:
            return self.zero()
        doublings = (size - 1).bit_length()
        if self.last <= 2**doublings:
            raise LossError(
                f"a group of 2^{doublings} needs an order above it, and this curve ends at "
                f"{written(rounded(self.last))}",
                cure=f"lay the curve down to larger orders, such as `{_EXAMPLE}.group(2)`",
                code="L07",
            )
        wider: Self = self
        for _ in range(doublings):
            wider = wider._doubled()
        return wider

    def _doubled(self) -> Self:
        # The triangle inequality of renyi.md: order 2α to the middle, order 2α − 1 from there.
        # It bends where one of the two is a corner; between bends its chords lose nothing.
        moment = _chords(self.curve)
        corners = [order for order, _ in self.curve]
        bends = {each for order in corners for each in (order, order + 1) if 2 < each <= self.last}
        kept = sorted(bends)[::-1][:: 1 + len(bends) // _MOST_CORNERS]
        return type(self)(
            (bend / 2, shorter((moment(bend) + moment(bend - 1)) / (bend - 2), _DOUBLED_BITS))
            for bend in kept
        )

    def _plus(self, other: Self) -> Self:
        common = min(self.last, other.last)
        orders = {order for order, _ in self.curve + other.curve if order <= common}
        ours, theirs = _chords(self.curve), _chords(other.curve)
        return type(self)((order, (ours(order) + theirs(order)) / (order - 1)) for order in orders)

    def _times(self, n: int) -> Self:
        return type(self)((order, n * epsilon) for order, epsilon in self.curve)

    def _at_most(self, other: Self) -> bool:
        if other.last > self.last:
            return False
        ours = _chords(self.curve)
        return all(ours(order) <= (order - 1) * epsilon for order, epsilon in other.curve)

    def _sketch(self) -> Self:
        # Orders that become equal keep the last epsilon, which is the largest.
        sketch = {rounded(order): rounded(epsilon) for order, epsilon in self.curve[-3:]}
        return type(self)(sketch.items())

    def __str__(self) -> str:
        return "renyi=" + " ".join(f"{written(o)}:{written(e)}" for o, e in self.curve)


def _points(curve: object) -> list[Point]:
    """The curve as given, in the order of orders."""
    if isinstance(curve, Mapping):
        curve = curve.items()
    if curve is None or isinstance(curve, str) or not isinstance(curve, Iterable):
        raise _no_curve()
    found = {}
    for pair in curve:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise _no_curve()
        order = _order(pair[0])
        if order in found:
            raise LossError(
                f"the order {written(order)} stands twice in the curve",
                cure=f"give each order once, as in `{_EXAMPLE}`",
                code="L02",
            )
        found[order] = nonnegative(pair[1], "epsilon")
    if not found:
        raise _no_curve()
    return sorted(found.items())


def _no_curve() -> LossError:
    return LossError(
        "a Rényi curve is pairs of an order and its epsilon, one at least",
        cure=f"give it as `{_EXAMPLE}`",
        code="L02",
    )


def _order(order: Number) -> Fraction:
    found = exact(order, "the order")
    if found <= 1:
        raise LossError(
            "an order must be greater than one",
            cure=f"choose orders above one, as in `{_EXAMPLE}`",
            code="L02",
        )
    return found


def _hull(points: list[Point]) -> tuple[Point, ...]:
    """The corners of the lower convex hull of (order, (order − 1)·epsilon) from (1, 0) on."""
    corners = [(Fraction(1), Fraction(0))]
    for order, epsilon in points:
        moment = (order - 1) * epsilon
        while len(corners) > 1 and _slope(corners[-1], (order, moment)) <= _slope(*corners[-2:]):
            corners.pop()
        corners.append((order, moment))
    return tuple((order, moment / (order - 1)) for order, moment in corners[1:])


def _slope(left: Point, right: Point) -> Fraction:
    return (right[1] - left[1]) / (right[0] - left[0])


def _chords(curve: tuple[Point, ...]) -> Callable[[Fraction], Fraction]:
    """(order − 1)·epsilon as a function of orders up to the last."""
    orders = [Fraction(1), *(order for order, _ in curve)]
    moments = [Fraction(0), *((order - 1) * epsilon for order, epsilon in curve)]

    def moment(order: Fraction) -> Fraction:
        right = bisect_left(orders, order)
        left = right - 1
        slope = _slope((orders[left], moments[left]), (orders[right], moments[right]))
        return moments[left] + (order - orders[left]) * slope

    return moment


def _code(number: Fraction) -> str:
    return f'"{written(number)}"'
