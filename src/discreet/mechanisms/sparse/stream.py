"""Questions one by one, each chosen after the answers before it.

A session holds secrets: the noisy threshold, and noise that was drawn ahead in blocks, because a
draw for each question would cost thirty times as much.  So it can be neither copied nor pickled,
refuses to answer in a process that was forked off, answers one question at a time, and forgets its
secrets when it ends.  Claim: stream.md
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from os import getpid
from threading import Lock
from typing import Final, Generic, NoReturn, SupportsIndex, TypeVar, final

import numpy as np

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.noise import DiscreteLaplace, Geometric

Told = TypeVar("Told")

LARGEST: Final = 2**62
"""Arrays of noise end here, and a session does not."""
_FIRST_BLOCK: Final = 16
_LARGEST_BLOCK: Final = 2**14
_START: Final = "from discreet.mechanisms.sparse import AboveThreshold; AboveThreshold.textbook(1)"


@final
class Forks:
    """How many forks lie between this process and the first.  The one thing here that sessions
    share, because it belongs to the process: ids of processes alone can be given out twice."""

    __slots__ = ("many",)

    def __init__(self) -> None:
        self.many = 0

    def one_more(self) -> None:
        self.many += 1


FORKS: Final = Forks()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=FORKS.one_more)


@final
@dataclass(frozen=True, slots=True)
class Noises:
    """What a session draws: noise for a threshold and for each question.  It ends after
    `positives` questions above, and has a new threshold after each `lasts` of them."""

    threshold: DiscreteLaplace
    query: DiscreteLaplace
    positives: int
    lasts: int


class Session(ABC, Generic[Told]):
    """Questions that are answered one by one, until it halts."""

    __slots__ = ()

    @abstractmethod
    def ask(self, value: int) -> Told:
        """The answer to one question, of which `value` is the exact one."""

    @property
    @abstractmethod
    def halted(self) -> bool:
        """Whether it has given all that it may."""

    @abstractmethod
    def close(self) -> None:
        """Ends it now, and forgets its noise.  What was told stays told, and paid."""

    def answers(self, values: Iterable[int]) -> list[Told]:
        """The answers to these questions, up to the halt; nothing of `values` is read beyond."""
        told = []
        for value in values:
            told.append(self.ask(value))
            if self.halted:
                break
        return told

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Copies and pickles both begin here."""
        raise _copied()

    def __getstate__(self) -> NoReturn:
        raise _copied()


@final
class Stream(Session[bool]):
    """Is the value above?  Until as many were as `noises` allow.

    Mutable on purpose: it is a conversation.
    """

    __slots__ = (
        "_bar",
        "_block",
        "_entropy",
        "_home",
        "_left",
        "_lock",
        "_noises",
        "_pool",
        "_real",
    )

    def __init__(self, noises: Noises, threshold: int, entropy: Entropy) -> None:
        self._real = integer(threshold, "the threshold")
        self._noises, self._entropy = noises, entropy
        self._home = getpid(), FORKS.many
        self._lock, self._block = Lock(), _FIRST_BLOCK
        self._pool: list[int] = []
        self._left = 0
        self._redraw()
        self._left = noises.positives

    @property
    def halted(self) -> bool:
        return self._left == 0

    @property
    def left(self) -> int:
        """How many more may be told to lie above."""
        return self._left

    def ask(self, value: int) -> bool:
        if type(value) is not int:
            value = integer(value, "the exact answer to a question")
        if not self._lock.acquire(blocking=False):
            raise _busy()
        try:
            left = self._left
            if left == 0:
                raise _halted()
            self.require_home()
            pool = self._pool or self._drawn()
            # From here to the last line the session counts as ended: whatever comes in between,
            # no question above goes uncounted.
            self._left = 0
            above = value + pool.pop() >= self._bar
            if above:
                left = self._counted(left)
            self.require_home()
            self._left = left
            return above
        finally:
            self._lock.release()

    def close(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise _busy()
        try:
            self._left = 0
            self._forget()
        finally:
            self._lock.release()

    def require_home(self) -> None:
        """Refuses in a process that was forked off."""
        if (getpid(), FORKS.many) != self._home:
            raise _forked()

    def _counted(self, left: int) -> int:
        """How many are left after one more above, which may need a new threshold."""
        left -= 1
        if left == 0:
            self._forget()
        elif left % self._noises.lasts == 0:
            self._redraw()
        return left

    def _redraw(self) -> None:
        """A new threshold.  If none can be drawn, the session has ended."""
        self._bar, drawn = 0, None
        try:
            drawn = self._noises.threshold.sample(entropy=self._entropy)
        finally:
            if drawn is None:
                self._forget()
        self._bar = self._real + drawn

    def _forget(self) -> None:
        self._pool.clear()
        self._bar = 0

    def _drawn(self) -> list[int]:
        """Noise for the next questions: few at first, then ever more at a time."""
        noise = self._noises.query
        block = noise.sample(self._block, entropy=self._entropy)
        pool: list[int] = block.tolist()
        if max(pool) >= LARGEST or min(pool) <= -LARGEST:
            pool = [exactly(noise, each, self._entropy) for each in pool]
        self._pool, self._block = pool, min(4 * self._block, _LARGEST_BLOCK)
        return pool


def exactly(noise: DiscreteLaplace, drawn: int, entropy: Entropy) -> int:
    """What the end of an array stands for is drawn from all that lies beyond."""
    if -LARGEST < drawn < LARGEST:
        return drawn
    beyond = LARGEST + Geometric(noise.scale).sample(entropy=entropy)
    return beyond if drawn > 0 else -beyond


@final
class NumericStream(Session[int | None]):
    """As `Stream`; to a question above it also tells the answer, with noise of its own."""

    __slots__ = ("_entropy", "_noise", "_tests")

    def __init__(self, tests: Stream, noise: DiscreteLaplace, entropy: Entropy) -> None:
        self._tests, self._noise, self._entropy = tests, noise, entropy

    @property
    def halted(self) -> bool:
        return self._tests.halted

    @property
    def left(self) -> int:
        """How many more answers may be told."""
        return self._tests.left

    def ask(self, value: int) -> int | None:
        value = integer(value, "the exact answer to a question")
        if not self._tests.ask(value):
            return None
        told = value + self._noise.sample(entropy=self._entropy)
        self._tests.require_home()  # or a fork in between would tell two numbers
        return told

    def close(self) -> None:
        self._tests.close()


def integer(value: SupportsIndex, what: str) -> int:
    """`value` as Python's integer.  Floats are refused: they are not on the lattice."""
    try:
        if not isinstance(value, bool | np.ma.MaskedArray):
            return int(index(value))
    except Exception:  # noqa: BLE001, S110 - an object may raise what it likes from __index__
        pass
    raise MechanismError(
        f"{what} must be an integer, and this is of type {type(value).__name__}",
        cure=f"count in whole steps: `{_START}.release([12, 30], threshold=20)`",
        code="M60",
    )


def _copied() -> MechanismError:
    return MechanismError(
        "a session cannot be copied or pickled, or the same noise would answer twice",
        cure="copy the mechanism, and start another session, which pays anew: "
        f"`{_START}.stream(20).ask(12)`",
        code="M62",
    )


def _halted() -> MechanismError:
    return MechanismError(
        "this session has halted: it has told all that was paid for",
        cure=f"start another session, which pays anew: `{_START}.stream(20).ask(12)`",
        code="M61",
    )


def _forked() -> MechanismError:
    return MechanismError(
        "this session was started in another process, which may answer with the same noise",
        cure=f"start a session in this process, which pays anew: `{_START}.stream(20).ask(12)`",
        code="M63",
    )


def _busy() -> MechanismError:
    return MechanismError(
        "this session was asked while it was answering another question",
        cure="ask one question after the other, and share no session among threads without a lock: "
        f"`{_START}.release([12, 30], threshold=20)`",
        code="M64",
    )
