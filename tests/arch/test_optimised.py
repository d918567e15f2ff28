"""The suite under `python -O` judges as it does without.

pytest turns the asserts of tests into ifs, which -O leaves alone, while the asserts of the code
under test are gone.  So `make optimised` fails for code that leans on an assert; both halves of
that are shown here on a small project.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

LEANS_ON_ASSERT: Final = "def half(n: int) -> int:\n    assert n % 2 == 0\n    return n // 2\n"
RAISES: Final = (
    "def half(n: int) -> int:\n    if n % 2:\n        raise AssertionError\n    return n // 2\n"
)
JUDGE: Final = (
    "import pytest\n"
    "from halves import half\n"
    "def test_odd():\n    with pytest.raises(AssertionError):\n        half(3)\n"
)
WRONG: Final = "def test_wrong():\n    assert 1 == 2\n"
WRONG_HELPER: Final = "from helper import check\ndef test_wrong():\n    check(1)\n"


def _passes(folder: Path, *options: str) -> bool:
    run = subprocess.run(
        [sys.executable, *options, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode in {0, 1}, run.stdout + run.stderr
    return run.returncode == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


def test_code_that_leans_on_an_assert_fails_under_o_alone(project: Path) -> None:
    (project / "halves.py").write_text(LEANS_ON_ASSERT)
    (project / "test_it.py").write_text(JUDGE)
    assert _passes(project)
    assert not _passes(project, "-O")


def test_code_that_raises_passes_under_o_too(project: Path) -> None:
    (project / "halves.py").write_text(RAISES)
    (project / "test_it.py").write_text(JUDGE)
    assert _passes(project, "-O")


def test_a_wrong_assert_of_a_test_fails_under_o_too(project: Path) -> None:
    (project / "test_it.py").write_text(WRONG)
    assert not _passes(project, "-O")


def test_a_wrong_assert_of_a_helper_fails_under_o_if_it_is_registered(project: Path) -> None:
    (project / "helper.py").write_text("def check(n):\n    assert n == 2\n")
    (project / "test_it.py").write_text(WRONG_HELPER)
    assert _passes(project, "-O")
    (project / "conftest.py").write_text(
        'import pytest\npytest.register_assert_rewrite("helper")\n'
    )
    assert not _passes(project, "-O")


def test_the_helpers_of_this_suite_are_registered() -> None:
    from tests.arch.source import planted  # noqa: PLC0415

    loader = type(sys.modules[planted.__module__].__spec__.loader)  # type: ignore[union-attr]
    assert loader.__name__ == "AssertionRewritingHook"
