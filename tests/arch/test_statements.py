"""What a reader should never have to look for: a check that `python -O` removes, names that
appear by magic, state that one call leaves for the next."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

import pytest

from tests.arch.source import Source, Violations, last, package, planted

MAGIC: Final = {"__getattr__", "__getattribute__", "__setattr__", "__init_subclass__"}
MUTABLE: Final = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict"}


def surprises(sources: Sequence[Source]) -> Violations:
    return [
        source.at(node, what)
        for source in sources
        for node in ast.walk(source.tree)
        if (what := _surprise(source, node))
    ] + [
        source.at(node, "global mutable state")
        for source in sources
        for node in source.tree.body
        if _is_state(node)
    ]


def _surprise(source: Source, node: ast.AST) -> str:
    match node:
        case ast.Assert():
            return "an assert vanishes under -O: raise instead"
        case ast.Name(id="__debug__"):
            return "__debug__ differs under -O"
        case ast.Global():
            return "global mutable state"
        case ast.FunctionDef(name=name) if name in MAGIC and source.room != "__init__":
            return f"{name} is magic"
        case ast.ClassDef(keywords=keywords) if any(word.arg == "metaclass" for word in keywords):
            return "a metaclass is magic"
        case _:
            return ""


def _is_state(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return False
        case ast.AnnAssign(annotation=annotation) if last(annotation) == "Final":
            return False
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return _is_mutable(value)
        case _:
            return False


def _is_mutable(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(func=func):
            return last(func) in MUTABLE
        case _:
            return False


def test_nothing_surprises() -> None:
    assert surprises(package()) == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    assert x > 0",
        "if __debug__:\n    x = 1",
        "def f():\n    global x",
        "class A:\n    def __getattr__(self, name): ...",
        "class A(metaclass=M): ...",
        "cache = {}",
        "seen: set[int] = set()",
        "last = [0]",
    ],
)
def test_a_surprise_is_found(text: str) -> None:
    assert len(surprises(planted({"units.py": text}))) == 1


def test_constants_are_let_through() -> None:
    text = "__all__ = ['a']\nTABLE: Final = {1: 2}\nX: Final[list[int]] = [1]\nY = (1, 2)"
    assert surprises(planted({"units.py": text})) == []
