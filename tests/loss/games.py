"""People who choose each question by the answers before it, and the exact laws of all they are
told: trees of small mechanisms, on two neighbours, with rational weights.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Final, Protocol, Self, TypeAlias, TypeVar, assert_never, final

from discreet.errors import LossError
from discreet.loss import ZCDP, Approx, Loss, Pure
from discreet.loss.divergence import Law, delta_at, either_way, max_divergence, renyi
from discreet.loss.filters import Currency
from tests.laws.strategies import Pair, law, log_up, response, spread
from tests.loss.brute import Weights

ONE: Final = Fraction(1)
ORDERS: Final = (Fraction(101, 100), Fraction(2), Fraction(9))
_RATIOS: Final = tuple(Fraction(*each) for each in [(11, 10), (5, 4), (3, 2), (2, 1), (4, 1)])
_CHANCES: Final = tuple(Fraction(1, each) for each in (1000, 50, 20, 8))


@final
@dataclass(frozen=True)
class Question:
    """A mechanism on two neighbours: the laws of its answer, what it costs, and its cores, which
    are the laws themselves where no delta is set aside."""

    cost: Loss
    laws: Pair
    cores: Pair


Person: TypeAlias = Callable[[str], Question | None]
"""Whom the answers so far lead to the next question, or to none."""


class Keeper(Protocol):
    """A filter, an odometer, or what should have been one."""

    def charge(self, cost: Loss) -> Self: ...


Kept = TypeVar("Kept", bound=Keeper)


@final
@dataclass(frozen=True)
class Ending:
    """All that was told to the end, with its weights under both laws, and under their cores."""

    told: str
    p: Fraction
    q: Fraction
    core_p: Fraction
    core_q: Fraction


def played(keeper: Kept, person: Person, most: int) -> Iterator[tuple[Ending, Kept]]:
    """Every way in which at most `most` questions may end, and the keeper at that end."""
    return _on(keeper, person, Ending("", ONE, ONE, ONE, ONE), most)


def _on(keeper: Kept, person: Person, so_far: Ending, most: int) -> Iterator[tuple[Ending, Kept]]:
    question = person(so_far.told) if most else None
    if question is None:
        yield so_far, keeper
        return
    try:
        after = keeper.charge(question.cost)
    except LossError:
        refused = Ending(so_far.told + "!", so_far.p, so_far.q, so_far.core_p, so_far.core_q)
        yield from _on(keeper, person, refused, most - 1)
        return
    (p, q), (core_p, core_q) = question.laws, question.cores
    for x in sorted(p.keys() | q.keys()):
        told = Ending(
            so_far.told + x,
            so_far.p * p.get(x, 0),
            so_far.q * q.get(x, 0),
            so_far.core_p * core_p.get(x, 0),
            so_far.core_q * core_q.get(x, 0),
        )
        if told.p or told.q:
            yield from _on(after, person, told, most - 1)


# --- questions -----------------------------------------------------------------------------------


def _mixed(core: Weights, apart: str, delta: Fraction) -> dict[str, Fraction]:
    """With probability `delta` the name of the law itself."""
    return {**{x: (1 - delta) * weight for x, weight in core.items()}, apart: delta}


@cache
def coins(ratio: Fraction) -> Question:
    """Randomised response."""
    return Question(Pure(log_up(ratio)), response(ratio), response(ratio))


@cache
def leaking(ratio: Fraction, delta: Fraction) -> Question:
    """Randomised response that tells all with probability `delta`: the worst pair of (ε, δ)."""
    p, q = response(ratio)
    told = _mixed(p, "p", delta), _mixed(q, "q", delta)
    return Question(Approx(log_up(ratio), delta), told, (p, q))


@cache
def any_laws(seed: int, ratio: Fraction) -> Question:
    """Laws of no special form, at the delta that they need for this ratio; for sums of (ε, δ)."""
    chosen = random.Random(seed)
    p, q = (law(*(chosen.randint(4, 9) for _ in range(3))) for _ in range(2))
    delta = spread((p, q), ratio)
    return Question(Approx(log_up(ratio), delta), (p, q), (p, q))


def _pure(chosen: random.Random) -> Question:
    return coins(chosen.choice(_RATIOS))


def _approx(chosen: random.Random) -> Question:
    kind = chosen.randrange(3)
    if kind == 0:
        return _pure(chosen)
    if kind == 1:
        return leaking(chosen.choice(_RATIOS), chosen.choice(_CHANCES))
    return any_laws(chosen.randrange(40), chosen.choice(_RATIOS))


def _zcdp(chosen: random.Random) -> Question:
    if chosen.randrange(2):
        return _pure(chosen)
    return leaking(chosen.choice(_RATIOS), chosen.choice(_CHANCES))


POOLS: Final[Mapping[type[Loss], Callable[[random.Random], Question]]] = {
    Pure: _pure,
    Approx: _approx,
    ZCDP: _zcdp,
}


def menu(kind: type[Loss], seed: int) -> tuple[Question, ...]:
    """Two questions, to make a budget of that some questions fit exactly."""
    chosen = random.Random(f"menu {kind.__name__} {seed}")
    return tuple(POOLS[kind](chosen) for _ in range(2))


def person(kind: type[Loss], seed: int) -> Person:
    """Somebody who asks at random, the same after the same answers, and may stop; every other one
    asks from the menu alone."""
    pool = POOLS[kind]

    def asks(told: str) -> Question | None:
        chosen = random.Random(f"{kind.__name__} {seed} {told}")
        if told and chosen.random() < 0.05:
            return None
        return chosen.choice(menu(kind, seed)) if seed % 2 else pool(chosen)

    return asks


# --- what was promised ---------------------------------------------------------------------------


def laws(endings: Iterable[Ending]) -> tuple[Law, Law]:
    """The laws of all that was told."""
    listed = list(endings)
    return _law((e.told, e.p) for e in listed), _law((e.told, e.q) for e in listed)


def _law(weights: Iterable[tuple[str, Fraction]]) -> Law:
    return Law({told: weight for told, weight in weights if weight})


def broken(endings: list[Ending], budget: Currency) -> bool:
    """Whether these laws certainly do not keep the budget; for zCDP, whether the cores do not."""
    p, q = laws(endings)
    match budget:
        case Pure():
            return either_way(max_divergence, p, q).low > budget.epsilon
        case Approx():
            return either_way(partial(delta_at, epsilon=budget.epsilon), p, q).low > budget.delta
        case ZCDP():
            whole = 1 - budget.delta
            if any(e.p < whole * e.core_p or e.q < whole * e.core_q for e in endings):
                return True
            core_p = _law((e.told, e.core_p) for e in endings)
            core_q = _law((e.told, e.core_q) for e in endings)
            return any(
                either_way(partial(renyi, order=order), core_p, core_q).low > budget.rho * order
                for order in ORDERS
            )
        case _:
            assert_never(budget)
