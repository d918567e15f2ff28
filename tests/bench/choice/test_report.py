"""Aims and reports of invented figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from bench.choice.aims import against, aims
from bench.choice.measure import Outcome, Player, Turn
from bench.choice.plan import CONTESTS, FULL, QUICK, Contest
from bench.choice.report import Report, Taker, to_json, to_text
from bench.choice.roster import ENTRANTS
from bench.choice.tasks import Task

LEVEL, SPREAD = (contest for contest in CONTESTS if contest.aimed and contest.size == 10**5)
QUESTIONS = next(contest for contest in CONTESTS if Task.ABOVE_THRESHOLD in contest.tasks)
CELLS = next(contest for contest in CONTESTS if Task.LAPLACE in contest.tasks)
OURS, THEIRS, NUMPY = "discreet", "opendp", "numpy"

GOOD: dict[Player, float] = {
    (OURS, Task.NOISY_MAX): 0.9,
    (OURS, Task.EXPONENTIAL): 1.8,
    (OURS, Task.PERMUTE_AND_FLIP): 1.7,
    (THEIRS, Task.EXPONENTIAL): 1.9,
    (THEIRS, Task.PERMUTE_AND_FLIP): 1.75,
}
HISTOGRAM: dict[Player, float] = {
    (OURS, Task.LAPLACE): 1e-3,
    (OURS, Task.GAUSSIAN): 5.0,
    (THEIRS, Task.LAPLACE): 0.05,
    (NUMPY, Task.LAPLACE): 5e-4,
}


def outcome(
    seconds: Mapping[Player, float],
    contest: Contest = LEVEL,
    problems: Mapping[Player, str] | None = None,
) -> Outcome:
    turns = {player: [Turn(9, each, each)] * 3 for player, each in seconds.items()}
    return Outcome(contest, turns, problems or {})


def verdicts(found: Outcome) -> dict[str, str]:
    return {aim.what: aim.verdict for aim in aims([found])}


def test_each_law_must_be_as_fast_as_opendp_with_level_and_with_spread_scores() -> None:
    for contest in (LEVEL, SPREAD):
        assert verdicts(outcome(GOOD, contest)) == {
            f"{contest}: noisy-max / opendp permute-and-flip": "pass",
            f"{contest}: exponential / opendp": "pass",
            f"{contest}: permute-and-flip / opendp": "pass",
        }
        for task in contest.tasks:
            slow = outcome(GOOD | {(OURS, task): 1.95}, contest)
            missed = [what for what, verdict in verdicts(slow).items() if verdict == "FAIL"]
            assert len(missed) == 1
            assert missed[0].startswith(f"{contest}: {task} /")


def test_other_sizes_are_for_information() -> None:
    assert {contest.size for contest in CONTESTS if not contest.aimed} == {10**3, 10**6, 10**4}
    others = [contest for contest in CONTESTS if not contest.aimed]
    assert not aims([outcome(GOOD, contest) for contest in others])


def test_a_noisy_maximum_is_compared_with_exponential_noise_and_with_the_same_of_numpy() -> None:
    found = outcome(GOOD | {(NUMPY, Task.NOISY_MAX): 0.3})
    ratio, numpys = (against(found, Task.NOISY_MAX, name) for name in (THEIRS, NUMPY))
    assert ratio is not None
    assert numpys is not None
    assert abs(ratio.median - 1.75 / 0.9) < 1e-9
    assert abs(numpys.median - 0.3 / 0.9) < 1e-9


def test_questions_and_cells_have_their_time() -> None:
    for seconds, verdict in ((2.0, "pass"), (2.01, "FAIL")):
        questions = outcome({(OURS, Task.ABOVE_THRESHOLD): seconds}, QUESTIONS)
        assert verdicts(questions) == {"10^6 questions: above-threshold": verdict}
    assert verdicts(outcome(HISTOGRAM, CELLS)) == {
        "10^4 cells: laplace": "pass",
        "10^4 cells: laplace / opendp": "reported",
        "10^4 cells: laplace / numpy": "reported",
        "10^4 cells: gaussian": "reported",
        "10^4 cells: gaussian / opendp": "not measured",
        "10^4 cells: gaussian / numpy": "not measured",
    }
    slow = outcome({**HISTOGRAM, (OURS, Task.LAPLACE): 1.01e-3}, CELLS)
    assert verdicts(slow)["10^4 cells: laplace"] == "FAIL"


def test_a_peer_that_is_missing_is_excused_and_we_are_not() -> None:
    ours = {player: each for player, each in GOOD.items() if player[0] == OURS}
    theirs = {player: each for player, each in GOOD.items() if player[0] == THEIRS}
    assert set(verdicts(outcome(ours)).values()) == {"not measured"}
    assert set(verdicts(outcome(theirs)).values()) == {"FAIL"}
    assert set(verdicts(outcome({}, QUESTIONS)).values()) == {"FAIL"}
    wrong = outcome(theirs, problems={(OURS, Task.EXPONENTIAL): "another law"})
    assert "discreet: another law" in [aim.missing for aim in aims([wrong])]


def report(seconds: Mapping[Player, float] = GOOD) -> Report:
    takers = [
        Taker(who, {"it": "1.0"} if who.name in (OURS, THEIRS) else {}, missing)
        for who in ENTRANTS
        for missing in [None if who.name in (OURS, THEIRS) else "it does not start: gone"]
    ]
    machine = {"cpu": "A Processor", "cores": 2, "load_before": 0.1, "load_after": 0.2}
    machine |= {"system": "A System", "python": "A Python 3"}
    found = [outcome(seconds, problems={(NUMPY, Task.EXPONENTIAL): "another law: 7"})]
    found.append(outcome(HISTOGRAM, CELLS))
    return Report(machine, FULL, takers, found, aims(found))


def test_the_text_says_what_was_measured() -> None:
    rows = [" ".join(line.split()) for line in to_text(report()).splitlines()]
    assert "1 of 10^5, level noisy-max 900 ms 1.75 s¹" in rows
    assert "1 of 10^5, level exponential 1.80 s 1.90 s" in rows
    assert "1 of 10^5, level exponential 1.06 1.06 1.06 1.06 1.06" in rows
    assert "10^4 cells gaussian 5.00 s –" in rows
    assert "10^4 cells gaussian – – – – –" in rows
    assert "1 of 10^5, level: exponential / opendp ≥ 1 1.06 pass" in rows
    assert "10^4 cells: laplace ≤ 1.00 ms 1.00 ms pass" in rows
    assert "1 of 10^5, level, numpy exponential: another law: 7" in rows
    assert "NumPy*: not here; it does not start: gone" in rows
    assert not any("not the proof" in row for row in rows)


def test_a_quick_run_says_that_it_is_no_proof() -> None:
    assert "not the proof" in to_text(replace(report(), effort=QUICK))


def test_the_json_survives_a_round_trip_and_holds_the_rounds() -> None:
    told = to_json(report())
    assert json.loads(json.dumps(told)) == told
    assert told["passed"] is True
    choice, cells = json.loads(json.dumps(told))["contests"]
    assert choice["turns"]["opendp exponential"]["seconds"] == [1.9] * 3
    assert set(choice["ours_over"]) == {
        "noisy-max / opendp",
        "exponential / opendp",
        "permute-and-flip / opendp",
    }
    assert choice["problems"] == {"numpy exponential": "another law: 7"}
    assert cells["ours_over"]["laplace / numpy"]["median"] == 0.5


def test_a_missed_aim_is_told() -> None:
    slow = report(GOOD | {(OURS, Task.EXPONENTIAL): 2.0})
    assert not slow.passed
    assert to_json(slow)["passed"] is False
    assert "FAIL" in to_text(slow)


def test_a_report_without_us_has_no_ratios() -> None:
    full = report()
    others = [taker for taker in full.takers if taker.entrant.name != OURS]
    text = to_text(replace(full, takers=others, aims=[]))
    assert "times as fast" not in text
    assert "Aims" not in text
