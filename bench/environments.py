"""One virtual environment for each peer, so that no peer's pins reach another or us."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, final

_LONGEST_REASON: Final = 160


@final
@dataclass(frozen=True, slots=True)
class Ready:
    """An environment that can be used."""

    python: Path


@final
@dataclass(frozen=True, slots=True)
class Missing:
    """An environment that could not be made, and why."""

    reason: str


Environment: TypeAlias = Ready | Missing


def prepare(requirements: Path, folder: Path, *, seconds: float = 900) -> Environment:
    """The environment in `folder`, made anew when the requirements or this Python changed."""
    python, stamp = folder / "bin" / "python", folder / "ready"
    wanted = digest(requirements.read_bytes())
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return Ready(python)
    make: tuple[str | Path, ...] = (sys.executable, "-m", "venv", "--clear", folder)
    install = (python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", requirements)
    for command in (make, install):
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Missing(f"not installed after {seconds:.0f} s")
        except subprocess.CalledProcessError as failure:
            return Missing(reason(failure.stderr or failure.stdout))
    stamp.write_text(wanted, encoding="ascii")
    return Ready(python)


def digest(requirements: bytes) -> str:
    """What an environment is made from: these requirements and this Python."""
    return hashlib.sha256(sys.version.encode() + b"\0" + requirements).hexdigest()


def reason(complaint: str) -> str:
    """The line of an installer's complaint that says why."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    told = (errors or lines or ["no reason was given"])[-1]
    return told if len(told) <= _LONGEST_REASON else told[: _LONGEST_REASON - 1] + "…"
