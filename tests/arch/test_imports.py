"""Imports go down the tower only; rooms on one floor are blind to each other; third parties are
allowed folder by folder."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Final

import pytest

from tests.arch.source import Import, Source, Violations, dotted, imports, package, planted

# A line is a floor, from the ground up.
TOWER: Final = """
    errors
    numbers
    entropy units distances
    loss noise
    mechanisms
    plan
    engine
    curator
    local synth learn lab
    app
"""
FLOOR: Final = {
    room: floor for floor, rooms in enumerate(TOWER.split("\n")) for room in rooms.split()
}
SEES_ALL: Final = {"__init__", "lab"}
THIN: Final = {"app", "lab"}
"""Who may import the package itself, as a user would."""

MATHEMATICS: Final = frozenset({"numpy", "flint"})
FRAMES: Final = frozenset({"pandas", "polars", "pyarrow"})
THIRD_PARTIES: Final[dict[str, frozenset[str]]] = {
    "numbers": frozenset({"flint"}),
    "distances": frozenset({"flint"}),
    "loss": MATHEMATICS,
    "noise": MATHEMATICS,
    "mechanisms": MATHEMATICS,
    "plan": MATHEMATICS,
    "plan/from_sql": MATHEMATICS | {"sqlglot"},
    "engine": frozenset({"sqlglot", "duckdb"}),
    "curator": frozenset(),
    "local": MATHEMATICS,
    "synth": MATHEMATICS,
    "learn": MATHEMATICS,
    "lab": MATHEMATICS | {"altair"},
    "app": frozenset({"typer", "rich"}),
}
WITH_FRAMES: Final = ("curator/open", "curator/release")


# --- floors ----------------------------------------------------------------------------------


def upward(sources: Sequence[Source]) -> Violations:
    found = []
    for source in sources:
        if source.room not in FLOOR and source.room != "__init__":
            found.append(f"{source.path}:1: {source.room} has no place in the tower")
            continue
        found += [
            source.at(each.node, f"{source.room} may not import {target}")
            for each in imports(source)
            if (target := _target(each)) is not None and not _may_see(source.room, target)
        ]
    return found


def _target(each: Import) -> str | None:
    """The room that is imported; the empty room is the package itself."""
    if each.module.startswith("."):
        return each.module
    path = f"{each.module}.{each.name}" if each.module == "discreet" and each.name else each.module
    top, _, rest = path.partition(".")
    if top != "discreet":
        return None
    room = rest.partition(".")[0]
    return room if room in FLOOR else ""


def _may_see(room: str, target: str) -> bool:
    if room in SEES_ALL or room == target:
        return True
    if target == "":
        return room in THIN
    return target in FLOOR and FLOOR[target] < FLOOR[room]


def test_imports_go_down() -> None:
    assert upward(package()) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("errors.py", "from discreet.numbers import exact"),
        ("units.py", "from discreet import distances"),
        ("loss/pure.py", "from discreet.noise.laplace import DiscreteLaplace"),
        ("loss/pure.py", "import discreet.noise"),
        ("noise/laplace.py", "def late():\n    from discreet.loss import Pure"),
        ("noise/laplace.py", "if TYPE_CHECKING:\n    import discreet.mechanisms.laplace"),
        ("mechanisms/laplace.py", "import discreet as dp"),
        ("mechanisms/laplace.py", "from discreet import Pure"),
        ("synth/tables.py", "from discreet.lab import attack"),
        ("curator/gate.py", "from discreet.app import cli"),
        ("loss/pure.py", "from . import approx"),
        ("helpers.py", "x = 1"),
    ],
)
def test_an_import_upwards_or_sideways_is_found(path: str, line: str) -> None:
    assert len(upward(planted({path: line}))) == 1


def test_what_is_allowed_is_let_through() -> None:
    allowed = {
        "__init__.py": "from discreet.app import cli",
        "mechanisms/laplace.py": "from discreet.loss import Pure\nfrom discreet import noise",
        "loss/pure.py": "from discreet.loss.base import Loss\nimport numpy",
        "lab/attack.py": "import discreet as dp\nfrom discreet.app import cli",
        "app/cli.py": "import discreet as dp",
    }
    assert upward(planted(allowed)) == []


# --- third parties ---------------------------------------------------------------------------


def strangers(sources: Sequence[Source]) -> Violations:
    return [
        source.at(each.node, f"{each.top} is not allowed here")
        for source in sources
        for each in imports(source)
        if each.top not in {"", "discreet"} | sys.stdlib_module_names and not _may_use(source, each)
    ]


def _may_use(source: Source, each: Import) -> bool:
    place = source.path.with_suffix("").as_posix()
    if each.top == "altair" and "plot" in each.inside:
        return True
    if each.top in FRAMES:
        return bool(each.inside) and any(_within(place, room) for room in WITH_FRAMES)
    return any(each.top in THIRD_PARTIES[room] for room in THIRD_PARTIES if _within(place, room))


def _within(place: str, room: str) -> bool:
    return place == room or place.startswith(f"{room}/")


def test_third_parties_stay_where_they_are_allowed() -> None:
    assert strangers(package()) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("errors.py", "import numpy"),
        ("entropy.py", "import numpy as np"),
        ("loss/pure.py", "from scipy.special import erf"),
        ("noise/laplace.py", "import altair"),
        ("plan/nodes.py", "import sqlglot"),
        ("curator/open.py", "import pandas as pd"),
        ("engine/base.py", "def fetch():\n    import pandas"),
        ("curator/gate.py", "def open():\n    import polars"),
        ("mechanisms/laplace.py", "def draw():\n    import altair as alt"),
    ],
)
def test_a_third_party_out_of_place_is_found(path: str, line: str) -> None:
    assert len(strangers(planted({path: line}))) == 1


def test_third_parties_in_their_place_are_let_through() -> None:
    allowed = {
        "loss/convert.py": "import math\nimport flint\nimport numpy as np",
        "plan/from_sql/read.py": "import sqlglot",
        "curator/open/frames.py": "def read():\n    import pandas as pd",
        "curator/release.py": "def to_polars():\n    import polars",
        "mechanisms/laplace.py": "def plot():\n    import altair as alt",
        "lab/pictures.py": "import altair as alt",
    }
    assert strangers(planted(allowed)) == []


# --- nothing is imported behind the back of these checks ---------------------------------------

DYNAMIC: Final = {"__import__", "import_module", "eval", "exec"}


def hidden(sources: Sequence[Source]) -> Violations:
    return [
        source.at(node, f"{dotted(node.func)} hides what is imported")
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and dotted(node.func).rpartition(".")[2] in DYNAMIC
        and source.room != "__init__"
    ]


def test_no_import_is_hidden() -> None:
    assert hidden(package()) == []


def test_a_hidden_import_is_found() -> None:
    late = 'import importlib\nx = importlib.import_module("discreet.app")'
    assert len(hidden(planted({"loss/pure.py": late}))) == 1
    assert len(hidden(planted({"loss/pure.py": '__import__("random")'}))) == 1


# --- where the folder `loss` and the function `discreet.loss` share a name ---------------------

SHARED: Final = {"loss", "curator"}


def ambiguous(sources: Sequence[Source]) -> Violations:
    """`import discreet.loss as x` would bind the function; `from discreet.loss import …` is
    always the folder."""
    return [
        source.at(each.node, f"write `from {each.module} import …`")
        for source in sources
        for each in imports(source)
        if each.name is None and _target(each) in SHARED
    ]


def test_folders_that_share_a_name_are_imported_by_from() -> None:
    assert ambiguous(package()) == []


def test_an_ambiguous_import_is_found() -> None:
    assert len(ambiguous(planted({"lab/a.py": "import discreet.loss.convert as c"}))) == 1
    assert ambiguous(planted({"lab/a.py": "from discreet.loss import convert"})) == []
