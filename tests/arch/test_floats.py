"""No float inside a loss, a scale, a sensitivity or a row of the ledger.

Looked at are the fields of every class in `loss/`, `distances`, `units`, `mechanisms/` and the
ledger, and in `noise/` of every class that has a `sample`.  `Number` counts as a float, because
it is what a caller may give, not what is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from tests.arch.source import Source, Violations, package, planted

FREE: Final = "loss/pld"
"""Numbers here carry their own error, but in what is kept and charged:"""
CHARGED: Final = {"loss/pld/pld.py"}
EXACT_ROOMS: Final = {"loss", "distances", "units", "mechanisms"}
INEXACT: Final = {
    "float", "complex", "Number", "float64", "float32", "float16", "longdouble", "double",
    "floating", "inexact", "ArrayLike",
}  # fmt: skip


def inexact_fields(sources: Sequence[Source]) -> Violations:
    return [
        source.at(field, f"{kind.name} keeps a float")
        for source in sources
        for kind in ast.walk(source.tree)
        if isinstance(kind, ast.ClassDef) and _must_be_exact(source, kind)
        for field in kind.body
        if isinstance(field, ast.AnnAssign)
        if _names(field.annotation) & (INEXACT | _aliases(source))
    ]


def _must_be_exact(source: Source, kind: ast.ClassDef) -> bool:
    if str(source.path.parent) == FREE and str(source.path) not in CHARGED:
        return False
    if source.room == "noise":
        return any(
            isinstance(part, ast.FunctionDef) and part.name == "sample" for part in kind.body
        )
    return source.room in EXACT_ROOMS or source.path.stem == "ledger"


def _names(annotation: ast.expr) -> set[str]:
    return set(_walk_names(annotation))


def _walk_names(annotation: ast.expr) -> Iterator[str]:
    for node in ast.walk(annotation):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.Constant(value=str(text)):
                yield from _walk_names(ast.parse(text, mode="eval").body)
            case _:
                pass


def _aliases(source: Source) -> set[str]:
    """Names that this module gives to something inexact."""
    return {
        node.target.id
        for node in source.tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "TypeAlias" in _names(node.annotation)
        and node.value is not None
        and _names(node.value) & INEXACT
    }


def test_no_float_is_kept() -> None:
    assert inexact_fields(package()) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("loss/pure.py", "class Pure:\n    epsilon: float"),
        ("loss/pld/pld.py", "class PLD:\n    count: float"),
        ("loss/pure.py", "class Pure:\n    epsilon: Fraction | float"),
        ("loss/pure.py", "class Pure:\n    epsilon: 'float | None'"),
        ("loss/renyi.py", "class Renyi:\n    curve: tuple[tuple[Fraction, float], ...]"),
        ("loss/gdp.py", "class GDP:\n    mu: Number"),
        ("loss/gdp.py", "Size: TypeAlias = int | float\nclass GDP:\n    mu: Size"),
        ("distances.py", "class L2:\n    by: np.float64"),
        ("units.py", "class Rows:\n    count: NDArray[np.floating]"),
        ("noise/laplace.py", "class Laplace:\n    scale: float\n    def sample(self): ..."),
        ("mechanisms/laplace.py", "class Laplace:\n    scale: float"),
        ("curator/ledger.py", "class Row:\n    cost: float"),
    ],
)
def test_a_float_is_found(path: str, text: str) -> None:
    assert len(inexact_fields(planted({path: text}))) == 1


def test_floats_elsewhere_are_let_through() -> None:
    elsewhere = {
        "loss/pld/grid.py": "class Grid:\n    mass: NDArray[np.float64]",
        "noise/fast.py": "class Chunk:\n    bound: float",
        "loss/pure.py": "class Pure:\n    epsilon: Fraction\n    def value(self) -> float: ...",
    }
    assert inexact_fields(planted(elsewhere)) == []
