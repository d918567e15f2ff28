"""How far an answer moves between neighbours: `L0`, `L1`, `L2`, `LInf`, `Monotone`.

Let v be what one answer differs by from the other.  A distance bounds one norm of v: how many
coordinates move, by how much in all, by how much as the crow flies, by how much the one that moves
most.  `Monotone` also says that nothing moves against the others.  `as_l2` and its like turn one
norm into another, `bound` makes one from several, and what begins with `whole` is true of vectors
of integers only.  `distances.md` has the proofs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt
from typing import Final, Self, TypeAlias, TypeVar, final

from discreet.errors import NumberError, UnitError
from discreet.numbers import MISSING, Number, ball, digits_of, nonnegative, up, whole

_BOUND_CURE: Final = "made of how many coordinates move and how far each does"


class _Ordered(ABC):
    """A distance is as large as its number, and is compared within its norm only."""

    __slots__ = ()
    __array_ufunc__ = None  # lets `np.int64(3) * distance` reach `__rmul__`

    @abstractmethod
    def _number(self) -> Fraction:
        """A number that grows with the distance."""

    def __le__(self, other: Self) -> bool:
        return self._number() <= _same(self, other)._number()

    def __lt__(self, other: Self) -> bool:
        return self._number() < _same(self, other)._number()

    def __ge__(self, other: Self) -> bool:
        return self._number() >= _same(self, other)._number()

    def __gt__(self, other: Self) -> bool:
        return self._number() > _same(self, other)._number()


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _ByNumber(_Ordered, ABC):
    """A distance that one rational says: all but the Euclidean one."""

    by: Fraction

    def __init__(self, by: Number = MISSING) -> None:
        object.__setattr__(self, "by", _size(by, type(self).__name__))

    @abstractmethod
    def whole(self) -> Self:
        """The same bound for a vector of integers."""

    def __rmul__(self, k: Number) -> Self:
        return type(self)(_times(k) * self.by)

    __mul__ = __rmul__

    def _number(self) -> Fraction:
        return self.by

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_text(self.by)})"


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class L0(_ByNumber):
    """At most `by` coordinates move.

    >>> 2 * L0(3)
    L0(6)
    """

    def __init__(self, by: Number = MISSING) -> None:
        size = _size(by, "L0")
        if size.denominator != 1:
            raise UnitError(
                "L0 counts coordinates, so it is a whole number",
                cure="give a whole number, such as `dp.L0(1)`",
                code="U11",
            )
        object.__setattr__(self, "by", size)

    def whole(self) -> L0:
        return self


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class L1(_ByNumber):
    """All coordinates together move by at most `by`.

    >>> L1("1/2") <= 3 * L1("1/3")
    True
    """

    @classmethod
    def bound(cls, l0: L0, linf: LInf) -> L1:
        """Of at most `l0` coordinates that move by at most `linf` each.

        >>> L1.bound(L0(3), LInf(2))
        L1(6)
        """
        return cls(require(L0, l0, "L1.bound").by * require(LInf, linf, "L1.bound").by)

    def as_l2(self) -> L2:
        return L2(self.by)

    def as_linf(self) -> LInf:
        return LInf(self.by)

    def whole(self) -> L1:
        return L1(floor(self.by))

    def whole_l0(self) -> L0:
        """Of a vector of integers: each that moves, moves by one at least."""
        return L0(floor(self.by))


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class LInf(_ByNumber):
    """Each coordinate moves by at most `by`."""

    def whole(self) -> LInf:
        return LInf(floor(self.by))


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Monotone(_ByNumber):
    """Each coordinate moves by at most `by`, and none against another: all up, or all down.

    Counts and sums of what is not negative move so when rows are added, or when rows are removed.
    Under `Replace` nothing does: one row goes, another comes.

    >>> Monotone(3).as_linf()
    LInf(3)
    """

    def as_linf(self) -> LInf:
        return LInf(self.by)

    def whole(self) -> Monotone:
        return Monotone(floor(self.by))

    def __rmul__(self, k: Number) -> Monotone:
        """Two steps may go against each other, so this ends at one."""
        if (times := _times(k)) > 1:
            raise UnitError(
                "two moves in one direction each may be a move in both",
                cure="drop the direction, or state the distance of all of it together: "
                f"`2 * dp.{self}.as_linf()`",
                code="U16",
            )
        return Monotone(times * self.by)

    __mul__ = __rmul__


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class L2(_Ordered):
    """The Euclidean distance is at most the square root of `square`, which is kept exactly.

    >>> L2(3) == L2.root(9)
    True
    >>> 3 * L2.root(2)
    L2.root(18)
    """

    square: Fraction

    def __init__(self, by: Number = MISSING) -> None:
        object.__setattr__(self, "square", _size(by, "L2") ** 2)

    @classmethod
    def root(cls, square: Number = MISSING) -> L2:
        """The distance √square."""
        made = object.__new__(cls)
        object.__setattr__(made, "square", _size(square, "the square of L2"))
        return made

    @classmethod
    def bound(cls, l0: L0 | None = None, linf: LInf | None = None, l1: L1 | None = None) -> L2:
        """Of a vector for which all that is given holds: `l0` and `linf`, or `l1`, or more.

        >>> L2.bound(L0(2), LInf(3)), L2.bound(L0(3), LInf(2), L1(5)), L2.bound(l1=L1(5))
        (L2.root(18), L2(3), L2(5))
        """
        for kind, given in ((L0, l0), (LInf, linf), (L1, l1)):
            if given is not None:
                require(kind, given, "L2.bound")
        limits = [] if l1 is None else [l1.by]
        if l0 is not None and linf is not None:
            limits.append(l0.by * linf.by)
        if not limits:
            raise UnitError(
                "L2.bound needs both l0 and linf, or l1",
                cure="add what is missing, such as `dp.L2.bound(dp.L0(1), dp.LInf(1))`",
                code="U14",
            )
        total = min(limits)
        each = total if linf is None else min(total, linf.by)
        # The norm is convex, so it is largest where as many as can move as far as they can.
        full, rest = divmod(total, each) if each else (0, Fraction(0))
        return cls.root(full * each**2 + rest**2)

    def up(self) -> Fraction:
        """A number no smaller than the distance: itself if rational, else barely larger."""
        root = _root(self.square)
        return up(lambda: ball(self.square).sqrt()) if root is None else root

    def as_linf(self) -> LInf:
        return LInf(self.up())

    def whole(self) -> L2:
        """The same bound for a vector of integers, whose square is an integer."""
        return L2.root(floor(self.square))

    def whole_l0(self) -> L0:
        """Of a vector of integers: each that moves adds one to the square at least."""
        return L0(floor(self.square))

    def whole_l1(self) -> L1:
        """Of a vector of integers: none of them is larger than its square."""
        return L1(floor(self.square))

    def whole_linf(self) -> LInf:
        """Of a vector of integers."""
        return LInf(isqrt(floor(self.square)))

    def __rmul__(self, k: Number) -> L2:
        return L2.root(_times(k) ** 2 * self.square)

    __mul__ = __rmul__

    def _number(self) -> Fraction:
        return self.square

    def __repr__(self) -> str:
        root = _root(self.square)
        return f"L2.root({_text(self.square)})" if root is None else f"L2({_text(root)})"


Distance: TypeAlias = L0 | L1 | L2 | LInf | Monotone
"""The closed union of distances: `match` over it ends in `assert_never`."""

_D = TypeVar("_D", bound=_Ordered)


def require(kind: type[_D], given: object, what: str) -> _D:
    """`given`, if it is a distance of the norm that the theorem of `what` is about.

    >>> require(L1, L1(3), "DiscreteLaplace")
    L1(3)
    """
    if type(given) is kind:
        return given
    shown = given if isinstance(given, Distance) else f"of type {type(given).__name__}"
    raise UnitError(
        f"{what} takes an {kind.__name__} distance here, and this is {shown}",
        cure=_way(kind.__name__, given),
        code="U12",
    )


def _way(wanted: str, given: object) -> str:
    """The cure for a distance in another norm than the one wanted."""
    state = f"state that distance, such as `dp.{wanted}(1)`"
    if isinstance(given, Monotone) and wanted == "LInf":
        return f"`dp.{given}.as_linf()` is always sound, or {state}"
    if isinstance(given, L1) and wanted == "L2":
        return (
            f"`dp.{given}.as_l2()` is always sound, and `dp.L2.bound(dp.L0(1), dp.LInf(1))` "
            f"is tighter, {_BOUND_CURE}"
        )
    if isinstance(given, L1 | L2) and wanted == "LInf":
        return f"`dp.{given}.as_linf()` is always sound, or {state}"
    if isinstance(given, L1 | L2) and wanted == "L0":
        return f"{state}; for vectors of integers `dp.{given}.whole_l0()` is sound"
    if wanted in {"L1", "L2"}:
        return f"{state}, or `dp.{wanted}.bound(dp.L0(1), dp.LInf(1))`, {_BOUND_CURE}"
    return state


def _same(one: _D, other: object) -> _D:
    if isinstance(other, type(one)):
        return other
    kind = type(one).__name__
    raise UnitError(
        f"{one} can only be compared with an {kind} distance",
        cure=f"give both in one norm, such as `dp.{kind}(1) <= dp.{kind}(2)`",
        code="U13",
    )


def _size(value: Number, name: str) -> Fraction:
    try:
        return nonnegative(value, name)
    except NumberError as refused:
        kind = name if name in {"L0", "L1", "LInf", "Monotone"} else "L2"
        cure = f"give zero or more, such as `dp.{kind}(1)`"
        raise UnitError(refused.problem, cure=cure, code="U10") from None


def _times(k: Number) -> int:
    try:
        return whole(k, "a multiple of a distance")
    except NumberError as refused:
        cure = "write k times the distance with a whole k, such as `3 * dp.L1(1)`"
        raise UnitError(refused.problem, cure=cure, code="U15") from None


def _root(square: Fraction) -> Fraction | None:
    """The square root, if it is rational."""
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root if root**2 == square else None


def _text(number: Fraction) -> str:
    above, below = digits_of(number.numerator), digits_of(number.denominator)
    return above if number.denominator == 1 else f'"{above}/{below}"'
