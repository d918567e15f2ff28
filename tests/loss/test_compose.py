"""The claims of compose.md, against all that many answers tell together, which is exact."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from discreet.errors import DiscreetError
from discreet.loss import ZCDP, Approx, Pure, advanced, simple
from discreet.numbers import ball, down
from tests.laws.strategies import Pair, leak, log_up, response, spread, untyped
from tests.loss.brute import DIGITS, Weights, decimal

NUMBERS: Final = st.fractions(0, 3, max_denominator=50)
CHANCES: Final = st.fractions(0, "1/3", max_denominator=50)


# --- all answers of one kind ---------------------------------------------------------------------


def needed(ratio: Fraction, k: int, epsilon: Fraction, leaked: Fraction = Fraction(0)) -> Fraction:
    """The delta at `epsilon` of k times randomised response with odds `ratio` to one, each of
    which tells all with probability `leaked`; larger by less than 1e-15.

    Given that nothing was told, j true answers of k weigh C(k, j)·r^j/(1 + r)^k against
    C(k, j)·r^(k−j)/(1 + r)^k.
    """
    t = down(lambda: ball(epsilon).exp())
    over, under = ratio.numerator, ratio.denominator
    terms = (comb(k, j) * over**j * under ** (k - j) for j in range(k + 1))
    against = (comb(k, j) * over ** (k - j) * under**j for j in range(k + 1))
    scaled = (p * t.denominator - q * t.numerator for p, q in zip(terms, against, strict=True))
    above = Fraction(sum(x for x in scaled if x > 0), t.denominator * (over + under) ** k)
    return 1 - (1 - leaked) ** k * (1 - above)


def bound(
    k: int,
    epsilon: Fraction,
    slack: Fraction,
    *,
    deviation: str = "2",
    mean: bool = True,
) -> Fraction:
    """√(2k·ln(1/slack))·ε + kε(e^ε − 1) in decimals, or a mutant of it."""
    with localcontext(prec=DIGITS):
        e = decimal(epsilon)
        spread = (Decimal(deviation) * k * (1 / decimal(slack)).ln()).sqrt() * e
        return Fraction(spread + (k * e * (e.exp() - 1) if mean else 0))


MANY: Final = [
    (Fraction(3, 2), 1, Fraction(1, 3)),
    (Fraction(101, 100), 300, Fraction(1, 10**6)),
    (Fraction(11, 10), 1000, Fraction(1, 10**9)),
    (Fraction(3, 2), 60, Fraction(1, 100)),
    (Fraction(3), 40, Fraction(1, 2)),
]


@pytest.mark.parametrize(("ratio", "k", "slack"), MANY)
@pytest.mark.parametrize("leaked", [Fraction(0), Fraction(1, 10**5)])
def test_many_answers_stay_below_the_claim(
    ratio: Fraction, k: int, slack: Fraction, leaked: Fraction
) -> None:
    epsilon = log_up(ratio)
    claimed = advanced(k, epsilon, leaked, slack)
    assert claimed.delta == k * leaked + slack
    assert needed(ratio, k, claimed.epsilon, leaked) <= claimed.delta


@pytest.mark.parametrize(
    ("ratio", "k", "slack", "deviation", "mean"),
    [
        (Fraction(3), 200, Fraction(1, 10**6), "2", False),
        (Fraction(101, 100), 300, Fraction(1, 10**6), "1", True),
        (Fraction(101, 100), 300, Fraction(1, 10**6), "0.5", True),
        (Fraction(101, 100), 300, Fraction(1, 10**6), "0.125", True),
    ],
)
def test_smaller_claims_are_false(
    ratio: Fraction, k: int, slack: Fraction, deviation: str, mean: bool
) -> None:
    epsilon = log_up(ratio)
    assert needed(ratio, k, bound(k, epsilon, slack)) <= slack
    assert needed(ratio, k, bound(k, epsilon, slack, deviation=deviation, mean=mean)) > slack


def test_neither_part_of_the_delta_can_be_spared() -> None:
    leaked, slack = Fraction(1, 10**5), Fraction(1, 10**6)
    claimed = advanced(100, log_up(Fraction(101, 100)), leaked, slack)
    assert needed(Fraction(101, 100), 100, claimed.epsilon, leaked) > leaked + slack
    claimed = advanced(300, log_up(Fraction(11, 10)), 0, "1/2")
    assert needed(Fraction(11, 10), 300, claimed.epsilon) > 0


def test_what_is_needed_is_the_least_delta_of_the_joint_law() -> None:
    """The binomial sum against all events of three answers."""
    ratio, leaked = Fraction(2), Fraction(1, 10)
    for k, epsilon in product((1, 2), (Fraction(0), Fraction(1, 2), Fraction(1))):
        t = down(lambda: ball(epsilon).exp())  # noqa: B023
        p, q = _leaky(ratio, leaked)
        joint = _power(p, k), _power(q, k)
        assert needed(ratio, k, epsilon, leaked) == spread(joint, t)


def _leaky(ratio: Fraction, leaked: Fraction) -> Pair:
    (p, q), (told_p, told_q) = response(ratio), leak(leaked)
    return (
        {**{x: (1 - leaked) * w for x, w in p.items()}, "p": told_p["p"]},
        {**{x: (1 - leaked) * w for x, w in q.items()}, "q": told_q["q"]},
    )


def _power(law: Weights, k: int) -> Weights:
    """k answers; all that say the same how often, and all that tell, put together."""
    found: dict[str, Fraction] = {}
    for answers in product(law, repeat=k):
        weight = Fraction(1)
        for answer in answers:
            weight *= law[answer]
        name = next((x for x in answers if x in "pq"), "".join(sorted(answers)))
        found[name] = found.get(name, Fraction(0)) + weight
    return found


# --- answers that choose the next ----------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn, depth: int, most: Fraction, told: Fraction) -> Pair:
    """All answers of a mechanism that asks `depth` times, each time what the answers before chose.

    What is asked has odds within `most` and tells all with probability at most `told`.
    """
    joint: tuple[dict[str, Fraction], dict[str, Fraction]] = {"": Fraction(1)}, {"": Fraction(1)}
    for _ in range(depth):
        grown: tuple[dict[str, Fraction], dict[str, Fraction]] = {}, {}
        for past in sorted(joint[0].keys() | joint[1].keys()):
            ratio = draw(st.sampled_from([most, (1 + most) / 2, 1 / most, Fraction(1)]))
            asked = _leaky(ratio, draw(st.sampled_from([told, Fraction(0)])))
            for side in (0, 1):
                if past not in joint[side]:
                    continue
                for x, weight in asked[side].items():
                    # Once all was told, nothing more can be.
                    name = past + x if past[-1:] not in {"p", "q"} else past
                    grown[side][name] = (
                        grown[side].get(name, Fraction(0)) + joint[side][past] * weight
                    )
        joint = grown
    return joint


@settings(max_examples=30)
@given(trees(3, Fraction(11, 10), Fraction(1, 20)), st.sampled_from(["1/2", "2/3"]))
def test_the_next_question_may_be_chosen_by_the_answers_before(pair: Pair, slack: str) -> None:
    epsilon = log_up(Fraction(11, 10))
    claimed = advanced(3, epsilon, "1/20", slack)
    assert claimed.epsilon < 3 * epsilon
    t = down(lambda: ball(claimed.epsilon).exp())
    assert _needed(pair, t) <= claimed.delta
    assert _needed(pair, Fraction(11, 10) ** 3) <= simple([Approx(epsilon, "1/20")] * 3).delta


def _needed(pair: Pair, t: Fraction) -> Fraction:
    """The best event is where one law is more than t times the other."""
    p, q = pair
    nothing = Fraction(0)
    there, back = (
        sum((max(w - t * b.get(x, nothing), nothing) for x, w in a.items()), nothing)
        for a, b in ((p, q), (q, p))
    )
    return max(there, back)


# --- the numbers ---------------------------------------------------------------------------------


@settings(max_examples=100)
@given(
    st.integers(0, 10**6),
    st.fractions(0, 20, max_denominator=1000),
    st.fractions(0, 1),
    st.fractions("1/1000", "999/1000") | st.sampled_from([Fraction(1, 10**300)]),
)
def test_the_formula_is_rounded_up_and_barely(
    k: int, epsilon: Fraction, delta: Fraction, slack: Fraction
) -> None:
    found = advanced(k, epsilon, delta, slack)
    true = bound(k, epsilon, slack)
    assert true * (1 - Fraction(1, 10**50)) <= found.epsilon <= true * (1 + Fraction(1, 2**70))
    assert found.delta == min(Fraction(1), k * delta + slack)


def test_a_slack_near_one_is_computed_with_all_its_digits() -> None:
    """ln(1/(1 − x)) is x and barely more."""
    found = advanced(2, 1, 0, 1 - Fraction(1, 10**200)).epsilon
    with localcontext(prec=300):
        true = (4 * Decimal(10) ** -200).sqrt() + 2 * (Decimal(1).exp() - 1)
        assert abs(decimal(found) / true - 1) < Decimal(2) ** -70


@settings(max_examples=60)
@given(st.lists(st.tuples(NUMBERS, CHANCES, st.booleans()), max_size=8))
def test_simple_composition_adds_up(parts: list[tuple[Fraction, Fraction, bool]]) -> None:
    losses = [Pure(e) if pure else Approx(e, d) for e, d, pure in parts]
    whole = sum((e for e, _, _ in parts), Fraction(0))
    chance = sum((d for _, d, pure in parts if not pure), Fraction(0))
    assert simple(losses) == Approx(whole, min(Fraction(1), chance))
    assert simple(iter(losses)) == simple(reversed(losses))


def test_of_simple_and_advanced_the_better_depends_on_epsilon() -> None:
    assert advanced(1000, "1/100", 0, "1e-6").epsilon < simple([Pure("1/100")] * 1000).epsilon
    assert advanced(1000, 1, 0, "1e-6").epsilon > simple([Pure(1)] * 1000).epsilon
    assert advanced(0, 1, "1/2", "1e-6") == Approx(0, "1e-6")
    assert advanced(9, 0, 0, "1e-6") == Approx(0, "1e-6")
    assert simple([]) == Approx(0, 0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((10, 1, 0, 0), "L18"),
        ((10, 1, 0, 1), "L18"),
        ((10, 1, 0, 2), "N04"),
        ((10, 1, 0, -1), "N03"),
        ((10, 1, 0, None), "N07"),
        ((10, 1, 2, "1e-6"), "N04"),
        ((10, 1, -1, "1e-6"), "N03"),
        ((10, -1, 0, "1e-6"), "N03"),
        ((10, float("nan"), 0, "1e-6"), "N01"),
        (("1/2", 1, 0, "1e-6"), "N05"),
        ((-1, 1, 0, "1e-6"), "N05"),
        ((True, 1, 0, "1e-6"), "N01"),
    ],
)
def test_parameters_of_advanced_are_checked(arguments: tuple[object, ...], code: str) -> None:
    with pytest.raises(DiscreetError) as refused:
        untyped(advanced)(*arguments)
    assert refused.value.code == code
    assert "`" in refused.value.cure


@pytest.mark.parametrize("stranger", [ZCDP(1), None, 1, "epsilon=1", Approx])
def test_simple_composition_takes_pure_and_approx_alone(stranger: object) -> None:
    with pytest.raises(DiscreetError) as refused:
        simple([Pure(1), untyped(stranger)])
    assert refused.value.code == "L17"
    assert "`" in refused.value.cure
