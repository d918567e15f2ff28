"""Every fragment of the changelog is named `NAME.KIND.md` and is one to three sentences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.arch.source import ROOT, Violations

FOLDER: Final = ROOT / "changelog.d"
KINDS: Final = {"added", "changed", "fixed", "privacy"}
MOST_SENTENCES: Final = 3
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.(?P<kind>[a-z]+)\.md")
_CODE: Final = re.compile(r"`[^`]*`")
_END: Final = re.compile(r"[.!?][)\"”]?(?:\s+|$)")


def slips(folder: Path) -> Violations:
    """What is wrong with the fragments of a folder; its README is none."""
    return [
        f"{path.name}: {slip}"
        for path in sorted(folder.iterdir())
        if path.name != "README.md"
        for slip in (_slip(path),)
        if slip
    ]


def _slip(path: Path) -> str:
    named = _NAME.fullmatch(path.name)
    if named is None or path.is_dir():
        return "is not named NAME.KIND.md"
    if named["kind"] not in KINDS:
        return f"has no kind among {', '.join(sorted(KINDS))}"
    return _slip_of_text(path.read_text("utf-8"))


def _slip_of_text(text: str) -> str:
    prose = _CODE.sub("Code", text)
    if prose != f"{prose.strip()}\n" or "\n\n" in prose:
        return "is not one paragraph"
    if not prose.lstrip("(")[0].isupper():
        return "does not begin like a sentence"
    *sentences, rest = _END.split(prose)
    if rest:
        return "does not end like a sentence"
    if len(sentences) > MOST_SENTENCES:
        return f"has {len(sentences)} sentences"
    return ""


def test_fragments_are_named_and_short() -> None:
    assert slips(FOLDER) == []


def test_the_readme_names_every_kind() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert {kind for kind in KINDS if f"`{kind}`" in readme} == KINDS


# --- the judge is judged -----------------------------------------------------------------------

GOOD: Final = "`dp.f` is new: it gives 3.5.\nMay it help (it does).\n"


def planted(folder: Path, name: str, text: str = GOOD) -> Path:
    (folder / "README.md").write_text("# Not a fragment\n", "utf-8")
    (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_good_fragment_is_let_through(tmp_path: Path, kind: str) -> None:
    assert slips(planted(tmp_path, f"some-2-words.{kind}.md")) == []


@pytest.mark.parametrize(
    "text",
    ["One.\n", "One. Two! Three?\n", "(None) says `a. b. c. d. e` (or `f`.)\n", "It is 1.5.\n"],
)
def test_one_to_three_sentences_are_let_through(tmp_path: Path, text: str) -> None:
    assert slips(planted(tmp_path, "words.added.md", text)) == []


@pytest.mark.parametrize(
    "name",
    [
        "words.md",
        "words.removed.md",
        "words.Added.md",
        "words.added.txt",
        "Words.added.md",
        "two words.added.md",
        "two--words.added.md",
        "added.md",
        ".added.md",
        "words.more.added.md",
        "words.added.md.md",
    ],
)
def test_a_bad_name_is_found(tmp_path: Path, name: str) -> None:
    assert len(slips(planted(tmp_path, name))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "One. Two. Three. Four.\n",
        "A line without an end\n",
        "One. And then\n",
        "# A heading\n",
        "- A list.\n",
        "lower case.\n",
        "One.\n\nTwo.\n",
        "\nOne.\n",
        "One.",
    ],
)
def test_a_bad_text_is_found(tmp_path: Path, text: str) -> None:
    assert len(slips(planted(tmp_path, "words.fixed.md", text))) == 1


def test_a_folder_is_no_fragment(tmp_path: Path) -> None:
    (tmp_path / "words.added.md").mkdir()
    assert len(slips(tmp_path)) == 1


def test_each_bad_fragment_is_found(tmp_path: Path) -> None:
    planted(tmp_path, "one.added.md", "Four. Sen. Ten. Ces.\n")
    planted(tmp_path, "two.removed.md")
    planted(tmp_path, "three.fixed.md")
    assert slips(tmp_path) == [
        "one.added.md: has 4 sentences",
        "two.removed.md: has no kind among added, changed, fixed, privacy",
    ]
