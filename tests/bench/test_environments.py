"""Why a peer is missing, and when its environment must be made anew."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.environments import Missing, Ready, digest, prepare, reason

CONFLICT = """\
Looking in links: somewhere
ERROR: Could not find a version that satisfies the requirement nothing==9 (from versions: none)
ERROR: No matching distribution found for nothing==9

[notice] A new release of pip is available
"""


def test_the_last_error_is_the_reason() -> None:
    assert reason(CONFLICT) == "No matching distribution found for nothing==9"


def test_without_an_error_the_last_line_is() -> None:
    assert reason("first\n  killed  \n\n") == "killed"


def test_a_reason_is_never_empty_and_never_long() -> None:
    assert reason("") == "no reason was given"
    assert len(reason("x" * 10_000)) == 160


def test_the_digest_knows_the_requirements_and_the_python(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = digest(b"numpy==2")
    assert digest(b"numpy==3") != ours
    monkeypatch.setattr(sys, "version", "another")
    assert digest(b"numpy==2") != ours


def test_an_environment_is_reused_as_long_as_nothing_changed(tmp_path: Path) -> None:
    requirements, folder = tmp_path / "peer.txt", tmp_path / "env"
    requirements.write_bytes(b"")
    (folder).mkdir()
    (folder / "ready").write_text(digest(b""), encoding="ascii")
    assert prepare(requirements, folder) == Ready(folder / "bin" / "python")


def test_where_no_environment_can_be_made_it_is_said(tmp_path: Path) -> None:
    requirements, file = tmp_path / "peer.txt", tmp_path / "a-file"
    requirements.write_bytes(b"")
    file.write_bytes(b"")
    found = prepare(requirements, file / "env")
    assert isinstance(found, Missing)
    assert "a-file" in found.reason


@pytest.mark.long
def test_what_does_not_install_says_why_and_is_tried_again(tmp_path: Path) -> None:
    requirements, folder = tmp_path / "peer.txt", tmp_path / "env"
    requirements.write_text("not a requirement\n", encoding="ascii")
    found = prepare(requirements, folder)
    assert isinstance(found, Missing)
    assert "requirement" in found.reason.lower()
    assert not (folder / "ready").exists()
