"""A budget that is kept whatever the answers make one ask next.  Claim and proof: filters.md"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Final, Generic, Self, TypeAlias, TypeVar, assert_never, final

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.base import NOTHING_LEFT, Loss, kind_of, larger_delta, pasted
from discreet.loss.digits import rounded
from discreet.loss.pure import Pure
from discreet.loss.zcdp import ZCDP
from discreet.numbers import Number, digits_of, exact

Currency: TypeAlias = Pure | Approx | ZCDP
"""The kinds of loss in which a budget may be kept."""
Kept = TypeVar("Kept", Pure, Approx, ZCDP)

KINDS: Final[tuple[type[Loss], ...]] = (Pure, Approx, ZCDP)
LATTICE: Final = lcm(*range(1, 4_097)) * 10**60
"""A cost whose denominator divides this is debited as it is: no sum has a longer denominator."""
STEPS: Final = 2**64
"""Any other cost is debited as the next multiple of 2^-64, which is on the lattice too."""


@final
@dataclass(frozen=True, slots=True, init=False)
class Filter(Generic[Kept]):
    """A budget and what was debited from it.  A debit makes a new filter; a refusal makes nothing.

    >>> budget = Filter(Approx(3, "1e-6")).charge(Pure(2)).charge(Approx("1/2", "1e-7"))
    >>> budget.left, budget.admits(Pure(1)), budget.admits(Pure("1/2"))
    (loss('epsilon=0.5, delta=9e-7'), False, True)
    """

    budget: Kept
    spent: Kept
    meaning: Approx
    """What the whole budget says as epsilon and delta; for zCDP at a delta fixed with it."""

    def __init__(self, budget: Kept, *, delta: Number | None = None) -> None:
        object.__setattr__(self, "budget", _promising(budget))
        object.__setattr__(self, "spent", budget.zero())
        object.__setattr__(self, "meaning", _meaning(budget, delta))

    @property
    def left(self) -> Kept:
        """The largest cost that still fits."""
        rest = zip(parts(self.budget), parts(self.spent), strict=True)
        return type(self.budget)(*(most - used for most, used in rest))

    def price(self, cost: Loss) -> Kept:
        """What would be debited for `cost`, a function of the cost alone."""
        return price(cost, type(self.budget))

    def admits(self, cost: Loss) -> bool:
        """Whether `charge` would debit `cost`.  Raises as it does for a cost of no price."""
        return self.spent + self.price(cost) <= self.budget

    def charge(self, cost: Loss) -> Self:
        """The filter after the debit; raises and changes nothing if the cost does not fit."""
        debit = self.price(cost)
        total = self.spent + debit
        if not total <= self.budget:
            raise _too_much(debit, self.left)
        charged = object.__new__(type(self))
        object.__setattr__(charged, "budget", self.budget)
        object.__setattr__(charged, "spent", total)
        object.__setattr__(charged, "meaning", self.meaning)
        return charged


def price(cost: Loss, kind: type[Kept]) -> Kept:
    """The least loss of `kind` that is proven to follow from `cost`, on the lattice of sums.

    >>> price(Pure("1/3"), Pure), price(Approx(0, "1e-9"), ZCDP)
    (loss('epsilon=1/3'), loss('rho=0, delta=1e-9'))
    """
    found = _loss(cost)
    try:
        exactly = found.to(kind)
    except LossError:
        raise _of_another_kind(found, kind) from None
    return kind(*map(on_lattice, parts(exactly)))


def on_lattice(part: Fraction) -> Fraction:
    """`part` itself, or the next multiple of 2^-64 if its denominator is long.

    >>> on_lattice(Fraction(1, 365)), on_lattice(Fraction(1, 2**200)) * 2**64
    (Fraction(1, 365), Fraction(1, 1))
    """
    return part if LATTICE % part.denominator == 0 else Fraction(ceil(part * STEPS), STEPS)


def parts(loss: Currency) -> tuple[Fraction, ...]:
    """What adds up in this currency."""
    match loss:
        case Pure():
            return (loss.epsilon,)
        case Approx():
            return loss.epsilon, loss.delta
        case ZCDP():
            return loss.rho, loss.delta
        case _:
            assert_never(loss)


def is_currency(kind: object) -> None:
    """Refuses a kind in which nothing is kept."""
    if kind not in KINDS:
        raise LossError(
            "a budget is kept in pure epsilon, in epsilon and delta, or in rho",
            cure='choose one of the three: `dp.Pure(1)`, `dp.Approx(1, "1e-6")` or '
            '`dp.ZCDP("1/2")`; a Gaussian one is `dp.GDP(1).to(dp.ZCDP)`',
            code="L60",
        )


def _promising(budget: Kept) -> Kept:
    is_currency(type(budget))
    if NOTHING_LEFT in parts(budget)[1:]:
        raise LossError(
            "a budget with a delta of one promises nothing",
            cure='choose a small delta, such as `dp.Approx(1, "1e-6")`',
            code="L60",
        )
    return budget


def _meaning(budget: Currency, delta: Number | None) -> Approx:
    match budget:
        case ZCDP():
            chosen = exact(larger_delta(budget.delta)) if delta is None else delta
            return budget.to(Approx, delta=chosen)
        case Pure() | Approx():
            if delta is not None:
                raise LossError(
                    f"{kind_of(budget)} says by itself what it means: there is no delta to choose",
                    cure='leave the delta out; it is chosen for a budget such as `dp.ZCDP("1/2")`',
                    code="L60",
                )
            return budget.to(Approx)
        case _:
            assert_never(budget)


def _loss(cost: object) -> Loss:
    if isinstance(cost, Loss):
        return cost
    # Looked at only when all is lost, so that a filter does not load the numerical account.
    from discreet.loss.pld.pld import PLD  # noqa: PLC0415

    if isinstance(cost, PLD):
        raise LossError(
            "the numerical account is for a list of answers that was fixed in advance: it is no "
            "cost of one answer, and its sums are not proven where answers choose what is asked",
            cure="close the list, and debit it as one: `from discreet.loss.pld import of_loss; "
            'account = 100 * of_loss(dp.Pure("1/10")); account.approx("1e-6")`',
            code="L63",
        )
    raise LossError(
        "what is no loss cannot be debited",
        cure="give a loss, such as `dp.Pure(1)`; a mechanism tells its own at a distance: "
        "`dp.Laplace(1).loss(dp.L1(1))`",
        code="L63",
    )


def _of_another_kind(cost: Loss, kind: type[Currency]) -> LossError:
    if kind is Pure:
        return LossError(
            f"a budget of pure epsilon has no place for {kind_of(cost)}, which needs a delta",
            cure='answer with a pure loss, such as `dp.Pure("1/10")`, or keep the budget in '
            'epsilon and delta, such as `dp.Approx(1, "1e-6")`',
            code="L61",
        )
    delta = larger_delta(cost.delta if isinstance(cost, ZCDP) else Fraction(0))
    code = f'{pasted(cost)}.to(dp.Approx, delta="{delta}")'
    if kind is ZCDP:
        return LossError(
            f"{kind_of(cost)} gives no rho: only at a delta, which the purse would pay",
            cure=f"choose that delta: `{code}.to(dp.ZCDP)`",
            code="L61",
        )
    return LossError(
        f"{kind_of(cost)} is many pairs of epsilon and delta, and the budget debits one",
        cure=f"choose its delta, which is debited too: `{code}`",
        code="L61",
    )


def _too_much(cost: Currency, left: Currency) -> LossError:
    least = type(left)(*map(_lower, parts(left)))
    if any(parts(least)):
        cure = f'ask for no more than is left: `dp.loss("{least}")`'
    else:
        cure = "what was answered before can be read again; nothing new can be asked"
    return LossError(
        f"this answer costs {type(cost)(*map(rounded, parts(cost)))}, and what is left is {least}",
        cure=cure,
        code="L62",
    )


def _lower(number: Fraction) -> Fraction:
    """`number`, rounded down to four digits if its text is long: so much is certainly left."""
    if rounded(number) == number:
        return number
    size = len(digits_of(number.numerator)) - len(digits_of(number.denominator))
    step = Fraction(10) ** (size - 4)
    return number // step * step
