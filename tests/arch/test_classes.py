"""A class is abstract or final; value objects are frozen and have slots.

The tree of errors alone has classes that are raised and have children.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from tests.arch.source import Source, Violations, last, package, planted

ABSTRACT: Final = {"ABC", "Protocol"}
ENUMS: Final = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
TUPLES: Final = {"NamedTuple", "namedtuple"}


def _classes(source: Source) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef))


def _decorators(node: ast.ClassDef | ast.FunctionDef) -> set[str]:
    return {last(decorator) for decorator in node.decorator_list}


def _bases(kind: ast.ClassDef) -> set[str]:
    return {last(base) for base in kind.bases}


def neither(sources: Sequence[Source]) -> Violations:
    """Classes that are neither abstract nor final.  An enum with members is final by itself."""
    return [
        source.at(kind, f"{kind.name} is neither abstract nor final")
        for source in sources
        if source.room != "errors"
        for kind in _classes(source)
        if "final" not in _decorators(kind)
        and not _bases(kind) & ENUMS
        and not (_bases(kind) & ABSTRACT and _has_abstract_part(kind))
    ]


def _has_abstract_part(kind: ast.ClassDef) -> bool:
    """Without an abstract method a class can be made, whatever its base says."""
    return "Protocol" in _bases(kind) or any(
        isinstance(part, ast.FunctionDef) and "abstractmethod" in _decorators(part)
        for part in kind.body
    )


def loose(sources: Sequence[Source]) -> Violations:
    """Value objects that can be changed, and tuples that are equal to any other tuple."""
    return [
        source.at(kind, f"{kind.name} is not frozen with slots, or is a tuple")
        for source in sources
        for kind in _classes(source)
        if _bases(kind) & TUPLES or any(map(_loosens, kind.decorator_list))
    ]


def _loosens(decorator: ast.expr) -> bool:
    return last(decorator) == "dataclass" and not {"frozen", "slots"} <= _switched(decorator)


def _switched(decorator: ast.expr) -> set[str]:
    """The options that a decorator sets to True."""
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    return {
        word.arg
        for word in keywords
        if word.arg and isinstance(word.value, ast.Constant) and word.value.value is True
    }


def test_classes_are_abstract_or_final() -> None:
    assert neither(package()) == []


def test_value_objects_are_frozen_with_slots() -> None:
    assert loose(package()) == []


@pytest.mark.parametrize(
    "text",
    [
        "class Pure: ...",
        "class Pure(Loss): ...",
        "class Loss(ABC): ...",
        "class Mechanism(ABC):\n    def release(self): ...",
        "class Outer(ABC):\n    class Inner: ...\n    @abstractmethod\n    def f(self): ...",
    ],
)
def test_a_class_that_is_neither_is_found(text: str) -> None:
    assert len(neither(planted({"loss/pure.py": text}))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "@final\nclass Pure(Loss): ...",
        "@typing.final\nclass Pure: ...",
        "class Loss(ABC):\n    @abstractmethod\n    def group(self): ...",
        "class Entropy(Protocol): ...",
        "class Mechanism(ABC, Generic[T]):\n    @abstractmethod\n    def f(self): ...",
        "class Sides(Enum):\n    ONE = 1",
    ],
)
def test_abstract_and_final_classes_are_let_through(text: str) -> None:
    assert neither(planted({"loss/pure.py": text})) == []


@pytest.mark.parametrize(
    "text",
    [
        "@final\n@dataclass\nclass Pure: ...",
        "@final\n@dataclass(frozen=True)\nclass Pure: ...",
        "@final\n@dataclass(slots=True)\nclass Pure: ...",
        "@final\n@dataclasses.dataclass(frozen=True, slots=False)\nclass Pure: ...",
        "@final\nclass Pure(NamedTuple): ...",
    ],
)
def test_a_loose_value_object_is_found(text: str) -> None:
    assert len(loose(planted({"loss/pure.py": text}))) == 1


def test_a_frozen_value_object_is_let_through() -> None:
    frozen = "@final\n@dataclass(frozen=True, slots=True)\nclass Pure: ..."
    assert loose(planted({"loss/pure.py": frozen})) == []
