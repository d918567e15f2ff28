"""A contestant is asked, may be late, may die, and is there again when it is asked next."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.contestant import Command, Contestant, NoAnswerError

SCRIPT = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "die":
        print("no more", file=sys.stderr)
        sys.exit(3)
    if request["do"] == "sleep":
        time.sleep(60)
    if request["do"] == "fail":
        print(json.dumps({"error": "ValueError: no"}), flush=True)
    print(json.dumps({"pid": os.getpid(), "threads": os.environ["OMP_NUM_THREADS"]}), flush=True)
"""


@pytest.fixture
def contestant(tmp_path: Path) -> Iterator[Contestant]:
    (tmp_path / "scripted.py").write_text(SCRIPT, encoding="ascii")
    command = Command(Path(sys.executable), "scripted", tmp_path)
    asked = Contestant(command, tmp_path / "logs" / "scripted.log")
    yield asked
    asked.end()


def test_it_lives_from_one_question_to_the_next(contestant: Contestant) -> None:
    first = contestant.ask({"do": "say"}, seconds=20)
    assert contestant.ask({"do": "say"}, seconds=20) == first
    assert first["threads"] == "1"


def test_one_that_is_late_is_ended_and_started_anew(contestant: Contestant) -> None:
    first = contestant.ask({"do": "say"}, seconds=20)
    with pytest.raises(NoAnswerError, match=r"no answer within 0\.2 s"):
        contestant.ask({"do": "sleep"}, seconds=0.2)
    # A late answer to the old question must not be taken for the answer to the new one.
    assert contestant.ask({"do": "say"}, seconds=20)["pid"] != first["pid"]


def test_one_that_dies_is_quoted_and_started_anew(contestant: Contestant) -> None:
    with pytest.raises(NoAnswerError, match="ended early: no more"):
        contestant.ask({"do": "die"}, seconds=20)
    assert "pid" in contestant.ask({"do": "say"}, seconds=20)


def test_an_error_is_an_answer_of_its_own(contestant: Contestant) -> None:
    with pytest.raises(NoAnswerError, match="ValueError: no"):
        contestant.ask({"do": "fail"}, seconds=20)


def test_no_import_path_of_ours_reaches_a_peer() -> None:
    inherited = {"PYTHONPATH": "ours", "PYTHONOPTIMIZE": "1", "OMP_NUM_THREADS": "8", "LANG": "C"}
    peer = Command(Path("python"), "module").environment(inherited)
    assert "PYTHONPATH" not in peer
    assert "PYTHONOPTIMIZE" not in peer
    assert (peer["OMP_NUM_THREADS"], peer["LANG"]) == ("1", "C")
    ours = Command(Path("python"), "module", Path("src")).environment(inherited)
    assert ours["PYTHONPATH"] == "src"
