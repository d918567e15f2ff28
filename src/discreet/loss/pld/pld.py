"""The privacy-loss distribution of many answers, with a proven bracket.  Claim: pld.md"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from typing import Final, Self, TypeAlias, final

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.divergence import Bracket
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.ends import epsilons
from discreet.loss.pld.floats import above, below
from discreet.loss.pld.plan import End, curves
from discreet.loss.pld.saddle import Leaning
from discreet.numbers import Number, nonnegative, probability, whole

Way: TypeAlias = Sequence[tuple[Losses, int]]
LEAST_DELTA: Final = Fraction(1, 10**250)
MOST: Final = 10**12
"""More answers are not counted."""
_NARROW: Final = 1e-3
_CLOSE: Final = 1e-10
_LEANS: Final = (1.0, 1.0, 0.5, 2.0)
"""As long as a bracket is wide, so much of the tilt that seems best is tried."""
_LARGEST: Final = 1e300


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """What one answer tells at most: the losses on the way from a table to its neighbour, and on
    the way back."""

    forward: Losses
    backward: Losses

    @classmethod
    def even(cls, losses: Losses) -> Self:
        """Both ways alike."""
        return cls(losses, losses)

    @property
    def key(self) -> bytes:
        ways = (self.forward, self.backward)
        return b"".join(way.lower.digest + way.upper.digest for way in ways)


@final
@dataclass(frozen=True, slots=True, init=False)
class PLD:
    """Answers that were fixed in advance: for each the pair of laws that dominates it, and how
    often it is given.  Sums and multiples are exact; numbers are made when they are asked for.

    >>> from discreet.loss import Pure
    >>> from discreet.loss.pld.response import of_loss
    >>> found = (100 * of_loss(Pure("1/10"))).epsilon("1e-6")
    >>> f"{float(found.low):.6f} {float(found.high):.6f}"
    '4.774568 4.774568'
    """

    parts: tuple[tuple[Pair, int], ...]

    def __init__(self, parts: Iterable[tuple[Pair, int]] = ()) -> None:
        counted: dict[bytes, tuple[Pair, int]] = {}
        for pair, count in parts:
            before = counted.get(pair.key, (pair, 0))[1]
            counted[pair.key] = (pair, before + count)
            if before + count > MOST:
                raise LossError(
                    "more than 10^12 answers of one kind are not counted",
                    cure="add up rho instead: `10**12 * dp.ZCDP('1e-12')`",
                    code="L54",
                )
        kept = sorted((part for part in counted.values() if part[1]), key=lambda part: part[0].key)
        object.__setattr__(self, "parts", tuple(kept))

    @classmethod
    def of(cls, pair: Pair) -> Self:
        return cls([(pair, 1)])

    def __add__(self, other: PLD) -> PLD:
        """Both, one after the other; which, was known before the first was answered."""
        if not isinstance(other, PLD):
            return NotImplemented
        return PLD([*self.parts, *other.parts])

    def __rmul__(self, n: Number) -> PLD:
        """The same n times."""
        times = whole(n, "the number of times")
        return PLD([(pair, times * count) for pair, count in self.parts])

    __mul__ = __rmul__

    def epsilon(self, delta: Number) -> Bracket:
        """The least epsilon at `delta`, between two numbers; only the higher may be charged."""
        wanted = probability(delta, "delta")
        if wanted == 0:
            return self._pure()
        if not LEAST_DELTA <= wanted < 1:
            raise LossError(
                "an epsilon is computed for a delta from 10^-250 up to less than one, or zero",
                cure='ask for a delta in between, such as `dp.exact("1e-9")`',
                code="L53",
            )
        found = [_epsilon(many, wanted) for many in self.ways()]
        return Bracket(
            max((low for low, _ in found), default=Fraction(0)),
            max((high for _, high in found), default=Fraction(0)),
        )

    def delta(self, epsilon: Number) -> Bracket:
        """The least delta at `epsilon`, between two numbers; only the higher may be charged."""
        wanted = nonnegative(epsilon, "epsilon")
        found = [_delta(many, wanted) for many in self.ways()]
        return Bracket(
            max((low for low, _ in found), default=Fraction(0)),
            max((high for _, high in found), default=Fraction(0)),
        )

    def approx(self, delta: Number) -> Approx:
        """What may be charged for all answers together."""
        high = self.epsilon(delta).high
        if not isinstance(high, Fraction):
            raise _nowhere(0.0)
        return Approx(high, delta)

    def ways(self) -> list[Way]:
        """The laws of losses one way, and the other way unless it is the same."""
        if not self.parts:
            return []
        forward = [(pair.forward, count) for pair, count in self.parts]
        backward = [(pair.backward, count) for pair, count in self.parts]
        return [forward] if forward == backward else [forward, backward]

    def _pure(self) -> Bracket:
        low = high = Fraction(0)
        for many in self.ways():
            infinite = sum(count * losses.upper.infinite[1] for losses, count in many)
            if infinite > 0:
                raise _nowhere(infinite)
            least = sum(count * _largest(losses.lower, 0) for losses, count in many)
            most = sum(count * _largest(losses.upper, 1) for losses, count in many)
            low, high = max(low, Fraction(least)), max(high, Fraction(most))
        return Bracket(low, high)


def _largest(atoms: Atoms, end: int) -> Fraction:
    possible = atoms.masses[end] > 0
    if not possible.any():
        return Fraction(0)
    if atoms.step is not None and atoms.index is not None:
        return int(atoms.index[possible].max()) * atoms.step
    return Fraction(float(atoms.losses[end][possible].max()))


# --- the best of a few tilts ----------------------------------------------------------------------


def _epsilon(many: Way, delta: Fraction) -> tuple[Fraction, Fraction]:
    low, high = 0.0, inf
    refusal = _nowhere(1.0)
    for lean in _LEANS:
        lower, upper = curves(many, partial(_towards, lean, delta, high), float(delta))
        try:
            high = min(high, _enough(upper, delta))
        except LossError as error:  # which this tilt alone may be to blame for
            refusal = error
            continue
        low = max(low, _still_above(lower, above(delta), high))
        if high - low <= _NARROW * high:
            break
    if high == inf:
        raise refusal
    return Fraction(low), Fraction(high)


def _enough(upper: End, delta: Fraction) -> float:
    """A number at which the curve is at `delta` or below."""
    if Fraction(upper.infinite) >= delta:
        raise _nowhere(upper.infinite)
    return epsilons(upper, below(delta))[1]


def _towards(lean: float, delta: Fraction, high: float, leaning: Leaning) -> float:
    return lean * (leaning.for_delta(float(delta)) if high == inf else leaning.for_epsilon(high))


def _still_above(lower: End, delta: float, high: float) -> float:
    """A number at which the curve is above `delta`, next to the highest if luck is good; or zero.
    A lower end need not fall: far from where it was made for, it may be nothing."""
    found, ahead, gap = 0.0, high, _CLOSE * high
    while gap < high:
        if lower.delta(high - gap)[0] > delta:
            found = high - gap
            break
        ahead, gap = high - gap, 4 * gap
    while ahead - found > _CLOSE * high and found > 0:
        middle = (found + ahead) / 2
        if lower.delta(middle)[0] > delta:
            found = middle
        else:
            ahead = middle
    return found


def _delta(many: Way, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    low, high = 0.0, 1.0
    for lean in _LEANS:
        aim = partial(_near, lean, min(above(epsilon), _LARGEST))
        lower, upper = curves(many, aim, low or 1.0)
        low = max(low, lower.delta(above(epsilon))[0])
        high = min(high, upper.delta(below(epsilon))[0])
        if high - low <= _NARROW * high:
            break
    return Fraction(min(low, high)), Fraction(high)


def _near(lean: float, epsilon: float, leaning: Leaning) -> float:
    return lean * leaning.for_epsilon(epsilon)


def _nowhere(infinite: float) -> LossError:
    return LossError(
        "no epsilon holds at this delta: with a larger chance an answer may give all away",
        cure=f"choose a delta above {2 * infinite:.0e}, or answers that give less away",
        code="L52",
    )
