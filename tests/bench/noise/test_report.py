"""One report of invented figures, as text and as JSON."""

from __future__ import annotations

import json

from bench.figures import Draw
from bench.noise.aims import aims
from bench.noise.measure import Bout, Calls, Memory
from bench.noise.plan import FULL, QUICK, SETTINGS
from bench.noise.report import Report, Taker, to_json
from bench.noise.roster import ENTRANTS
from bench.noise.tables import to_text

SETTING = next(setting for setting in SETTINGS if setting.label == "10")
ABSENT = {"tumult": "it does not install: no wheel", "diffprivlib": "it does not start: gone"}
TAKERS = [
    Taker(entrant, {} if entrant.name in ABSENT else {"it": "1.0"}, ABSENT.get(entrant.name))
    for entrant in ENTRANTS
]


def draws(rate: float, count: int) -> list[Draw]:
    return [Draw(count, count / rate, count / rate, 0.0, 0.0)] * 3


def report(*, ours: float = 5e7) -> Report:
    rounds = {"discreet": draws(ours, 10**7), "numpy": draws(5e7, 10**7)}
    rounds |= {"opendp": draws(2e5, 10**5)}
    short = {"discreet": draws(3e7, 10**6), "numpy": draws(6e7, 10**6)}
    bout = Bout(SETTING, rounds, short, {"numpy-legacy": "no answer within 10 s"})
    machine = {"cpu": "A Processor", "cores": 2, "load_before": 0.1, "load_after": 0.2}
    machine |= {"system": "A System", "python": "A Python 3"}
    calls = {SETTING: {"discreet": Calls(7e-4, 4.5e-5, 8e-4, 6e-5)}}
    memory = {SETTING: Memory(8e7, 2**20, 3 * 2**20)}
    return Report(machine, FULL, TAKERS, [bout], calls, memory, aims([bout]))


def test_the_text_says_what_was_measured() -> None:
    text = to_text(report())
    rows = [line.split() for line in text.splitlines()]
    assert ["10", "50.0", "M", "50.0", "M", "–", "200", "k"] in rows
    ratios = ["1.00", "1.00", "1.00", "1.00", "1.00", "0.500", "–", "250"]
    assert ["10", *ratios] in rows
    assert "discrete Laplace 10 / numpy ≥ 0.8 1.00 pass" in " ".join(text.split())
    assert "45.0 µs 700 µs 60.0 µs 800 µs" in " ".join(text.split())
    assert "1.0 MiB 3.0 MiB" in " ".join(text.split())
    assert "Tumult: not here; it does not install: no wheel" in text
    assert "discrete Laplace 10, numpy-legacy: no answer within 10 s" in text
    assert "not the proof" not in text


def test_a_quick_run_says_that_it_is_no_proof() -> None:
    full = report()
    quick = Report(full.machine, QUICK, TAKERS, full.bouts, full.calls, full.memory, full.aims)
    assert "not the proof" in to_text(quick)


def test_the_json_survives_a_round_trip_and_holds_the_rounds() -> None:
    told = to_json(report())
    assert json.loads(json.dumps(told)) == told
    assert told["passed"] is True
    (setting,) = json.loads(json.dumps(told))["settings"]
    assert (setting["law"], setting["scale"]) == ("laplace", "10")
    assert setting["rates"]["opendp"]["count"] == 10**5
    assert len(setting["rates"]["opendp"]["rounds"]) == 3
    assert setting["ours_over"]["opendp"]["median"] == 250
    assert setting["ours_over_numpy_short"]["median"] == 0.5
    assert setting["memory"] == {"result": 8e7, "resident": 2**20, "traced": 3 * 2**20}


def test_a_missed_aim_is_told() -> None:
    slow = report(ours=3.9e7)
    assert not slow.passed
    assert to_json(slow)["passed"] is False
    assert "FAIL" in to_text(slow)


def test_a_report_without_us_has_no_ratios() -> None:
    full = report()
    others = [taker for taker in TAKERS if taker.entrant.name != "discreet"]
    (bout,) = full.bouts
    rounds = {name: drawn for name, drawn in bout.rounds.items() if name != "discreet"}
    without = Bout(SETTING, rounds, {}, {})
    text = to_text(Report(full.machine, FULL, others, [without], {}, {}, []))
    assert "times as fast" not in text
    assert "Aims" not in text
