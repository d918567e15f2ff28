"""Claim (response.md): the pair dominates every answer of a known epsilon and delta, and is one."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from discreet.loss import Approx, Pure
from discreet.loss.pld import of_loss, response as home
from discreet.loss.pld.atoms import Atoms
from tests.loss import brute
from tests.loss.brute import Weights
from tests.noise.closed import decimal

POINTS: Final = [Fraction(k, 8) for k in range(1, 80)]


def pair(ratio: Fraction, delta: Fraction) -> tuple[Weights, Weights]:
    """The pair of the claim, for e^epsilon = `ratio`."""
    truth, lie = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
    return (
        {"p": delta, "yes": truth, "no": lie, "q": Fraction(0)},
        {"p": Fraction(0), "yes": lie, "no": truth, "q": delta},
    )


def overhang(p: Weights, q: Weights, t: Fraction) -> Fraction:
    """The curve at any t above zero, also below one."""
    return sum((max(p[x] - t * q.get(x, Fraction(0)), Fraction(0)) for x in p), Fraction(0))


@st.composite
def laws(draw: st.DrawFn) -> tuple[Weights, Weights]:
    size = draw(st.integers(2, 5))
    parts = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    first, second = draw(parts), draw(parts)
    return (
        {str(k): Fraction(n, sum(first)) for k, n in enumerate(first)},
        {str(k): Fraction(n, sum(second)) for k, n in enumerate(second)},
    )


@settings(max_examples=150)
@given(laws(), st.fractions(1, 6, max_denominator=6))
def test_no_answer_of_this_epsilon_and_delta_tells_more(
    found: tuple[Weights, Weights], ratio: Fraction
) -> None:
    """With the least delta that is true at this epsilon."""
    p, q = found
    delta = max(brute.hockey_stick(p, q, ratio), brute.hockey_stick(q, p, ratio))
    first, second = pair(ratio, delta)
    for t in (*POINTS, ratio, 1 / ratio):
        assert max(overhang(p, q, t), overhang(q, p, t)) <= overhang(first, second, t)


@settings(max_examples=50)
@given(laws(), st.fractions(1, 6, max_denominator=6))
def test_a_smaller_delta_would_not_do(found: tuple[Weights, Weights], ratio: Fraction) -> None:
    """The mutant: 99 % of the delta."""
    p, q = found
    delta = max(brute.hockey_stick(p, q, ratio), brute.hockey_stick(q, p, ratio))
    assume(delta > 0)
    first, second = pair(ratio, delta * Fraction(99, 100))
    points = (*POINTS, ratio)
    assert any(
        max(overhang(p, q, t), overhang(q, p, t)) > overhang(first, second, t) for t in points
    )


@pytest.mark.parametrize(
    "ratio", [Fraction(1), Fraction(3, 2), Fraction(10**6), 1 + Fraction(1, 10**9)]
)
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 3), Fraction(1, 10**20)])
def test_the_pair_has_this_epsilon_and_delta_itself(ratio: Fraction, delta: Fraction) -> None:
    p, q = pair(ratio, delta)
    assert sum(p.values()) == sum(q.values()) == 1
    assert brute.hockey_stick(p, q, ratio) == brute.hockey_stick(q, p, ratio) == delta


# --- its numbers ----------------------------------------------------------------------------------

EPSILONS: Final = ["0", "1e-320", "1e-20", "1/7", "1", "40", "700", "1e5"]
DELTAS: Final = ["0", "1e-300", "1e-12", "1/3", "0.99999999999999999999", "1"]


def wrong(atoms: Atoms, epsilon: Fraction, delta: Fraction) -> list[str]:
    """What the definition puts outside of an end."""
    with localcontext(prec=60) as context:
        context.Emin, context.Emax = -(10**9), 10**9
        odds = decimal(epsilon).exp()
        expected = {
            -1: (1 - decimal(delta)) / (1 + odds),
            1: (1 - decimal(delta)) * odds / (1 + odds),
        }
        if epsilon == 0:
            expected = {0: 1 - decimal(delta)}
        found = (
            {}
            if atoms.index is None
            else dict(zip(atoms.index.tolist(), zip(*atoms.masses, strict=True), strict=True))
        )
        bad = [] if atoms.infinite[0] <= delta <= atoms.infinite[1] else ["infinite"]
        for place, mass in expected.items():
            low, high = (Decimal(float(end)) for end in found.get(place, (0.0, 0.0)))
            bad += [] if low <= mass <= high else [f"mass at {place}"]
        for low, high, place in zip(*atoms.losses, found, strict=True):
            inside = Fraction(float(low)) <= place * epsilon <= Fraction(float(high))
            bad += [] if inside else [f"loss at {place}"]
        return bad


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_ends_hold_the_definition(epsilon: str, delta: str) -> None:
    loss = Approx(epsilon, delta)
    ((found, count),) = of_loss(loss).parts
    assert count == 1
    assert found.forward == found.backward
    assert found.forward.lower is found.forward.upper
    assert wrong(found.forward.upper, loss.epsilon, loss.delta) == []


def test_pure_is_delta_zero() -> None:
    assert of_loss(Pure("1/3")) == of_loss(Approx("1/3", 0))


def test_a_mass_that_is_rounded_to_the_nearest_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant rounds as Python does."""
    monkeypatch.setattr(home, "above", float)
    monkeypatch.setattr(home, "below", float)
    found = [
        wrong(home.of_loss(loss).parts[0][0].forward.upper, loss.epsilon, loss.delta)
        for loss in (Approx(Fraction(1, k), Fraction(1, k + 1)) for k in range(2, 12))
    ]
    assert any(found)


def test_lies_and_truths_exchanged_are_found() -> None:
    atoms = of_loss(Pure(1)).parts[0][0].forward.upper
    less, more = atoms.masses
    assert atoms.step is not None
    turned = Atoms.on_lattice(atoms.step, np.array([-1, 1]), (less[::-1], more[::-1]))
    assert wrong(turned, Fraction(1), Fraction(0)) == ["mass at -1", "mass at 1"]
