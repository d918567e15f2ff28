"""Noise meets private answers at one place, and whoever comes there has paid.

`Grant(...)` is made in `curator/ledger.py` alone; `order.noise(...)` is called in
`curator/gate.py` alone; engines know neither noise nor loss, and of the curator only the gate
knows mechanisms.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

import pytest

from tests.arch.source import Source, Violations, imports, last, package, planted

LEDGER: Final = "curator/ledger.py"
GATE: Final = "curator/gate.py"
RANDOM_ROOMS: Final = {"entropy", "noise", "mechanisms"}
BLIND: Final = {"engine": RANDOM_ROOMS | {"loss"}, "curator": {"noise", "mechanisms"}}


def forged(sources: Sequence[Source]) -> Violations:
    """Where a grant is made, or given another name under which it could be made."""
    return [
        source.at(node, "a grant is made only by the ledger")
        for source in sources
        if str(source.path) != LEDGER
        for node in ast.walk(source.tree)
        if _makes_grant(node)
    ]


def _makes_grant(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func) if last(func) == "Grant":
            return True
        case ast.Call(func=func, args=args) if last(func) in {"__new__", "partial", "map"}:
            return any(last(arg) == "Grant" for arg in args)
        case ast.alias(name="Grant", asname=str()):
            return True
        case (
            ast.Assign(value=ast.Name() | ast.Attribute() as value)
            | ast.AnnAssign(value=ast.Name() | ast.Attribute() as value)
            | ast.NamedExpr(value=ast.Name() | ast.Attribute() as value)
        ):
            return last(value) == "Grant"
        case _:
            return False


def test_grants_come_from_the_ledger() -> None:
    assert forged(package()) == []


@pytest.mark.parametrize(
    "line",
    [
        "grant = Grant(cost)",
        "return_value = order.Grant(cost)",
        "grant = object.__new__(Grant)",
        "from discreet.plan.order import Grant as Paid",
        "Paid = Grant",
        "paid: type = orders.Grant",
    ],
)
def test_a_forged_grant_is_found(line: str) -> None:
    assert len(forged(planted({GATE: line}))) == 1
    assert forged(planted({LEDGER: line})) == []


def test_a_grant_may_be_named_and_asked_for() -> None:
    uses = "def noise(grant: Grant) -> bool:\n    return isinstance(grant, Grant)"
    assert forged(planted({"plan/order.py": uses})) == []


def unguarded(sources: Sequence[Source]) -> Violations:
    """Where noise is put on an answer without passing the gate."""
    return [
        source.at(node, "an order's noise is called only by the gate")
        for source in sources
        if str(source.path) != GATE
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "noise"
    ]


def acquainted(sources: Sequence[Source]) -> Violations:
    """Where rows and randomness could meet because one knows the other."""
    return [
        source.at(each.node, f"{source.room} must not know {room}")
        for source in sources
        if str(source.path) != GATE
        for each in imports(source)
        for room in sorted(BLIND.get(source.room, set()))
        if f"{each.module}.{each.name or ''}.".startswith(f"discreet.{room}.")
    ]


def test_noise_meets_answers_at_the_gate() -> None:
    assert unguarded(package()) == []
    assert acquainted(package()) == []


def test_a_second_gate_is_found() -> None:
    call = "def out(order, exact, grant, bits):\n    return order.noise(exact, grant, bits)"
    assert len(unguarded(planted({"curator/open.py": call}))) == 1
    assert len(unguarded(planted({"engine/duckdb.py": call}))) == 1
    assert unguarded(planted({GATE: call})) == []


def test_an_acquaintance_is_found() -> None:
    draws = "from discreet.noise import DiscreteLaplace"
    assert len(acquainted(planted({"engine/duckdb.py": draws}))) == 1
    assert len(acquainted(planted({"engine/duckdb.py": "from discreet import loss"}))) == 1
    assert len(acquainted(planted({"curator/open.py": draws}))) == 1
    assert acquainted(planted({GATE: draws, "mechanisms/laplace.py": draws})) == []
