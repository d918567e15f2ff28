"""The claim of uniform.md."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice, product
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy, Replay
from discreet.errors import EntropyError, MechanismError, NumberError
from discreet.noise import uniform
from discreet.noise.uniform import EvenLaw, UniformInteger, accepted
from discreet.noise.words import words
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.counted import Counted

Bytes: TypeAlias = NDArray[np.uint8]
Keep: TypeAlias = Callable[[Bytes, int], NDArray[np.unsignedinteger]]

EVERY_BYTE = np.arange(256, dtype=np.uint8)
LARGE = [257, 1000, 2**16, 2**16 + 1, 2**31, 2**32 + 1, 3 * 2**61, 2**63 - 1, 2**63]


def uneven(keep: Keep) -> list[int]:
    """For which n, of 2 … 256, some of 0, …, n - 1 is kept more often than another, or anything
    else is kept, among all words of eight bits."""
    return [n for n in range(2, 257) if not _even(Counter(keep(EVERY_BYTE, n).tolist()), n)]


def _even(times: Counter[int], n: int) -> bool:
    return times.keys() == set(range(n)) and len(set(times.values())) == 1


# --- exact laws, by all words --------------------------------------------------------------------


def test_each_value_is_kept_equally_often() -> None:
    assert uneven(accepted) == []


def test_one_draw_keeps_each_value_equally_often() -> None:
    """The way without arrays: a word that is not kept asks for another."""

    def kept_of(fresh: Bytes, n: int) -> NDArray[np.unsignedinteger]:
        found = []
        for word in fresh.tolist():
            try:
                found.append(UniformInteger(n).sample(entropy=Replay(bytes([word]))))
            except EntropyError:
                continue
        return np.array(found, np.uint8)

    assert uneven(kept_of) == []


def test_more_than_half_of_the_words_are_kept() -> None:
    for n in range(2, 257):
        share = Fraction(len(accepted(EVERY_BYTE, n)), 256)
        assert share == Fraction(n, 1 << (n - 1).bit_length()) > Fraction(1, 2)


class TestMutants:
    def test_a_remainder_favours_some(self) -> None:
        """Of 256 words, word % 200 gives each of 0, …, 55 twice: as uniform.md says."""
        wide = EVERY_BYTE.astype(np.uint16)
        assert uneven(lambda _, n: wide % n) == [n for n in range(2, 256) if n & (n - 1)]
        twice = Counter((EVERY_BYTE.astype(int) % 200).tolist())
        assert [twice[v] for v in (0, 55, 56, 199)] == [2, 2, 1, 1]

    @staticmethod
    def trials(fresh: Bytes, n: int) -> Bytes:
        return fresh & np.uint8((1 << (n - 1).bit_length()) - 1)

    def test_one_too_many_is_kept(self) -> None:
        def keep(fresh: Bytes, n: int) -> Bytes:
            return self.trials(fresh, n)[self.trials(fresh, n) <= n]

        assert uneven(keep) == [n for n in range(2, 257) if n & (n - 1)]

    def test_one_too_few_is_kept(self) -> None:
        def keep(fresh: Bytes, n: int) -> Bytes:
            return self.trials(fresh, n)[self.trials(fresh, n) < n - 1]

        assert uneven(keep) == list(range(2, 257))

    def test_one_bit_too_few(self) -> None:
        def keep(fresh: Bytes, n: int) -> Bytes:
            few = fresh & np.uint8((1 << n.bit_length() - 1) - 1)
            return few[few < n]

        assert uneven(keep) == [n for n in range(2, 257) if n & (n - 1)]


Joint: TypeAlias = dict[int, Counter[tuple[int, ...]]]


def joint(n: int, draw: Callable[[Entropy], NDArray[np.int64]], trials: int) -> Joint:
    """For each number of bytes that are read, how often each outcome comes, over all words of
    which only the lowest bits matter.  What needs more than `trials` words is left out."""
    found: Joint = {}
    for word in product(range(1 << (n - 1).bit_length()), repeat=trials):
        entropy = Counted(Replay(bytes(word)))
        try:
            drawn = tuple(draw(entropy).tolist())
        except EntropyError:
            continue
        found.setdefault(entropy.read, Counter())[drawn] += 1
    return found


def told(found: Joint, n: int) -> list[int]:
    """The numbers of bytes that tell something of the two integers."""
    pairs = list(product(range(n), repeat=2))
    return [read for read, times in found.items() if len({times[pair] for pair in pairs}) > 1]


@pytest.mark.parametrize(("n", "trials"), [(2, 4), (3, 7), (5, 5), (6, 5)])
def test_two_integers_are_independent_of_each_other_and_of_the_bytes(
    n: int, trials: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All words: each pair comes equally often with each number of bytes.  Rounds are made as
    short as can be, so that arrays need several, too."""
    monkeypatch.setattr(uniform, "_enough", lambda count, *_: count)
    one, power = UniformInteger(n), n & (n - 1) == 0
    for draw in (
        lambda source: np.array([one.sample(entropy=source) for _ in "ab"]),
        lambda source: one.sample(2, entropy=source),
    ):
        found = joint(n, draw, trials)
        assert sorted(found) == ([2] if power else list(range(2, trials + 1)))
        assert told(found, n) == []


@pytest.mark.parametrize("n", [2, 3])
def test_one_round_of_its_usual_length_is_even(n: int) -> None:
    found = joint(n, lambda source: UniformInteger(n).sample(2, entropy=source), 7)
    assert sorted(found) == [2 if n == 2 else 7]
    assert told(found, n) == []


def test_reading_on_after_a_zero_would_tell_the_value() -> None:
    """The mutant: a zero costs one byte more."""

    def leaks(source: Entropy) -> NDArray[np.int64]:
        drawn = UniformInteger(3).sample(2, entropy=source)
        source.take(int((drawn == 0).any()))
        return drawn

    assert sorted(told(joint(3, leaks, 8), 3)) == [7, 8]


# --- a fixed function of the bytes ---------------------------------------------------------------


def by_hand(below: int, data: bytes, size: int) -> list[int]:
    """All trials that are kept, in the order of the words."""
    read = (data[i : i + size] for i in range(0, len(data), size))
    bits = (below - 1).bit_length()
    trials = (int.from_bytes(word, "little") % (1 << bits) for word in read)
    return [trial for trial in trials if trial < below]


def size_of(below: int) -> int:
    bits = (below - 1).bit_length()
    return next(size for size in (1, 2, 4, 8) if bits <= 8 * size)


belows = st.integers(2, 300) | st.sampled_from(LARGE) | st.integers(2, 2**63)


@settings(max_examples=100)
@given(belows, st.integers(0, 60), st.integers(0, 2**32))
def test_arrays_hold_the_kept_trials_in_order(below: int, count: int, seed: int) -> None:
    data = np.random.default_rng(seed).bytes(8 * 10 * (count + 10))
    drawn = UniformInteger(below).sample(count, entropy=Replay(data))
    assert drawn.dtype == np.int64
    assert drawn.tolist() == by_hand(below, data, size_of(below))[:count]


@pytest.mark.parametrize("below", [3, 200, 2**16 + 1, 2**63 - 1])
def test_many_rounds_are_one_sequence(below: int) -> None:
    """More than one round of trials, and at last one that gives too many."""
    count = 150_000
    data = SYSTEM.take(size_of(below) * count * 3)
    source = Counted(Replay(data))
    drawn = UniformInteger(below).sample(count, entropy=source)
    assert source.read > size_of(below) * count
    assert drawn.tolist() == list(islice(by_hand(below, data, size_of(below)), count))


@settings(max_examples=60)
@given(st.integers(2, 10**40), st.binary(min_size=2_000, max_size=2_000))
def test_one_draw_is_the_first_kept_trial(below: int, data: bytes) -> None:
    size = ((below - 1).bit_length() + 7) // 8
    kept = by_hand(below, data, size)
    if kept:
        assert UniformInteger(below).sample(entropy=Replay(data)) == kept[0]


def test_rounds_that_keep_too_few_go_on() -> None:
    """By chance nothing is kept at first: the second round begins where the first one ended."""
    data = b"\xff" * 6 + bytes([3, 1, 0, 2, 255] * 20)
    assert UniformInteger(5).sample(4, entropy=Replay(data)).tolist() == [3, 1, 0, 2]


@pytest.mark.parametrize("below", [3, 6, 200, 1000, 2**40 + 1])
def test_bytes_are_a_function_of_what_was_kept(below: int) -> None:
    """Kept trials get other values, the rest stays: the same number of bytes is read."""
    rng, size = np.random.default_rng(7), size_of(below)
    for _ in range(40):
        fresh = rng.integers(0, 1 << (below - 1).bit_length(), 4000)
        others = np.where(fresh < below, rng.integers(0, below, 4000), fresh)
        read = []
        for row in (fresh, others):
            source = Counted(Replay(row.astype(f"<u{size}").tobytes()))
            UniformInteger(below).sample(1000, entropy=source)
            read.append(source.read)
        assert read[0] == read[1] > 0


# --- what is asked for ---------------------------------------------------------------------------


@pytest.mark.parametrize("below", [6, 100, 256])
def test_counts_are_even_and_would_show_it_if_not(below: int) -> None:
    law = dict.fromkeys(range(below), 1 / below)
    wrong = {v: (256 // below + (v < 256 % below)) / 256 for v in range(below)}
    drawn = UniformInteger(below).sample(1_000_000)
    assert doubt(drawn, law) > FALSE_ALARM
    assert below == 256 or doubt(drawn, wrong) < FALSE_ALARM
    assert doubt(drawn, dict.fromkeys(range(below + 1), 1 / (below + 1))) < FALSE_ALARM
    one_by_one = np.array([UniformInteger(below).sample() for _ in range(100_000)])
    assert doubt(one_by_one, law) > FALSE_ALARM


def test_large_ranges_are_even_in_coarse_cells() -> None:
    for below in (3 * 2**61, 2**63 - 1, 2**63):
        cells = UniformInteger(below).sample(300_000) // (-(-below // 12))
        assert doubt(cells, dict.fromkeys(range(12), 1 / 12)) > FALSE_ALARM
    drawn = np.array([UniformInteger(10**30).sample() // 10**29 for _ in range(30_000)])
    assert doubt(drawn, dict.fromkeys(range(10), 1 / 10)) > FALSE_ALARM


def test_a_range_of_one_reads_nothing() -> None:
    assert UniformInteger(1).sample(entropy=Replay(b"")) == 0
    assert UniformInteger(1).sample(3, entropy=Replay(b"")).tolist() == [0, 0, 0]


def test_the_ends_of_the_largest_array() -> None:
    last = UniformInteger(2**63).sample(9, entropy=Replay(b"\xff" * 72))
    assert last.tolist() == [2**63 - 1] * 9
    assert UniformInteger(2**63).sample(2, entropy=Replay(bytes(16))).tolist() == [0, 0]


@pytest.mark.parametrize("below", [2**63 + 1, 2**64, 10**30])
def test_beyond_arrays_there_are_single_integers(below: int) -> None:
    with pytest.raises(MechanismError, match="below 2\\^63") as refused:
        UniformInteger(below).sample(1)
    assert refused.value.code == "M04"
    assert "UniformInteger(2**70).sample()" in refused.value.cure
    drawn = UniformInteger(below).sample()
    assert type(drawn) is int
    assert 0 <= drawn < below


def test_shapes() -> None:
    assert UniformInteger(6).sample((2, 3)).shape == (2, 3)
    assert UniformInteger(6).sample(()).shape == ()
    assert UniformInteger(6).sample((4, 0)).shape == (4, 0)
    assert UniformInteger(6).sample(0, entropy=Replay(b"")).tolist() == []
    rows = UniformInteger(256).sample((2, 2), entropy=Replay(bytes(range(100))))
    assert rows.tolist() == [[0, 1], [2, 3]]
    with pytest.raises(MechanismError, match="size must be") as refused:
        UniformInteger(6).sample(-1)
    assert refused.value.code == "M20"


@pytest.mark.parametrize("below", [0, -1, "3/2", 2.5])
def test_a_range_must_hold_something(below: str | float) -> None:
    with pytest.raises(NumberError, match="below must be a whole number, 1 or more") as refused:
        UniformInteger(below)
    assert refused.value.code == "N05"


def test_the_law_is_read_without_being_written_out() -> None:
    law = UniformInteger(6).law()
    assert dict(law) == dict.fromkeys(range(6), Fraction(1, 6))
    assert sum(law.values()) == 1
    assert len(law) == 6
    for outside in (-1, 6):
        with pytest.raises(KeyError):
            law[outside]
    huge = UniformInteger(10**30).law()
    assert huge == EvenLaw(10**30)
    assert huge[10**30 - 1] == Fraction(1, 10**30)
    assert list(islice(huge, 3)) == [0, 1, 2]
    assert len(EvenLaw(sys.maxsize)) == sys.maxsize


def test_a_round_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are wanted, no more than 2^15 words are held at once."""
    sizes: list[int] = []

    def noted(entropy: Entropy, count: int, width: int) -> NDArray[np.unsignedinteger]:
        sizes.append(count)
        return words(entropy, count, width)

    monkeypatch.setattr(uniform, "words", noted)
    UniformInteger(200).sample(200_000)
    assert max(sizes) == 2**15
    assert len(sizes) > 5


def test_a_law_of_a_great_many_answers_at_once_for_what_is_no_outcome() -> None:
    law = UniformInteger(10**30).law()
    for stranger in ("a", 2.5, None, -1, 10**30):
        assert stranger not in law
    assert 10**29 in law
