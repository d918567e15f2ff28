"""Claim (reveal.md): `below` decides U < p for the same U whatever is asked, and P(U < p) = p."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import arb
from hypothesis import given, settings, strategies as st

from discreet.entropy import OsEntropy, Replay
from discreet.errors import EntropyError, MechanismError
from discreet.noise.reveal import Revealed
from discreet.numbers import Real, ball

NOTHING = Replay(b"")


def reals(p: Fraction) -> list[Real | Fraction]:
    """The same number as a rational, as a good recipe and as a poor one that needs 400 bits."""

    def poor() -> arb:
        far = arb(2) ** 300
        return (ball(p) + far) - far

    return [p, lambda: ball(p), poor]


def test_zero_and_one_need_no_bits() -> None:
    for p, answer in (
        (0, False),
        (Fraction(0), False),
        (1, True),
        (Fraction(-1, 3), False),
        (Fraction(4, 3), True),
    ):
        assert Revealed(NOTHING).below(p) is answer
    assert Revealed(NOTHING).below(lambda: arb(0)) is False
    assert Revealed(NOTHING).below(lambda: arb(1)) is True


@pytest.mark.parametrize("form", range(3))
def test_half_open_ends(form: int) -> None:
    """At a dyadic p each 3-bit word is on one side: all of [w, w + 1) below p, or none of it."""
    for w, cut in product(range(8), range(9)):
        assert Revealed(NOTHING, 3, w).below(reals(Fraction(cut, 8))[form]) is (w < cut)


@pytest.mark.parametrize("form", range(3))
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 255),
    st.fractions(0, 1, max_denominator=999),
    st.binary(min_size=64, max_size=64),
)
def test_agrees_with_the_whole_expansion(form: int, first: int, p: Fraction, rest: bytes) -> None:
    """Second reading: read all 520 bits at once and compare integers."""
    pieces = [int.from_bytes(rest[i : i + 8], "little") for i in range(0, 64, 8)]
    whole = first
    for piece in pieces:
        whole = whole << 64 | piece
    low, high = Fraction(whole, 1 << 520), Fraction(whole + 1, 1 << 520)
    if high <= p or low >= p:
        assert Revealed(Replay(rest), 8, first).below(reals(p)[form]) is (high <= p)


@pytest.mark.parametrize(
    "real", [Fraction(1, 3), lambda: arb(1).exp() / 7, lambda: arb(2).sqrt() / 2]
)
def test_law_by_enumeration(real: Real | Fraction) -> None:
    """Eight bits, then eight more only under the words that need them, five times: the measure
    of the words that say yes, and of those left open, brackets p within 2^-40."""
    yes, open_words, bits = Fraction(0), [0], 0
    while bits < 40:
        bits += 8
        still = []
        for w in (o << 8 | low for o in open_words for low in range(256)):
            try:
                yes += Fraction(Revealed(NOTHING, bits, w, step=8).below(real), 1 << bits)
            except EntropyError:
                still.append(w)
        assert len(still) == 1
        open_words = still
    p = real() if callable(real) else ball(real)
    assert ball(yes) < p < ball(yes + Fraction(1, 1 << 40))


def test_appends_never_redraws() -> None:
    entropy = Replay(bytes(range(1, 33)))
    u = Revealed(entropy, 8, 0x55)
    u.more()
    assert (u.bits, u.word) == (72, 0x55 << 64 | 0x0807060504030201)
    u.more()
    assert u.word >> 64 == 0x55 << 64 | 0x0807060504030201


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**300 - 1), st.integers(0, 300))
def test_ball_contains_the_interval(word: int, bits: int) -> None:
    u = Revealed(NOTHING, bits, word >> (300 - bits))
    low, high = u.ends()
    assert u.ball().contains(low)
    assert u.ball().contains(high)
    assert high - low == arb((1, -bits))
    assert 2 * u.ball().rad() < arb((1, -bits)) * ball(1 + Fraction(1, 2**28))


def test_comparisons_of_one_uniform_never_contradict() -> None:
    entropy = OsEntropy()
    for _ in range(300):
        u = Revealed(entropy)
        answers = [u.below(p) for p in sorted(Fraction(k, 17) for k in range(18))]
        assert answers == sorted(answers)
        assert (answers[0], answers[-1]) == (False, True)


def test_a_recipe_that_never_narrows_is_refused() -> None:
    with pytest.raises(MechanismError, match="could not be computed"):
        Revealed(NOTHING).below(arb.nan)


def test_minute_and_huge_boundaries_end_at_once() -> None:
    minute, huge = (lambda: arb("-1e4000").exp()), (lambda: arb(10) ** 4000)
    assert not Revealed(NOTHING, 8, 1).below(minute)
    assert Revealed(NOTHING, 8, 1).below(huge)


# --- mutants: the enumeration must reject them -------------------------------------------------


def test_rejects_redraw_and_wrong_end() -> None:
    """Redrawing an undecided 2-bit word of p = 1/3 gives 1/3 only by accident of the width: with
    3 bits the settled words are 2 of 7, and 2/7 is not 1/3.  A `≤` in place of `<` at a dyadic
    edge moves a whole word."""
    third = Fraction(1, 3)
    settled = [w for w in range(8) if not w < 8 * third < w + 1]
    assert Fraction(sum(w < 8 * third for w in settled), len(settled)) != third
    wrong_end = [w <= 4 for w in range(8)]
    assert wrong_end != [Revealed(NOTHING, 3, w).below(Fraction(1, 2)) for w in range(8)]
