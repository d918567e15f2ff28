"""Randomness has one door.  The linter bans the others; these tests show that its ban is on, and
close the windows that a linter does not see."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import pytest

from tests.arch.source import ROOT, Source, Violations, dotted, imports, package, planted

GENERATORS: Final = {"random", "secrets", "uuid", "numpy.random"}
SYSTEM: Final = {"urandom", "getrandom"}
# Other ways to draw: methods of NumPy, of python-flint and of `ssl`.
DRAWS: Final = {
    "SystemRandom", "RandomState", "default_rng", "getrandbits", "randbits", "randint",
    "random", "randrange", "randtest", "randrank", "randops", "randajtai", "RAND_bytes",
    "token_bytes", "uuid1", "uuid4",
}  # fmt: skip


def other_doors(sources: Sequence[Source]) -> Violations:
    found: Violations = []
    for source in sources:
        banned = DRAWS if source.room == "entropy" else DRAWS | SYSTEM
        found += [
            source.at(each.node, f"{each.alias} is another door")
            for each in imports(source)
            if {each.module, f"{each.module}.{each.name}"} & GENERATORS or each.name in banned
        ]
        found += [
            source.at(node, f"{dotted(node) or node.attr} is another door")
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Attribute) and node.attr in banned
        ]
    return found


def test_randomness_has_one_door() -> None:
    assert other_doors(package()) == []


PLANTS: Final = [
    "import random",
    "import secrets",
    "import numpy.random",
    "from numpy import random as r",
    "import numpy as np\nx = np.random.default_rng",
    "from os import urandom",
    "import os\nx = os.urandom(8)",
    "import os\nx = os.getrandom(8)",
]


@pytest.mark.parametrize("line", PLANTS)
def test_another_door_is_found(line: str) -> None:
    assert other_doors(planted({"noise/laplace.py": line}))


def test_the_one_door_may_be_used_and_no_other_beside_it() -> None:
    assert other_doors(planted({"entropy.py": "import os\nx = os.urandom(8)"})) == []
    assert len(other_doors(planted({"entropy.py": "import random"}))) == 1


@pytest.mark.parametrize("line", PLANTS)
def test_the_linter_bans_it_too(line: str) -> None:
    assert "TID251" in _lint(line, "src/discreet/noise/laplace.py")


def test_the_linter_lets_the_one_door_be() -> None:
    assert "TID251" not in _lint("import os\nx = os.urandom(8)", "src/discreet/entropy.py")


def _lint(text: str, path: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename", path, "-"],
        input=text, capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert run.returncode in {0, 1}, run.stderr
    return run.stdout
