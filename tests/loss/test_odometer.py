"""The claim of odometer.md: a reading is true at the moment at which it is read, also if the
answers chose that moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias, final

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import LossError, NumberError
from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.loss.convert.moments import least_epsilon
from discreet.loss.filters import Filter
from discreet.loss.odometer import LEVELS, Odometer
from tests.laws.strategies import log_up, untyped
from tests.loss.brute import DIGITS, decimal
from tests.loss.games import Ending, coins, leaking, person, played

FEW: Final = 60
MANY: Final = 2_000
HALF: Final = Fraction(1, 2)
GRID: Final = ("1/10", "1/2", 2)
TINY: Final = Decimal("1e-40")

Reading: TypeAlias = Callable[[Any], Approx]
Read: TypeAlias = list[tuple[Ending, Approx]]


def new(kind: type[Any]) -> Odometer[Any]:
    return Odometer(kind, delta=HALF, levels=GRID) if kind is ZCDP else Odometer(kind)


def overhang(read: Read, most: Fraction) -> Decimal:
    """Σ (p − e^E·q)₊ over the endings whose delta so far is at most `most`, the worse direction."""
    with localcontext(prec=DIGITS):
        there = back = Decimal(0)
        for ending, found in read:
            if found.delta <= most:
                power, p, q = decimal(found.epsilon).exp(), decimal(ending.p), decimal(ending.q)
                there += max(Decimal(0), p - power * q)
                back += max(Decimal(0), q - power * p)
        return max(there, back)


def untrue(read: Read) -> bool:
    """Whether those who stop at a delta of at most d are certainly told more than d allows."""
    deltas = {found.delta for _, found in read}
    with localcontext(prec=DIGITS):
        return any(overhang(read, most) - decimal(most) > TINY for most in deltas)


def readings(kind: type[Any], seed: int, reading: Reading) -> Read:
    return [(end, reading(found)) for end, found in played(new(kind), person(kind, seed), 4)]


def as_it_says(odometer: Odometer[Any]) -> Approx:
    return odometer.reading


def all_true(kind: type[Any], count: int) -> None:
    for seed in range(count):
        assert not untrue(readings(kind, seed, as_it_says)), seed


@pytest.mark.parametrize("kind", [Pure, Approx, ZCDP])
def test_a_reading_is_true_when_the_answers_choose_the_moment(kind: type[Any]) -> None:
    all_true(kind, FEW)


@pytest.mark.long
@pytest.mark.parametrize("kind", [Pure, Approx, ZCDP])
def test_a_reading_is_true_for_thousands_of_people(kind: type[Any]) -> None:
    all_true(kind, MANY)


def _without_delta(odometer: Odometer[Any]) -> Approx:
    return Approx(odometer.reading.epsilon, 0)


def _a_little_less(odometer: Odometer[Any]) -> Approx:
    found = odometer.reading
    return Approx(found.epsilon * Fraction(999, 1000), found.delta)


@pytest.mark.parametrize(
    ("kind", "wrong"), [(Pure, _a_little_less), (Approx, _a_little_less), (Approx, _without_delta)]
)
def test_a_reading_that_is_too_small_is_found_out(kind: type[Any], wrong: Reading) -> None:
    assert any(untrue(readings(kind, seed, wrong)) for seed in range(FEW))


def test_a_reading_is_true_of_each_moment_that_a_rule_may_choose() -> None:
    """Leaks until one of them told, at most four: the readings differ, and each is needed."""
    tells = leaking(Fraction(2), Fraction(1, 8))

    def until_told(told: str) -> Any:  # noqa: ANN401 - a question or none
        return None if told[-1:] in ("p", "q") else tells

    read = [(end, found.reading) for end, found in played(new(Approx), until_told, 4)]
    assert len({found for _, found in read}) == 4
    assert not untrue(read)
    with localcontext(prec=DIGITS):
        for count in range(1, 5):
            told = 1 - (1 - decimal(Fraction(1, 8))) ** count
            assert overhang(read, Fraction(count, 8)) >= told - TINY


# --- rho, against somebody who stops where it is worst -------------------------------------------

BASE: Final = Fraction(65, 64)
"""Coins whose odds are powers of this: then all losses are multiples of its logarithm."""
DELTA: Final = Fraction(1, 100)
POWERS: Final = tuple(2**octave for octave in range(6) for _ in range(16))
"""First faint answers, then ever louder ones, so that rho runs through many sizes."""


@final
@dataclass(frozen=True)
class Stopping:
    """What somebody gains who stops at the best moments: Σ (p − e^E·q)₊ over these moments.

    Losses are counted in steps of ln(65/64).  `stops[n]` marks the losses at which they stop
    after n + 1 answers.
    """

    gained: float
    stops: Sequence[np.ndarray[Any, np.dtype[np.bool_]]]


def best_stopping(epsilons: Sequence[float]) -> Stopping:
    """Backwards from the last answer, in doubles: what is stopped at is then added up exactly."""
    step, reach = float(np.log(float(BASE))), sum(POWERS)
    losses = step * np.arange(-reach, reach + 1)
    worth, stops = np.zeros_like(losses), []
    for power, epsilon in zip(reversed(POWERS), reversed(epsilons), strict=True):
        now = -np.expm1(np.minimum(0, epsilon - losses))
        stops.append(now > worth)
        worth = np.maximum(now, worth)
        heads = 1 / (1 + np.exp(-power * step))
        before = np.zeros_like(worth)
        before[power:-power] = heads * worth[2 * power :] + (1 - heads) * worth[: -2 * power]
        worth = before
    return Stopping(float(worth[reach]), stops[::-1])


def added_up(stopping: Stopping, epsilons: Sequence[Fraction]) -> Decimal:
    """The same for these moments, in integers and 60 digits: any rule is somebody's."""
    reach, base = sum(POWERS), (BASE.numerator, BASE.denominator)
    ways, whole, gained = {0: 1}, 1, Decimal(0)
    with localcontext(prec=DIGITS):
        for power, epsilon, stops in zip(POWERS, epsilons, stopping.stops, strict=True):
            up, down = (each**power for each in base)
            after: dict[int, int] = {}
            for loss, weight in ways.items():
                after[loss + power] = after.get(loss + power, 0) + weight * up
                after[loss - power] = after.get(loss - power, 0) + weight * down
            whole *= up + down
            ended = [loss for loss in after if stops[loss + reach]]
            chances = {loss: decimal(Fraction(after.pop(loss), whole)) for loss in ended}
            allowed = decimal(epsilon).exp()
            gained += sum(
                (p * (1 - allowed / decimal(BASE) ** loss) for loss, p in chances.items()),
                Decimal(0),
            )
            ways = after
    return gained


@cache
def spent() -> tuple[ZCDP, ...]:
    """The running rho after each of the answers."""
    kept = Odometer(ZCDP, delta=DELTA)
    found = []
    for power in POWERS:
        kept = kept.charge(Pure(log_up(BASE**power)))
        found.append(kept.spent)
    return tuple(found)


def read_by(reading: Callable[[ZCDP], Approx]) -> list[Fraction]:
    return [reading(rho).epsilon for rho in spent()]


def gain(epsilons: Sequence[Fraction]) -> Decimal:
    return added_up(best_stopping([float(epsilon) for epsilon in epsilons]), epsilons)


def by_odometer(levels: Iterable[Any]) -> list[Fraction]:
    fresh = Odometer(ZCDP, delta=DELTA, levels=levels)
    return read_by(lambda rho: fresh.charge(rho).reading)


@pytest.mark.parametrize("levels", [LEVELS, ("1/8",), ("1/100", 1)], ids=["many", "one", "two"])
def test_whoever_stops_at_the_worst_moments_gains_no_more_than_delta(levels: Any) -> None:  # noqa: ANN401
    assert gain(by_odometer(levels)) <= decimal(DELTA)


def test_the_best_conversion_at_each_moment_is_no_odometer() -> None:
    """The mutant that turns the running rho into epsilon as a budget of that size would: who may
    choose the moment gains nearly twice the delta, though at no fixed moment more than delta."""
    epsilons = read_by(lambda rho: rho.to(Approx, delta=DELTA))
    assert gain(epsilons) > decimal(DELTA) * Decimal("1.9")
    for moment in (20, 50, len(POWERS) - 1):
        assert 0 < added_up(only_at(moment, epsilons[moment]), epsilons) <= decimal(DELTA)


def only_at(moment: int, epsilon: Fraction) -> Stopping:
    """Stopping after so many answers, where something is gained, and never before."""
    reach = sum(POWERS)
    losses = float(np.log(float(BASE))) * np.arange(-reach, reach + 1)
    gains, never = losses > float(epsilon), np.zeros(2 * reach + 1, np.bool_)
    return Stopping(0.0, [gains if n == moment else never for n in range(len(POWERS))])


def test_many_orders_that_each_take_all_of_delta_are_no_odometer() -> None:
    """The mutant that does not split delta."""
    orders = Odometer(ZCDP, delta=DELTA).orders

    def unsplit(rho: ZCDP) -> Approx:
        return Approx(least_epsilon([(u, u * (1 + u) * rho.rho) for u in orders], DELTA), DELTA)

    assert gain(read_by(unsplit)) > decimal(DELTA) * Decimal("1.7")


def test_doubles_and_integers_agree_on_what_is_gained() -> None:
    epsilons = read_by(lambda rho: rho.to(Approx, delta=DELTA))
    stopping = best_stopping([float(epsilon) for epsilon in epsilons])
    assert abs(Decimal(stopping.gained) - added_up(stopping, epsilons)) < Decimal("1e-12")


# --- what a reading costs ------------------------------------------------------------------------


def test_a_reading_is_little_above_what_a_budget_of_that_size_says() -> None:
    fresh = Odometer(ZCDP, delta="1e-6")
    for power in range(48):
        rho = ZCDP(Fraction(5, 4) ** power / 1000)
        whole = rho.to(Approx, delta="1e-6").epsilon
        found = fresh.charge(rho).reading
        assert found.delta == Fraction(1, 10**6)
        assert Fraction(105, 100) < found.epsilon / whole < Fraction(117, 100)


def test_one_level_is_nearly_free_there_and_dear_elsewhere() -> None:
    one = Odometer(ZCDP, delta="1e-6", levels=["1/10"])
    for rho, least, most in [("1/10", "1", "1.0001"), ("1/1000", "4", "9"), ("10", "1.9", "5")]:
        whole = ZCDP(rho).to(Approx, delta="1e-6").epsilon
        ratio = one.charge(ZCDP(rho)).reading.epsilon / whole
        assert Fraction(least) <= ratio <= Fraction(most)


@settings(max_examples=30)
@given(st.lists(st.fractions(0, 3), min_size=1, max_size=5), st.fractions(0, 1))
def test_readings_never_fall(rhos: list[Fraction], purse: Fraction) -> None:
    kept = Odometer(ZCDP, delta="1e-3", levels=GRID)
    for rho in rhos:
        after = kept.charge(ZCDP(rho, purse / 10))
        assert kept.reading <= after.reading
        kept = after


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Pure, Approx, ZCDP])
def test_before_anything_was_answered_nothing_was_told(kind: type[Any]) -> None:
    kept = new(kind)
    assert kept.reading == kept.charge(Pure(0)).reading == Approx(0, kept.delta)
    assert (kept.delta > 0) == (kind is ZCDP)


def test_sums_of_epsilons_and_deltas_are_read_as_they_are() -> None:
    assert Odometer(Pure).charge(Pure(2)).charge(Pure("1/3")).reading == Approx("7/3", 0)
    kept = Odometer(Approx).charge(Pure(2)).charge(Approx("1/2", "1e-7"))
    assert kept.charge(Approx(1, "1e-7")).reading == Approx("7/2", "2e-7")


def test_a_purse_is_told_with_delta() -> None:
    kept = Odometer(ZCDP, delta="1/10").charge(ZCDP("1/2", "1/5"))
    assert kept.reading.delta == Fraction(1, 5) + Fraction(4, 5) * Fraction(1, 10)
    assert Odometer(ZCDP, delta="1/10").charge(ZCDP(0, "1/5")).reading == Approx(0, "0.28")


def test_an_odometer_debits_what_a_filter_debits() -> None:
    kept, read = Filter(ZCDP(9, "1/2")), Odometer(ZCDP, delta="1e-6")
    for cost in (Pure("1/7"), GDP("1/3"), Approx("1/9", "1e-9"), ZCDP("1e-70", "1e-3")):
        kept, read = kept.charge(cost), read.charge(cost)
    assert kept.spent == read.spent


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: Odometer(ZCDP), "L64"),
        (lambda: Odometer(ZCDP, delta=0), "L64"),
        (lambda: Odometer(ZCDP, delta=1), "L64"),
        (lambda: Odometer(ZCDP, delta="1e-6", levels=[]), "L64"),
        (lambda: Odometer(Pure, delta="1e-6"), "L64"),
        (lambda: Odometer(Approx, levels=[1]), "L64"),
        (lambda: Odometer(untyped(GDP)), "L60"),
        (lambda: Odometer(untyped(Pure(1))), "L60"),
        (lambda: Odometer(Approx).charge(ZCDP(1)), "L61"),
        (lambda: Odometer(Pure).charge(Approx(1, "1e-6")), "L61"),
        (lambda: Odometer(ZCDP, delta="1e-6").charge(Renyi({2: 1})), "L61"),
        (lambda: Odometer(Pure).charge(untyped("epsilon=1")), "L63"),
    ],
)
def test_what_cannot_be_read_is_refused(make: Callable[[], object], code: str) -> None:
    with pytest.raises(LossError) as refused:
        make()
    assert refused.value.code == code


@pytest.mark.parametrize("level", [0, -1])
def test_a_level_is_above_zero(level: int) -> None:
    with pytest.raises(NumberError):
        Odometer(ZCDP, delta="1e-6", levels=[level])


def test_a_coin_needs_all_of_its_reading() -> None:
    three: list[Loss] = [coins(Fraction(2)).cost] * 3
    kept = Odometer(Pure)
    for cost in three:
        kept = kept.charge(cost)
    read = [
        (end, kept.reading) for end, _ in played(Odometer(Pure), lambda _: coins(Fraction(2)), 3)
    ]
    assert not untrue(read)
    less = Approx(kept.reading.epsilon * (1 - Fraction(1, 10**15)), 0)
    assert untrue([(end, less) for end, _ in read])
