"""Aims and reports of invented figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bench.account.agreement import Agreement, Compared, Own, Survey
from bench.account.aims import aims
from bench.account.compositions import cases
from bench.account.measure import Ends, Outcome, Turn
from bench.account.plan import FULL, QUICK
from bench.account.report import Report, Taker, to_json, to_text
from bench.account.roster import ENTRANTS
from bench.account.tasks import Task

OURS, LIMIT, PEER, PRV = "discreet", "limit", "dp-accounting", "prv-accountant"
NARROW = Ends(1.9999, 2.0)
GOOD: dict[str, float] = {OURS: 0.1, LIMIT: 0.15, PEER: 0.4}


def outcome(
    task: Task,
    seconds: Mapping[str, float] = GOOD,
    ends: Mapping[str, Ends] | None = None,
    **other: Any,  # noqa: ANN401
) -> Outcome:
    told = {PEER: Ends(None, 2.0)} | dict(ends or {})
    turns = {who: [Turn(1, s, s, told.get(who, NARROW))] * 3 for who, s in seconds.items()}
    return Outcome(task, turns, **{"peaks": {OURS: 6e7, LIMIT: 7e7}, "problems": {}, **other})


def compared(high: float, count: int = 4) -> list[Compared]:
    own = [Own(case, 1.9999, 2.0) for case in cases(count)]
    return [Compared(each, Ends(high - 0.01, high), 1.9999) for each in own]


def survey(high: float = 2.005, refused: int = 0) -> Survey:
    found = compared(high)
    gone = [(case, "no") for case in cases(refused)]
    return Survey([each.own for each in found], gone, [Agreement(PEER, found)])


def verdicts(found: Outcome | None = None, agreed: Survey | None = None) -> dict[str, str]:
    made = aims([] if found is None else [found], agreed or survey())
    return {aim.what: aim.verdict for aim in made}


def missed(found: Outcome | None = None, agreed: Survey | None = None) -> list[str]:
    return [what for what, verdict in verdicts(found, agreed).items() if verdict == "FAIL"]


def test_good_figures_pass_at_every_task() -> None:
    for task in Task:
        assert not missed(outcome(task))


def test_brackets_of_the_first_two_tasks_must_be_narrow() -> None:
    for task in Task:
        wide = outcome(task, ends={OURS: Ends(1.9979, 2.0)})
        expected = [f"{task}: discreet, width"]
        assert missed(wide) == (expected if task in (Task.SAMPLED, Task.THOUSAND) else [])
    assert missed(outcome(Task.THOUSAND, ends={LIMIT: Ends(1.99, 2.0)}))


def test_samples_are_quick_or_twice_as_quick_as_another() -> None:
    task = Task.SAMPLED
    late = outcome(task, GOOD | {OURS: 0.2, PEER: 0.4})
    found = verdicts(late)
    assert found[f"{task}: discreet / dp-accounting"] == "pass"
    assert found[f"{task}: discreet, time"] == "reported"
    assert missed(outcome(task, GOOD | {OURS: 0.2, PEER: 0.39})) == [f"{task}: discreet, time"]
    alone = {OURS: 0.2, LIMIT: 0.1}
    assert missed(outcome(task, alone)) == [f"{task}: discreet, time"]


def test_other_times_have_bounds_of_their_own() -> None:
    for seconds, fails in ((0.2, []), (0.21, [f"{Task.MIXED}: discreet, time"])):
        assert missed(outcome(Task.MIXED, GOOD | {OURS: seconds})) == fails
    assert not missed(outcome(Task.MIXED, GOOD | {LIMIT: 9.0}))
    for task in (Task.MILLION_SAMPLED, Task.MILLION_GAUSSIAN, Task.MILLION_LAPLACE):
        assert not missed(outcome(task, GOOD | {LIMIT: 1.0}))
        assert missed(outcome(task, GOOD | {LIMIT: 1.01})) == [f"{task}: limit, time"]
    assert not missed(outcome(Task.THOUSAND, GOOD | {OURS: 9.0}))


def test_memory_has_a_bound_at_every_task() -> None:
    for task in Task:
        large = outcome(task, peaks={OURS: 1.01e9, LIMIT: 1e9})
        assert missed(large) == [f"{task}: discreet, memory"]
        unknown = outcome(task, peaks={OURS: 6e7})
        assert missed(unknown) == [f"{task}: limit, memory"]


def test_our_own_silence_fails_and_that_of_peers_does_not() -> None:
    assert not missed(outcome(Task.THOUSAND, {OURS: 0.1, LIMIT: 0.1}))
    silent = outcome(Task.SAMPLED, {LIMIT: 0.1, PEER: 0.4}, problems={OURS: "gone"})
    assert missed(silent) == [f"{Task.SAMPLED}: discreet, {x}" for x in ("width", "time")]
    assert "discreet: gone" in [aim.missing for aim in aims([silent], survey())]


def test_another_must_not_lie_below_and_we_not_far_above() -> None:
    start = "random compositions: "
    assert missed(agreed=survey(1.99)) == [f"{start}dp-accounting is not below"]
    wide = replace(survey(), agreements=[Agreement(PEER, compared(1.9999))])
    assert not missed(agreed=wide)
    own = [Own(case, 1.9999, 9.9) for case in cases(3)]
    passing = [Compared(each, Ends(1.9995, 2.005), 1.9999) for each in own]
    passed = Survey(own, [], [Agreement(PEER, passing)])
    assert missed(agreed=passed) == [f"{start}dp-accounting is not passed"]
    under = [Compared(each, Ends(9.91, 9.92), 1.9999) for each in own]
    found = Survey(own, [], [Agreement(PEER, under)])
    assert missed(agreed=found) == [f"{start}dp-accounting is not above us"]
    assert missed(agreed=survey(refused=1)) == [f"{start}we answer"]


def test_a_peer_that_is_missing_is_excused_and_we_are_not() -> None:
    alone = Survey(survey().own)
    assert verdicts(agreed=alone)["random compositions: dp-accounting is not below"] == (
        "not measured"
    )
    assert "random compositions: we answer" in missed(agreed=Survey())


def report(seconds: Mapping[str, float] = GOOD, agreed: Survey | None = None) -> Report:
    takers = [
        Taker(who, {"it": "1.0"} if who.name in GOOD else {}, missing)
        for who in ENTRANTS
        for missing in [None if who.name in GOOD else "it does not start: gone"]
    ]
    machine = {"cpu": "A Processor", "cores": 2, "load_before": 0.1, "load_after": 0.2}
    machine |= {"system": "A System", "python": "A Python 3"}
    found = [outcome(Task.SAMPLED, seconds, {PEER: Ends(None, 1.5)}), outcome(Task.MIXED, seconds)]
    found.append(outcome(Task.MILLION_LAPLACE, {OURS: 0.1}, problems={PEER: "too slow"}))
    survey_ = agreed or survey()
    return Report(machine, FULL, takers, found, survey_, aims(found[:2], survey_))


def test_the_text_says_what_was_measured() -> None:
    rows = [" ".join(line.split()) for line in to_text(report()).splitlines()]
    first, mixed = str(Task.SAMPLED), str(Task.MIXED)
    assert f"{first} 1.9999 … 2.0000 1.9999 … 2.0000 1.5000" in rows
    assert f"{mixed} 100 ms 150 ms 400 ms 57.2 MiB 66.8 MiB" in rows
    assert f"{mixed} discreet dp-accounting 4.00 4.00 4.00 4.00 4.00" in rows
    assert f"{mixed}: discreet, time ≤ 200 ms 100 ms pass" in rows
    assert f"{mixed}: discreet, width – 0.00500 % reported" in rows
    assert f"{first}, dp-accounting: 1.5 is below our 1.9999" in rows
    assert f"{Task.MILLION_LAPLACE}, dp-accounting: too slow" in rows
    assert f"{Task.MILLION_LAPLACE} 1.9999 … 2.0000 – –" in rows
    assert "prv-accountant: not here; it does not start: gone" in rows
    assert "dp-accounting 4 0 0 0 -0.249 % 0.255 % 0.255 % 0.255 %" in rows
    assert not any("not the proof" in row for row in rows)


def test_who_disagrees_is_named_with_the_composition() -> None:
    text = to_text(report(agreed=survey(1.9, refused=7)))
    lines = [line for line in text.splitlines() if line.startswith("dp-accounting, below: delta")]
    assert len(lines) == 4
    assert "1.9, ours 1.9999 … 2.0" in lines[0]
    assert text.count("we do not answer") == 5
    assert "and so on: {'no': 7}" in text


def test_a_quick_run_says_that_it_is_no_proof() -> None:
    assert "not the proof" in to_text(replace(report(), effort=QUICK))


def test_without_us_nothing_is_compared() -> None:
    text = to_text(report(seconds={PEER: 0.4}, agreed=Survey()))
    assert "times" not in text.split("Aims")[0].split("Epsilon")[1]
    assert "compared" not in text.split("Aims")[0]


def test_the_json_survives_a_round_trip_and_holds_the_rounds() -> None:
    told = to_json(report(agreed=survey(refused=1)))
    assert json.loads(json.dumps(told)) == told
    assert told["passed"] is False
    first = json.loads(json.dumps(told))["tasks"][0]
    assert first["turns"][PEER]["seconds"] == [0.4] * 3
    assert set(first["faster"]) == {"discreet / dp-accounting", "limit / dp-accounting"}
    random = json.loads(json.dumps(told))["random"]
    assert len(random["with"][PEER]["compared"]) == 4
    assert random["refused"][0]["reason"] == "no"
