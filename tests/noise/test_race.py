"""The claim of race.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import flint
import numpy as np
import pytest
from flint import arb

from discreet.entropy import SYSTEM, Replay
from discreet.noise import noisy_max, race as module
from discreet.noise.gumbel import GumbelMax
from discreet.noise.race import (
    Clock,
    Doubles,
    Integers,
    Where,
    first_to_ring,
    lower_ends,
    upper_ends,
)
from discreet.noise.reveal import Revealed
from discreet.noise.words import word as draw
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.counted import Counted
from tests.noise.racing import (
    BOUNDARY,
    Race,
    apart,
    boundary,
    by_hand,
    exponential,
    gumbel,
    in_bytes,
    in_cells,
    law_of_words,
    rates,
)

CLOSE: Final = 1e-12


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stretched(Clock):
    """A clock without any logarithm: candidate i rings at U·stretch i, and never at zero."""

    stretch: Integers

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.stretch.shape
        return rows, columns

    def early(self, where: Where, low: Doubles) -> Doubles:
        stretch = self.stretch[where]
        return np.where(stretch > 0, low * stretch * (1 - 2.0**-50), np.inf)

    def late(self, where: Where, high: Doubles) -> Doubles:
        stretch = self.stretch[where]
        return np.where(stretch > 0, high * stretch * (1 + 2.0**-50), np.inf)

    def ring(self, row: int, column: int, uniform: arb) -> arb:
        return uniform * int(self.stretch[row, column])


def stretched(by: Sequence[int]) -> Race:
    def time(column: int, u: arb) -> arb:
        return u * by[column] if by[column] else arb.pos_inf()

    rows = np.array([by], np.int64)
    return Race(lambda n: Stretched(rows.repeat(n, 0)), time, len(by))


RACES: Final = {
    "stretched 1 1": stretched([1, 1]),
    "stretched 3 5 4": stretched([3, 5, 4]),
    "stretched 7 0 7 8": stretched([7, 0, 7, 8]),
    "one alone": stretched([1]),
    "gumbel": gumbel(Fraction(1, 3), [3, 0, 4, 2]),
    "exponential": exponential(Fraction(1, 3), [3, 0, 4, 2]),
    "rates": rates([2, 0, 5, 1]),
}


def law_of_stretched(by: Sequence[int]) -> dict[int, float]:
    """∫ Π over j ≠ i of (1 - t/stretch j) dt/stretch i, up to the least stretch."""
    law = {}
    for i, own in enumerate(by):
        powers = [Fraction(1, own)]
        for other in (*by[:i], *by[i + 1 :]):
            shifted = [Fraction(0), *(-power / other for power in powers)]
            powers = [a + b for a, b in zip([*powers, Fraction(0)], shifted, strict=True)]
        law[i] = float(sum(power * min(by) ** (k + 1) / (k + 1) for k, power in enumerate(powers)))
    return law


# --- the ends of words ---------------------------------------------------------------------------


def too_high(low: Doubles, words: Sequence[int], width: int) -> int:
    """How many lower ends lie above their word."""
    return sum(
        not 0 <= Fraction(a) <= Fraction(word, 2**width)
        for a, word in zip(low.tolist(), words, strict=True)
    )


def too_low(high: Doubles, words: Sequence[int], width: int) -> int:
    """How many upper ends lie below the end of their word."""
    return sum(
        not Fraction(word + 1, 2**width) <= Fraction(b) <= 1
        for b, word in zip(high.tolist(), words, strict=True)
    )


def some_words(width: int) -> list[int]:
    if width == 8:
        return list(range(256))
    fresh = np.random.default_rng(1).integers(0, 2**63, 2_000).tolist()
    last = [2**width - 1 - k for k in range(2_000)]
    return [*(w for w in BOUNDARY if w < 2**width), *last, *(w >> (64 - width) for w in fresh)]


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_words_lie_between_their_ends(width: int) -> None:
    words = some_words(width)
    fresh = np.array(words, f"u{width // 8}")
    low, high = lower_ends(fresh, width), upper_ends(fresh, width)
    assert too_high(low, words, width) == 0
    assert too_low(high, words, width) == 0
    assert (high - low <= 2.0**-width if width < 64 else high - low <= 2.0**-50).all()
    assert (high[:9] - low[:9] <= 2.0 ** (1 - width) * (1 + 2.0**-40)).all()


def test_ends_that_round_to_the_nearest_double_are_found() -> None:
    words = some_words(64)
    nearest = np.array(words, np.uint64).astype(np.float64)
    assert too_high(nearest * 2.0**-64, words, 64) > 0
    assert too_low((nearest + 1) * 2.0**-64, words, 64) > 0


# --- a fixed function of the bits ----------------------------------------------------------------


def misread(race: Race, data: bytes, rows: int, *, width: int, step: int) -> int:
    """In how many rows the code chooses another than `by_hand` does; or it reads another number
    of bytes."""
    source = Counted(Replay(data))
    lanes = rows * race.columns
    found = first_to_ring(race.clock(rows), source, width=width, step=step, lanes=lanes).tolist()
    winners, read = by_hand(race, data, rows, width=width, step=step)
    wrong = sum(a != b for a, b in zip(found, winners, strict=True))
    return wrong or int(read != source.read)


def near_ties(race: Race, rows: int, width: int) -> bytes:
    """Words of which few differ much, and bytes to go on with, in which runs are frequent."""
    rng = np.random.default_rng(width)
    base = rng.integers(0, 256, (rows, 1)) * rng.integers(0, 2, (rows, race.columns))
    words = np.repeat(base, width // 8).reshape(-1, width // 8)
    words[:, 0] ^= rng.choice([0, 0, 0, 1, 128], len(words))
    further = np.where(rng.random(90_000) < 0.7, 90, rng.integers(0, 256, 90_000))
    return words.astype(np.uint8).tobytes() + further.astype(np.uint8).tobytes()


@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize(("width", "step"), [(8, 8), (8, 64), (16, 8), (32, 16), (64, 64)])
def test_the_choice_is_a_fixed_function_of_the_bits(name: str, width: int, step: int) -> None:
    race, rows = RACES[name], 60
    assert misread(race, near_ties(race, rows, width), rows, width=width, step=step) == 0
    data = np.random.default_rng(2).bytes(rows * race.columns * width // 8 + 9_000)
    assert misread(race, data, rows, width=width, step=step) == 0


@pytest.mark.parametrize("name", [name for name, race in RACES.items() if race.columns > 1])
def test_words_of_64_bits_beside_a_tie(name: str) -> None:
    """The last word with which one beats the other, and its neighbours, which need further bits."""
    race, rng = RACES[name], np.random.default_rng(3)
    own = rng.integers(0, 2**63, 8, dtype=np.uint64)
    last = boundary(race, own, (0, race.columns - 1))
    words = np.full((5 * len(own), race.columns), 2**64 - 1, np.uint64)
    words[:, 0] = own.repeat(5)
    words[:, -1] = last.repeat(5) + np.tile(np.arange(-2, 3).astype(np.uint64), len(own))
    data = words.tobytes() + rng.bytes(9_000)
    source = Counted(Replay(data))
    first_to_ring(race.clock(len(words)), source)
    assert source.read > words.nbytes or name == "stretched 7 0 7 8"
    assert misread(race, data, len(words), width=64, step=64) == 0


@pytest.mark.parametrize("name", ["stretched 1 1", "gumbel 2", "exponential 2", "rates 2"])
def test_all_pairs_of_bytes(name: str) -> None:
    """65,536 races, of which those that are open go on with further bytes."""
    race = PAIRS[name]
    both = np.indices((256, 256), np.uint8).reshape(2, -1).T
    data = both.tobytes() + np.random.default_rng(4).bytes(9_000)
    assert misread(race, data, 2**16, width=8, step=8) == 0


PAIRS: Final = {
    "stretched 1 1": stretched([1, 1]),
    "stretched 2 1": stretched([2, 1]),
    "gumbel 2": gumbel(Fraction(1, 2), [0, 1]),
    "exponential 2": exponential(Fraction(1, 2), [0, 1]),
    "rates 2": rates([1, 3]),
}


def test_a_clock_whose_early_times_are_late_is_found() -> None:
    right = Stretched.early
    data = near_ties(RACES["stretched 3 5 4"], 60, 8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stretched, "early", lambda *asked: right(*asked) * (1 + 2.0**-6))
        assert misread(RACES["stretched 3 5 4"], data, 60, width=8, step=8) > 0


def anew(uniform: Revealed) -> None:
    """The mutant of `Revealed.more`: another word is drawn where the first did not decide."""
    uniform.word = draw(uniform._entropy, uniform.bits)


def test_words_drawn_anew_are_found() -> None:
    race = RACES["stretched 3 5 4"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Revealed, "more", anew)
        assert misread(race, near_ties(race, 60, 8), 60, width=8, step=8) > 0


# --- the law -------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [[1, 1], [2, 1], [3, 5, 4], [7, 9, 7, 8]])
def test_the_law_of_words_is_the_integral(by: Sequence[int]) -> None:
    """To a total variation of 1e-12, with words of 64 bits."""
    cuts = [min(by) / own for own in by]
    assert apart(law_of_words(stretched(by), cuts=cuts), law_of_stretched(by)) < CLOSE


def test_the_law_of_bytes_is_the_integral() -> None:
    """The same with words of eight bits, and eight more at a time: all goes the exact way."""
    found = law_of_words(stretched([2, 1]), cuts=[0.5], decide=in_bytes)
    assert apart(found, {0: 0.25, 1: 0.75}) < CLOSE


def test_cells_bracket_the_law() -> None:
    """Whatever cell is decided is decided rightly, and what is open is below 2^-14."""
    for race, first in ((PAIRS["stretched 2 1"], 0.25), (PAIRS["rates 2"], 0.25)):
        cells = in_cells(race, 16)
        assert cells.open < 2.0**-14
        assert cells.first + cells.second + cells.open == 1
        assert cells.first < first < cells.first + cells.open


def test_words_drawn_anew_bend_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights 1 and 255 with words of eight bits: counts, and the law of what cells decide."""
    race, law = rates([1, 255]), {0: 1 / 256, 1: 255 / 256}
    cells = in_cells(race, 8)
    assert abs(cells.first / (cells.first + cells.second) - 1 / 256) > 1e-3

    def drawn() -> Integers:
        return first_to_ring(race.clock(200_000), SYSTEM, width=8, step=8)

    assert doubt(drawn(), law) > FALSE_ALARM
    monkeypatch.setattr(Revealed, "more", anew)
    assert doubt(drawn(), law) < FALSE_ALARM


@pytest.mark.parametrize("name", RACES)
def test_spans_hold_the_time_and_narrow(name: str) -> None:
    race = RACES[name]
    clock, rng = race.clock(1), np.random.default_rng(5)
    for bits in (8, 64, 192):
        for word in (0, 2**bits - 1, *(int(w) << (bits - 8) for w in rng.integers(1, 255, 6))):
            for column in range(race.columns):
                if not race.time(column, arb("0.5")).is_finite():
                    continue
                early, late = module._span(clock, 0, column, Revealed(SYSTEM, bits, word))
                with flint.ctx.workprec(600):
                    first = race.time(column, arb((4 * word + 1, -bits - 2)))
                    last = race.time(column, arb((4 * word + 3, -bits - 2)))
                    assert early < first < last < late
                    assert word in {0, 2**bits - 1} or late - early < arb(2) ** (12 - bits)


# --- rows, pieces and bytes ----------------------------------------------------------------------


@pytest.mark.parametrize("name", RACES)
def test_pieces_of_any_size_give_the_same_from_the_same_bytes(name: str) -> None:
    race, rows = RACES[name], 40
    data = np.random.default_rng(6).bytes(8 * rows * race.columns)
    found = [
        first_to_ring(race.clock(rows), Replay(data), lanes=lanes).tolist()
        for lanes in (1, 2, 3, 7, 64, 2**15)
    ]
    assert all(winners == found[0] for winners in found)


def test_a_row_depends_on_its_own_words_only() -> None:
    race, rng = RACES["gumbel"], np.random.default_rng(7)
    words = rng.integers(0, 2**63, (50, race.columns), dtype=np.uint64)
    before = first_to_ring(race.clock(50), Replay(words.tobytes()))
    others = rng.integers(0, 2**63, words.shape, dtype=np.uint64)
    others[17] = words[17]
    after = first_to_ring(race.clock(50), Replay(others.tobytes()))
    assert before[17] == after[17]
    assert (before != after).any()


def test_each_candidate_reads_one_word_of_its_own() -> None:
    """Each word alone can change the winner, and no byte is left over."""
    race = stretched([1, 1, 1])
    for early in range(3):
        words = np.full(3, 2**63, np.uint64)
        words[early] = 5
        source = Counted(Replay(words.tobytes()))
        assert first_to_ring(race.clock(1), source).tolist() == [early]
        assert source.read == 24


def test_among_many_each_reads_half_a_word_and_who_is_left_another_half() -> None:
    """The winner and one close to it: which of both, the second halves decide."""
    for first, second in ((1, 2), (2, 1)):
        words = np.full(module.MANY + 1, 2**31, np.uint32)
        words[[3, module.MANY]] = 7
        halves = np.array([first, second], np.uint32)
        source = Counted(Replay(words.tobytes() + halves.tobytes()))
        found = first_to_ring(stretched([1] * len(words)).clock(1), source).tolist()
        assert found == [3 if first < second else module.MANY]
        assert source.read == words.nbytes + 8


def test_the_law_of_a_choice_among_many() -> None:
    """20,000 candidates, of whom every second has e times the odds; and the wrong odds refused."""
    scores = np.arange(20_000) % 2
    drawn = np.array([GumbelMax(1).choose(scores) % 2 for _ in range(2_000)])
    odds = float(np.e)
    assert doubt(drawn, {0: 1 / (1 + odds), 1: odds / (1 + odds)}) > FALSE_ALARM
    assert doubt(drawn, {0: 0.5, 1: 0.5}) < FALSE_ALARM


def test_who_never_rings_is_never_first() -> None:
    words = np.array([[a, b, c] for a in ENDS for b in ENDS for c in ENDS], np.uint64)
    for lanes in (1, 2, 2**15):
        for by, winner in (([0, 3, 0], 1), ([0, 0, 5], 2)):
            clock = stretched(by).clock(len(words))
            assert (first_to_ring(clock, Replay(words.tobytes()), lanes=lanes) == winner).all()


ENDS: Final = [0, 1, 2**63, 2**64 - 2, 2**64 - 1]


def test_no_races_and_one_candidate() -> None:
    assert first_to_ring(stretched([1, 2]).clock(0), Replay(b"")).tolist() == []
    assert first_to_ring(stretched([4]).clock(3), Replay(bytes(24))).tolist() == [0, 0, 0]


# --- how often doubles abstain -------------------------------------------------------------------


def abstained(race: Race, rows: int, width: int, lanes: int = 2**15) -> int:
    """In how many of the rows the exact path is entered."""
    entered: list[int] = []
    right = module._settled

    def noted(clock: Clock, left: module.Left, *further: object) -> int:
        entered.append(len(left.row))
        return right(clock, left, *further)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_settled", noted)
        first_to_ring(race.clock(rows), SYSTEM, width=width, lanes=lanes)
    return len(entered)


@pytest.mark.parametrize("count", [2, 20, 200])
def test_abstentions_are_as_rare_as_is_said(count: int) -> None:
    """n·2^(2-width) for words of 16 bits; by Chernoff's bound an honest race strays further less
    than once in 10^9 times."""
    rows = 400_000 // count
    for race in (rates([1] * count), rates([1, 1000] * (count // 2)), gumbel_of(count)):
        mean = rows * count * 2.0**-14
        assert abstained(race, rows, 16) < mean + 8 * mean**0.5 + 20


def test_pieces_leave_no_more_open_than_the_whole() -> None:
    """The best of an early piece is dropped when a later one is better."""
    for race in (rates([1] * 50), gumbel_of(50)):
        assert abstained(race, 300, 64, lanes=4) == 0


def gumbel_of(count: int) -> Race:
    return gumbel(Fraction(1, 10), list(range(count)))


def test_wide_slack_abstains_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the slack bounds how often two come too near: with 2^-7 that can be counted."""
    monkeypatch.setattr(noisy_max, "SLACK", 2.0**-7)
    rows = 40_000
    for race in (gumbel(Fraction(1), [0, 0]), exponential(Fraction(1), [0, 0, 0])):
        entered = abstained(race, rows, 64)
        assert rows * 2.0**-8 < entered < rows * 2.0**-6 + 8 * (rows * 2.0**-6) ** 0.5
