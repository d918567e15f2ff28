"""Answers from some of the rows, drawn without replacement.  Claim and proof: subset.md"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from discreet.loss.pld.atoms import Atoms
from discreet.loss.pld.floats import ELEMENTARY, SMALLEST, UNIT
from discreet.loss.pld.twins import Twins


def subset(twins: Twins, rate: Fraction) -> Atoms:
    """The losses if `rate` is the part of the rows that is drawn, and a row is changed; `twins` are
    no easier to tell apart than answers from all rows of which one is changed.

    Losses above zero shrink as in Poisson samples; those below mirror them, since the change goes
    both ways; what is left over is at zero.
    """
    listed = (twins.first > SMALLEST) & (twins.second > SMALLEST)
    first, second = twins.first[listed], twins.second[listed]
    share, error = float(rate), twins.error + 8 * UNIT
    gaining = first >= second
    odds = np.where(gaining, first / second, second / first)
    size = np.log1p(share * (odds - 1))
    middle = np.where(gaining, size, -size)
    slack = 4 * error + 2 * ELEMENTARY * size
    masses = np.where(gaining, share * first + (1 - share) * second, first)
    less, more = masses * (1 - 2 * error), masses * (1 + 2 * error)
    lost = float(twins.first[~listed].sum()) * (1 + error + len(first) * UNIT)
    minute = 0.0 if listed.all() else len(listed) * SMALLEST
    infinite = min(1.0, (twins.missing[0] + lost) * (1 + error) + minute)
    rest = 1 - float(less.sum()) * (1 - len(first) * UNIT)
    certain = 1 - float(more.sum()) * (1 + len(first) * UNIT) - infinite
    return Atoms.scattered(
        (np.append(middle - slack, 0.0), np.append(middle + slack, 0.0)),
        (np.append(less, max(certain, 0.0)), np.append(more, max(rest, 0.0) + SMALLEST)),
        (0.0, infinite),
    )
