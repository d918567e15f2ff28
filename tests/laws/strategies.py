"""What the claims of losses are tried on: losses of every kind, and small laws to lose between.

`KINDS` is the conformance list.  A new kind of loss gets its row here, and with it every test that
goes through the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias, final

from hypothesis import strategies as st

from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.numbers import ball, up
from tests.loss import brute
from tests.loss.brute import Weights

Pair: TypeAlias = tuple[Weights, Weights]
NAMES: Final = "abcdefgh"
LARGEST_GROUP: Final = 5
_LAST: Final = 130
"""Two groups of at most five, one after the other, are six doublings: 2·2^6 < 130."""


def untyped(value: object) -> Any:  # noqa: ANN401 - its type is what is wrong
    """`value` as a caller without a type checker may give it."""
    return value


# --- losses --------------------------------------------------------------------------------------

_NUMBERS: Final = [Fraction(0), Fraction(1, 10**30), Fraction(1, 3), Fraction(1), Fraction(10**30)]
_CHANCES: Final = [Fraction(0), Fraction(1, 10**30), 1 - Fraction(1, 10**30), Fraction(1)]
_ORDERS: Final = [1 + Fraction(1, 10**9), Fraction(2), Fraction(3), Fraction(1000)]

NUMBERS: Final = st.fractions(0, 5, max_denominator=12) | st.sampled_from(_NUMBERS)
CHANCES: Final = st.fractions(0, 1, max_denominator=12) | st.sampled_from(_CHANCES)
ORDERS: Final = (
    st.fractions(1, 40, max_denominator=4).filter(lambda order: order > 1)
) | st.sampled_from(_ORDERS)
POINTS: Final = st.dictionaries(ORDERS, NUMBERS, min_size=1, max_size=5)


@st.composite
def _wide(draw: st.DrawFn) -> Renyi:
    """A curve with orders for many doublings."""
    points = draw(POINTS)
    points[draw(st.integers(_LAST, 400)) + Fraction(1, 3)] = draw(NUMBERS)
    return Renyi(points.items())


def _same(loss: Loss) -> Loss:
    return loss


def _more_delta(loss: Loss) -> Loss:
    assert isinstance(loss, Approx)
    return Approx(loss.epsilon, min(Fraction(1), loss.delta * (1 + Fraction(1, 2**70))))


def _more_epsilon(loss: Loss) -> Loss:
    assert isinstance(loss, Renyi)
    return Renyi((order, epsilon * (1 + Fraction(1, 2**500))) for order, epsilon in loss.curve)


@final
@dataclass(frozen=True)
class Kind:
    """One row of the conformance list."""

    of: type[Loss]
    losses: st.SearchStrategy[Loss]
    grouped: st.SearchStrategy[Loss]
    """Those for which two groups, each of at most `LARGEST_GROUP`, are defined."""
    beyond_rounding: Callable[[Loss], Loss] = _same
    """A loss above another by more than what a group rounds; the same where nothing is rounded."""
    groups_multiply: bool = True
    """`a.group(j).group(k)` is `a.group(j * k)`, not merely no less."""


KINDS: Final = (
    Kind(Pure, st.builds(Pure, NUMBERS), st.builds(Pure, NUMBERS)),
    Kind(
        Approx,
        st.builds(Approx, NUMBERS, CHANCES),
        st.builds(Approx, NUMBERS, CHANCES),
        beyond_rounding=_more_delta,
    ),
    Kind(ZCDP, st.builds(ZCDP, NUMBERS, CHANCES), st.builds(ZCDP, NUMBERS)),
    Kind(GDP, st.builds(GDP.root, NUMBERS), st.builds(GDP.root, NUMBERS)),
    Kind(
        Renyi,
        POINTS.map(lambda points: Renyi(points.items())),
        _wide(),
        beyond_rounding=_more_epsilon,
        groups_multiply=False,
    ),
)

SAMPLES: Final[tuple[Loss, ...]] = (
    Pure("1/2"),
    Approx(1, "1e-6"),
    ZCDP("1/3"),
    ZCDP("1/3", "1e-7"),
    GDP(2),
    GDP.root(2),
    Renyi({2: "1/2", 4: 1}),
)
"""One loss of each kind, and of each form of its text."""


# --- laws ----------------------------------------------------------------------------------------


def law(*parts: int | Fraction) -> dict[str, Fraction]:
    """Weights proportional to `parts`."""
    whole = Fraction(sum(parts))
    return {name: part / whole for name, part in zip(NAMES, parts, strict=False)}


def coin(heads: Fraction) -> dict[str, Fraction]:
    return {"a": heads, "b": 1 - heads}


def response(ratio: int | Fraction) -> Pair:
    """Randomised response: the answer is true with odds `ratio` to one."""
    return law(ratio, 1), law(1, ratio)


def leak(delta: Fraction) -> Pair:
    """Nothing is told, but with probability `delta` all of it."""
    return {"nothing": 1 - delta, "p": delta}, {"nothing": 1 - delta, "q": delta}


def joint(first: Weights, then: Mapping[str, Weights]) -> dict[str, Fraction]:
    """Two answers: the second is asked of the mechanism that the first chose."""
    return {x + y: w * v for x, w in first.items() for y, v in then[x].items()}


def both(first: Pair, second: Pair) -> Pair:
    """Two answers of which neither chose the other."""
    p, q = (joint(a, dict.fromkeys(a, b)) for a, b in zip(first, second, strict=True))
    return p, q


def times(n: int, pair: Pair) -> Pair:
    """`n` answers."""
    found: Pair = ({"": Fraction(1)}, {"": Fraction(1)})
    for _ in range(n):
        found = both(found, pair)
    return found


@final
@dataclass(frozen=True)
class TwoSteps:
    """A mechanism whose answer chooses another, on two neighbours."""

    first: Pair
    second: Mapping[str, Pair]

    @property
    def joint(self) -> Pair:
        p, q = (
            joint(self.first[side], {x: pair[side] for x, pair in self.second.items()})
            for side in (0, 1)
        )
        return p, q


def _laws(count: int) -> st.SearchStrategy[dict[str, Fraction]]:
    parts = st.lists(st.integers(1, 12), min_size=count, max_size=count)
    return parts.map(lambda found: law(*found))


def pairs() -> st.SearchStrategy[Pair]:
    return st.integers(2, 4).flatmap(lambda count: st.tuples(_laws(count), _laws(count)))


@st.composite
def chains(draw: st.DrawFn, length: int, outcomes: int = 3) -> list[Weights]:
    """Laws of which each two that follow each other belong to neighbours."""
    return [draw(_laws(outcomes)) for _ in range(length + 1)]


@st.composite
def two_steps(draw: st.DrawFn) -> TwoSteps:
    count = draw(st.integers(2, 3))
    first = draw(_laws(count)), draw(_laws(count))
    return TwoSteps(first, {x: (draw(_laws(2)), draw(_laws(2))) for x in first[0]})


def log_up(ratio: Fraction) -> Fraction:
    """ln(ratio), rounded up by less than 1 in 2^70."""
    return up(lambda: ball(ratio).log())


def spread(pair: Pair, ratio: Fraction) -> Fraction:
    """The least delta at e^epsilon = `ratio`, in both directions."""
    p, q = pair
    return max(brute.hockey_stick(p, q, ratio), brute.hockey_stick(q, p, ratio))
