"""Every page keeps its word: its Python runs, its links lead somewhere, its targets exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.arch.source import ROOT, project_files
from tests.docs.prose import blocks, dead_links, run, targets_called

PAGES = sorted(path for path in project_files() if path.suffix == ".md")
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_the_python_of_a_page_runs(path: Path) -> None:
    run(path.read_text("utf-8"), str(path))


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_the_links_of_a_page_lead_somewhere(path: Path) -> None:
    assert dead_links(path.read_text("utf-8"), path.parent) == []


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_the_targets_of_a_page_exist(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert targets_called(path.read_text("utf-8")) <= targets


def test_all_blocks_say_what_they_are() -> None:
    known = {"python", "sh", "text", "sql", "toml", "math"}
    tags = {block.tag for path in PAGES for block in blocks(path.read_text("utf-8"))}
    assert tags <= known


# --- the judge is judged -----------------------------------------------------------------------


def page(*texts: str) -> str:
    return "\n".join(f"Words.\n\n```python\n{text}\n```\n" for text in texts)


def test_a_page_that_holds_is_let_through() -> None:
    run(page("x = 1", ">>> x + 1\n2\n>>> y = 3", "z = x + y"), "page")


@pytest.mark.parametrize(
    "text", ["raise ValueError", "assert 1 == 2", ">>> 1 + 1\n3", ">>> undefined", "1 +"]
)
def test_a_page_that_does_not_hold_is_found(text: str) -> None:
    with pytest.raises((ValueError, AssertionError, SyntaxError)):
        run(page(text), "page")


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").touch()
    text = "[a](there.md#x) [b](gone.md) [c](https://example.org/gone) [d](#here)"
    assert dead_links(text, tmp_path) == ["gone.md"]


def test_a_target_is_found() -> None:
    assert targets_called("```sh\nmake demo\n$ make nothing\n```\nmake it so") == {
        "demo",
        "nothing",
    }
