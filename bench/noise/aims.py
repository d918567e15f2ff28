"""What the noise must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bench.aims import Aim
from bench.figures import Ratio, geometric_mean, ratio
from bench.noise.measure import Bout
from bench.noise.plan import ONLY_REPORTED, Law
from bench.noise.roster import NUMPY, OPENDP, OURS

LAPLACE_NUMPY: Final = 0.8
LAPLACE_OPENDP: Final = 150.0
GAUSSIAN_NUMPY: Final = 0.15
GAUSSIAN_NUMPY_WORST: Final = 0.12
GAUSSIAN_OPENDP: Final = 80.0


def against(bout: Bout, peer: str) -> Ratio | None:
    """Our speed over that of `peer` in the long rounds, if both went through them."""
    if OURS not in bout.rounds or peer not in bout.rounds:
        return None
    return ratio(bout.rounds[OURS], bout.rounds[peer])


def aims(bouts: Sequence[Bout]) -> list[Aim]:
    """Every aim, in the order of the issue that sets them."""
    laplace = [bout for bout in bouts if bout.setting.law is Law.LAPLACE]
    gaussian = [bout for bout in bouts if bout.setting.law is Law.GAUSSIAN]
    return [
        *(_one(bout, NUMPY, LAPLACE_NUMPY) for bout in laplace),
        *(_one(bout, OPENDP, LAPLACE_OPENDP) for bout in laplace),
        *_mean(gaussian),
        *(_one(bout, NUMPY, GAUSSIAN_NUMPY_WORST) for bout in gaussian),
        *(_one(bout, OPENDP, GAUSSIAN_OPENDP) for bout in gaussian),
    ]


def _one(bout: Bout, peer: str, least: float) -> Aim:
    found = against(bout, peer)
    demanded = None if bout.setting.label == ONLY_REPORTED else least
    what = f"{bout.setting} / {peer}"
    if found is not None:
        return Aim(what, demanded, found.median)
    # That a peer is not there is no fault of ours; that we are not there is.
    absent = OURS if OURS not in bout.rounds else peer
    missing = f"{absent}: {bout.problems.get(absent, 'did not take part')}"
    return Aim(what, demanded, None, missing, excused=absent == peer)


def _mean(bouts: Sequence[Bout]) -> list[Aim]:
    counted = [bout for bout in bouts if bout.setting.label != ONLY_REPORTED]
    if not counted:
        return []
    what = f"discrete Gaussian, geometric mean of {len(counted)} scales / {NUMPY}"
    found = [against(bout, NUMPY) for bout in counted]
    medians = [each.median for each in found if each is not None]
    if len(medians) < len(found):
        ours_ran = all(OURS in bout.rounds for bout in counted)
        return [Aim(what, GAUSSIAN_NUMPY, None, "a scale is missing", excused=ours_ran)]
    return [Aim(what, GAUSSIAN_NUMPY, geometric_mean(medians))]
