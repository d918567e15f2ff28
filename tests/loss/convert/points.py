"""Random parameters over many magnitudes, and how a conversion is judged at one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from random import Random
from typing import Any, Final, TypeAlias, TypeVar, final

from tests.loss.convert.decimals import Curve, decimal, precise

KNOWN: Final = Decimal("1e-50")
"""The part to which a reference is known."""
LOOSE: Final = Decimal("1e-23")
"""The part that a conversion may lie above the truth.  Rounding to 80 bits alone is 8e-25."""
LEAST: Final = Decimal("1e-4000")
"""Beyond that, what is minute is rounded up to a multiple of 2^-13312."""

Drawn: TypeAlias = tuple[Any, ...]
_Choice = TypeVar("_Choice")
_ALMOST_ONE: Final = 1 - Fraction(1, 10**9)


@final
class Chooser:
    """Parameters of any size: powers of ten are equally likely, digits random."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def size(self, low: float = -9, high: float = 3) -> Fraction:
        """A number between 10^low and 10^high, or very near."""
        power = self._random.uniform(low, high)
        digits: float = 10 ** (power - floor(power))
        return Fraction(f"{digits:.{self.either(1, 3, 15)}f}") * Fraction(10) ** floor(power)

    def any_size(self) -> Fraction:
        """Usual ones half of the time, else between 1e-30 and 1e9."""
        return self.either(self.size(), self.size(-30, 9))

    def share(self, low: float = -12) -> Fraction:
        """A number between zero and one, as near as 10^low to one of them."""
        near = min(self.size(low, 0), _ALMOST_ONE)
        return self.either(near, 1 - near)

    def delta(self) -> Fraction:
        """From 1e-300 to 1 - 1e-9."""
        found = self.either(self.size(-300, 0), self.size(-12, 0), 1 - self.size(-9, -0.1))
        return min(max(found, Fraction(1, 10**300)), _ALMOST_ONE)

    def order(self) -> Fraction:
        """From 1 + 1e-9 to 1e6."""
        return 1 + self.size(-9, 6)

    def curve(self) -> Curve:
        """One to four points; epsilon does not fall as the order rises."""
        orders = sorted({self.order() for _ in range(self.either(1, 2, 3, 4))})
        return tuple(zip(orders, sorted(self.size() for _ in orders), strict=True))

    def either(self, *choices: _Choice) -> _Choice:
        return self._random.choice(choices)


@final
@dataclass(frozen=True)
class Reading:
    """One conversion read twice: by the code, and in decimals."""

    name: str
    draw: Callable[[Chooser], Drawn]
    code: Callable[..., Fraction]
    true: Callable[..., Decimal]

    def judge(self, *drawn: Any) -> str:  # noqa: ANN401 - what was drawn
        found, true = self.code(*drawn), self.true(*drawn)
        with precise():
            if decimal(found) < true * (1 - KNOWN):
                return "below the truth"
            return "loose" if decimal(found) > true * (1 + LOOSE) + LEAST else ""


@final
@dataclass(frozen=True)
class Root:
    """A conversion whose result is a root: what it proves is computed at it and just below it."""

    name: str
    draw: Callable[[Chooser], Drawn]
    code: Callable[..., Fraction]
    holds: Callable[..., bool]
    """Whether a result, given before what was drawn, is a true bound."""
    within: Callable[..., Fraction]
    """What is subtracted from a result to be below all that is true."""

    def judge(self, *drawn: Any) -> str:  # noqa: ANN401 - what was drawn
        found = self.code(*drawn)
        if not self.holds(found, *drawn):
            return "below the truth"
        less = found - self.within(found, *drawn)
        return "loose" if less > 0 and self.holds(less, *drawn) else ""


def strays(reading: Reading | Root, count: int, seed: int = 1) -> Iterator[str]:
    """The points at which the code is below the truth, or far above it."""
    chooser = Chooser(seed)
    for _ in range(count):
        drawn = reading.draw(chooser)
        if verdict := reading.judge(*drawn):
            yield f"{reading.name} is {verdict} at {drawn}"
