"""Coins read a second time: their chance in decimals, and the law that their words give."""

from __future__ import annotations

from collections.abc import Callable
from decimal import localcontext
from fractions import Fraction
from math import floor, isqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy, Replay
from discreet.errors import EntropyError
from discreet.noise.bernoulli import Bernoulli, BernoulliExp, Coin
from tests.noise.closed import weight

Flip: TypeAlias = Callable[[Coin, int, Entropy], NDArray[np.bool_]]

DIGITS: Final = 60
MINUTE: Final = Fraction(1, 10**300)
RATIONALS: Final = [
    *(Fraction(p) for p in (0, 1, "1/2", "3/256", "255/256", "5/65536", "65535/65536")),
    *(Fraction(p) for p in ("1/3", "2/7", "22/29", "1/1000", "1e-9", "0.9999999")),
    *(MINUTE, 1 - MINUTE, Fraction(1, 2**72), 1 - Fraction(1, 2**72), Fraction(1, 2**90)),
]
LN_2: Final = "0.693147180559945309417232121458"
"""To 30 digits: exp(-x) lies just beside a word's end."""
EXPONENTS: Final = [
    Fraction(x) for x in (0, MINUTE, "1e-9", "1/1000", "1/2", LN_2, 1, "22/7", 10, 50, 1000, 10**6)
]
COINS: Final[list[Coin]] = [
    *(Bernoulli(p) for p in RATIONALS),
    *(BernoulliExp(x) for x in EXPONENTS),
]


def chance(coin: Coin) -> Fraction:
    """P(True), to 60 digits if it is irrational."""
    match coin:
        case Bernoulli(p):
            return p
        case BernoulliExp(x) if x < 10**5:
            # 1 - 1e-300 has 300 digits before those that matter.
            with localcontext(prec=DIGITS + 310):
                return Fraction(weight(x))
        case _:
            # Less than any word that is read here, and above zero.
            return Fraction(1, 10**1000)


def law_of(flip: Flip, coin: Coin, *, until: float) -> tuple[Fraction, Fraction]:
    """The mass of the words that say True, and of those that are open.  All pairs of bytes are
    gone through, and what is undecided with all further bytes, until its mass is below `until`."""
    second, heads = bytes(range(256)), 0
    undecided: list[bytes] = []
    for first in range(256):
        try:
            heads += int(flip(coin, 256, Replay(bytes([first] * 256) + second)).sum())
        except EntropyError:
            undecided += [bytes([first, more]) for more in range(256)]
    yes, weighs = Fraction(heads, 2**16), Fraction(1, 2**16)
    while True:
        still: list[bytes] = []
        for word in undecided:
            try:
                yes += weighs * int(flip(coin, 1, Replay(word))[0])
            except EntropyError:
                still.append(word)
        if len(still) * weighs < until:
            return yes, len(still) * weighs
        weighs /= 256
        undecided = [word + bytes([more]) for word in still for more in range(256)]


def fits(law: tuple[Fraction, Fraction], coin: Coin) -> bool:
    """Whether P(True) lies in the bracket, which is no wider than a word."""
    yes, undecided = law
    return yes <= chance(coin) <= yes + undecided


def room(count: int) -> int:
    """How many further words `count` coins read, whatever the outcome."""
    mean = count // 256
    return min(count, mean + 8 * isqrt(mean) + 16)


def by_hand(coin: Coin, count: int, entropy: Entropy) -> list[bool]:
    """A word of 8 bits for each coin, words of 64 bits for those it leaves open, and 64 bits at
    a time for each that is open still."""
    p, high = chance(coin), floor(chance(coin) * 256)

    def number(bits: int) -> int:
        return int.from_bytes(entropy.take(bits // 8), "little")

    opening = [number(8) for _ in range(count)]
    unsure = [i for i, word in enumerate(opening) if word == high]
    closing = [number(64) for _ in range(max(len(unsure), room(count)))]
    heads = [word < high for word in opening]
    for i, more in zip(unsure, closing, strict=False):
        word, bits = opening[i] << 64 | more, 72
        while Fraction(word, 1 << bits) < p < Fraction(word + 1, 1 << bits):
            word, bits = word << 64 | number(64), bits + 64
        heads[i] = Fraction(word + 1, 1 << bits) <= p
    return heads


def near_the_boundary(coin: Coin, count: int, rng: np.random.Generator) -> bytes:
    """Words of which most leave their coin open, once or twice."""
    whole = min(floor(chance(coin) * 2**72), 2**72 - 1)
    opening = (whole >> 64) + rng.choice([0, 0, 0, 0, -1, 1], count)
    low = whole % 2**64
    closing = [int(n) % 2**64 for n in low + rng.choice([0, 0, -1, 1, 2**40], count).astype(object)]
    further = rng.integers(0, 256, 8 * 3 * count)
    further[rng.random(len(further)) < 0.5] = rng.choice([0, 255])
    return (
        bytes(opening.clip(0, 255).astype(np.uint8))
        + np.array(closing, np.uint64).astype("<u8").tobytes()
        + bytes(further.astype(np.uint8))
    )
