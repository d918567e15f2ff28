"""`all` holds every bench, even after one that missed an aim."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.__main__ import BENCHES, Bench, main


def ran(arguments: list[str], results: Mapping[str, bool]) -> tuple[int, list[str]]:
    """What the command returned, and the benches that it held."""
    held: list[str] = []

    def bench(name: str) -> Bench:
        def run(asked: argparse.Namespace, folder: Path) -> bool:
            assert isinstance(asked.quick, bool)
            assert folder.is_dir()
            held.append(name)
            return results[name]

        return run

    return main(arguments, {name: bench(name) for name in results}), held


def test_all_are_held_and_one_missed_aim_fails_the_command() -> None:
    names = list(BENCHES)
    assert names == ["noise", "choice", "error", "account"]
    good = dict.fromkeys(names, True)
    assert ran(["all"], good) == (0, names)
    for missed in names:
        assert ran(["all", "--quick"], good | {missed: False}) == (1, names)


@pytest.mark.parametrize("name", BENCHES)
def test_one_alone(name: str) -> None:
    results = {each: each == name for each in BENCHES}
    assert ran([name, "--quick"], results) == (0, [name])


def test_another_word_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["everything"])
    assert "invalid choice" in capsys.readouterr().err
