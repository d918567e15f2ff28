"""Prose that is run: the fenced blocks of a page, and how each is judged."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

_FENCE: Final = re.compile(r"^```(?P<tag>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL: Final = re.compile(r"^(?:\$ )?make ([\w-]+)", re.MULTILINE)
_LINK: Final = re.compile(r"(?<!\!)\[[^\]\n]+\]\((?P<target>[^)\s]+)\)")


@final
@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences, and the line where it begins."""

    tag: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    for found in _FENCE.finditer(page):
        line = page.count("\n", 0, found.start("text")) + 1
        yield Block(found["tag"].strip(), found["text"], line)


def run(page: str, name: str) -> None:
    """Runs the Python of a page from top to bottom, as a reader would.

    A block with `>>>` must print what it says; any other must simply run.
    """
    names: dict[str, object] = {"__name__": name}
    for block in blocks(page):
        if block.tag == "python" and ">>>" in block.text:
            _compare(block, names, name)
        elif block.tag == "python":
            padded = "\n" * (block.line - 1) + block.text
            exec(compile(padded, name, "exec"), names)  # noqa: S102


def _compare(block: Block, names: dict[str, object], name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    case = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line - 1)
    told: list[str] = []
    runner.run(case, out=told.append, clear_globs=False)
    names.update(case.globs)
    if told:
        raise AssertionError("".join(told))


def dead_links(page: str, folder: Path) -> list[str]:
    """Links to files that are not there; addresses of other places are not followed."""
    targets = (found["target"].partition("#")[0] for found in _LINK.finditer(page))
    return [
        target
        for target in targets
        if target and "://" not in target and not (folder / target).exists()
    ]


def targets_called(page: str) -> set[str]:
    """The `make` targets that the page's shell blocks call."""
    shell = (block.text for block in blocks(page) if block.tag in {"sh", "console", "bash"})
    return {
        target
        for text in shell
        for target in re.findall(r"^(?:\$ )?make (\S+)", text, re.MULTILINE)
    }
