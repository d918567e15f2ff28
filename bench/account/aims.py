"""What accounts must reach, and whether they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bench.account.agreement import Survey
from bench.account.measure import Outcome
from bench.account.plan import MILLIONS, NARROW
from bench.account.roster import DP_ACCOUNTING, LIMIT, OURS, OWN, PEERS
from bench.account.tasks import Task
from bench.aims import Aim, Kind

WIDTH: Final = 1e-3
SAMPLED_SECONDS: Final = 0.15
SAMPLED_RATIO: Final = 2.0
MIXED_SECONDS: Final = 0.2
MILLION_SECONDS: Final = 1.0
PEAK: Final = 1e9
ALL: Final = 1.0


def aims(outcomes: Sequence[Outcome], survey: Survey) -> list[Aim]:
    """Every aim, and what is told beside them."""
    figures = (aim for each in (widths, times, peaks) for aim in _over(outcomes, each))
    return [*figures, *agreements(survey)]


def _over(
    outcomes: Sequence[Outcome], each: Callable[[Outcome, str], Iterator[Aim]]
) -> Iterator[Aim]:
    for outcome in outcomes:
        for name in OWN:
            yield from each(outcome, name)


def widths(outcome: Outcome, name: str) -> Iterator[Aim]:
    """How far the ends of our bracket lie apart, as a part of epsilon."""
    found = outcome.ends(name)
    bound = WIDTH if outcome.task in NARROW else None
    missing = "" if found is not None else _missing(outcome, name)
    width = None if found is None else found.width
    yield Aim(f"{outcome.task}: {name}, width", bound, width, missing, kind=Kind.PART)


def times(outcome: Outcome, name: str) -> Iterator[Aim]:
    """How long we take; for samples, twice as fast as dp-accounting is enough."""
    task, seconds = outcome.task, outcome.seconds(name)
    found = outcome.against(name, DP_ACCOUNTING)
    missing = "" if seconds is not None else _missing(outcome, name)
    ratio = None if found is None else found.median
    bound = _seconds(task, name)
    quick = ratio is not None and ratio >= SAMPLED_RATIO
    if task is Task.SAMPLED and seconds is not None and seconds > SAMPLED_SECONDS and quick:
        yield Aim(f"{task}: {name} / {DP_ACCOUNTING}", SAMPLED_RATIO, ratio)
        bound = None
    yield Aim(f"{task}: {name}, time", bound, seconds, missing, kind=Kind.TIME)


def _seconds(task: Task, name: str) -> float | None:
    if task is Task.SAMPLED:
        return SAMPLED_SECONDS
    if task is Task.MIXED:
        return MIXED_SECONDS if name == OURS else None
    return MILLION_SECONDS if task in MILLIONS else None


def peaks(outcome: Outcome, name: str) -> Iterator[Aim]:
    """The most memory of a process that did this task alone."""
    missing = "" if name in outcome.peaks else _missing(outcome, name)
    what = f"{outcome.task}: {name}, memory"
    yield Aim(what, PEAK, outcome.peaks.get(name), missing, kind=Kind.MEMORY)


def agreements(survey: Survey) -> Iterator[Aim]:
    """What part of the random compositions we account for, and of how many each library agrees: its
    upper end is not below our lower one, ours is not farther above it than it allows, and its
    lower end is not above our upper one."""
    asked = len(survey.own) + len(survey.refused)
    done = len(survey.own) / asked if asked else None
    yield Aim("random compositions: we answer", ALL, done, "" if asked else "nothing was asked")
    worst = max(survey.widths, default=None)
    yield Aim(f"random compositions: {LIMIT}, widest", None, worst, kind=Kind.PART)
    found = {each.name: each for each in survey.agreements}
    for peer in PEERS:
        what = f"random compositions: {peer.name} "
        bound = ALL if peer.name == DP_ACCOUNTING else None
        agreed = found.get(peer.name)
        if agreed is None or not agreed.compared:
            # That a peer is not there is no fault of ours; that we are not there is.
            gone = bool(survey.own)
            yield Aim(what + "is not below", bound, None, "nothing was compared", excused=gone)
            continue
        count = len(agreed.compared)
        yield Aim(what + "is not below", bound, 1 - len(agreed.below) / count)
        if any(each.above is not None for each in agreed.compared):
            yield Aim(what + "is not passed", bound, 1 - len(agreed.above) / count)
            yield Aim(what + "is not above us", bound, 1 - len(agreed.under) / count)


def _missing(outcome: Outcome, name: str) -> str:
    return f"{name}: {outcome.problems.get(name, 'did not take part')}"
