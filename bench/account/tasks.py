"""What is composed.  Read by the bench and by its workers; the standard library alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeAlias, final


class Law(StrEnum):
    """Noise on an answer that moves by one, or a yes or no that is told with odds e^epsilon."""

    GAUSSIAN = "gaussian"
    SAMPLED = "sampled"
    LAPLACE = "laplace"
    RESPONSE = "response"


@final
@dataclass(frozen=True, slots=True)
class Part:
    """The same `count` times: `size` is a deviation, a scale or an epsilon; `rate` is of the rows
    that are taken."""

    law: Law
    size: Fraction
    count: int = 1
    rate: Fraction = Fraction(1)

    def json(self) -> dict[str, object]:
        return {
            "law": str(self.law),
            "size": str(self.size),
            "count": self.count,
            "rate": str(self.rate),
        }


Parts: TypeAlias = tuple[Part, ...]


def parts_from(told: Sequence[Mapping[str, Any]]) -> Parts:
    """The parts that a request describes."""
    return tuple(
        Part(Law(each["law"]), Fraction(each["size"]), each["count"], Fraction(each["rate"]))
        for each in told
    )


class Task(StrEnum):
    """A composition that is timed."""

    SAMPLED = "10^4 Gaussians, σ 1, of 1/100"
    THOUSAND = "10^3 Laplace, scale 10"
    MIXED = "400 different"
    MILLION_SAMPLED = "10^6 Gaussians, σ 1, of 1/1000"
    MILLION_GAUSSIAN = "10^6 Gaussians, σ 1000"
    MILLION_LAPLACE = "10^6 Laplace, scale 1000"


DELTA: Final = Fraction(1, 10**6)
STEP: Final = 2e-4
"""To which dp-accounting rounds losses where it is compared; where it is timed, to its own."""
PARTS: Final[Mapping[Task, Parts]] = {
    Task.SAMPLED: (Part(Law.SAMPLED, Fraction(1), 10**4, Fraction(1, 100)),),
    Task.THOUSAND: (Part(Law.LAPLACE, Fraction(10), 10**3),),
    Task.MIXED: (
        *(Part(Law.LAPLACE, Fraction(100 + k, 10)) for k in range(200)),
        *(Part(Law.GAUSSIAN, Fraction(200 + k, 10)) for k in range(200)),
    ),
    Task.MILLION_SAMPLED: (Part(Law.SAMPLED, Fraction(1), 10**6, Fraction(1, 1000)),),
    Task.MILLION_GAUSSIAN: (Part(Law.GAUSSIAN, Fraction(1000), 10**6),),
    Task.MILLION_LAPLACE: (Part(Law.LAPLACE, Fraction(1000), 10**6),),
}
