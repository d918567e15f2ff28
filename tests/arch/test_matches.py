"""A `match` over our own types is exhaustive, and says so to the type checker.

Its last case is `case _: assert_never(…)`.  Where Python itself asks for an open answer, in
`__add__` and its like, it may be `case _: return NotImplemented`.  Whether the cases before it
are all there are is mypy's to say.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from tests.arch.source import Source, Violations, last, package, planted


def open_ended(sources: Sequence[Source]) -> Violations:
    ours = {
        node.name
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef)
    }
    return [
        source.at(node, "this match does not end in assert_never")
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Match) and _matched(node) & ours and not _ends_well(node)
    ]


def _matched(node: ast.Match) -> set[str]:
    """The classes in the patterns, and the enums whose members they name."""
    found = set()
    for case in node.cases:
        for part in ast.walk(case.pattern):
            match part:
                case ast.MatchClass(cls=kind):
                    found.add(last(kind))
                case ast.MatchValue(value=ast.Attribute(value=enum)):
                    found.add(last(enum))
                case _:
                    pass
    return found


def _ends_well(node: ast.Match) -> bool:
    end = node.cases[-1]
    return (
        _takes_anything(end.pattern)
        and end.guard is None
        and (_never(end.body[0]) or _declines(end.body[0]))
    )


def _takes_anything(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _takes_anything(inner)
        case _:
            return False


def _never(line: ast.stmt) -> bool:
    match line:
        case ast.Expr(value=ast.Call(func=func)) | ast.Return(value=ast.Call(func=func)):
            return last(func) == "assert_never"
        case _:
            return False


def _declines(line: ast.stmt) -> bool:
    match line:
        case ast.Return(value=ast.Name(id="NotImplemented")):
            return True
        case _:
            return False


def test_matches_end_in_assert_never() -> None:
    assert open_ended(package()) == []


OURS = "class Rows: ...\nclass Side(Enum):\n    ONE = 1\n"


@pytest.mark.parametrize(
    "end",
    [
        "",
        "case _: pass",
        "case _: return 1",
        "case _: raise ValueError",
        "case _ if x: assert_never(u)",
    ],
)
@pytest.mark.parametrize("pattern", ["Rows()", "units.Rows(count=1)", "Side.ONE", "(Rows(), _)"])
def test_an_open_end_is_found(pattern: str, end: str) -> None:
    text = f"{OURS}match u:\n    case {pattern}: pass\n    {end}\n"
    assert len(open_ended(planted({"units.py": text}))) == 1


@pytest.mark.parametrize(
    "end",
    [
        "case _: assert_never(u)",
        "case _ as never: assert_never(never)",
        "case _: return NotImplemented",
    ],
)
def test_a_closed_end_is_let_through(end: str) -> None:
    text = f"{OURS}match u:\n    case Rows(): pass\n    {end}\n"
    assert open_ended(planted({"units.py": text})) == []


def test_a_match_over_others_may_stay_open() -> None:
    text = f"{OURS}match u:\n    case int(): pass\n    case _: raise TypeError\n"
    assert open_ended(planted({"numbers.py": text})) == []
