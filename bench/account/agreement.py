"""Do others agree?  Their ends of epsilon against ours, on random compositions.

Theirs may lie below ours by what floating point does to delta: Fourier transforms of masses that
add up to one are off by some 1e-16 each, which is `NOISE` in delta, generously.  Ours may lie above
theirs by their discretisation: one step for each answer, or as far as their estimate that is
rounded up lies above the one that is rounded down.  And ours may never lie below theirs that is
rounded down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, final

from bench.account.compositions import Case, cases
from bench.account.measure import FAILURES, Ends, Seat, ends_from
from bench.account.plan import Effort
from bench.account.roster import LIMIT, OWN
from bench.account.tasks import STEP

NOISE: Final = Fraction(1, 10**13)
ROUNDING: Final = 1e-9
"""What the conversion of sizes to floats may do, as a part of epsilon."""


@final
@dataclass(frozen=True, slots=True)
class Own:
    """One composition, and our ends."""

    case: Case
    low: float
    high: float

    @property
    def width(self) -> float:
        """As a part of the upper end."""
        return (self.high - self.low) / self.high if self.high else 0.0


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """One composition: ours, their ends, and below which they may not lie, which is our lower end,
    or what it would be if delta were larger by `NOISE`."""

    own: Own
    theirs: Ends
    floor: float

    @property
    def below(self) -> float:
        """How far theirs lies below what is proven, as a part of it; not above zero if it does
        not."""
        if self.theirs.high is None or not self.floor:
            return 0.0
        return 1 - self.theirs.high / self.floor

    @property
    def above(self) -> float | None:
        """How far our upper end lies above theirs, as a part of their discretisation."""
        low, high = self.theirs.low, self.theirs.high
        if low is None or high is None:
            return None
        steps = STEP * sum(part.count for part in self.own.case.parts)
        return (self.own.high - high) / max(high - low, steps)

    @property
    def under(self) -> float:
        """How far our upper end lies below their lower one, as a part of it."""
        return 1 - self.own.high / self.theirs.low if self.theirs.low else 0.0

    @property
    def excess(self) -> float | None:
        """How far our upper end lies above theirs, as a part of it."""
        return self.own.high / self.theirs.high - 1 if self.theirs.high else None

    @property
    def apart(self) -> float | None:
        """How far their upper end lies above our lower one, as a part of it."""
        if self.theirs.high is None or not self.own.low:
            return None
        return self.theirs.high / self.own.low - 1


@final
@dataclass(frozen=True, slots=True)
class Agreement:
    """With one library, by its name: all that was compared, and how often it did not answer, by
    the reasons."""

    name: str
    compared: Sequence[Compared]
    failed: Mapping[str, int] = field(default_factory=dict)

    @property
    def below(self) -> list[Compared]:
        return [each for each in self.compared if each.below > ROUNDING]

    @property
    def above(self) -> list[Compared]:
        return [each for each in self.compared if each.above is not None and each.above > 1]

    @property
    def under(self) -> list[Compared]:
        return [each for each in self.compared if each.under > ROUNDING]


@final
@dataclass(frozen=True, slots=True)
class Survey:
    """All compositions that we accounted for, those that we did not with the reason, and with whom
    we agree."""

    own: Sequence[Own] = ()
    refused: Sequence[tuple[Case, str]] = ()
    agreements: Sequence[Agreement] = ()

    @property
    def widths(self) -> list[float]:
        return sorted(own.width for own in self.own)


def surveyed(seats: Sequence[Seat], effort: Effort) -> Survey:
    """With each library that takes part.  Without us, there is nothing to compare."""
    ours = next((seat for seat in seats if seat.entrant.name == LIMIT), None)
    if ours is None:
        return Survey()
    own: list[Own] = []
    refused: list[tuple[Case, str]] = []
    for case in cases(effort.cases):
        try:
            own.append(_own(case, ours, effort))
        except FAILURES as problem:
            refused.append((case, str(problem)))
    others = [seat for seat in seats if seat.entrant.name not in OWN]
    return Survey(own, refused, [_agreement(seat, ours, own, effort) for seat in others])


def _own(case: Case, ours: Seat, effort: Effort) -> Own:
    ends = asked(case, ours, effort, case.delta)
    if ends.low is None or ends.high is None:
        raise ValueError("an end is missing")
    return Own(case, ends.low, ends.high)


def _agreement(seat: Seat, ours: Seat, own: Sequence[Own], effort: Effort) -> Agreement:
    count = effort.slow_cases if seat.entrant.slow else effort.cases
    compared: list[Compared] = []
    failed: Counter[str] = Counter()
    for each in own[:count]:
        try:
            theirs = asked(each.case, seat, effort, each.case.delta)
            floor = each.low
            if theirs.high is not None and theirs.high < floor:
                floor = asked(each.case, ours, effort, each.case.delta + NOISE).low or 0.0
        except FAILURES as problem:
            failed[str(problem)] += 1
        else:
            compared.append(Compared(each, theirs, floor))
    return Agreement(seat.entrant.name, compared, failed)


def asked(case: Case, seat: Seat, effort: Effort, delta: Fraction) -> Ends:
    """What a contestant says about a composition."""
    parts = [part.json() for part in case.parts]
    request = {"do": "account", "parts": parts, "delta": str(delta)}
    return ends_from(seat.contestant.ask(request, seconds=effort.patience))
