"""Random compositions are the same in every run, of all laws, and neither idle nor endless."""

from __future__ import annotations

import json
from fractions import Fraction
from math import expm1

from bench.account.compositions import cases
from bench.account.tasks import PARTS, Law, Part, Task, parts_from


def rho(part: Part) -> float:
    """About what a part costs, by the textbook."""
    size = float(part.size)
    match part.law:
        case Law.GAUSSIAN | Law.LAPLACE:
            return part.count / (2 * size**2)
        case Law.SAMPLED:
            return part.count * float(part.rate) ** 2 * expm1(1 / size**2) / 2
        case Law.RESPONSE:
            return part.count * size**2 / 2


def test_few_are_the_first_of_many() -> None:
    assert cases(5) == cases(40)[:5]
    assert len({case.parts for case in cases(40)}) == 40


def test_all_laws_take_part_and_delta_goes_from_a_billionth_to_a_thousandth() -> None:
    found = cases(200)
    assert {part.law for case in found for part in case.parts} == set(Law)
    assert {len(case.parts) for case in found} == {1, 2, 3, 4, 5}
    deltas = [case.delta for case in found]
    assert Fraction(1, 10**9) <= min(deltas) < Fraction(2, 10**9)
    assert Fraction(1, 2_000) < max(deltas) <= Fraction(1, 1_000)


def test_none_costs_nothing_or_endlessly_much() -> None:
    costs = [sum(map(rho, case.parts)) for case in cases(200)]
    assert min(costs) > 0.0009
    assert max(costs) < 4.1
    assert all(0 < part.rate <= 1 for case in cases(200) for part in case.parts)


def test_parts_survive_the_way_to_a_worker() -> None:
    for parts in (*PARTS.values(), cases(1)[0].parts):
        assert parts_from(json.loads(json.dumps([part.json() for part in parts]))) == parts


def test_the_tasks_are_those_of_the_aims() -> None:
    assert set(PARTS) == set(Task)
    mixed = PARTS[Task.MIXED]
    assert len(set(mixed)) == 400
    assert {part.count for part in mixed} == {1}
    sizes = {law: [part.size for part in mixed if part.law is law] for law in Law}
    assert sizes[Law.LAPLACE][::199] == [Fraction(10), Fraction("29.9")]
    assert sizes[Law.GAUSSIAN][::199] == [Fraction(20), Fraction("39.9")]
    (sampled,) = PARTS[Task.SAMPLED]
    assert sampled == Part(Law.SAMPLED, Fraction(1), 10_000, Fraction(1, 100))
    millions = [sum(part.count for part in PARTS[task]) for task in list(Task)[3:]]
    assert millions == [10**6] * 3
