"""Who takes part, and whose task is compared with which of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from bench.choice.tasks import Task

OURS: Final = "discreet"
NUMPY: Final = "numpy"
OPENDP: Final = "opendp"


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant before it is started; `continuous`: its noise is floats, not integers."""

    name: str
    title: str
    module: str
    requirements: str | None = None
    continuous: bool = False


ENTRANTS: Final = (
    Entrant(OURS, "Discreet", "with_discreet"),
    Entrant(OPENDP, "OpenDP", "with_opendp", "opendp"),
    Entrant(NUMPY, "NumPy*", "with_numpy", "numpy", continuous=True),
    Entrant("diffprivlib", "diffprivlib*", "with_diffprivlib", "diffprivlib"),
)
NOTE: Final = (
    "* insecure: NumPy adds floats from a generator that can be predicted, and diffprivlib compares"
    " floats."
)


def rival(task: Task, name: str) -> Task:
    """With which task of `name` our `task` is compared.  No peer's noisy maximum has Laplace noise;
    exponential noise, which is permute-and-flip, is the same question at the same pure loss."""
    if task is Task.NOISY_MAX and name not in (OURS, NUMPY):
        return Task.PERMUTE_AND_FLIP
    return task
