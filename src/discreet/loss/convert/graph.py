"""The graph of conversions: every edge a theorem with its citation.

There is no edge where no finite loss follows: not from zCDP, Rényi or GDP to pure, not from Rényi
to zCDP or GDP, and from (ε, δ) with δ > 0 only to what keeps a δ.  (What zCDP says of GDP is too
weak to be offered.)  A walk takes the fewest edges; of several such walks the best result is kept,
and no longer walk is better.  Claims and proofs: graph.md
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, TypeAlias, TypeVar, final

from discreet.errors import LossError, NumberError
from discreet.loss.approx import Approx
from discreet.loss.base import Kind, Loss, kind_of, larger_delta, pasted
from discreet.loss.convert import from_approx, from_gdp, from_pure, from_renyi, from_zcdp
from discreet.loss.convert.ask import Ask
from discreet.loss.gdp import GDP
from discreet.loss.pure import Pure
from discreet.loss.renyi import Renyi
from discreet.loss.zcdp import ZCDP

Source = TypeVar("Source", bound=Loss)
Target = TypeVar("Target", bound=Loss)


@final
@dataclass(frozen=True, slots=True)
class Edge(Generic[Source, Target]):
    """One theorem: whoever keeps a loss of the source keeps the loss that `step` returns."""

    source: type[Source]
    target: type[Target]
    step: Callable[[Source, Ask], Target]
    cite: str


Walk: TypeAlias = tuple[Edge[Any, Any], ...]

EDGES: Final[Walk] = (
    Edge(Pure, Approx, from_pure.to_approx, "KOV15, the dominating pair; from_pure.md"),
    Edge(Pure, ZCDP, from_pure.to_zcdp, "Ste24, tight; from_pure.md"),
    Edge(Pure, Renyi, from_pure.to_renyi, "Ste24, tight; from_pure.md"),
    Edge(Pure, GDP, from_pure.to_gdp, "trade-off functions of DRS22; from_pure.md"),
    Edge(Approx, Approx, from_approx.to_approx, "KOV15, the dominating pair; from_approx.md"),
    Edge(Approx, Pure, from_approx.to_pure, "the definition, at delta 0"),
    Edge(Approx, ZCDP, from_approx.to_zcdp, "BS16, Section 8; from_approx.md"),
    Edge(ZCDP, Approx, from_zcdp.to_approx, "CKS20, Section 2.3; moments.md, from_zcdp.md"),
    Edge(ZCDP, Renyi, from_zcdp.to_renyi, "the definition, at delta 0"),
    Edge(Renyi, Approx, from_renyi.to_approx, "CKS20, Section 2.3; moments.md, from_renyi.md"),
    Edge(Renyi, Renyi, from_renyi.to_renyi, "the definition, at fewer orders"),
    Edge(GDP, Approx, from_gdp.to_approx, "BW18, Theorem 8; DRS22, Corollary 2.13; from_gdp.md"),
    Edge(GDP, ZCDP, from_gdp.to_zcdp, "BS16, Proposition 1.6, with DRS22; from_gdp.md"),
    Edge(GDP, Renyi, from_gdp.to_renyi, "Mir17, Proposition 7; from_gdp.md"),
)
KINDS: Final[tuple[type[Loss], ...]] = (Pure, Approx, ZCDP, Renyi, GDP)


def convert(loss: Loss, kind: type[Kind], ask: Ask) -> Kind:
    """The best loss of `kind` at the end of a shortest walk."""
    if kind not in KINDS:
        raise LossError(
            "this is no kind of loss to convert to",
            cure=f'name a kind: `{pasted(loss)}.to(dp.Approx, delta="1e-6")`; the kinds are '
            "Pure, Approx, ZCDP, Renyi and GDP",
            code="L12",
        )
    _check_ask(kind, ask)
    if isinstance(loss, kind) and ask == Ask():
        return loss
    return _best(loss, kind, shortest(type(loss), kind), ask)


def _check_ask(kind: type[Loss], ask: Ask) -> None:
    if kind is not Approx and (ask.delta is not None or ask.epsilon is not None):
        raise LossError(
            f"in a conversion to {kind.__name__} there is no delta or epsilon to choose",
            cure="leave it out, or choose it in a conversion to Approx, such as "
            '`dp.ZCDP("1/2").to(dp.Approx, delta="1e-6")`',
            code="L10",
        )
    if kind is not Renyi and ask.orders is not None:
        raise LossError(
            f"in a conversion to {kind.__name__} there are no orders to choose",
            cure="leave them out, or choose them in a conversion to Renyi, such as "
            "`dp.Pure(1).to(dp.Renyi, orders=[2, 4, 8])`",
            code="L10",
        )


def _best(loss: Loss, kind: type[Kind], found: Sequence[Walk], ask: Ask) -> Kind:
    best: Kind | None = None
    for walk in found:
        try:
            end = along(loss, walk, ask)
        except LossError:
            if len(walk) == 1:
                raise
            continue
        if isinstance(end, kind) and (best is None or end <= best):
            best = end
    if best is None:
        raise _no_walk(loss, kind)
    return best


def along(loss: Loss, walk: Walk, ask: Ask) -> Loss:
    """The loss at the end of one walk; what was asked is for its last step."""
    found = loss
    for edge in walk[:-1]:
        found = edge.step(found, Ask())
    end: Loss = walk[-1].step(found, ask)
    return end


def walks(source: type[Loss], target: type[Loss]) -> tuple[Walk, ...]:
    """Every walk that visits no kind twice, the shortest first."""
    begun: list[Walk] = [(edge,) for edge in EDGES if edge.source is source]
    found: list[Walk] = []
    while begun:
        found += [walk for walk in begun if walk[-1].target is target]
        begun = [
            (*walk, edge)
            for walk in begun
            if walk[-1].target is not target
            for edge in EDGES
            if edge.source is walk[-1].target
            and edge.target not in {source, *(passed.target for passed in walk)}
        ]
    return tuple(found)


def shortest(source: type[Loss], target: type[Loss]) -> tuple[Walk, ...]:
    found = walks(source, target)
    return tuple(walk for walk in found if len(walk) == len(found[0]))


def _no_walk(loss: Loss, kind: type[Loss]) -> LossError:
    return LossError(
        f"no conversion leads from {kind_of(loss)} to a {kind.__name__} loss",
        cure=f"{_instead(loss)}, or begin with a loss of another kind",
        code="L08",
    )


def _instead(loss: Loss) -> str:
    if isinstance(loss, Approx):
        return f"keep it as it is: `{pasted(loss)}`"
    return f'ask for `{pasted(loss)}.to(dp.Approx, delta="{larger_delta(_delta(loss))}")`'


def walks_to_meet(left: Loss, right: Loss) -> tuple[str, str]:
    """Code that brings two losses to one kind, for a cure."""
    for kind in (type(right), type(left)):
        if _converts(left, kind) and _converts(right, kind):
            return _bridge(left, kind), _bridge(right, kind)
    ask = f'.to(dp.Approx, delta="{larger_delta(_delta(left), _delta(right))}")'
    return pasted(left) + ask, pasted(right) + ask


def _converts(loss: Loss, kind: type[Loss]) -> bool:
    try:
        convert(loss, kind, Ask())
    except (LossError, NumberError):
        return False
    return True


def _bridge(loss: Loss, kind: type[Loss]) -> str:
    return pasted(loss) if isinstance(loss, kind) else f"{pasted(loss)}.to(dp.{kind.__name__})"


def _delta(loss: Loss) -> Fraction:
    return loss.delta if isinstance(loss, Approx | ZCDP) else Fraction(0)
