"""A contestant: a process in its own environment that answers one JSON line with another.

All contestants of a run live side by side, and the bench asks them in turn.  So they meet the same
moods of the machine, and only the one that was asked is working.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, Protocol, final

ROOT: Final = Path(__file__).resolve().parent.parent
_ONE_THREAD: Final = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMEXPR", "RAYON", "VECLIB")
}
_ANOTHER_PYTHON: Final = ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "PYTHONOPTIMIZE")


class NoAnswerError(Exception):
    """The contestant failed, died or took too long; the text says which."""


@final
@dataclass(frozen=True, slots=True)
class Command:
    """How a contestant is started: whose Python, which module, and what it may import."""

    python: Path
    module: str
    path: Path | None = None

    def environment(self, inherited: Mapping[str, str]) -> dict[str, str]:
        kept = {key: value for key, value in inherited.items() if key not in _ANOTHER_PYTHON}
        own = {} if self.path is None else {"PYTHONPATH": str(self.path)}
        return kept | _ONE_THREAD | own


class Asked(Protocol):
    """What the bench wants of a contestant."""

    def ask(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]: ...

    def end(self) -> None: ...


@final
class Contestant:
    """The process, started when it is first asked and again after it had to be ended."""

    def __init__(self, command: Command, log: Path) -> None:
        self._command = command
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._lines: SimpleQueue[str | None] = SimpleQueue()

    def ask(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]:
        """The answer to `request`, or `NoAnswerError`, after which the process may be a new one."""
        process = self._process or self._start()
        try:
            if process.stdin is None:
                raise NoAnswerError("has no ears")
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except Empty:
            self.end()
            raise NoAnswerError(f"no answer within {seconds:g} s") from None
        except BrokenPipeError:
            line = None
        if line is None:
            self.end()
            raise NoAnswerError(f"ended early: {self._last_words()}")
        answer: dict[str, object] = json.loads(line)
        if "error" in answer:
            raise NoAnswerError(str(answer["error"]))
        return answer

    def end(self) -> None:
        """End the process.  The next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "in silence")

    def _start(self) -> subprocess.Popen[str]:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [self._command.python, "-m", self._command.module],
                cwd=ROOT,
                env=self._command.environment(os.environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
            )
        self._process, self._lines = process, SimpleQueue()
        threading.Thread(target=_listen, args=(process, self._lines), daemon=True).start()
        return process


def _listen(process: subprocess.Popen[str], lines: SimpleQueue[str | None]) -> None:
    if process.stdout is not None:
        with process.stdout as answers:
            for line in answers:
                lines.put(line)
    lines.put(None)
