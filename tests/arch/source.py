"""What every check here reads: the files of the package as trees, and the files of the project."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias, final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src" / "discreet"

Violations: TypeAlias = list[str]
"""Empty if the rule is kept; else a line for each breach, with its place."""


@final
@dataclass(frozen=True)
class Source:
    """One module of the package: its path below `src/discreet` and its text."""

    path: PurePosixPath
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        """The folder or the file on a floor of the tower: `loss/pure.py` lies in `loss`."""
        return PurePosixPath(self.path.parts[0]).stem

    def at(self, node: ast.AST, what: str) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 1)}: {what}"


def package() -> tuple[Source, ...]:
    """The package as it stands."""
    return tuple(
        Source(PurePosixPath(path.relative_to(PACKAGE).as_posix()), path.read_text("utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    )


def planted(files: Mapping[str, str]) -> tuple[Source, ...]:
    """A package that never was, to show that a check can fail."""
    return tuple(Source(PurePosixPath(path), text) for path, text in files.items())


def project_files(root: Path = ROOT) -> Iterator[Path]:
    """Every file that is not ignored: what a commit would hold."""
    ignored = [".git", *(line.strip("/") for line in _lines(root / ".gitignore"))]
    yield from _kept(root, ignored)


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split() if path.exists() else []


def _kept(folder: Path, ignored: Sequence[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in ignored):
            continue
        if path.is_dir():
            yield from _kept(path, ignored)
        else:
            yield path


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text, and nothing for what is no chain of names."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            before = dotted(value)
            return f"{before}.{attr}" if before else ""
        case _:
            return ""


def last(node: ast.expr) -> str:
    """The last name of a chain, of a subscript or of a call: `x.ABC[T]()` is `ABC`."""
    match node:
        case ast.Subscript(value=value) | ast.Call(func=value):
            return last(value)
        case _:
            return dotted(node).rpartition(".")[2]


@final
@dataclass(frozen=True, slots=True)
class Import:
    """One name that is imported: `from a.b import c` is the module `a.b` and the name `c`."""

    node: ast.Import | ast.ImportFrom
    module: str
    name: str | None
    alias: str
    inside: tuple[str, ...]

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


def imports(source: Source) -> Iterator[Import]:
    """All imports, also those inside functions and under `if TYPE_CHECKING`."""
    yield from _imports(source.tree, ())


def _imports(node: ast.AST, inside: tuple[str, ...]) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                for each in names:
                    yield Import(child, each.name, None, each.asname or each.name, inside)
            case ast.ImportFrom(module=module, names=names, level=level):
                whence = "." * level + (module or "")
                for each in names:
                    yield Import(child, whence, each.name, each.asname or each.name, inside)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from _imports(child, (*inside, name))
            case _:
                yield from _imports(child, inside)
