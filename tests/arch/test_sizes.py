"""A file holds one concept and stays under 400 lines, a function under 60."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from tests.arch.source import Source, Violations, package, planted

FILE: Final = 400
FUNCTION: Final = 60


def too_long(sources: Sequence[Source]) -> Violations:
    found: Violations = []
    for source in sources:
        if (lines := len(source.text.splitlines())) >= FILE:
            found.append(f"{source.path}:1: {lines} lines")
        found += [
            source.at(node, f"{node.name} has {lines} lines")
            for node in ast.walk(source.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if (lines := (node.end_lineno or 0) - node.lineno + 1) >= FUNCTION
        ]
    return found


def test_nothing_is_too_long() -> None:
    assert too_long(package()) == []


def test_a_long_file_is_found() -> None:
    assert len(too_long(planted({"units.py": "x = 1\n" * FILE}))) == 1
    assert too_long(planted({"units.py": "x = 1\n" * (FILE - 1)})) == []


def test_a_long_function_is_found() -> None:
    body = "    x = 1\n"
    assert len(too_long(planted({"units.py": "def f():\n" + body * (FUNCTION - 1)}))) == 1
    assert too_long(planted({"units.py": "def f():\n" + body * (FUNCTION - 2)})) == []
