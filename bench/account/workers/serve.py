"""What is asked of a library that keeps accounts.  The standard library only.

`{"do": "hello"}`                                        versions and tasks
`{"do": "time", "task": …, "seconds": 0.1, "most": 99}`  times calls, each from the mechanisms on
`{"do": "peak", "task": …}`                              the memory of a process that did this alone
`{"do": "account", "parts": […], "delta": "1/1000000"}`  epsilon's two ends, of which one may lack
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TypeAlias, final

from bench.account.tasks import DELTA, PARTS, Parts, Task, parts_from
from bench.serving import Answer, Request, answered, serve, undisturbed, versions

Ends: TypeAlias = tuple[float | None, float | None]
"""The lower and the upper end of epsilon, as far as the library tells them."""
Account: TypeAlias = Callable[[Parts, Fraction], Ends]


def serve_accounts(
    timed: Account, account: Account | None = None, *, packages: Sequence[str]
) -> None:
    """Answer for this library until the input ends.  `timed` is what a user would call;
    `account` may take longer and tell more."""
    serve(Worker(timed, account or timed, packages).answer)


@final
class Worker:
    """A library, and what can be asked of it."""

    def __init__(self, timed: Account, account: Account, packages: Sequence[str]) -> None:
        self._timed = timed
        self._account = account
        self._packages = packages

    def answer(self, request: Request) -> Answer:
        return answered(self._done, request)

    def _done(self, request: Request) -> Answer:
        match request["do"]:
            case "hello":
                return {**versions(self._packages), "tasks": [str(task) for task in Task]}
            case "time":
                task, seconds, most = Task(request["task"]), request["seconds"], request["most"]
                return calls(lambda: self._timed(PARTS[task], DELTA), seconds, most)
            case "peak":
                self._timed(PARTS[Task(request["task"])], DELTA)
                return {"peak": resident()}
            case "account":
                parts, delta = parts_from(request["parts"]), Fraction(request["delta"])
                return told(self._account(parts, delta))
            case unknown:
                raise ValueError(f"cannot {unknown}")


def calls(call: Callable[[], Ends], seconds: float, most: int) -> Answer:
    """The median time of a call, the processor's mean time, and what was answered last."""
    times: list[float] = []
    ends: Ends = None, None
    with undisturbed():
        cpu, end = process_time(), perf_counter() + seconds
        while len(times) < most and (not times or perf_counter() < end):
            start = perf_counter()
            ends = call()
            times.append(perf_counter() - start)
        cpu = process_time() - cpu
    return {"calls": len(times), "seconds": median(times), "cpu": cpu / len(times)} | told(ends)


def told(ends: Ends) -> Answer:
    low, high = ends
    return {"low": low, "high": high}


def resident() -> int | None:
    """The most memory that this process ever had, by Linux's /proc/self/status, in bytes."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = next((line for line in lines if line.startswith("VmHWM:")), None)
    return None if found is None else int(found.split()[1]) * 1024
