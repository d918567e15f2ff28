"""A uniform real of which the first bits are known, and the rest is revealed when it matters.

Every sampler here is a fixed function of uniform bits.  A fast path looks at the first bits and
abstains when they do not settle the answer; what it abstained on comes here, with *the same* first
bits, and further bits are appended below them.  Drawing the word anew would favour the answers
that are settled early, and so bend the law.  `reveal.md` has the claim and the proof.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, final

from flint import arb

from discreet.entropy import Entropy
from discreet.errors import MechanismError
from discreet.noise.words import word as draw
from discreet.numbers import Real, at

STEP: Final = 64
"""Bits that are appended at a time; a multiple of eight."""
_GUARD: Final = 64
_MOST_PRECISION: Final = 2**20


@final
class Revealed:
    """U, uniform on [0, 1), known to lie in [word, word + 1)·2^-bits.

    Mutable on purpose: what one comparison has revealed, the next one must see, or two
    comparisons of the same U could contradict each other.
    """

    __slots__ = ("_entropy", "_step", "bits", "word")

    def __init__(self, entropy: Entropy, bits: int = 0, word: int = 0, *, step: int = STEP) -> None:
        self._entropy = entropy
        self._step = step
        self.bits = bits
        self.word = word

    def __repr__(self) -> str:
        return f"Revealed({self.bits} bits)"

    def more(self) -> None:
        """Append fresh bits below the known ones."""
        self.word = self.word << self._step | draw(self._entropy, self._step)
        self.bits += self._step

    def ends(self) -> tuple[arb, arb]:
        """Both ends of the interval, exactly.  U may be the lower one, never the upper one."""
        return arb((self.word, -self.bits)), arb((self.word + 1, -self.bits))

    def ball(self) -> arb:
        """A ball that contains the interval, and is wider by less than one part in 2^28."""
        return arb((2 * self.word + 1, -self.bits - 1), arb((1, -self.bits - 1)))

    def below(self, real: Real | Fraction | int) -> bool:
        """Whether U < real.  Ends with probability one, at once where `real` is outside (0, 1)
        and rational.  The balls of `real` must shrink to a point as precision grows.

        >>> from discreet.entropy import Replay
        >>> Revealed(Replay(b""), bits=2, word=0b01).below(Fraction(1, 2))
        True
        """
        if isinstance(real, Fraction | int):
            return self._below_rational(Fraction(real))
        return self._below_real(real)

    def _below_rational(self, edge: Fraction) -> bool:
        while True:
            scaled = edge.numerator << self.bits
            if (self.word + 1) * edge.denominator <= scaled:
                return True
            if self.word * edge.denominator >= scaled:
                return False
            self.more()

    def _below_real(self, real: Real) -> bool:
        precision = STEP
        while precision <= _MOST_PRECISION:
            precision = max(precision, self.bits + _GUARD)
            edge = at(precision, real)
            low, high = self.ends()
            if high <= edge:
                return True
            if low >= edge:
                return False
            if edge.is_finite() and edge.rad() <= arb((1, -self.bits - _GUARD // 4)):
                self.more()
            else:
                precision *= 2
        raise MechanismError(
            "a boundary between two answers could not be computed",
            cure="choose parameters of ordinary size, between 1e-300 and 1e300",
            code="M19",
        )
