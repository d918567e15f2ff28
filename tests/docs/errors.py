"""Where errors are made: the codes in the source, and what a trigger makes at run time."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final
from unittest.mock import patch

from discreet.errors import DiscreetError
from tests.arch.source import PACKAGE, Source, last

_CODE: Final = re.compile(r"[NULMPEBCA]\d\d")
_BACKTICKED: Final = re.compile(r"`([^`]+)`")
_PAGE: Final = re.compile(r'^<a id="(?P<anchor>\w+)"></a>\n## (?P<code>\w+) · \S', re.MULTILINE)


@final
@dataclass(frozen=True, slots=True, order=True)
class Site:
    """A call that makes an error."""

    path: str
    first: int
    last: int


def codes(sources: Sequence[Source]) -> set[str]:
    """Every code in the source, however it reaches the error."""
    return {
        node.value
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _CODE.fullmatch(node.value)
    }


def sites(sources: Sequence[Source]) -> set[Site]:
    """Every call `SomeError(…, code=…)`, but for the one that unpickles."""
    return {
        Site(str(source.path), node.lineno, node.end_lineno or node.lineno)
        for source in sources
        if source.room != "errors"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and last(node.func).endswith("Error")
        and any(word.arg == "code" for word in node.keywords)
    }


def pages(text: str) -> list[str]:
    """The codes that have a page: an anchor and a heading of the same name."""
    return [found["code"] for found in _PAGE.finditer(text) if found["anchor"] == found["code"]]


def pasted(cure: str) -> list[str]:
    """The code in a cure."""
    return _BACKTICKED.findall(cure)


@contextmanager
def watched(made: list[tuple[str, int]]) -> Iterator[None]:
    """Notes the file and the line of every error that is made meanwhile."""
    make: Callable[..., None] = DiscreetError.__init__

    def noting(self: DiscreetError, *args: object, **words: object) -> None:
        frame = sys._getframe(1)
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            made.append((path.relative_to(PACKAGE).as_posix(), frame.f_lineno))
        make(self, *args, **words)

    with patch.object(DiscreetError, "__init__", noting):
        yield


def reached(made: Sequence[tuple[str, int]], all_sites: set[Site]) -> set[Site]:
    return {
        site
        for site in all_sites
        if any(path == site.path and site.first <= line <= site.last for path, line in made)
    }
