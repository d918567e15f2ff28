"""The wheel, in an environment that holds nothing but what it asks for, runs README's lines.

This needs a package index, or a pip cache that holds the pinned files; without either it fails.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from venv import EnvBuilder

import pytest

from tests.arch.source import PACKAGE, ROOT
from tests.docs.prose import blocks


def _run(*command: str | Path, cwd: Path = ROOT) -> str:
    run = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def empty_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the wheel and its pinned dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("empty")
    EnvBuilder(with_pip=True).create(folder)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    _run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "core.txt")
    _run(*pip, "--no-deps", "--no-index", wheel)
    return python


def test_the_wheel_holds_the_package_and_its_claims(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("discreet/")}
    ours = {
        f"discreet/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"discreet/py.typed", "discreet/noise/laplace.md"} <= ours == packed


def test_the_pins_are_all_that_the_wheel_asks_for(empty_python: Path) -> None:
    _run(empty_python, "-m", "pip", "check")


def test_the_lines_of_readme_run(empty_python: Path, tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = "".join(block.text for block in blocks(readme) if block.tag == "python")
    assert lines.count("\n") >= 12
    program = tmp_path / "readme.py"
    program.write_text(lines, "utf-8")
    told = _run(empty_python, "-I", "-W", "error", program, cwd=tmp_path)
    assert told.strip()
    where = _run(
        empty_python, "-I", "-c", "import discreet; print(discreet.__file__)", cwd=tmp_path
    )
    assert Path(where.strip()).is_relative_to(empty_python.parents[1])
