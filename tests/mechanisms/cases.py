"""Every mechanism joins this table: instances with all neighbours of a small domain, on which the
exact checker holds its laws against its losses.

Each module `cases_NAME.py` has a list `CASES`; `tests/lab/test_exact.py` finds them all, and fails
for a mechanism that is in none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, final

from discreet.distances import Distance
from discreet.lab.exact import Neighbours
from discreet.loss import AnyLoss
from discreet.mechanisms import Mechanism
from discreet.units import Replace, Rows

Moved: TypeAlias = Distance | Rows | Replace
Claim = Callable[[Any, Moved], AnyLoss]


def own(mechanism: Mechanism[Any, Any, Any], distance: Moved) -> AnyLoss:
    return mechanism.loss(distance)


def zcdp(mechanism: Mechanism[Any, Any, Any], distance: Moved) -> AnyLoss:
    return mechanism.zcdp(distance)


@final
@dataclass(frozen=True)
class Case:
    """One mechanism with neighbours, and the claims that they are held against.

    Each claim must be attained within 1 % by one of the neighbours, or `slack` says why not.
    `long` cases take more than some seconds.
    """

    mechanism: Mechanism[Any, Any, Any]
    pairs: Sequence[Neighbours]
    claims: Sequence[Claim] = field(default=(own, zcdp))
    slack: str = ""
    long: bool = False


TIGHT: Final = "99/100"
