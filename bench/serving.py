"""What every worker shares: one JSON line in, one JSON line out, until the input ends.

It runs in the environments of peers too, so it imports the standard library alone.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

Answer: TypeAlias = dict[str, object]
Request: TypeAlias = Mapping[str, Any]


def serve(answer: Callable[[Request], Answer]) -> None:
    """Answer until the input ends.  What a library prints goes to the log, not into answers."""
    _stay_on_one_core()
    with os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1) as out:
        os.dup2(2, 1)
        for line in sys.stdin:
            out.write(json.dumps(answer(json.loads(line))) + "\n")


def _stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def answered(do: Callable[[Request], Answer], request: Request) -> Answer:
    """What `do` answers, or in which way it failed."""
    try:
        return do(request)
    except Exception as error:  # noqa: BLE001 - a peer may fail in any way, and is told so
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def versions(packages: Sequence[str]) -> Answer:
    return {"versions": {name: _version(name) for name in packages}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "from source"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the collector, which would charge one contestant for the litter of its list."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
