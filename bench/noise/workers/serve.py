"""What is asked of a library that draws noise.  Standard library only.

`{"do": "hello"}`                                       versions
`{"do": "set", "law": "laplace", "scale": "22/7"}`      builds the sampler that all others use
`{"do": "draw", "count": 1000}`                         draws and times
`{"do": "calls", "count": 100, "seconds": 0.1}`         times single calls; null count: a scalar
`{"do": "fresh", "count": null, "scales": ["3", …]}`    times building and the first call
`{"do": "memory", "count": 1000}`                       the peak beyond the result
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeAlias, final

from bench.serving import Answer, answered, serve, undisturbed, versions


@final
@dataclass(frozen=True, slots=True)
class Sampler:
    """Two ways of drawing: many at once, and a single one."""

    many: Callable[[int], Any]
    one: Callable[[], Any]

    def call(self, count: int | None) -> Callable[[], Any]:
        """What a user would call for this many; None is a scalar."""
        return self.one if count is None else lambda: self.many(count)


Make: TypeAlias = Callable[[str, Fraction], Sampler]


def serve_sampler(make: Make, *, packages: Sequence[str]) -> None:
    """Answer for this library until the input ends."""
    serve(Worker(make, packages).answer)


@final
class Worker:
    """The sampler that was set last, and what can be asked of it."""

    def __init__(self, make: Make, packages: Sequence[str]) -> None:
        self._make = make
        self._packages = packages
        self._sampler: Sampler | None = None

    def answer(self, request: Mapping[str, Any]) -> Answer:
        return answered(self._done, request)

    def _done(self, request: Mapping[str, Any]) -> Answer:
        done: Answer = {}
        match request["do"]:
            case "hello":
                done = versions(self._packages)
            case "set":
                self._sampler = self._make(request["law"], Fraction(request["scale"]))
            case "draw":
                done = draw(self._set().many, request["count"])
            case "calls":
                done = calls(self._set().call(request["count"]), request["seconds"])
            case "fresh":
                done = self._fresh(request["law"], request["scales"], request["count"])
            case "memory":
                done = memory(self._set().many, request["count"])
            case unknown:
                raise ValueError(f"cannot {unknown}")
        return done

    def _set(self) -> Sampler:
        if self._sampler is None:
            raise ValueError("no sampler was set")
        return self._sampler

    def _fresh(self, law: str, scales: Sequence[str], count: int | None) -> Answer:
        def first(scale: Fraction) -> float:
            start = perf_counter()
            self._make(law, scale).call(count)()
            return perf_counter() - start

        with undisturbed():
            return {"seconds": median([first(Fraction(scale)) for scale in scales])}


def draw(many: Callable[[int], Any], count: int) -> Answer:
    """Draw `count` at once.  The sums are taken after the clock has stopped."""
    with undisturbed():
        cpu, start = process_time(), perf_counter()
        result = many(count)
        seconds, cpu = perf_counter() - start, process_time() - cpu
    if len(result) != count:
        raise ValueError(f"{count} were asked for, and {len(result)} came")
    total, total_abs = sums(result)
    spent: Answer = {"count": count, "seconds": seconds, "cpu": cpu}
    return spent | {"total": total, "total_abs": total_abs}


def sums(result: Any) -> tuple[float, float]:  # noqa: ANN401 - a list or an array
    """The sum and the sum of sizes, of a list or an array."""
    if hasattr(result, "sum"):
        return float(result.sum()), float(abs(result).sum())
    return float(sum(result)), float(sum(map(abs, result)))


def calls(call: Callable[[], Any], seconds: float, most: int = 2_000) -> Answer:
    """The median time of a call that has been made before."""
    call()
    times: list[float] = []
    with undisturbed():
        begin = perf_counter()
        while not times or (len(times) < most and times[-1] < begin + seconds):
            times.append(perf_counter())
            call()
        times.append(perf_counter())
    steps = [after - before for before, after in pairwise(times)]
    return {"seconds": median(steps)}


def memory(many: Callable[[int], Any], count: int) -> Answer:
    """The peak of one draw beyond its result: as the system sees it, and as Python does."""
    many(min(count, 1_000))
    before = _status("VmRSS")
    result = many(count)
    peak = _status("VmHWM")
    size = int(result.nbytes)
    resident = None if before is None or peak is None else peak - before - size
    del result
    tracemalloc.start()
    many(count)
    traced = tracemalloc.get_traced_memory()[1] - size
    tracemalloc.stop()
    return {"result": size, "resident": resident, "traced": traced}


def _status(name: str) -> int | None:
    """A figure of Linux's /proc/self/status, in bytes."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = next((line for line in lines if line.startswith(name + ":")), None)
    return None if found is None else int(found.split()[1]) * 1024
