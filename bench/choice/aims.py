"""What choices must reach, and whether they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bench.aims import Aim, Kind
from bench.choice.measure import Outcome, Player
from bench.choice.plan import CHOICES
from bench.choice.roster import NUMPY, OPENDP, OURS, rival
from bench.choice.tasks import Task
from bench.figures import Ratio, ratio

CHOICE_OPENDP: Final = 1.0
QUESTIONS_SECONDS: Final = 2.0
CELLS_SECONDS: Final = 1e-3


def against(outcome: Outcome, task: Task, name: str) -> Ratio | None:
    """Our speed over that of `name`, if both went through all rounds."""
    ours, theirs = outcome.turns.get((OURS, task)), outcome.turns.get((name, rival(task, name)))
    return None if ours is None or theirs is None else ratio(ours, theirs)


def aims(outcomes: Sequence[Outcome]) -> list[Aim]:
    """Every aim, and the ratios of histograms, for which none is set."""
    return [aim for outcome in outcomes if outcome.contest.aimed for aim in _of(outcome)]


def _of(outcome: Outcome) -> Iterator[Aim]:
    for task in outcome.contest.tasks:
        if task in CHOICES:
            yield _faster(outcome, task, OPENDP, CHOICE_OPENDP)
        elif task is Task.ABOVE_THRESHOLD:
            yield _within(outcome, task, QUESTIONS_SECONDS)
        else:
            yield _within(outcome, task, CELLS_SECONDS if task is Task.LAPLACE else None)
            yield _faster(outcome, task, OPENDP, None)
            yield _faster(outcome, task, NUMPY, None)


def _faster(outcome: Outcome, task: Task, name: str, least: float | None) -> Aim:
    other = rival(task, name)
    compared = name if other is task else f"{name} {other}"
    what = f"{outcome.contest}: {task} / {compared}"
    found = against(outcome, task, name)
    if found is not None:
        return Aim(what, least, found.median)
    # That a peer is not there is no fault of ours; that we are not there is.
    ours, theirs = (OURS, task), (name, other)
    absent = theirs if ours in outcome.turns else ours
    return Aim(what, least, None, _missing(outcome, absent), excused=absent == theirs)


def _within(outcome: Outcome, task: Task, most: float | None) -> Aim:
    ours, what = (OURS, task), f"{outcome.contest}: {task}"
    seconds = outcome.seconds(ours)
    missing = "" if seconds is not None else _missing(outcome, ours)
    return Aim(what, most, seconds, missing, kind=Kind.TIME)


def _missing(outcome: Outcome, player: Player) -> str:
    return f"{player[0]}: {outcome.problems.get(player, 'did not take part')}"
