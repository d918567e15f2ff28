"""No file names a package index, or a place on the machine where it was written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.arch.source import ROOT, Violations, project_files

# In pieces, because this file is looked at too.
INDEXES: Final = ("py" + "pi.org", "python" + "hosted.org", "anaconda" + ".org", "py" + "pi.python")
SETTINGS: Final = (r"--(extra-)?" + "index-url", "--find" + "-links", r"\[\[tool\.uv\." + "index")
MACHINE: Final = "work|root|opt|home|Users"
BANNED: Final = re.compile(
    "|".join((*map(re.escape, INDEXES), *SETTINGS, rf"(?<![\w.~:/])/({MACHINE})/"))
)


def named(text: str) -> list[str]:
    return [found.group() for found in BANNED.finditer(text)]


def slips(files: list[Path]) -> Violations:
    found = []
    for path in files:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {slip}" for slip in named(text)]
    return found


def test_no_file_names_an_index_or_this_machine() -> None:
    files = list(project_files())
    assert ROOT / "requirements" / "dev.txt" in files
    assert ROOT / ".ci" / "run" in files
    assert slips(files) == []


@pytest.mark.parametrize(
    "line",
    [
        "--extra-" + "index-url=x",
        f"see https://{INDEXES[0]}/simple",
        f"numpy @ https://files.{INDEXES[1]}/numpy.whl",
        f"# built in /{'work'}/main",
        f'PATH = "/{"root"}/.local"',
    ],
)
def test_a_slip_is_found(line: str) -> None:
    assert named(line)


def test_addresses_of_pages_and_files_of_ours_are_let_through() -> None:
    assert named("https://arxiv.org/abs/1604.00892 and build/work/x and ./root/y") == []
