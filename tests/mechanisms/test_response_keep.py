"""Claim (response_keep.md): who has w tells it with probability own(w), who has another with
other(w); what is read does not depend on who has what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Final

import flint
import numpy as np
import pytest
from flint import arb
from numpy.typing import NDArray

from discreet.entropy import Entropy, Replay
from discreet.mechanisms import response_keep
from discreet.mechanisms.response import Response
from discreet.mechanisms.response_keep import Keep, Odds, Truth, TwoCoins, real
from discreet.noise.bernoulli import Bernoulli
from discreet.noise.uniform import UniformInteger
from tests.noise.closed import near, weight
from tests.noise.coins import room
from tests.noise.counted import Counted

EIGHTS: Final = Truth("208/256")
"""Decided by the first byte of its coin."""


# --- the law of all bytes ------------------------------------------------------------------------


def law_of_one(keep: Keep, values: int, x: int) -> dict[int, Fraction]:
    """One answer over all bits that matter: some for the other value, a byte for the coin.

    The coin is read after the value; it is a word of 64 bits, of which the last byte leads.
    """
    counts: Counter[int] = Counter()
    ahead = range(8) if values > 2 else range(1)
    for value, top in product(ahead, range(256)):
        data = (bytes([value]) if values > 2 else b"") + bytes(7) + bytes([top])
        counts[keep.one(x, values, Replay(data))] += 1
    return {told: Fraction(count, 256 * len(ahead)) for told, count in counts.items()}


def law_of_many(keep: Keep, values: int, x: int) -> dict[int, Fraction]:
    """The same for an array of all bytes of coins, for each of 256 values."""
    counts: Counter[int] = Counter()
    ahead = range(256) if values > 2 else range(1)
    for value in ahead:
        data = bytes([value] * 256) * (values > 2) + bytes(range(256)) + bytes(8 * room(256))
        told = keep.many(np.full(256, x), values, Replay(data))
        counts.update(told.tolist())
    return {told: Fraction(count, 256 * len(ahead)) for told, count in counts.items()}


@pytest.mark.parametrize("law", [law_of_one, law_of_many])
@pytest.mark.parametrize("values", [2, 3, 5])
def test_the_law_of_all_bytes_is_the_table(
    law: Callable[[Keep, int, int], dict[int, Fraction]], values: int
) -> None:
    """With a power of two of others, no byte is drawn in vain."""
    other = Fraction(48, 256) / (values - 1)
    for x in range(values):
        expected = {w: Fraction(208, 256) if w == x else other for w in range(values)}
        assert law(EIGHTS, values, x) == expected


def test_the_law_of_two_coins_is_the_table() -> None:
    """All first bytes of both coins, the second coin first."""
    keep = TwoCoins("64/256", yes="160/256")
    for x in (0, 1):
        one: Counter[int] = Counter()
        for second, first in product(range(256), repeat=2):
            data = bytes(7) + bytes([second]) + bytes(7) + bytes([first])
            one[keep.one(x, 2, Replay(data))] += 1
        many: Counter[int] = Counter()
        spare, all_bytes = bytes(8 * room(256)), bytes(range(256))
        for by in range(256):
            data = all_bytes[by:] + all_bytes[:by] + spare + all_bytes + spare
            many.update(keep.many(np.full(256, x), 2, Replay(data)).tolist())
        yes = Fraction(1, 4) * x + Fraction(3, 4) * Fraction(5, 8)
        assert one == many == {1: yes * 2**16, 0: (1 - yes) * 2**16}


def test_another_sampler_has_another_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two mutants: the other value may be the own one, and one coin for everybody."""

    def any_value(_: Bernoulli, x: int, values: int, entropy: Entropy) -> int:
        by = UniformInteger(values).sample(entropy=entropy)
        return (x + by * (not Bernoulli(EIGHTS.p).sample(entropy=entropy))) % values

    def one_coin(
        keeps: Bernoulli, x: NDArray[np.int64], values: int, entropy: Entropy
    ) -> NDArray[np.int64]:
        by = 1 + UniformInteger(values - 1).sample(x.shape, entropy=entropy)
        coins = keeps.sample(x.shape, entropy=entropy)
        moved: NDArray[np.int64] = (x + by * ~coins[:1]) % values
        return moved

    with monkeypatch.context() as patch:
        patch.setattr(response_keep, "_moved", any_value)
        assert law_of_one(EIGHTS, 4, 1)[1] > EIGHTS.p
    assert law_of_many(EIGHTS, 3, 1)[1] == EIGHTS.p
    monkeypatch.setattr(response_keep, "_all_moved", one_coin)
    assert law_of_many(EIGHTS, 3, 1)[1] != EIGHTS.p


# --- what is read does not depend on the truth ---------------------------------------------------


@pytest.mark.parametrize(
    ("keep", "values"),
    [(Truth("3/4"), 2), (Odds(1), 7), (Odds("1/3"), 2), (Truth("1/2"), 1000), (Odds(2), 2**62)],
)
def test_how_far_an_answer_moves_does_not_depend_on_it(keep: Keep, values: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        data = rng.bytes(20_000)
        for count in (None, 300):
            seen = set()
            for x in (0, 1, values // 2, values - 1):
                source = Counted(Replay(data))
                if count is None:
                    moves = [(keep.one(x, values, source) - x) % values]
                else:
                    told = keep.many(np.full(count, x), values, source).tolist()
                    moves = [(each - x) % values for each in told]
                    assert all(0 <= each < values for each in told)
                seen.add((*moves, source.read))
            assert len(seen) == 1


def test_two_coins_read_the_same_for_all() -> None:
    keep = TwoCoins("1/3", yes="1/5")
    for x in (0, 1):
        source = Counted()
        keep.one(x, 2, source)
        assert source.read == 16
        source = Counted()
        keep.many(np.full(300, x), 2, source)
        assert source.read == 2 * (300 + 8 * room(300))


# --- probabilities -------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [2, 3, 20])
@pytest.mark.parametrize("epsilon", ["1e-9", "1/3", 1, 5, 50])
def test_odds_are_those_of_epsilon(epsilon: str | int, values: int) -> None:
    keep = Odds(epsilon)
    with flint.ctx.workprec(400), localcontext(prec=80):
        total = 1 + (values - 1) * weight(keep.e)
        assert near(real(keep.own(1, values))(), 1 / total)
        assert near(real(keep.other(1, values))(), weight(keep.e) / total)
    assert keep.epsilon(values) == keep.e


@pytest.mark.parametrize(
    ("keep", "values"),
    [
        (Truth("3/4"), 2),
        (Truth("1/3"), 3),
        (Truth("0.9"), 12),
        (Odds(0), 5),
        (TwoCoins("1/2", yes="1/7"), 2),
        (TwoCoins(0, yes="1/7"), 2),
    ],
)
def test_the_chances_of_who_has_a_value_add_up_to_one(keep: Keep, values: int) -> None:
    ratios = []
    for x in range(values):
        chances = [keep.own(w, values) if w == x else keep.other(w, values) for w in range(values)]
        rational = [each for each in chances if isinstance(each, Fraction)]
        assert len(rational) == values
        assert sum(rational) == 1
        for w in range(values):
            own, other = keep.own(w, values), keep.other(w, values)
            assert isinstance(own, Fraction)
            assert isinstance(other, Fraction)
            assert 0 < other <= own
            ratios.append(own / other)
    with localcontext(prec=50):
        top = Decimal(max(ratios).numerator) / max(ratios).denominator
        found = keep.epsilon(values)
        apart = Decimal(found.numerator) / found.denominator - top.ln()
    assert Decimal("-1e-45") <= apart <= Decimal("1e-23")


def test_real_is_a_recipe() -> None:
    assert real(Fraction(1, 4))() == arb("0.25")
    assert Response(Odds(1)) == Response.pure(1)
