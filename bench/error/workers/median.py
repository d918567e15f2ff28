"""Answers with medians: {"do": "median", "rows", "low", "high", "epsilon", "count"}, counted in
steps of the lattice, as a list of so many numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bench.serving import Answer, Request, answered, serve, versions

Release: TypeAlias = Callable[[], float]
Make: TypeAlias = Callable[[Sequence[int], int, int, float], Release]


def run(make: Make, packages: Sequence[str]) -> None:
    """Until the input ends."""
    serve(lambda request: answered(lambda asked: answer(make, packages, asked), request))


def answer(make: Make, packages: Sequence[str], request: Request) -> Answer:
    """To one request."""
    match request["do"]:
        case "hello":
            return versions(packages)
        case "median":
            wanted = (request[name] for name in ("rows", "low", "high", "epsilon"))
            release = make(*wanted)
            return {"told": [float(release()) for _ in range(request["count"])]}
        case unknown:
            raise ValueError(f"cannot {unknown}")
