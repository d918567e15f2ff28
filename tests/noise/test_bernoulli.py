"""The claim of bernoulli.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, isqrt

import flint
import numpy as np
import pytest
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import SYSTEM, Entropy, Replay
from discreet.errors import EntropyError, NumberError
from discreet.noise import bernoulli
from discreet.noise.bernoulli import Bernoulli, BernoulliExp, Coin, flips, threshold
from discreet.noise.reveal import Revealed
from discreet.noise.words import Words, words
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight
from tests.noise.coins import (
    COINS,
    DIGITS,
    MINUTE,
    Flip,
    by_hand,
    chance,
    fits,
    law_of,
    near_the_boundary,
    room,
)
from tests.noise.counted import Counted

# --- exact laws, by all words --------------------------------------------------------------------


def narrow(coin: Coin, count: int, entropy: Entropy) -> NDArray[np.bool_]:
    """The code, with a first word of 8 bits and a second one of 8."""
    return flips(coin, count, entropy, first=8, more=8)


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_the_law_of_all_words_is_the_closed_form(coin: Coin) -> None:
    """To a total variation of 2^-80."""
    law = law_of(narrow, coin, until=2.0**-80)
    assert law[1] < 2.0**-80
    assert fits(law, coin)


def test_whole_enumeration_of_single_coins_gives_the_same() -> None:
    """Here nothing is assumed of which coin reads which byte."""
    coin = Bernoulli("2/7")
    heads, dry = 0, []
    for pair in range(2**16):
        data = pair.to_bytes(2, "big")
        try:
            heads += bool(narrow(coin, 1, Replay(data))[0])
        except EntropyError:
            dry.append(pair)
    assert dry == [2**17 // 7]
    assert heads == 2**17 // 7


class TestMutants:
    """Each wrong sampler is rejected by the same bracket."""

    COIN = Bernoulli("2/7")

    @staticmethod
    def one_by_one(single: Callable[[Coin, int, Iterator[int]], bool]) -> Flip:
        """A sampler that reads as `flips` does: first words, then second words."""

        def flip(coin: Coin, count: int, entropy: Entropy) -> NDArray[np.bool_]:
            opening = entropy.take(count)
            spare = entropy.take(count)

            def further(place: int) -> Iterator[int]:
                yield spare[place]
                while True:
                    yield entropy.take(1)[0]

            return np.array([single(coin, word, further(i)) for i, word in enumerate(opening)])

        return flip

    def test_the_measure_lets_a_right_sampler_through(self) -> None:
        def right(coin: Coin, word: int, further: Iterator[int]) -> bool:
            bits = 8
            while True:
                low, high = Fraction(word, 1 << bits), Fraction(word + 1, 1 << bits)
                if high <= chance(coin) or low >= chance(coin):
                    return high <= chance(coin)
                word, bits = word << 8 | next(further), bits + 8

        assert fits(law_of(self.one_by_one(right), self.COIN, until=2.0**-40), self.COIN)

    def test_words_drawn_anew_when_they_do_not_decide(self) -> None:
        def anew(coin: Coin, word: int, further: Iterator[int]) -> bool:
            whole = threshold(coin, 16)
            while word == whole >> 8:
                both = word << 8 | next(further)
                if both != whole:
                    return both < whole
                word = next(further)
            return word < whole >> 8

        assert not fits(law_of(self.one_by_one(anew), self.COIN, until=2.0**-30), self.COIN)

    @pytest.mark.parametrize("coin", [Bernoulli("2/7"), Bernoulli("1/2"), BernoulliExp(1)])
    def test_a_sharp_comparison_made_blunt(self, coin: Coin) -> None:
        """≤ for <: the word in which the boundary lies counts as below it."""

        def blunt(coin: Coin, word: int, further: Iterator[int]) -> bool:
            return word << 8 | next(further) <= threshold(coin, 16)

        assert not fits(law_of(self.one_by_one(blunt), coin, until=2.0**-40), coin)

    def test_one_word_for_both_stages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[Words] = []

        def reused(entropy: Entropy, count: int, width: int) -> Words:
            seen.append(words(entropy, count, width))
            return seen[-1] if len(seen) % 2 else seen[-2][:count]

        coin = BernoulliExp(1)
        assert fits(law_of(narrow, coin, until=2.0**-40), coin)
        monkeypatch.setattr(bernoulli, "words", reused)
        assert not fits(law_of(narrow, coin, until=2.0**-40), coin)

    def test_an_open_coin_that_is_settled_with_other_bits(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The exact path forgets the bits that are known."""

        def forgets(entropy: Entropy, bits: int, word: int, *, step: int) -> Revealed:
            del bits, word
            return Revealed(entropy, step=step)

        monkeypatch.setattr(bernoulli, "Revealed", forgets)
        assert not fits(law_of(narrow, self.COIN, until=2.0**-30), self.COIN)

    @pytest.mark.parametrize("by", [-1, 1])
    def test_a_threshold_that_is_one_off(self, by: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bernoulli, "threshold", lambda coin, bits: threshold(coin, bits) + by)
        assert not fits(law_of(narrow, self.COIN, until=2.0**-30), self.COIN)

    def test_an_exponent_that_is_a_billionth_off(self) -> None:
        law = law_of(narrow, BernoulliExp(1 + Fraction(1, 10**9)), until=2.0**-80)
        assert not fits(law, BernoulliExp(1))


# --- a fixed function of the bytes ---------------------------------------------------------------


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_coins_are_a_fixed_function_of_the_bytes(coin: Coin) -> None:
    rng = np.random.default_rng(3)
    for count in (0, 1, 5, 17, 300, 2_000):
        for data in (near_the_boundary(coin, count, rng), rng.bytes(9 * count + 600)):
            code, hand = Counted(Replay(data)), Counted(Replay(data))
            assert flips(coin, count, code).tolist() == by_hand(coin, count, hand)
            assert code.read == hand.read


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_a_single_coin_is_a_fixed_function_of_64_bits_at_a_time(coin: Coin) -> None:
    p, rng = chance(coin), np.random.default_rng(4)
    whole = min(floor(p * 2**64), 2**64 - 1)
    for word in {0, 1, 2**63, 2**64 - 1, whole, max(0, whole - 1), min(2**64 - 1, whole + 1)}:
        for rest in (bytes(200), b"\xff" * 200, rng.bytes(200)):
            bits, known, source = 64, word, Replay(rest)
            try:
                while Fraction(known, 1 << bits) < p < Fraction(known + 1, 1 << bits):
                    known = known << 64 | int.from_bytes(source.take(8), "little")
                    bits += 64
            except EntropyError:
                continue
            found = coin.sample(entropy=Replay(word.to_bytes(8, "little") + rest))
            assert found is (Fraction(known + 1, 1 << bits) <= p)


def test_rounds_are_pieces_of_one_size() -> None:
    """An array is made of rounds of 2^16 coins, each read as one."""
    coin = BernoulliExp("22/7")
    count = 2**16 + 9
    data = SYSTEM.take(9 * 2**16)
    source = Replay(data)
    both = [*flips(coin, 2**16, source).tolist(), *flips(coin, 9, source).tolist()]
    assert coin.sample(count, entropy=Replay(data)).tolist() == both


# --- how many bytes ------------------------------------------------------------------------------


def test_room_is_exceeded_less_than_once_in_ten_to_the_twelve() -> None:
    """Chernoff's bound P(open ≥ k) ≤ e^(-μ)·(eμ/k)^k for every number of coins."""
    assert largest_bound(room) < 1e-12
    less = largest_bound(lambda count: min(count, count // 256 + 8 * isqrt(count // 256)))
    assert less > 1e-12, "less room would be too little"


def largest_bound(places: Callable[[int], int]) -> float:
    count = np.arange(1, 2**16 + 1)
    found = np.array([places(int(m)) for m in count])
    assert ((found >= count) | (found + 1 > count / 256)).all()
    mean, k = count / 256, np.maximum(found + 1, 1)
    bound = np.where(found >= count, 0.0, np.exp(k - mean + k * np.log(mean / k)))
    return float(bound.max())


def test_the_bound_is_no_smaller_than_the_binomial_tail() -> None:
    """Chernoff's bound itself, against the sum of the binomial law."""
    for m in (300, 2_000):
        k, p = room(m) + 1, Fraction(1, 256)
        tail, term = Fraction(0), (1 - p) ** m
        for heads in range(min(m, k + 60)):
            tail += term if heads >= k else 0
            term *= Fraction(m - heads, heads + 1) * p / (1 - p)
        mean = m / 256
        assert 0 < float(tail) < np.exp(k - mean + k * np.log(mean / k))


def test_room_is_what_the_code_reads() -> None:
    for m in (*range(700), 4095, 4096, 2**16 - 1, 2**16):
        assert bernoulli._room(m, 8) == room(m)


@pytest.mark.parametrize("coin", [Bernoulli("1/2"), Bernoulli("1/1000"), BernoulliExp(1)], ids=str)
@pytest.mark.parametrize("count", [None, 0, 1, 20, 1000, 2**16, 150_000])
def test_the_number_of_bytes_does_not_depend_on_the_outcome(coin: Coin, count: int | None) -> None:
    pieces = [] if count is None else [2**16] * (count // 2**16) + [count % 2**16]
    expected = 8 if count is None else sum(m + 8 * room(m) for m in pieces)
    for _ in range(20):
        source = Counted()
        coin.sample(count, entropy=source) if count is not None else coin.sample(entropy=source)
        assert source.read == expected


def test_reading_only_what_is_needed_would_tell() -> None:
    """The mutant: no room, so the number of bytes is that of the open coins."""

    def read(coin: Coin) -> int:
        source = Counted()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bernoulli, "_room", lambda *_: 0)
            coin.sample(1000, entropy=source)
        return source.read

    assert len({read(Bernoulli("1/2")) for _ in range(20)}) > 1


# --- thresholds ----------------------------------------------------------------------------------


def floor_in_decimals(coin: BernoulliExp, bits: int) -> int:
    with localcontext(prec=150):
        scaled = weight(coin.x) * 2**bits
        whole = int(scaled)
        assert whole == 0 or scaled - whole > Decimal("1e-90")
        assert whole + 1 - scaled > Decimal("1e-90")
        return whole


def some_fractions(most: int) -> Iterator[tuple[Fraction, int]]:
    """Three thousand, of all sizes, each with a number of bits."""
    rng = np.random.default_rng(5)
    for size in range(3_000):
        under = int(rng.integers(1, 2 ** (1 + size % 62)))
        yield Fraction(int(rng.integers(0, most * min(under, 2**50) + 1)), under), 1 + size % 131


def test_thresholds_of_exponentials_are_floors() -> None:
    for x, bits in some_fractions(most=200):
        if x:
            assert threshold(BernoulliExp(x), bits) == floor_in_decimals(BernoulliExp(x), bits)


def test_thresholds_of_rationals_are_floors() -> None:
    for p, bits in some_fractions(most=1):
        found = threshold(Bernoulli(p), bits)
        assert Fraction(found, 2**bits) <= p < Fraction(found + 1, 2**bits)


@pytest.mark.parametrize("bits", [16, 64, 72])
def test_thresholds_at_ends(bits: int) -> None:
    for p, floor_of_p in ((Fraction(0), 0), (Fraction(1), 2**bits), (Fraction(1, 2**bits), 1)):
        assert threshold(Bernoulli(p), bits) == floor_of_p
    assert threshold(Bernoulli(MINUTE), bits) == 0
    assert threshold(Bernoulli(1 - MINUTE), bits) == 2**bits - 1
    assert threshold(BernoulliExp(0), bits) == 2**bits
    for x in ("1e-300", "1e-4000"):
        assert threshold(BernoulliExp(x), bits) == 2**bits - 1
    for x in ("1000", "1e6", "1e4000"):
        assert threshold(BernoulliExp(x), bits) == 0


def test_where_the_floor_becomes_zero() -> None:
    """exp(-x)·2^72 = 1 at x = 72·ln 2 = 49.9066…"""
    with localcontext(prec=40):
        edge = Fraction(72 * Decimal(2).ln())
    for step in (Fraction(1, 10**k) for k in range(1, 30)):
        assert threshold(BernoulliExp(edge + step), 72) == 0
        assert threshold(BernoulliExp(edge - step), 72) == 1


def test_coins_of_different_kinds_are_not_confused() -> None:
    """Thresholds are remembered by coin: p = 1/2 and exp(-1/2) are two of them."""
    assert threshold(Bernoulli("1/2"), 72) == 2**71
    assert threshold(BernoulliExp("1/2"), 72) == floor_in_decimals(BernoulliExp("1/2"), 72)
    assert threshold(Bernoulli("1/2"), 64) == 2**63


# --- laws and counts -----------------------------------------------------------------------------


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_the_stated_law_is_the_closed_form(coin: Coin) -> None:
    with flint.ctx.workprec(1400), localcontext(prec=DIGITS + 310):
        heads, tails = coin.law()[True], coin.law()[False]
        if isinstance(coin, BernoulliExp) and isinstance(heads, arb) and isinstance(tails, arb):
            assert coin.x > 0
            assert near(heads, weight(coin.x))
            assert near(tails, 1 - weight(coin.x))
        else:
            assert (heads, tails) == (chance(coin), 1 - chance(coin))


@pytest.mark.parametrize("coin", [Bernoulli("1/3"), BernoulliExp("22/7"), BernoulliExp("1e-9")])
def test_counts_fit_and_would_not_fit_another_law(coin: Coin) -> None:
    p = float(chance(coin))
    law, wrong = {1: p, 0: 1 - p}, {1: p * 0.95, 0: 1 - p * 0.95}
    drawn = coin.sample(1_000_000).astype(np.int64)
    assert doubt(drawn, law) > FALSE_ALARM
    assert doubt(drawn, wrong) < FALSE_ALARM
    one_by_one = np.array([coin.sample() for _ in range(20_000)], np.int64)
    assert doubt(one_by_one, law) > FALSE_ALARM


def test_neighbours_are_independent() -> None:
    """Counts of four in a row."""
    p = Fraction(1, 3)
    rows = Bernoulli(p).sample((200_000, 4)).astype(np.int64) @ np.array([8, 4, 2, 1])
    law = {n: float(p ** n.bit_count() * (1 - p) ** (4 - n.bit_count())) for n in range(16)}
    assert doubt(rows, law) > FALSE_ALARM
    assert doubt(np.where(rows % 2, 15, 0), law) < FALSE_ALARM


def test_sure_coins() -> None:
    for coin, sure in ((Bernoulli(0), False), (Bernoulli(1), True), (BernoulliExp(0), True)):
        assert coin.sample() is sure
        assert (coin.sample(1000) == sure).all()
        assert coin.sample(entropy=Replay(b"\xff" * 8)) is sure
        assert coin.sample(entropy=Replay(bytes(8))) is sure


def test_shapes() -> None:
    assert Bernoulli("1/2").sample((2, 0, 3)).shape == (2, 0, 3)
    assert Bernoulli("1/2").sample(()).shape == ()
    assert type(Bernoulli("1/2").sample()) is bool
    assert Bernoulli("1/2").sample(3).dtype == np.bool_


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: Bernoulli("-1/2"), "N03"),
        (lambda: Bernoulli("3/2"), "N04"),
        (lambda: BernoulliExp(-1), "N03"),
    ],
)
def test_a_chance_lies_between_zero_and_one(make: Callable[[], Coin], code: str) -> None:
    with pytest.raises(NumberError) as refused:
        make()
    assert refused.value.code == code
    assert "`dp.exact(" in refused.value.cure
