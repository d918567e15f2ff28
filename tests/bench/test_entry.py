"""Entrants are started and asked who they are; those that cannot be are told of."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.choice.roster import ENTRANTS, Entrant
from bench.contestant import NoAnswerError
from bench.entry import enter, seated
from bench.environments import Missing, Ready

OURS = ENTRANTS[0]
GONE = Entrant("gone", "Gone", "with_nobody")
WORKERS = "bench.choice.workers"


def test_who_starts_has_a_seat_until_the_end_and_who_does_not_is_told_of(tmp_path: Path) -> None:
    with seated([GONE, OURS], WORKERS, tmp_path) as (takers, seats):
        (seat,) = seats
        assert seat.entrant is OURS
        assert "noisy-max" in seat.tasks
        gone, ours = takers
        assert gone.missing is not None
        assert gone.missing.startswith("it does not start: ended early")
        assert ours.missing is None
        assert set(ours.versions) == {"discreet", "numpy", "python-flint"}
        request = {"do": "set", "scores": "level", "size": 5, "k": 1, "seed": 1}
        assert seat.contestant.ask(request, seconds=20) == {}
    assert sorted(log.name for log in (tmp_path / "logs").iterdir()) == ["discreet.log", "gone.log"]


def test_one_without_an_environment_is_not_started(tmp_path: Path) -> None:
    taker, seat = enter(OURS, WORKERS, Missing("no wheel"), tmp_path)
    assert seat is None
    assert taker.json() == {"versions": {}, "missing": "it does not install: no wheel"}


def test_what_a_worker_cannot_do_is_an_error(tmp_path: Path) -> None:
    _, seat = enter(OURS, WORKERS, Ready(Path(sys.executable)), tmp_path)
    assert seat is not None
    try:
        seat.contestant.ask({"do": "dance"}, seconds=20)
    except NoAnswerError as problem:
        assert "cannot dance" in str(problem)  # noqa: PT017 - the process is ended in any case
    else:
        raise AssertionError("it danced")
    finally:
        seat.contestant.end()
