"""The only door for randomness: bytes are the system's, each is given out once, and failure is
an error."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, strategies as st

import discreet
from discreet.entropy import SYSTEM, Entropy, OsEntropy, Replay, tainted
from discreet.errors import EntropyError
from discreet.noise import DiscreteGaussian, DiscreteLaplace, Geometric
from discreet.noise.bernoulli import Bernoulli, BernoulliExp
from discreet.noise.exponential import ExponentialMax, ExponentialRace
from discreet.noise.gumbel import GumbelMax
from discreet.noise.uniform import UniformInteger
from tests.arch.source import ROOT

DRAWS: Final[dict[str, Callable[[Entropy | None], object]]] = {
    "geometric": lambda entropy: Geometric(3).sample(entropy=entropy),
    "laplace": lambda entropy: DiscreteLaplace(3).sample(5, entropy=entropy),
    "gaussian": lambda entropy: DiscreteGaussian(3).sample((2, 2), entropy=entropy),
    "coin": lambda entropy: Bernoulli("1/3").sample(entropy=entropy),
    "coins": lambda entropy: BernoulliExp(1).sample(5, entropy=entropy),
    "uniform": lambda entropy: UniformInteger(6).sample(entropy=entropy),
    "race": lambda entropy: ExponentialRace().choose([1, 2], entropy=entropy),
    "gumbel": lambda entropy: GumbelMax(1).choose([1, 2], entropy=entropy),
    "exponential": lambda entropy: ExponentialMax(1).choose([1, 2], entropy=entropy),
}


def streams(*how: str) -> list[str]:
    """The lines that `tests.streams` prints: one draw of each process or thread."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.streams", *how],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
    )  # fmt: skip
    return run.stdout.splitlines()


def repeated(lines: list[str]) -> int:
    """How many words stand twice: the 16 bytes, or one of the four numbers.

    Among 50,000 honest numbers of scale 2^40 some pairs are equal by chance, so numbers are
    looked at four at a time.
    """
    parts = [part for line in lines for part in line.split(" ", 1)]
    return len(parts) - len(set(parts))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork, which this system lacks")
class TestForks:
    def test_children_draw_distinct_streams(self) -> None:
        lines = streams("fork", "200")
        assert len(lines) == 201
        assert repeated(lines) == 0

    @pytest.mark.long
    def test_ten_thousand_children_draw_distinct_streams(self) -> None:
        lines = streams("fork", "10000")
        assert len(lines) == 10_001
        assert repeated(lines) == 0

    def test_a_buffer_that_does_not_know_of_forks_is_found(self) -> None:
        assert repeated(streams("fork", "20", "buffered")) > 0


def test_spawned_processes_draw_distinct_streams() -> None:
    lines = streams("spawn", "6")
    assert len(lines) == 6
    assert repeated(lines) == 0


@pytest.mark.long
def test_two_hundred_spawned_processes_draw_distinct_streams() -> None:
    lines = streams("spawn", "200")
    assert len(lines) == 200
    assert repeated(lines) == 0


def test_threads_draw_distinct_streams() -> None:
    lines = streams("threads", "300")
    assert len(lines) == 8 * 300
    assert repeated(lines) == 0


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
class TestFailure:
    """Whatever the system does instead of giving bytes, nothing is drawn."""

    @pytest.mark.parametrize("failure", [OSError("no"), NotImplementedError("no")], ids=repr)
    def test_a_system_without_randomness_is_an_error(
        self, draw: Callable[[Entropy | None], object], failure: Exception,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        def refuse(_: int) -> bytes:
            raise failure

        monkeypatch.setattr(os, "urandom", refuse)
        with pytest.raises(EntropyError) as error:
            draw(None)
        assert error.value.code == "N10"

    @pytest.mark.parametrize("off", [-1, 1])
    def test_a_system_that_gives_another_count_is_an_error(
        self, draw: Callable[[Entropy | None], object], off: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "urandom", lambda count: bytes(max(0, count + off)))
        with pytest.raises(EntropyError) as error:
            draw(None)
        assert error.value.code == "N10"

    def test_a_replay_that_is_too_short_is_an_error(
        self, draw: Callable[[Entropy | None], object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever gives an entropy gets nothing from the system."""
        monkeypatch.setattr(os, "urandom", lambda _: pytest.fail("the system was asked"))
        with pytest.raises(EntropyError) as error:
            draw(Replay(b""))
        assert error.value.code == "N11"


@given(st.integers(0, 5_000))
def test_the_system_gives_as_many_bytes_as_are_asked_for(count: int) -> None:
    assert len(SYSTEM.take(count)) == count


@given(st.binary(max_size=200), st.lists(st.integers(0, 50), max_size=10))
def test_a_replay_gives_its_bytes_once_and_in_order(chosen: bytes, counts: list[int]) -> None:
    replay, given_out = Replay(chosen), b""
    for count in counts:
        if len(given_out) + count > len(chosen):
            with pytest.raises(EntropyError):
                replay.take(count)
            return
        given_out += replay.take(count)
    assert chosen.startswith(given_out)
    assert len(given_out) == sum(counts)


@pytest.mark.parametrize("source", [SYSTEM, Replay(bytes(8))], ids=["system", "replay"])
def test_fewer_than_zero_bytes_are_refused(source: Entropy) -> None:
    with pytest.raises(EntropyError) as error:
        source.take(-1)
    assert error.value.code == "N12"


def test_only_the_system_makes_what_is_not_tainted() -> None:
    assert not tainted(SYSTEM)
    assert tainted(Replay(bytes(8)))

    class Own(Entropy):
        tainted = False

        def take(self, count: int) -> bytes:
            return bytes(count)

    assert tainted(Own())


def test_the_system_holds_no_state_that_could_be_copied() -> None:
    assert OsEntropy.__slots__ == ()
    thawed = pickle.loads(pickle.dumps(SYSTEM))  # noqa: S301
    for twin in (copy.copy(SYSTEM), copy.deepcopy(SYSTEM), thawed):
        assert twin == SYSTEM
        assert twin.take(16) != SYSTEM.take(16)


def test_no_public_name_takes_a_seed() -> None:
    words = {word for name in dir(discreet) for word in _parameters(getattr(discreet, name))}
    assert "entropy" in words, "the search finds parameters"
    assert not {"seed", "rng", "random_state", "generator", "key"} & words


def _parameters(found: object) -> set[str]:
    """The parameters of a function, or of all that a class can do."""
    parts = [part for _, part in inspect.getmembers(found) if inspect.isroutine(part)]
    return {word for part in [found, *parts] for word in _signature(part)}


def _signature(part: object) -> list[str]:
    if not callable(part):
        return []
    try:
        return list(inspect.signature(part).parameters)
    except (TypeError, ValueError):  # what is built in has none
        return []
