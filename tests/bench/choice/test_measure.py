"""Rounds in turn, and whoever fails, is slow, or chooses by another law is out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from bench.choice.laws import cell_moments, law
from bench.choice.measure import Outcome, Seat, contested, counts, judged, turn_from
from bench.choice.plan import QUICK, Contest
from bench.choice.roster import Entrant
from bench.choice.tasks import Scores, Task
from bench.contestant import NoAnswerError

EFFORT = replace(QUICK, rounds=4, other_rounds=2)
BOTH = (Task.NOISY_MAX, Task.EXPONENTIAL)
CHOICE = Contest("a choice", BOTH, 1_000, Scores.SPREAD, aimed=True)
CELLS = Contest("cells", (Task.LAPLACE,), 10_000, aimed=True)


@dataclass
class Scripted:
    """Answers in so many seconds, and fails at the turn with a given number."""

    name: str
    diary: list[tuple[str, str]]
    seconds: float = 0.01
    fall: int = 0
    mean_size: float = cell_moments(Task.LAPLACE, continuous=False).absolute
    fails_at: int | None = None
    cannot_set: bool = False
    told: Mapping[str, int] = field(default_factory=dict)
    asked: list[Mapping[str, object]] = field(default_factory=list)
    turns: int = 0

    def ask(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]:
        assert seconds > 0
        self.asked.append(request)
        match request:
            case {"do": "time", "task": str(task)}:
                self.turns += 1
                self.diary.append((self.name, task))
                if self.turns == self.fails_at:
                    raise NoAnswerError("no answer within 9 s")
                cells = {"count": 10_000, "total": 0.0, "total_abs": 10_000 * self.mean_size}
                timed = {"calls": 3, "seconds": self.seconds, "cpu": self.seconds / 2}
                return {**timed, **cells, "short": self.fall}
            case {"do": "law"}:
                return {"told": dict(self.told)}
            case _:
                if self.cannot_set:
                    raise NoAnswerError("ValueError: no")
                return {}

    def end(self) -> None:
        raise AssertionError("nobody is ended here")


def seat(scripted: Scripted, tasks: tuple[Task, ...] = tuple(Task)) -> Seat:
    return Seat(Entrant(scripted.name, scripted.name, ""), scripted, tasks)


def held(*scripted: Scripted, contest: Contest = CHOICE) -> Outcome:
    return contested(contest, [seat(each) for each in scripted], EFFORT, {})


def test_all_take_turns_at_each_task_and_none_is_always_first() -> None:
    diary: list[tuple[str, str]] = []
    found = held(Scripted("a", diary, 0.5), Scripted("b", diary))
    forth = [(who, str(task)) for task in BOTH for who in "ab"]
    # The first round warms up and is not counted.
    assert diary == [*forth[::-1], *forth, *forth[::-1], *forth, *forth[::-1]]
    assert {player: len(turns) for player, turns in found.turns.items()} == {
        (who, task): 4 for task in BOTH for who in "ab"
    }
    assert found.seconds(("a", BOTH[0])) == 0.5
    assert found.seconds(("c", BOTH[0])) is None
    assert not found.problems


def test_contests_without_an_aim_have_fewer_rounds() -> None:
    found = held(Scripted("a", []), contest=replace(CHOICE, aimed=False))
    assert [len(turns) for turns in found.turns.values()] == [2, 2]


def test_each_round_has_scores_of_its_own_that_all_share() -> None:
    a, b = Scripted("a", []), Scripted("b", [])
    held(a, b)
    seeds = [[each["seed"] for each in who.asked if each["do"] == "set"] for who in (a, b)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 5


def test_who_cannot_do_a_task_is_not_asked() -> None:
    diary: list[tuple[str, str]] = []
    contested(CHOICE, [seat(Scripted("a", diary), (Task.EXPONENTIAL,))], EFFORT, {})
    assert set(diary) == {("a", "exponential")}


def test_who_fails_once_is_out_of_this_task_alone() -> None:
    failing, other = Scripted("a", [], fails_at=5), Scripted("b", [])
    found = held(failing, other)
    assert found.problems == {("a", Task.EXPONENTIAL): "no answer within 9 s"}
    assert set(found.turns) == {("a", BOTH[0]), ("b", BOTH[0]), ("b", BOTH[1])}


def test_who_cannot_make_the_scores_is_out_of_all_tasks() -> None:
    found = held(Scripted("a", [], cannot_set=True), Scripted("b", []))
    assert set(found.problems) == {("a", task) for task in BOTH}
    assert set(found.turns) == {("b", task) for task in BOTH}


def test_who_is_too_slow_is_asked_once() -> None:
    slow = Scripted("a", [], seconds=EFFORT.slowest + 1)
    found = held(slow)
    assert set(found.problems.values()) == {"too slow: 4.0 s for one"}
    assert slow.turns == 2
    assert not found.turns


@pytest.mark.parametrize(("fall", "out"), [(300, False), (400, True)])
def test_who_chooses_one_that_cannot_win_is_out(fall: int, out: bool) -> None:
    # With exponential noise of scale 10 on 1,000 scores, 10·ln(2·1000·10^12) = 352.
    found = held(Scripted("a", [], fall=fall))
    assert (("a", Task.EXPONENTIAL) in found.problems) == out


def test_who_adds_another_noise_to_cells_is_out() -> None:
    good, wrong = Scripted("a", []), Scripted("b", [], mean_size=10.5)
    found = held(good, wrong, contest=CELLS)
    assert set(found.problems) == {("b", Task.LAPLACE)}
    assert set(found.turns) == {("a", Task.LAPLACE)}


def test_who_is_known_to_be_wrong_is_not_asked() -> None:
    diary: list[tuple[str, str]] = []
    wrong = {("a", Task.NOISY_MAX): "another law", ("a", Task.TOP_K): "another law"}
    found = contested(CHOICE, [seat(Scripted("a", diary))], EFFORT, wrong)
    assert set(diary) == {("a", "exponential")}
    assert found.problems == {("a", Task.NOISY_MAX): "another law"}


def test_the_law_is_judged_by_what_is_chosen_of_few() -> None:
    right = {name: round(4_000 * each) for name, each in law(Task.EXPONENTIAL).items()}
    good, wrong = Scripted("good", [], told=right), Scripted("wrong", [], told={"1": 4_000})
    silent = Scripted("silent", [])
    seats = [seat(each, (Task.EXPONENTIAL,)) for each in (good, wrong, silent)]
    found = judged(seats, [Task.EXPONENTIAL, Task.TOP_K], EFFORT)
    assert set(found) == {("wrong", Task.EXPONENTIAL), ("silent", Task.EXPONENTIAL)}
    assert found["silent", Task.EXPONENTIAL] == "an answer without counts"


def test_an_answer_that_is_no_turn_is_refused() -> None:
    good: dict[str, object] = {"calls": 2, "seconds": 0.5, "cpu": 0.25}
    turn = turn_from(good)
    assert (turn.calls, turn.rate, turn.cpu_rate) == (2, 2, 4)
    wrongs: list[dict[str, object]] = [{"calls": 0}, {"seconds": 0}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="takes time"):
            turn_from(good | wrong)
    with pytest.raises(TypeError, match="cpu"):
        turn_from({"calls": 1, "seconds": 1.0})
    with pytest.raises(TypeError, match="x"):
        counts({"told": {"x": "1"}})
