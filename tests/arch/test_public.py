"""`import discreet`: at most 70 names, each imported when it is first used, in no time."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from typing import Final

import pytest

import discreet
from tests.arch.source import PACKAGE

MOST_NAMES: Final = 70
MOST_SECONDS: Final = 0.3


def _typed_names() -> dict[str, str]:
    """The names that the type checker sees, and the modules it finds them in."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    return {
        alias.asname or "": node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("discreet.")
        for alias in node.names
    }


def _fresh(program: str) -> str:
    """What a program prints in a Python of its own."""
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


def test_there_are_few_names() -> None:
    assert 0 < len(dir(discreet)) <= MOST_NAMES


def test_the_type_checker_sees_the_same_names() -> None:
    typed = _typed_names()
    assert sorted(typed) == sorted(dir(discreet))
    for name, module in typed.items():
        assert getattr(discreet, name) is getattr(sys.modules[module], name)


@pytest.mark.parametrize("name", dir(discreet))
def test_every_name_is_there_and_has_a_page(name: str) -> None:
    assert (getattr(discreet, name).__doc__ or "").strip()


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Laplase'"):
        _ = discreet.Laplase  # type: ignore[attr-defined]


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    program = "import sys, discreet; print(*({'numpy', 'altair'} & set(sys.modules)))"
    assert _fresh(program) == ""


def test_the_import_is_quick() -> None:
    program = """
        from time import perf_counter
        begin = perf_counter()
        import discreet
        print(perf_counter() - begin)
    """
    assert min(float(_fresh(program)) for _ in range(5)) <= MOST_SECONDS


@pytest.mark.parametrize(
    "first",
    [
        "import discreet",
        "import discreet.loss",
        "from discreet.loss import Pure",
        "from discreet.loss.text import loss",
        "import discreet.loss.convert",
        "import discreet; discreet.loss; import discreet.loss.convert",
        "from discreet.noise import DiscreteLaplace",
        "import importlib; importlib.import_module('discreet.loss')",
    ],
)
def test_loss_is_the_function_whatever_was_imported_before(first: str) -> None:
    program = f"""
        {first}
        import discreet as dp
        from discreet.loss import Pure
        print(dp.loss("epsilon=1") == Pure(1) == dp.Pure(1))
    """
    assert _fresh(program) == "True"
