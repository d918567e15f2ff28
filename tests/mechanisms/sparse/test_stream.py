"""The claim of stream.md."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from typing import Any, Final

import numpy as np
import pytest

from discreet.entropy import SYSTEM, Entropy, Replay
from discreet.errors import EntropyError, MechanismError
from discreet.mechanisms.sparse import (
    AboveThreshold,
    NumericSparse,
    Sparse,
    SparseOnce,
    stream as stream_module,
)
from discreet.mechanisms.sparse.stream import FORKS, LARGEST, NumericStream, Stream, exactly
from discreet.noise import DiscreteLaplace
from tests.noise.chance import FALSE_ALARM, doubt

FAR: Final = 10**12
MECHANISMS: Final[list[Any]] = [
    AboveThreshold(2, 4),
    Sparse(3, 2, 4),
    SparseOnce(3, 2, 4),
    NumericSparse(3, 2, 4, 5),
]
each = pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: type(m).__name__)


def positives(mechanism: Any) -> int:  # noqa: ANN401
    return getattr(mechanism, "positives", 1)


def code(call: Callable[[], object]) -> str:
    with pytest.raises(MechanismError) as refused:
        call()
    return refused.value.code


# --- the halt ------------------------------------------------------------------------------------


@each
def test_it_tells_as_many_above_as_were_paid_for_and_no_more(mechanism: Any) -> None:  # noqa: ANN401
    session = mechanism.stream(threshold=7)
    for left in range(positives(mechanism), 0, -1):
        assert (session.left, session.halted) == (left, False)
        assert not session.ask(-FAR)
        assert session.ask(FAR)
    assert (session.left, session.halted) == (0, True)
    for value in (FAR, -FAR):
        assert code(lambda: session.ask(value)) == "M61"  # noqa: B023


@each
def test_a_release_reads_nothing_beyond_the_halt(mechanism: Any) -> None:  # noqa: ANN401
    read: list[int] = []

    def questions() -> Iterator[int]:
        for i in count():
            read.append(i)
            yield FAR if i % 2 else -FAR

    told = mechanism.release(questions())
    assert len(told) == len(read) == 2 * positives(mechanism)
    assert [bool(answer) for answer in told] == [False, True] * positives(mechanism)


@each
def test_a_release_that_does_not_halt_answers_all(mechanism: Any) -> None:  # noqa: ANN401
    assert [bool(told) for told in mechanism.release([-FAR] * 5_000)] == [False] * 5_000
    assert mechanism.release([]) == []
    assert len(mechanism.release(np.full(3, -FAR))) == 3


@each
def test_a_closed_session_is_over_and_holds_no_noise(mechanism: Any) -> None:  # noqa: ANN401
    session = mechanism.stream()
    session.ask(-FAR)
    tests: Stream = getattr(session, "_tests", session)
    assert tests._pool
    session.close()
    assert (tests._pool, tests._bar, session.halted) == ([], 0, True)
    assert code(lambda: session.ask(0)) == "M61"


def test_a_halted_session_holds_no_noise() -> None:
    session = AboveThreshold(2, 4).stream()
    assert session.ask(FAR)
    assert (session._pool, session._bar) == ([], 0)


def test_each_noise_is_used_once_and_each_threshold_for_its_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blocks and thresholds are told apart by their values: no value is used twice or left out."""
    drawn = count(1)
    blocks: list[int] = []

    def sample(own: DiscreteLaplace, size: int | None = None, *, entropy: Entropy) -> Any:  # noqa: ANN401, ARG001
        if size is None:
            return 10**6 * next(drawn)
        blocks.append(size)
        return np.array([next(drawn) for _ in range(size)])

    monkeypatch.setattr(DiscreteLaplace, "sample", sample)
    session = Sparse(3, 2, 4).stream()
    seen, bars = [], {session._bar}
    for i in range(3_000):
        session.ask(FAR if i in {1000, 2000} else -FAR)
        seen.append(len(session._pool))
        bars.add(session._bar)
    assert len(bars) == 3
    assert blocks == [16, 64, 256, 1024, 4096]
    steps = [(a - b) for a, b in pairwise(seen)]
    assert steps.count(1) == 2_999 - 4
    assert [1 - step for step in steps if step != 1] == blocks[1:]
    once = SparseOnce(3, 2, 4).stream()
    bar = once._bar
    assert [once.ask(FAR), once.ask(FAR), once._bar == bar] == [True] * 3


# --- copies, processes, threads ------------------------------------------------------------------


@each
@pytest.mark.parametrize(
    "twice", [copy.copy, copy.deepcopy, pickle.dumps, lambda s: pickle.dumps([s], protocol=0)]
)
def test_a_session_cannot_be_copied(mechanism: Any, twice: Callable[[object], object]) -> None:  # noqa: ANN401
    assert code(lambda: twice(mechanism.stream())) == "M62"
    assert twice(mechanism)


@each
def test_its_text_shows_no_noise(mechanism: Any) -> None:  # noqa: ANN401
    session = mechanism.stream(threshold=3)
    tests = getattr(session, "_tests", session)
    assert str(tests._bar + 10**9) not in repr(session)
    assert not hasattr(session, "__dict__")
    assert type(session).__name__ in repr(session)
    assert "Fraction" not in repr(session)


FORKING: Final = """
import os, sys, warnings
warnings.simplefilter("ignore")
from discreet.errors import MechanismError
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse
for mechanism in (AboveThreshold(2, 4), NumericSparse(1, 2, 4, 5)):
    session = mechanism.stream()
    session.ask(-10**9)
    child = os.fork()
    if child == 0:
        try:
            session.ask(-10**9)
        except MechanismError as refused:
            os._exit(7 if refused.code == "M63" else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert not session.ask(-10**9)
print("both refused")
"""


def test_a_child_process_cannot_answer_with_the_same_noise() -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, text=True, check=False
    )
    assert run.stdout == "both refused\n", run.stderr


def test_a_question_within_a_question_is_refused() -> None:
    """A source of randomness that asks back, as a signal handler might."""
    found: list[str] = []

    class Asking(Entropy):
        def take(self, count: int) -> bytes:
            for session in sessions if not found else []:
                found.append(code(lambda: session.ask(-FAR)))  # noqa: B023
                found.append(code(session.close))
            return SYSTEM.take(count)

    sessions: list[Stream] = []
    session = AboveThreshold(2, 4).stream(entropy=Asking())
    sessions.append(session)
    assert session.ask(-FAR) is False
    assert found == ["M64", "M64"]
    assert session.ask(FAR) is True


def test_threads_get_no_noise_twice_and_no_answer_too_many() -> None:
    session = SparseOnce(50, 2, 4).stream()
    told: list[bool] = []

    def worker() -> None:
        for i in range(4_000):
            try:
                told.append(session.ask(FAR if i % 20 == 0 else -FAR))
            except MechanismError as refused:
                assert refused.code in {"M61", "M64"}  # noqa: PT017

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(told) == 50
    assert session.halted


# --- failures ------------------------------------------------------------------------------------


class Failing(Entropy):
    """Gives so many pieces, and then nothing."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces

    def take(self, count: int) -> bytes:
        self.pieces -= 1
        if self.pieces < 0:
            raise EntropyError("none", cure="none", code="N10")
        return SYSTEM.take(count)


@pytest.mark.parametrize("pieces", range(1, 40))
def test_a_failure_never_lets_more_be_told(pieces: int) -> None:
    source = Failing(pieces)
    told = 0
    try:
        session = Sparse(3, 2, 4).stream(entropy=source)
    except EntropyError:
        return
    for i in range(40):
        try:
            told += session.ask(FAR if i % 3 == 2 else -FAR)
        except (EntropyError, MechanismError):
            source.pieces = 10**6
    assert told <= 3
    assert session.halted


def test_a_session_without_a_new_threshold_is_over() -> None:
    source = Failing(10**6)
    session = Sparse(3, 2, 4).stream(entropy=source)
    session.ask(-FAR)
    source.pieces = 0
    with pytest.raises(EntropyError):
        session.ask(FAR)
    assert session.halted
    assert code(lambda: session.ask(FAR)) == "M61"


BAD: Final[list[Any]] = [0.5, 3.0, "3", None, True, np.float64(3), np.array([3, 4]), 1j]


@each
@pytest.mark.parametrize("value", BAD, ids=repr)
def test_what_is_no_integer_is_refused_before_anything_is_drawn(
    mechanism: Any,  # noqa: ANN401
    value: Any,  # noqa: ANN401
) -> None:
    nothing = Replay(b"")
    assert code(lambda: mechanism.stream(value, entropy=nothing)) == "M60"
    assert code(lambda: mechanism.release([1], threshold=value, entropy=nothing)) == "M60"
    assert code(lambda: mechanism.law([value])) == "M60"
    session = mechanism.stream()
    tests: Stream = getattr(session, "_tests", session)
    assert code(lambda: session.ask(value)) == "M60"
    assert tests._pool == []


def test_integers_of_all_kinds_and_sizes_are_taken() -> None:
    for value in (np.int64(-FAR), np.int8(-100), -(10**40)):
        assert AboveThreshold(1, 1).stream(10**6).ask(value) is False  # type: ignore[arg-type]
    assert AboveThreshold(1, 1).stream(-(10**40)).ask(0) is True


# --- the noise -----------------------------------------------------------------------------------


@each
def test_the_same_bytes_give_the_same_answers(mechanism: Any) -> None:  # noqa: ANN401
    data = np.random.default_rng(5).bytes(10**6)
    questions = [0, 1, -2, 3, 5, 0, 0, 1, 2, -4] * 10
    told = [mechanism.release(questions, threshold=2, entropy=Replay(data)) for _ in range(2)]
    others = [mechanism.release(questions, threshold=2) for _ in range(60)]
    assert told[0] == told[1]
    assert any(other != told[0] for other in others)


def test_the_end_of_an_array_is_no_end_of_a_session() -> None:
    """What stands at ±2^62 is drawn from beyond, by the geometric law of the tail."""
    noise = DiscreteLaplace(3)
    for drawn in (0, 5, LARGEST - 1, 1 - LARGEST):
        assert exactly(noise, drawn, Replay(b"")) == drawn
    beyond = np.array([exactly(noise, LARGEST, SYSTEM) - LARGEST for _ in range(6_000)])
    below = np.array([-LARGEST - exactly(noise, -LARGEST, SYSTEM) for _ in range(6_000)])
    q = float(np.exp(-1 / 3))
    law = {n: (1 - q) * q**n for n in range(60)}
    wrong = {n: (1 - q**0.6) * q ** (0.6 * n) for n in range(60)}
    for drawn_beyond in (beyond, below):
        assert doubt(drawn_beyond, law) > FALSE_ALARM
        assert doubt(drawn_beyond, wrong) < FALSE_ALARM


def test_a_block_at_the_end_of_arrays_is_drawn_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    real = DiscreteLaplace.sample

    def sample(own: DiscreteLaplace, size: int | None = None, *, entropy: Entropy) -> Any:  # noqa: ANN401
        if size is None:
            return real(own, entropy=entropy)
        return np.full(size, -LARGEST)

    monkeypatch.setattr(DiscreteLaplace, "sample", sample)
    session = AboveThreshold(2, 4).stream()
    session.ask(-FAR)
    assert max(session._pool) <= -LARGEST
    assert min(session._pool) < -LARGEST


def test_a_number_told_has_fresh_noise_of_its_own_scale() -> None:
    session = NumericSparse(4_000, 2, 4, 5).stream()
    assert isinstance(session, NumericStream)
    told = np.array([(session.ask(FAR) or 0) - FAR for _ in range(4_000)])
    law = {n: float(DiscreteLaplace(5).law().probability(n).mid()) for n in range(-100, 101)}
    wrong = {n: float(DiscreteLaplace(3).law().probability(n).mid()) for n in range(-100, 101)}
    assert doubt(told, law) > FALSE_ALARM
    assert doubt(told, wrong) < FALSE_ALARM


@pytest.mark.long
def test_a_million_questions_take_less_than_two_seconds() -> None:
    best = 10.0
    for _ in range(3):
        session = AboveThreshold.textbook(1).stream(10**9)
        begun = time.perf_counter()
        for value in range(10**6):
            session.ask(value)
        best = min(best, time.perf_counter() - begun)
    assert best < 2


class TestWhatComesInBetween:
    """An exception at any place ends the session, or leaves it as it was; see stream.md, 4."""

    @pytest.mark.parametrize("place", ["_counted", "_forget"])
    def test_an_interrupt_after_the_comparison_ends_the_session(
        self, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(*_: object) -> int:
            raise KeyboardInterrupt

        session = AboveThreshold(1, 1).stream()
        monkeypatch.setattr(Stream, place, interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.ask(10**9)
        monkeypatch.undo()
        assert session.halted
        with pytest.raises(MechanismError) as refused:
            session.ask(10**9)
        assert refused.value.code == "M61"

    def test_a_session_that_closes_while_interrupted_can_be_closed_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(_: Stream) -> None:
            raise KeyboardInterrupt

        session = AboveThreshold(1, 1).stream()
        monkeypatch.setattr(Stream, "_forget", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.close()
        monkeypatch.undo()
        assert session.halted
        session.close()

    def test_a_fork_is_found_though_the_process_id_is_the_same(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = AboveThreshold(1, 1).stream()
        monkeypatch.setattr(FORKS, "many", FORKS.many + 1)
        with pytest.raises(MechanismError) as refused:
            session.ask(-(10**9))
        assert refused.value.code == "M63"

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork, which this system lacks")
    def test_a_real_fork_is_counted(self) -> None:
        session, same = AboveThreshold(1, 1).stream(), os.getpid()
        child = os.fork()
        if child == 0:
            stream_module.getpid = lambda: same  # type: ignore[attr-defined]
            try:
                session.ask(-(10**9))
            except MechanismError as refused:
                os._exit(0 if refused.code == "M63" else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert session.ask(-(10**9)) is False

    def test_a_fork_while_a_number_is_drawn_tells_none(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = NumericSparse(2, 1, 1, 1).stream()
        noise = type(session._noise)
        draw: Callable[..., object] = noise.sample

        def forking(*args: object, **words: object) -> object:
            FORKS.one_more()
            return draw(*args, **words)

        before = FORKS.many
        session.ask(-(10**9))
        monkeypatch.setattr(noise, "sample", forking)
        with pytest.raises(MechanismError) as refused:
            session.ask(10**9)
        FORKS.many = before
        assert refused.value.code == "M63"

    def test_what_a_session_keeps_is_not_shown(self) -> None:
        with pytest.raises(MechanismError) as refused:
            AboveThreshold(1, 1).stream().__getstate__()
        assert refused.value.code == "M62"
        with pytest.raises(MechanismError) as refused:
            AboveThreshold(1, 1).stream().ask(np.ma.array(5, mask=True))  # type: ignore[arg-type]
        assert refused.value.code == "M60"
