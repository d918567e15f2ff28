"""The claim of filters.md: whoever chooses questions by the answers before them, and is refused
what does not fit, is told no more than the budget says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Self, TypeAlias, final

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import LossError
from discreet.loss import ZCDP, Approx, Loss, Pure
from discreet.loss.divergence import delta_at, either_way
from discreet.loss.filters import Currency, Filter, on_lattice, parts, price
from tests.laws.strategies import KINDS, untyped
from tests.loss.games import Ending, Keeper, Question, broken, coins, laws, menu, person, played

CURRENCIES: Final = (Pure, Approx, ZCDP)
FEW: Final = 250
MANY: Final = 10_000
MOST: Final = 4
AnyFilter: TypeAlias = Filter[Any]


def budget_of(kind: type[Any], costs: Iterable[Loss]) -> Any:  # noqa: ANN401 - one of three
    return sum((price(cost, kind) for cost in costs), start=price(Pure(0), kind))


def costs_of(kind: type[Loss], seed: int) -> list[Loss]:
    return [question.cost for question in menu(kind, seed)]


def endings(keeper: Keeper, kind: type[Loss], seed: int) -> list[Ending]:
    return [ending for ending, _ in played(keeper, person(kind, seed), MOST)]


# --- people who choose by the answers ------------------------------------------------------------


def kept_by_all(kind: type[Any], count: int) -> None:
    for seed in range(count):
        budget = budget_of(kind, costs_of(kind, seed))
        found = endings(Filter(budget), kind, seed)
        assert sum(e.p for e in found) == sum(e.q for e in found) == 1
        assert not broken(found, budget), seed


@pytest.mark.parametrize("kind", CURRENCIES)
def test_nobody_is_told_more_than_the_budget_says(kind: type[Any]) -> None:
    kept_by_all(kind, FEW)


@pytest.mark.long
@pytest.mark.parametrize("kind", CURRENCIES)
def test_nobody_of_ten_thousand_is_told_more_than_the_budget_says(kind: type[Any]) -> None:
    kept_by_all(kind, MANY)


@pytest.mark.parametrize("seed", range(20))
def test_the_meaning_of_a_rho_budget_is_kept(seed: int) -> None:
    found = Filter(budget_of(ZCDP, costs_of(ZCDP, seed)), delta="3/4")
    p, q = laws(endings(found, ZCDP, seed))
    epsilon = found.meaning.epsilon
    assert found.meaning.delta == Fraction(3, 4)
    assert either_way(lambda a, b: delta_at(a, b, epsilon), p, q).low <= Fraction(3, 4)


@pytest.mark.parametrize("kind", CURRENCIES)
def test_a_budget_is_used_up_wholly_and_not_a_bit_less_would_do(kind: type[Any]) -> None:
    """Two coins, the second one turned round by what the first one says."""
    whole = budget_of(kind, [coins(Fraction(3)).cost] * 2)
    coin = coins(Fraction(3))
    turned = replace(coin, laws=coin.laws[::-1], cores=coin.cores[::-1])

    def asks(told: str) -> Question:
        return turned if told.startswith("b") else coin

    found = [ending for ending, _ in played(Filter(whole), asks, 3)]
    assert not broken(found, whole)
    first, *others = parts(whole)
    tight = kind(first * (1 - Fraction(1, 10**9)), *others)
    assert broken(found, tight) == (kind is not ZCDP)
    assert broken(found, kind(first * Fraction(49, 50), *others))


# --- keepers that should be refused --------------------------------------------------------------


def _sum(spent: Any, debit: Any) -> Any:  # noqa: ANN401 - one of three currencies
    return spent + debit


def _within(budget: Any, _: Any, total: Any) -> bool:  # noqa: ANN401
    return bool(total <= budget)


@final
@dataclass(frozen=True)
class Mutant:
    """A filter that may have one thing wrong."""

    budget: Currency
    spent: Currency
    total: Callable[[Any, Any], Any] = _sum
    fits: Callable[[Any, Any, Any], bool] = _within
    """Of the budget, what was spent before, and the new total."""
    answers_anyway: bool = False

    def charge(self, cost: Loss) -> Self:
        total = self.total(self.spent, price(cost, untyped(type(self.budget))))
        if self.fits(self.budget, self.spent, total):
            return replace(self, spent=total)
        if self.answers_anyway:
            return self
        raise LossError("it does not fit", cure="ask for less", code="L62")


def _something_was_left(budget: Any, spent: Any, _: Any) -> bool:  # noqa: ANN401
    return bool(spent < budget)


def _latest(_: Any, debit: Any) -> Any:  # noqa: ANN401
    return debit


def _largest(spent: Any, debit: Any) -> Any:  # noqa: ANN401
    return type(spent)(*map(max, parts(spent), parts(debit)))


def _sum_with_largest_delta(spent: Any, debit: Any) -> Any:  # noqa: ANN401
    return type(spent)(*parts(spent + debit)[:1], *map(max, parts(spent)[1:], parts(debit)[1:]))


def _root_of_squares(spent: Any, debit: Any) -> Any:  # noqa: ANN401
    """As if losses were independent errors."""
    square = sum(float(part) ** 2 for part in (parts(spent)[0], parts(debit)[0]))
    return type(spent)(str(square**0.5), *parts(spent + debit)[1:])


def mutant(budget: Currency, name: str) -> Mutant:
    right = Mutant(budget, budget.zero())
    return {
        "right": right,
        "the last one passes": replace(right, fits=_something_was_left),
        "each alone must fit": replace(right, total=_latest),
        "the largest instead of the sum": replace(right, total=_largest),
        "deltas do not add up": replace(right, total=_sum_with_largest_delta),
        "roots of squares": replace(right, total=_root_of_squares),
        "answers what it refuses": replace(right, answers_anyway=True),
    }[name]


def found_out(kind: type[Any], name: str) -> bool:
    """Whether one of the same people is told more than the mutant's budget says."""
    for seed in range(FEW):
        budget = budget_of(kind, costs_of(kind, seed))
        if broken(endings(mutant(budget, name), kind, seed), budget):
            return True
    return False


@pytest.mark.parametrize("kind", CURRENCIES)
@pytest.mark.parametrize(
    "name",
    [
        "the last one passes",
        "each alone must fit",
        "the largest instead of the sum",
        "roots of squares",
        "answers what it refuses",
    ],
)
def test_a_filter_with_something_wrong_is_found_out(kind: type[Any], name: str) -> None:
    assert found_out(kind, name)


@pytest.mark.parametrize("kind", [Approx, ZCDP])
def test_a_filter_that_loses_deltas_is_found_out(kind: type[Any]) -> None:
    assert found_out(kind, "deltas do not add up")


def test_a_mutant_without_a_mutation_is_not_found_out() -> None:
    assert not found_out(Pure, "right")


# --- debits and refusals -------------------------------------------------------------------------


def life(keeper: Keeper, costs: Iterable[Loss]) -> list[bool]:
    """Which of the costs were answered."""
    answered = []
    for cost in costs:
        try:
            keeper = keeper.charge(cost)
        except LossError:
            answered.append(False)
        else:
            answered.append(True)
    return answered


@settings(max_examples=60)
@given(st.sampled_from(CURRENCIES), st.data())
def test_a_refusal_changes_nothing_and_what_fits_is_answered_later(
    kind: type[Any], data: st.DataObject
) -> None:
    of_kind = next(row.losses for row in KINDS if row.of is kind)
    budget = data.draw(of_kind.filter(lambda found: 1 not in parts(untyped(found))[1:]))
    kept: AnyFilter = Filter(untyped(budget))
    by_hand = [Fraction(0) for _ in parts(kept.budget)]
    for cost in data.draw(st.lists(of_kind, max_size=8)):
        debit = [on_lattice(part) for part in parts(untyped(cost))]
        after = [used + more for used, more in zip(by_hand, debit, strict=True)]
        before = kept
        if all(used <= most for used, most in zip(after, parts(kept.budget), strict=True)):
            assert kept.admits(cost)
            kept, by_hand = kept.charge(cost), after
        else:
            assert not kept.admits(cost)
            with pytest.raises(LossError) as refused:
                kept.charge(cost)
            assert refused.value.code == "L62"
            assert kept == before
        assert list(parts(kept.spent)) == by_hand
        assert kept.budget == budget
        assert kept.left + kept.spent == budget
        assert kept.left == kept.charge(kept.spent.zero()).left
    assert not kept.left.zero() <= kept.left or kept.admits(price(kept.left.zero(), kind))


def test_it_lives_on_after_a_refusal() -> None:
    costs = [Pure("1/2"), Pure("3/4"), Pure("1/3"), Pure("1/3"), Pure("1/6"), Pure("1e-30")]
    kept = Filter(Pure(1))
    assert life(kept, costs) == [True, False, True, False, True, False]


@final
@dataclass(frozen=True)
class Resentful:
    """A filter that debits what it refuses: it remembers in a box, as a value cannot."""

    kept: Filter[Pure]
    box: list[Fraction]

    def charge(self, cost: Loss) -> Self:
        self.box[0] += price(cost, Pure).epsilon
        if self.box[0] > self.kept.budget.epsilon:
            raise LossError("it does not fit", cure="ask for less", code="L62")
        return self


def test_a_filter_that_charges_after_refusing_is_found_out() -> None:
    costs = [Pure("1/2"), Pure("3/4"), Pure("1/3")]
    kept = Filter(Pure(1))
    assert life(Resentful(kept, [Fraction(0)]), costs) != life(kept, costs)


@pytest.mark.parametrize(
    ("budget", "cost", "said", "cure"),
    [
        (
            Pure(1),
            Pure(2),
            "costs epsilon=2, and what is left is epsilon=1",
            '`dp.loss("epsilon=1")`',
        ),
        (
            ZCDP("1/4"),
            Pure(1),
            "costs rho=0.46212, and what is left is rho=0.25",
            '`dp.loss("rho=0.25")`',
        ),
        (
            Approx(1, "1e-6"),
            Approx(1, "2e-6"),
            "what is left is epsilon=1, delta=1e-6",
            '`dp.loss("epsilon=1, delta=1e-6")`',
        ),
    ],
)
def test_a_refusal_says_what_is_left(budget: Any, cost: Loss, said: str, cure: str) -> None:  # noqa: ANN401
    with pytest.raises(LossError) as refused:
        Filter(budget).charge(cost)
    assert refused.value.code == "L62"
    assert said in refused.value.problem
    assert cure in refused.value.cure


@settings(max_examples=40)
@given(st.fractions(0, 1), st.fractions(0, 1))
def test_what_a_refusal_says_is_left_does_fit(most: Fraction, cost: Fraction) -> None:
    used = Filter(Pure(most))
    used = used.charge(Pure(cost)) if used.admits(Pure(cost)) else used
    with pytest.raises(LossError) as refused:
        used.charge(Pure(2))
    told = refused.value.problem.rpartition(" is ")[2]
    left = dp.loss(told)
    assert left <= used.left
    assert left >= Pure(used.left.epsilon * Fraction(999, 1000))
