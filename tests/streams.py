"""Programs that start many processes and print what each of them drew.

    python -m tests.streams fork COUNT [buffered]
    python -m tests.streams spawn COUNT
    python -m tests.streams threads COUNT

A draw is four numbers of scale 2^40 and 16 bytes: two honest draws are equal with a probability
below 2^-250.  `buffered` is a mutant that reads ahead and does not know of forks.
"""

from __future__ import annotations

import os
import sys
import threading
from multiprocessing import get_context
from typing import Final, final

from discreet.entropy import SYSTEM, Entropy
from discreet.noise import DiscreteLaplace

NOISE: Final = DiscreteLaplace(2**40)


@final
class Buffered(Entropy):
    """The mutant: bytes are read ahead, and a fork copies them."""

    def __init__(self) -> None:
        self._ahead = b""

    def take(self, count: int) -> bytes:
        while len(self._ahead) < count:
            self._ahead += SYSTEM.take(4096)
        given, self._ahead = self._ahead[:count], self._ahead[count:]
        return given


def draw(source: Entropy = SYSTEM) -> str:
    numbers = NOISE.sample(4, entropy=source)
    return f"{source.take(16).hex()} {' '.join(map(str, numbers.tolist()))}"


def forked(count: int, source: Entropy) -> list[str]:
    """What `count` children of this process drew.  The parent draws first, so that whatever is
    kept between draws is there to be inherited."""
    drawn = [draw(source)]
    for _ in range(count):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, draw(source).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as told:
            drawn.append(told.read())
        _, status = os.waitpid(child, 0)
        if status:
            raise ChildProcessError(status)
    return drawn


def _spawned(_: int) -> str:
    return draw()


def spawned(count: int) -> list[str]:
    """What `count` fresh processes drew, each one draw."""
    with get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        return pool.map(_spawned, range(count), chunksize=1)


def threaded(count: int) -> list[str]:
    """What eight threads drew at once, `count` draws each."""
    drawn: list[str] = []
    together = threading.Barrier(8)

    def work() -> None:
        together.wait()
        mine = [draw() for _ in range(count)]
        drawn.extend(mine)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return drawn


def main(how: str, count: str, *mutant: str) -> list[str]:
    match how:
        case "fork":
            return forked(int(count), Buffered() if mutant else SYSTEM)
        case "spawn":
            return spawned(int(count))
        case "threads":
            return threaded(int(count))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.stdout.write("\n".join(main(*sys.argv[1:])) + "\n")
