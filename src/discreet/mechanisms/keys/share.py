"""How a budget is shared among the keys of one person.  Claim: share.md"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, assert_never

from flint import arb

from discreet.errors import MechanismError
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.noise.law import IntegerLaw
from discreet.numbers import ball, down, positive, up

_STEPS: Final = 40
_SHORT: Final = 2**64


def together(one: Fraction, keys: int) -> Fraction:
    """1 − (1 − one)^keys, rounded up: that any of `keys` keys goes wrong."""
    if keys <= 1 or one in {0, 1}:
        return one if keys else Fraction(0)
    return min(Fraction(1), up(lambda: -(keys * (-ball(one)).log1p()).expm1()))


def apart(delta: Fraction, keys: int) -> Fraction:
    """The delta of one key: `together(apart(delta, keys), keys) <= delta`, and barely less."""
    if keys == 1 or delta == 1:
        return delta
    one = down(lambda: -((-ball(delta)).log1p() / keys).expm1())
    while together(one, keys) > delta:
        one *= 1 - Fraction(1, _SHORT)
    return one


def concentrated(epsilon: Fraction, keys: int) -> Fraction:
    """The rho of `keys` independent answers, each of pure epsilon."""
    if epsilon == 0 or keys == 0:
        return Fraction(0)
    return up(lambda: keys * ball(epsilon) * (ball(epsilon) / 2).tanh())


def shared(budget: AnyLoss, keys: int) -> tuple[Fraction, Fraction]:
    """What one of `keys` keys may cost: epsilon, and the delta of all of them together."""
    match budget:
        case Approx() if budget.delta > 0:
            return positive(budget.epsilon, "epsilon") / keys, budget.delta
        case ZCDP() if budget.delta > 0:
            return _steepest(positive(budget.rho, "rho"), keys), budget.delta
        case Pure() | Approx() | ZCDP() | Renyi() | GDP():
            raise without_delta()
        case _:
            assert_never(budget)


def without_delta() -> MechanismError:
    return MechanismError(
        "keys that are private can only be told under a budget with a delta",
        cure="list the keys if they are public, or give a delta: `from discreet.mechanisms.keys "
        'import choose; choose(3, dp.Approx(1, "1e-6"))`, or `from discreet.mechanisms.keys '
        'import choose; choose(3, dp.ZCDP("1/2", "1e-6"))`',
        code="M82",
    )


def _steepest(rho: Fraction, keys: int) -> Fraction:
    """An epsilon, barely below the largest, with concentrated(epsilon, keys) <= rho."""
    low = down(lambda: (2 * ball(rho) / keys).sqrt(), relative_bits=16)  # ε·tanh(ε/2) ≤ ε²/2
    high = max(low, rho / keys + 1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if concentrated(middle, keys) > rho else (middle, high)
    return low


def at_or_above(law: IntegerLaw, t: int) -> arb:
    """P(X ≥ t) for a law that is the same on both sides of zero."""
    return law.at_least(t) / 2 if t > 0 else 1 - law.at_least(1 - t) / 2
