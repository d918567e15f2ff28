"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def describe() -> dict[str, object]:
    """The machine in words, without names or paths."""
    return {
        "cpu": processor(_text(Path("/proc/cpuinfo"))) or platform.processor() or "unknown",
        "cores": os.cpu_count(),
        "memory_gib": _memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def load() -> float | None:
    """How many programs wanted a core in the last minute: the measure of how noisy a run is."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def processor(cpuinfo: str) -> str | None:
    """The processor's name in the text of Linux's /proc/cpuinfo."""
    for line in cpuinfo.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return None


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
