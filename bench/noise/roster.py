"""Who takes part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

OURS: Final = "discreet"
NUMPY: Final = "numpy"
OPENDP: Final = "opendp"


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant before it is started.

    `requirements` names a file in bench/peers; without one, it runs where the bench runs.  `fast`
    ones draw the full size in each round.  `continuous`: it draws floats, not integers.  `calls`:
    single calls are timed as well.
    """

    name: str
    title: str
    module: str
    requirements: str | None = None
    fast: bool = False
    continuous: bool = False
    calls: bool = False


ENTRANTS: Final = (
    Entrant(OURS, "Discreet", "with_discreet", fast=True, calls=True),
    Entrant(NUMPY, "NumPy*", "with_numpy", "numpy", fast=True, continuous=True, calls=True),
    Entrant("numpy-legacy", "NumPy old*", "with_numpy_legacy", "numpy", continuous=True),
    Entrant(OPENDP, "OpenDP", "with_opendp", "opendp", calls=True),
    Entrant("tumult", "Tumult", "with_tumult", "tumult"),
    Entrant("diffprivlib", "diffprivlib*", "with_diffprivlib", "diffprivlib"),
)
NOTE: Final = (
    "* insecure: NumPy draws floats from a generator that can be predicted (old: RandomState),"
    " and diffprivlib rounds floats."
)
