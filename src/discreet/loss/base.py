"""What an answer costs: the abstract privacy loss, and the laws that every kind keeps.

A loss is a promise about every pair of neighbouring tables, in both directions.  `a <= b` says
that whoever keeps the promise `a` keeps `b` too.  Wherever both sides are defined,

    a + b == b + a      (a + b) + c == a + (b + c)      a + a.zero() == a
    n * a == a + … + a  (n times)                       0 * a == a.zero()
    a <= a + b          a <= b and b <= a only if a == b
    a.group(1) == a     a <= a.group(k) for k ≥ 1

exactly, because losses hold rationals (what has to be rounded, such as the delta of a group, is
rounded up).  There is no subtraction ("can I afford it?" is
`spent + cost <= budget`) and no operator for disjoint parts: what those cost depends on the unit,
which a bare loss does not know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Never, Self, TypeVar, final

from discreet.errors import LossError
from discreet.loss.digits import rounded, written
from discreet.numbers import Number, whole

Kind = TypeVar("Kind", bound="Loss")
NOTHING_LEFT: Final = Fraction(1)
"""A delta of one promises nothing, so sums of deltas stop there."""


class Loss(ABC):
    """A privacy loss: an immutable value with an algebra."""

    __slots__ = ()
    __array_ufunc__ = None  # lets `np.int64(3) * loss` reach `__rmul__`

    @abstractmethod
    def zero(self) -> Self:
        """The loss of this kind that costs nothing; the start of a sum."""

    @abstractmethod
    def group(self, k: Number) -> Self:
        """The same promise for k people instead of one."""

    @abstractmethod
    def _plus(self, other: Self) -> Self: ...

    @abstractmethod
    def _times(self, n: int) -> Self: ...

    @abstractmethod
    def _at_most(self, other: Self) -> bool: ...

    @abstractmethod
    def _sketch(self) -> Self:
        """A loss like this one whose text is short, for a cure."""

    @abstractmethod
    def __str__(self) -> str:
        """The exact text that `dp.loss` reads back."""

    @final
    def __repr__(self) -> str:
        return f"loss({str(self)!r})"

    @final
    def __add__(self, other: Self) -> Self:
        """Both, one after the other; the second may be chosen by the answer of the first."""
        return self._plus(self._same_kind(other, "added"))

    @final
    def __radd__(self, other: object) -> Never:
        raise LossError(
            "a sum of losses cannot start at a number",
            cure="start it at a loss of the same kind: `sum([dp.Pure(1)], start=dp.Pure(0))`",
            code="L05",
        )

    @final
    def __rmul__(self, n: Number) -> Self:
        """The same thing n times."""
        return self._times(whole(n, "the number of times"))

    __mul__ = __rmul__

    @final
    def __le__(self, other: Self) -> bool:
        return self._at_most(self._same_kind(other, "compared"))

    @final
    def __lt__(self, other: Self) -> bool:
        return self <= other and self != other

    @final
    def __ge__(self, other: Self) -> bool:
        return self._same_kind(other, "compared")._at_most(self)

    @final
    def __gt__(self, other: Self) -> bool:
        return self >= other and self != other

    @final
    def to(
        self,
        kind: type[Kind],
        *,
        delta: Number | None = None,
        epsilon: Number | None = None,
        orders: Iterable[Number] | None = None,
    ) -> Kind:
        """The smallest loss of another kind that is proven to follow from this one.

        For `Approx`, either `delta` or `epsilon` is chosen and the other is computed, rounded
        up; for `Renyi`, `orders` may be chosen.
        """
        # The graph of conversions knows every kind, so it stands above them.
        from discreet.loss.convert.ask import Ask  # noqa: PLC0415
        from discreet.loss.convert.graph import convert  # noqa: PLC0415

        return convert(self, kind, Ask.of(delta=delta, epsilon=epsilon, orders=orders))

    def _same_kind(self, other: Self, done: str) -> Self:
        if type(other) is not type(self):
            raise _stranger(self, other, done)
        return other


def _stranger(ours: Loss, other: object, done: str) -> LossError:
    if not isinstance(other, Loss):
        return LossError(
            f"{kind_of(ours)} cannot be {done} with what is no loss",
            cure=f"give a loss, such as `{pasted(ours)}`",
            code="L04",
        )
    from discreet.loss.convert.graph import walks_to_meet  # noqa: PLC0415  as in Loss.to

    left, right = walks_to_meet(ours, other)
    sign = "+" if done == "added" else "<="
    return LossError(
        f"{kind_of(ours)} and {kind_of(other)} cannot be {done} as they are",
        cure=f"convert to one kind first: `{left} {sign} {right}`",
        code="L04",
    )


def kind_of(loss: Loss) -> str:
    """ "an Approx loss", for the text of an error."""
    name = type(loss).__name__
    return f"{'an' if name[0] in 'AE' else 'a'} {name} loss"


def pasted(loss: Loss) -> str:
    """Code that makes `loss`, or one like it if that is long; for a cure."""
    return f'dp.loss("{loss._sketch()}")'  # noqa: SLF001


def larger_delta(*deltas: Fraction) -> str:
    """A delta above all of `deltas`, as text for a cure."""
    largest = max(deltas, default=Fraction(0))
    if largest < Fraction(1, 10**6):
        return "1e-6"
    return written(rounded(min(2 * largest, (1 + largest) / 2)))


def given(value: Number | None, name: str, example: str) -> Number:
    """A parameter that was not left out."""
    if value is None:
        raise LossError(f"{name} is missing", cure=f"give it, as in `{example}`", code="L01")
    return value


def capped(delta: Fraction) -> Fraction:
    """A sum of deltas: at one nothing is promised any more, so more is no worse."""
    return min(delta, NOTHING_LEFT)
