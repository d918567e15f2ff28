"""The only door for randomness.

Everything random in Discreet is read here, and here only the operating system is asked.  There is
no generator of our own, no seed, no fallback, and nothing is read ahead: no byte exists in this
process before the draw that it is for.  So there is nothing that a fork, a copy, a second thread,
a signal handler or a restored snapshot of the machine could hand out twice.  (One exception stands
further up: a session of the sparse vector technique draws the noise of some questions ahead, and
refuses to be copied, forked or asked by two threads at once.)

A buffer would save little.  It has to ask for the process id at each draw, which is a system call
as well: 8 bytes took 0.37 µs from the system, 0.28 µs from a buffer that is right under fork.  And
it would be wrong where no check can see it, in two machines started from one snapshot.  Whoever
needs many bytes asks for many at once.
"""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, final

from discreet.errors import EntropyError


class Entropy(ABC):
    """A source of independent, uniform bytes, each handed out once."""

    __slots__ = ()

    @abstractmethod
    def take(self, count: int) -> bytes:
        """`count` bytes that nobody was given before."""


@final
@dataclass(frozen=True, slots=True)
class OsEntropy(Entropy):
    """The operating system's randomness.  It holds nothing, so all of its copies are equal."""

    def take(self, count: int) -> bytes:
        if count < 0:
            raise _negative()
        try:
            fresh = os.urandom(count)
        except (OSError, NotImplementedError) as failure:
            raise _no_randomness() from failure
        if type(fresh) is not bytes or len(fresh) != count:
            raise _no_randomness()
        return fresh


def tainted(source: Entropy) -> bool:
    """Whether what is made from these bytes must not be taken for a private release.  A function,
    not a method, because a source of somebody's own must have no say in it."""
    return type(source) is not OsEntropy


SYSTEM: Final = OsEntropy()
"""Where randomness comes from unless a test says otherwise (`entropy=None`)."""


@final
class Replay(Entropy):
    """Bytes that were chosen beforehand, for tests and proofs.  Whatever is made from them is
    tainted, and no gate will let it out."""

    __slots__ = ("_bytes",)

    def __init__(self, chosen: bytes) -> None:
        self._bytes = io.BytesIO(chosen)

    def take(self, count: int) -> bytes:
        if count < 0:
            raise _negative()
        piece = self._bytes.read(count)
        if len(piece) != count:
            raise EntropyError(
                "the replay ran dry",
                cure="give the replay as many bytes as the draw will read",
                code="N11",
            )
        return piece


def _no_randomness() -> EntropyError:
    return EntropyError(
        "the operating system gave no randomness, so nothing was released",
        cure="run where the system's random source works; there is no fallback on purpose",
        code="N10",
    )


def _negative() -> EntropyError:
    # BytesIO would read a negative count as "all that is left".
    return EntropyError(
        "a draw asked for fewer than zero bytes",
        cure="ask for a count of bytes that is zero or more",
        code="N12",
    )
