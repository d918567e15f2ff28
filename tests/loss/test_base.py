"""What every loss does: mixing, sums, text for errors, copies; and what every loss refuses."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from itertools import permutations, product
from operator import add, ge, gt, le, lt, sub
from typing import Any, Final

import numpy as np
import pytest

import discreet as dp
from discreet.errors import DiscreetError, LossError
from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.loss.base import capped, larger_delta
from tests.laws.strategies import SAMPLES, untyped

EACH: Final = pytest.mark.parametrize("loss", SAMPLES, ids=str)
Make = Callable[[Any], Loss]


def code_of(error: DiscreetError) -> str:
    """The code of an error that has a cure with something to paste."""
    assert "`" in error.cure
    return error.code


# --- parameters ----------------------------------------------------------------------------------

PARAMETERS: Final[dict[str, Make]] = {
    "Pure": Pure,
    "Approx epsilon": lambda x: Approx(x, "1e-6"),
    "Approx delta": lambda x: Approx(1, x),
    "ZCDP rho": ZCDP,
    "ZCDP delta": lambda x: ZCDP(1, x),
    "GDP": GDP,
    "GDP.root": GDP.root,
    "Renyi epsilon": lambda x: Renyi([(2, x)]),
    "Renyi order": lambda x: Renyi([(x, 1)]),
    "Renyi at": lambda x: Pure(Renyi({50: 1}).at(x)),
}
NO_NUMBERS: Final[list[Any]] = [
    float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"),
    np.float64("nan"), np.float32(0.5), np.float16(0.5), np.longdouble(0.5), True, False, np.True_,
    None, "", " ", "one", "1/0", "inf", "1e9999", "١", b"1", 1j, [1], (1,), {1}, {}, np.array([1]),
    np.array(1), Pure(1), Pure, object(), ...,
]  # fmt: skip
TOO_SMALL: Final[list[Any]] = [-1, "-1e-4000", -0.5, Decimal(-1), Fraction(-1, 10**30), np.int8(-1)]


@pytest.mark.parametrize("make", PARAMETERS.values(), ids=PARAMETERS)
@pytest.mark.parametrize("bad", [*NO_NUMBERS, *TOO_SMALL], ids=repr)
def test_a_bad_parameter_is_refused_where_the_loss_is_made(make: Make, bad: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        make(bad)
    assert code_of(refused.value) in {"N01", "N02", "N03", "N07", "L01", "L02"}


@pytest.mark.parametrize("name", ["Approx delta", "ZCDP delta"])
@pytest.mark.parametrize("bad", [2, "1.0000000000000000000000001", np.int64(7), 1.5])
def test_a_delta_above_one_is_refused(name: str, bad: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        PARAMETERS[name](bad)
    assert code_of(refused.value) == "N04"


@pytest.mark.parametrize("name", ["Renyi order", "Renyi at"])
@pytest.mark.parametrize("bad", [0, 1, "1", "1/2", 1.0, Fraction(999, 1000)])
def test_an_order_lies_above_one(name: str, bad: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        PARAMETERS[name](bad)
    assert code_of(refused.value) == "L02"


@pytest.mark.parametrize(
    "make", [Pure, Approx, ZCDP, GDP, lambda: Approx(1), lambda: Approx(delta=0)]
)
def test_a_missing_parameter_is_refused(make: Callable[[], Loss]) -> None:
    with pytest.raises(DiscreetError) as refused:
        make()
    assert code_of(refused.value) in {"L01", "N07"}
    assert "missing" in refused.value.problem


CURVES: Final[list[Any]] = [
    None, [], {}, (), "2:1", b"2:1", 2, 2.5, [2], [(2,)], [(2, 1, 3)], ["21"], [{2, 1}], Pure(1),
    [(2, 1), (2, 1)], [(2, 1), ("2.0", 2)], {2: 1, "4/2": 1}, np.array([[2.0, 1.0]]),
]  # fmt: skip


@pytest.mark.parametrize("bad", CURVES, ids=repr)
def test_a_curve_is_pairs_of_order_and_epsilon_each_order_once(bad: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        Renyi(untyped(bad))
    assert code_of(refused.value) in {"L02", "N01"}


@pytest.mark.parametrize(
    "half",
    ["1/2", "0.5", ".5", "5e-1", 0.5, Decimal("0.5"), Fraction(1, 2), np.float64(0.5), " 1/2 "],
    ids=repr,
)
def test_a_parameter_may_be_any_exact_number(half: Any) -> None:  # noqa: ANN401
    exact = Fraction(1, 2)
    assert Pure(half).epsilon == exact
    assert (Approx(half, half).epsilon, Approx(half, half).delta) == (exact, exact)
    assert (ZCDP(half, half).rho, ZCDP(half, half).delta) == (exact, exact)
    assert GDP(half) == GDP.root("1/4")
    assert Renyi([(3, half)]) == Renyi({3: half}) == Renyi(iter([untyped([3, half])]))


@pytest.mark.parametrize("two", [2, np.int64(2), np.uint8(2), "2", 2.0, Decimal("2.00")], ids=repr)
def test_whole_numbers_of_every_type_become_the_same_loss(two: Any) -> None:  # noqa: ANN401
    assert Pure(two) == Pure(2)
    assert hash(Pure(two)) == hash(Pure(2))
    assert type(Pure(two).epsilon.numerator) is int
    assert Renyi({two: 1}) == Renyi({2: 1})
    assert Pure(1).group(two) == Pure(2)


def test_a_float_means_the_decimal_that_is_printed() -> None:
    assert 10 * Pure(0.1) == Pure(1)
    assert Pure(-0.0) == Pure(0)


@EACH
@pytest.mark.parametrize("bad", [-1, "1/2", 0.5, *NO_NUMBERS], ids=repr)
def test_how_often_and_how_many_are_whole_numbers(loss: Loss, bad: object) -> None:
    for ask in (loss.group, lambda n: n * loss, lambda n: loss * n):
        with pytest.raises(DiscreetError) as refused:
            untyped(ask)(bad)
        assert code_of(refused.value) in {"N01", "N05", "N07"}


# --- mixing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("done", [add, le, lt, ge, gt])
def test_kinds_do_not_mix_and_the_cure_says_how_they_could(done: Callable[..., object]) -> None:
    for ours, theirs in permutations(SAMPLES, 2):
        if type(ours) is type(theirs):
            continue
        with pytest.raises(LossError) as refused:
            done(ours, theirs)
        assert code_of(refused.value) == "L04"
        line = refused.value.cure.partition("`")[2].rpartition("`")[0]
        found = eval(line, {"dp": dp})  # noqa: S307
        assert isinstance(found, Loss | bool)
        assert isinstance(found, Loss) == (done is add)


@EACH
@pytest.mark.parametrize("stranger", [1, 0.5, "epsilon=1", None, Fraction(1), Pure, (Pure(1),)])
def test_what_is_no_loss_is_neither_added_nor_compared(loss: Loss, stranger: object) -> None:
    for done in (add, le, lt):
        with pytest.raises(LossError) as refused:
            done(loss, untyped(stranger))
        assert code_of(refused.value) == "L04"
    assert loss != stranger


@EACH
def test_losses_of_different_kinds_are_not_equal(loss: Loss) -> None:
    assert [other for other in SAMPLES if other == loss] == [loss]
    assert len({*SAMPLES, loss}) == len(SAMPLES)
    zeros = [Pure(0), Approx(0, 0), ZCDP(0), GDP(0), Renyi({2: 0})]
    assert len(set(zeros)) == len(zeros)


@EACH
def test_there_is_no_subtraction_no_quotient_and_no_power(loss: Loss) -> None:
    for done in (
        sub,
        lambda a, b: a / b,
        lambda a, b: a // b,
        lambda a, b: a**b,
        lambda a, b: a | b,
    ):
        with pytest.raises(TypeError):
            done(untyped(loss), untyped(loss))
    with pytest.raises(TypeError):
        -untyped(loss)
    with pytest.raises(TypeError):
        float(untyped(loss))


# --- sums ----------------------------------------------------------------------------------------


@EACH
def test_a_sum_starts_at_a_loss(loss: Loss) -> None:
    assert sum([loss, loss], start=loss.zero()) == loss + loss
    assert sum([], start=loss) == loss
    with pytest.raises(LossError) as refused:
        sum([untyped(loss), loss])
    assert code_of(refused.value) == "L05"
    for number in (1, 0, 0.5, "1", np.int64(1), np.array([1, 2])):
        with pytest.raises(LossError) as refused:
            untyped(number) + loss
        assert code_of(refused.value) == "L05"


@EACH
@pytest.mark.parametrize(
    "three",
    [3, np.int64(3), np.uint8(3), np.float64(3), "3", Decimal(3), Fraction(3), "6/2"],
    ids=repr,
)
def test_a_multiple_by_any_whole_number_is_a_loss(loss: Loss, three: Any) -> None:  # noqa: ANN401
    found = three * loss
    assert type(found) is type(loss)
    assert found == loss + loss + loss == loss * three


# --- values --------------------------------------------------------------------------------------


@EACH
def test_a_loss_cannot_be_changed(loss: Loss) -> None:
    before = str(loss)
    for field in fields(untyped(loss)):
        with pytest.raises(AttributeError):
            setattr(loss, field.name, Fraction(0))
        with pytest.raises(AttributeError):
            delattr(loss, field.name)
        assert isinstance(getattr(loss, field.name), Fraction | tuple)
    with pytest.raises((AttributeError, TypeError)):
        untyped(loss).more = 1
    assert not hasattr(loss, "__dict__")
    assert str(loss) == before


@EACH
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_copies_are_equal(loss: Loss, protocol: int) -> None:
    twin = pickle.loads(pickle.dumps(loss, protocol))  # noqa: S301
    for made in (twin, copy.copy(loss), copy.deepcopy(loss), eval(repr(loss), {"loss": dp.loss})):  # noqa: S307
        assert made == loss
        assert hash(made) == hash(loss)
        assert type(made) is type(loss)
        assert made <= loss <= made
        assert not made < loss


@EACH
def test_equal_losses_have_equal_hashes_however_they_were_made(loss: Loss) -> None:
    for made in (loss + loss.zero(), 1 * loss, loss.group(1), 2 * loss, loss + loss):
        same = loss if made == loss else loss + loss
        assert made == same
        assert hash(made) == hash(same)


def test_a_loss_is_abstract() -> None:
    with pytest.raises(TypeError):
        untyped(Loss)()


@EACH
def test_a_loss_reads_as_the_code_that_makes_it(loss: Loss) -> None:
    assert repr(loss) == f"loss('{loss}')"


# --- helpers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deltas",
    [[], [0], ["1e-9"], ["1e-6"], ["1/3", "1e-9"], ["0.999"], ["0.99999999999999999999999"]],
)
def test_the_delta_of_a_cure_is_large_enough(deltas: list[str]) -> None:
    found = Fraction(larger_delta(*map(Fraction, deltas)))
    assert all(Fraction(delta) < found <= 1 for delta in deltas)
    assert Fraction(1, 10**6) <= found


def test_a_delta_of_one_is_where_sums_stop() -> None:
    for one, other in product([Fraction(0), Fraction(1, 2), Fraction(1)], repeat=2):
        assert capped(one + other) == min(one + other, Fraction(1))
