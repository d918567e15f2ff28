"""Claim (bernoulli.md): `BernoulliOdds` is True with probability 1/(1 + others·exp(-ε)) exactly."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor
from typing import Final

import flint
import numpy as np
import pytest
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import Entropy, Replay
from discreet.errors import NumberError
from discreet.noise import bernoulli
from discreet.noise.bernoulli import Bernoulli, BernoulliOdds, Coin, flips, threshold
from discreet.noise.reveal import Revealed
from tests.noise.chance import FALSE_ALARM, doubt
from tests.noise.closed import near, weight
from tests.noise.coins import law_of, room
from tests.noise.counted import Counted

DIGITS: Final = 400
ODDS: Final = [
    BernoulliOdds(epsilon, others)
    for epsilon in ("1e-300", "1e-9", "1/2", "0.693147180559945309417232121458", 1, "22/7", 50, 300)
    for others in (1, 2, 999)
]


def chance(coin: BernoulliOdds) -> Decimal:
    with localcontext(prec=DIGITS):
        return 1 / (1 + coin.others * weight(coin.epsilon))


def narrow(coin: Coin, count: int, entropy: Entropy) -> NDArray[np.bool_]:
    """The code, with a first word of 8 bits and a second one of 8."""
    return flips(coin, count, entropy, first=8, more=8)


def fits(coin: BernoulliOdds, true: BernoulliOdds, until: float = 2.0**-40) -> bool:
    """Whether the mass of all words of `coin` that say True brackets the chance of `true`."""
    yes, undecided = law_of(narrow, coin, until=until)
    return yes <= Fraction(chance(true)) <= yes + undecided


@pytest.mark.parametrize("coin", ODDS, ids=str)
def test_the_law_of_all_words_is_the_closed_form(coin: BernoulliOdds) -> None:
    assert fits(coin, coin, until=2.0**-80)


@pytest.mark.parametrize(
    "wrong", [BernoulliOdds(1 + Fraction(1, 10**9), 2), BernoulliOdds(1, 3), BernoulliOdds(1, 1)]
)
def test_another_coin_does_not_fit(wrong: BernoulliOdds) -> None:
    assert not fits(wrong, BernoulliOdds(1, 2))


@pytest.mark.parametrize("by", [-1, 1])
def test_a_threshold_that_is_one_off_does_not_fit(by: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bernoulli, "threshold", lambda coin, bits: threshold(coin, bits) + by)
    assert not fits(BernoulliOdds(1, 2), BernoulliOdds(1, 2))


def test_an_open_coin_that_forgets_its_bits_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets(entropy: Entropy, bits: int, word: int, *, step: int) -> Revealed:
        del bits, word
        return Revealed(entropy, step=step)

    monkeypatch.setattr(bernoulli, "Revealed", forgets)
    assert not fits(BernoulliOdds(1, 2), BernoulliOdds(1, 2), until=2.0**-30)


# --- thresholds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [8, 16, 64, 72])
@pytest.mark.parametrize("coin", ODDS, ids=str)
def test_thresholds_are_floors(coin: BernoulliOdds, bits: int) -> None:
    with localcontext(prec=DIGITS):
        assert threshold(coin, bits) == floor(chance(coin) * 2**bits)


@pytest.mark.parametrize("epsilon", ["1000", "1e5", "1e9", "1e300", "1e4000"])
def test_a_chance_next_to_one_is_below_one(epsilon: str) -> None:
    for bits in (16, 64, 72):
        assert threshold(BernoulliOdds(epsilon, 5), bits) == 2**bits - 1
    assert BernoulliOdds(epsilon, 5).sample() is True


def test_where_one_begins() -> None:
    """1 - p = exp(-ε)/(1 + exp(-ε)) = 2^-72 at ε = ln(2^72 - 1)."""
    with localcontext(prec=60):
        edge = Fraction(Decimal(2**72 - 1).ln())
    for step in (Fraction(1, 10**k) for k in range(1, 30)):
        assert threshold(BernoulliOdds(edge + step), 72) == 2**72 - 1
        assert threshold(BernoulliOdds(edge - step), 72) == 2**72 - 2


def test_even_odds_are_a_rational_coin() -> None:
    for others in (1, 2, 255):
        assert BernoulliOdds(0, others).edge == Fraction(1, 1 + others)
        data = bytes(range(256)) * 40
        even, fair = BernoulliOdds(0, others), Bernoulli(Fraction(1, 1 + others))
        found = even.sample(1000, entropy=Replay(data))
        assert (found == fair.sample(1000, entropy=Replay(data))).all()


# --- laws, counts, bytes -------------------------------------------------------------------------


@pytest.mark.parametrize("coin", ODDS, ids=str)
def test_the_stated_law_is_the_closed_form(coin: BernoulliOdds) -> None:
    with flint.ctx.workprec(1400), localcontext(prec=DIGITS):
        heads, tails = coin.law()[True], coin.law()[False]
        assert isinstance(heads, arb)
        assert isinstance(tails, arb)
        assert near(heads, chance(coin))
        assert near(tails, 1 - chance(coin))


def test_counts_fit_and_would_not_fit_another_law() -> None:
    coin = BernoulliOdds(1, 4)
    p, wrong = float(chance(coin)), float(chance(BernoulliOdds(1, 5)))
    drawn = coin.sample(200_000).astype(np.int64)
    one_by_one = np.array([coin.sample() for _ in range(20_000)], np.int64)
    for found in (drawn, one_by_one):
        assert doubt(found, {1: p, 0: 1 - p}) > FALSE_ALARM
        assert doubt(found, {1: wrong, 0: 1 - wrong}) < FALSE_ALARM


@pytest.mark.parametrize("count", [None, 0, 1, 1000, 2**16])
def test_the_number_of_bytes_does_not_depend_on_the_outcome(count: int | None) -> None:
    for _ in range(10):
        source = Counted()
        coin = BernoulliOdds(1, 2)
        coin.sample(entropy=source) if count is None else coin.sample(count, entropy=source)
        assert source.read == (8 if count is None else count + 8 * room(count))


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (BernoulliOdds, "N07"),
        (lambda: BernoulliOdds(-1), "N03"),
        (lambda: BernoulliOdds(1, 0), "N05"),
        (lambda: BernoulliOdds(1, "1/2"), "N05"),
    ],
)
def test_what_is_no_chance_is_refused(make: Callable[[], Coin], code: str) -> None:
    with pytest.raises(NumberError) as refused:
        make()
    assert refused.value.code == code
