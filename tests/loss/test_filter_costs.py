"""What filters.md says of costs: how other kinds are converted, what is refused, what a budget
means, and what rounding does."""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from typing import Any, Final, Self, TypeAlias, final

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import LossError
from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.loss.filters import LATTICE, STEPS, Filter, on_lattice, parts
from discreet.loss.pld import of_loss
from tests.laws.strategies import SAMPLES, log_up, untyped
from tests.loss.brute import DIGITS, decimal
from tests.loss.games import broken, coins, played

CURRENCIES: Final = (Pure, Approx, ZCDP)
AnyFilter: TypeAlias = Filter[Any]


# --- costs of other kinds ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CURRENCIES)
@pytest.mark.parametrize("cost", SAMPLES, ids=str)
def test_a_cost_of_another_kind_is_converted_or_refused_with_a_line_that_converts(
    kind: type[Any], cost: Loss
) -> None:
    large: AnyFilter = Filter(kind(99) if kind is Pure else kind(99, "1/2"))
    chooses = (Renyi,) if kind is ZCDP else (ZCDP, GDP, Renyi)
    no_place = kind is Pure and isinstance(cost, Approx)
    if not isinstance(cost, chooses) and not no_place:
        debit = parts(large.charge(cost).spent)
        exactly = parts(cost.to(kind))
        assert all(0 <= a - b < Fraction(1, STEPS) for a, b in zip(debit, exactly, strict=True))
        return
    for ask in (large.charge, large.admits, large.price):
        with pytest.raises(LossError) as refused:
            ask(cost)
        assert refused.value.code == "L61"
    if kind is not Pure:
        line = refused.value.cure.split("`")[1]
        assert large.admits(eval(line, {"dp": dp}))  # noqa: S307 - a cure is code that runs


def test_a_pure_answer_costs_a_rho_budget_the_least_that_is_proven() -> None:
    """ε·tanh(ε/2): 0.4621…, and not ε²/2."""
    with localcontext(prec=DIGITS):
        power = Decimal(1).exp()
        true = (power - 1) / (power + 1)
        rho = decimal(Filter(ZCDP(1)).charge(Pure(1)).spent.rho)
        assert 0 <= rho - true < Decimal(2) ** -64


def test_an_epsilon_budget_as_rho_refuses_a_plain_answer() -> None:
    """Why there are currencies: (3, 1e-6) is kept by a rho of at most 0.19."""
    worth = ZCDP("19/100")
    assert worth.to(Approx, delta="1e-6").epsilon > 3
    assert not Filter(worth).admits(Pure(1))
    assert Filter(Approx(3, "1e-6")).charge(Pure(1)).charge(Pure(1)).charge(Pure(1)).left == Approx(
        0, "1e-6"
    )


def test_the_numerical_account_is_no_cost_but_a_closed_list_has_one() -> None:
    account = 100 * of_loss(Pure("1/10"))
    kept = Filter(Approx(5, "1e-6"))
    for ask in (kept.charge, kept.admits, kept.price):
        with pytest.raises(LossError, match="fixed in advance") as refused:
            ask(untyped(account))
        assert refused.value.code == "L63"
        assert 'account.approx("1e-6")' in refused.value.cure
    assert kept.charge(account.approx("1e-6")).left.delta == 0
    assert not kept.admits(100 * Pure("1/10"))


@pytest.mark.parametrize("wrong", [None, 1, "epsilon=1", Pure, (1, 2)])
def test_what_is_no_loss_is_no_cost(wrong: object) -> None:
    with pytest.raises(LossError) as refused:
        Filter(Pure(1)).charge(untyped(wrong))
    assert refused.value.code == "L63"


@pytest.mark.parametrize(
    "budget",
    [GDP(1), Renyi({2: 1}), Approx(1, 1), ZCDP(1, 1), None, 3, "epsilon=1", Pure],
    ids=repr,
)
def test_what_is_no_budget_is_refused(budget: object) -> None:
    with pytest.raises(LossError) as refused:
        Filter(untyped(budget))
    assert refused.value.code == "L60"


# --- what a budget means -------------------------------------------------------------------------


def test_a_budget_says_what_it_means() -> None:
    assert Filter(Pure(2)).meaning == Approx(2, 0)
    assert Filter(Approx(2, "1e-7")).meaning == Approx(2, "1e-7")
    assert Filter(ZCDP("1/2")).meaning == ZCDP("1/2").to(Approx, delta="1e-6")
    assert Filter(ZCDP("1/2", "1e-5")).meaning == ZCDP("1/2", "1e-5").to(Approx, delta="2e-5")
    chosen = Filter(ZCDP("1/2", "1e-9"), delta="1e-8")
    assert chosen.meaning == ZCDP("1/2", "1e-9").to(Approx, delta="1e-8")
    assert chosen.charge(Pure("1/10")).meaning == chosen.meaning


@pytest.mark.parametrize("budget", [Pure(1), Approx(1, "1e-6")])
def test_a_meaning_that_is_clear_is_not_chosen(budget: Any) -> None:  # noqa: ANN401
    with pytest.raises(LossError) as refused:
        Filter(budget, delta="1e-5")
    assert refused.value.code == "L60"


def test_a_meaning_within_the_purse_is_refused() -> None:
    with pytest.raises(LossError) as refused:
        Filter(ZCDP(1, "1e-6"), delta="1e-6")
    assert refused.value.code == "L09"


# --- numbers -------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(
    st.fractions(0, 10**6)
    | st.fractions(0, 1)
    | st.builds(Fraction, st.integers(0, 9), st.just(3**900))
)
def test_a_debit_is_no_less_and_hardly_more_and_its_denominator_is_one_of_few(
    cost: Fraction,
) -> None:
    debit = on_lattice(cost)
    assert cost <= debit < cost + Fraction(1, 2**64)
    assert LATTICE % debit.denominator == 0
    assert on_lattice(debit) == debit


def test_a_long_life_keeps_its_numbers_short() -> None:
    """One cost of each denominator up to 20,000: their common one has 28,000 bits."""
    kept: AnyFilter = Filter(Pure(20))
    for below in range(1, 20_001):
        kept = kept.charge(Pure(Fraction(1, below)))
    exactly = 0
    for below in range(20_000, 0, -1):
        exactly += (1 << 200) // below
    assert kept.spent.epsilon.denominator.bit_length() <= LATTICE.bit_length() < 2**13
    gap = kept.spent.epsilon - Fraction(exactly, 1 << 200)
    assert 0 <= gap < Fraction(20_000, 2**64)
    assert lcm(*range(1, 20_001)).bit_length() > 28_000


@pytest.mark.parametrize("shares", [1, 3, 7, 365, 1000, 4093, 4096, 10**6, 3 * 10**20])
def test_equal_shares_fit_exactly(shares: int) -> None:
    share = Pure(Fraction(3, shares))
    kept: AnyFilter = Filter(Pure(3)).charge((shares - 1) * share)
    assert kept.left == share
    assert kept.charge(share).left == Pure(0)
    assert not kept.charge(share).admits(Pure("1e-60"))


def test_shares_off_the_lattice_lose_the_last_one() -> None:
    share = Pure(Fraction(1, 4_099))
    kept: AnyFilter = Filter(Pure(1))
    for _ in range(4_098):
        kept = kept.charge(share)
    assert not kept.admits(share)
    assert kept.left.epsilon > share.epsilon - Fraction(4_099, 2**64)


def test_a_debit_rounded_to_the_nearest_is_too_small_for_someone() -> None:
    """The mutant that rounds to the nearest multiple, on a coarse grid where one sees it: ln(8/7)
    is 0.1335, a little above an eighth."""
    ratio = Fraction(8, 7)
    cost = log_up(ratio)

    def debit(steps: int, up: bool) -> Fraction:
        exactly = cost * steps
        return Fraction(-(-exactly // 1) if up else round(exactly), steps)

    for up in (True, False):
        each = debit(8, up)
        found = [e for e, _ in played(_Free(), lambda _: coins(ratio), 3)]
        assert broken(found, Pure(3 * each)) == (not up)


@final
@dataclass(frozen=True)
class _Free:
    """Answers everything."""

    def charge(self, _: Loss) -> Self:
        return self


def test_order_does_not_matter() -> None:
    chosen = random.Random(7)
    costs = [Pure(Fraction(chosen.randint(1, 99), chosen.randint(1, 10**6))) for _ in range(200)]
    totals = set()
    for _ in range(5):
        chosen.shuffle(costs)
        kept: AnyFilter = Filter(Pure(10**4))
        for cost in costs:
            kept = kept.charge(cost)
        totals.add(kept)
    assert len(totals) == 1
