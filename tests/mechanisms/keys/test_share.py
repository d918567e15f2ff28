"""The claim of share.md."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from discreet.distances import L0
from discreet.errors import MechanismError, NumberError
from discreet.lab.exact import Neighbours, compare, refuted
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.loss.divergence import Law
from discreet.mechanisms.keys.share import apart, at_or_above, concentrated, shared, together
from discreet.noise import DiscreteGaussian, DiscreteLaplace
from discreet.numbers import at, ball, exact, up
from tests.noise.closed import decimal, near

SMALL = Fraction(1, 2**70)
PAIR = Neighbours(None, None, L0(1))


def worst(epsilon_ratio: Fraction, delta: Fraction, keys: int) -> tuple[Law, Law]:
    """The worst pair of one key, `keys` times: revealed with delta, else randomised response."""
    likely = (1 - delta) * epsilon_ratio / (1 + epsilon_ratio)
    one = {"mine": delta, "yes": likely, "no": 1 - delta - likely}
    other = {"yours": delta, "yes": 1 - delta - likely, "no": likely}
    return _times(one, keys), _times(other, keys)


def _times(law: dict[str, Fraction], keys: int) -> Law:
    joint: dict[tuple[str, ...], Fraction] = {}
    for outcome in product(law, repeat=keys):
        weight = Fraction(1)
        for each in outcome:
            weight *= law[each]
        joint[outcome] = weight
    return Law(joint)


@pytest.mark.parametrize("keys", [1, 2, 3, 4])
@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 10**6), Fraction(2, 3)])
def test_the_worst_keys_keep_what_is_claimed_of_all_and_use_it_up(
    keys: int, delta: Fraction
) -> None:
    ratio = Fraction(3, 2)
    p, q = worst(ratio, delta, keys)
    epsilon = up(lambda: keys * ball(ratio).log())
    claim = Approx(epsilon, together(delta, keys))
    findings = compare(p, q, claim, PAIR)
    assert all(each.kept and each.attained > 1 - SMALL for each in findings)
    assert refuted(compare(p, q, Approx(epsilon, claim.delta * (1 - Fraction(1, 10**6))), PAIR))
    assert refuted(compare(p, q, Approx(epsilon / 2, claim.delta), PAIR))
    purse = ZCDP(concentrated(up(lambda: ball(ratio).log()), keys), claim.delta)
    assert all(each.kept for each in compare(p, q, purse, PAIR))
    if keys > 1:
        assert refuted(compare(p, q, ZCDP(purse.rho, delta), PAIR)), "the purse of one key"


@pytest.mark.parametrize("keys", [1, 2, 7, 1000])
@pytest.mark.parametrize("one", ["1e-300", "1e-9", "1/3", "0.999"])
def test_deltas_of_many_keys_are_rounded_up_and_back_again(one: str, keys: int) -> None:
    delta = exact(one)
    all_of_them = together(delta, keys)
    with localcontext(prec=400):
        true = 1 - (1 - decimal(delta)) ** keys
        assert decimal(all_of_them) >= true * (1 - Decimal("1e-90"))
        assert decimal(all_of_them) <= min(Decimal(1), true * (1 + Decimal(2) ** -70))
    share = apart(delta, keys)
    assert together(share, keys) <= delta
    assert together(share * (1 + Fraction(1, 2**50)), keys) > delta


@pytest.mark.parametrize("keys", [0, 1, 5])
def test_deltas_at_the_ends(keys: int) -> None:
    assert together(Fraction(0), keys) == 0
    assert together(Fraction(1), keys) == (1 if keys else 0)
    assert keys == 0 or apart(Fraction(1), keys) == 1


@pytest.mark.parametrize("epsilon", ["1e-6", "1/2", "1", "30"])
@pytest.mark.parametrize("keys", [1, 9])
def test_rho_is_keys_times_that_of_one(epsilon: str, keys: int) -> None:
    found = concentrated(exact(epsilon), keys)
    with localcontext(prec=60):
        e = decimal(exact(epsilon))
        true = keys * e * (1 - (-e).exp()) / (1 + (-e).exp())
        assert true * (1 - Decimal("1e-50")) <= decimal(found) <= true * (1 + Decimal(2) ** -70)
    assert concentrated(Fraction(0), keys) == concentrated(exact(epsilon), 0) == 0


@pytest.mark.parametrize("rho", ["1e-12", "1/50", "1", "40"])
@pytest.mark.parametrize("keys", [1, 10, 10_000])
def test_a_rho_is_shared_out_nearly_whole(rho: str, keys: int) -> None:
    epsilon, delta = shared(ZCDP(rho, "1e-6"), keys)
    used = concentrated(epsilon, keys)
    assert delta == exact("1e-6")
    assert used <= exact(rho)
    assert used > exact(rho) * (1 - Fraction(1, 10**6))


def test_an_epsilon_is_shared_out_exactly() -> None:
    assert shared(Approx(1, "1e-6"), 3) == (Fraction(1, 3), exact("1e-6"))


@pytest.mark.parametrize(
    "budget",
    [Pure(1), ZCDP(1), Approx(1, 0), Renyi({2: 1}), GDP(1)],
    ids=lambda each: type(each).__name__,
)
def test_a_budget_without_a_delta_is_refused(budget: AnyLoss) -> None:
    with pytest.raises(MechanismError) as refused:
        shared(budget, 1)
    assert refused.value.code == "M82"


def test_under_such_a_budget_no_key_can_be_told() -> None:
    nobody, somebody = Law({(): 1}), Law({(): "999999/1000000", ("A",): "1/1000000"})
    for budget in (Pure(100), ZCDP(100), Renyi({2: 100})):
        assert refuted(compare(nobody, somebody, budget, PAIR))


@pytest.mark.parametrize("budget", [Approx(0, "1e-6"), ZCDP(0, "1e-6")])
def test_a_budget_of_nothing_but_delta_is_refused(budget: Any) -> None:  # noqa: ANN401
    with pytest.raises(NumberError):
        shared(budget, 1)


@pytest.mark.parametrize("t", range(-4, 5))
def test_one_sided_tails_are_sums(t: int) -> None:
    for law in (DiscreteLaplace(1).law(), DiscreteGaussian(2).law()):
        with localcontext(prec=60):
            summed = at(260, lambda: sum((law.probability(n) for n in range(t, 200)), ball(0)))  # noqa: B023
            assert near(at(260, lambda: at_or_above(law, t)), Decimal(summed.str(70, radius=False)))  # noqa: B023
