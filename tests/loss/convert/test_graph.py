"""The claims of graph.md: which edges there are, what they cite, which walk is taken, and that no
other is better."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import log, sqrt
from time import process_time
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import DiscreetError, LossError
from discreet.loss import Loss
from discreet.loss.convert import graph
from discreet.loss.convert.ask import Ask
from discreet.loss.convert.graph import EDGES, KINDS, Edge, Walk, along, shortest, walks
from tests.arch.source import PACKAGE
from tests.docs.errors import pasted
from tests.loss.convert.pairs import Pair, pairs

FOLDER: Final = PACKAGE / "loss" / "convert"
TABLE: Final[Mapping[str, set[str]]] = {
    "Pure": {"Approx", "ZCDP", "Renyi", "GDP"},
    "Approx": {"Approx", "Pure", "ZCDP"},
    "ZCDP": {"Approx", "Renyi"},
    "Renyi": {"Approx", "Renyi"},
    "GDP": {"Approx", "ZCDP", "Renyi"},
}
NAMES: Final = {kind.__name__: kind for kind in KINDS}
PAIRS: Final = list(product(NAMES, NAMES))


# --- edges and their citations --------------------------------------------------------------------


def test_the_edges_are_these() -> None:
    assert {(edge.source.__name__, edge.target.__name__) for edge in EDGES} == {
        (source, target) for source, targets in TABLE.items() for target in targets
    }
    assert len(EDGES) == sum(map(len, TABLE.values()))


def miscited(edges: Walk) -> list[str]:
    """The edges whose citation leads nowhere: a work that graph.md does not list, or no proof."""
    page = (FOLDER / "graph.md").read_text("utf-8")
    listed = set(re.findall(r"^- \*\*(\w+)\*\*", page, re.MULTILINE))
    found = []
    for edge in edges:
        works = set(re.findall(r"\b[A-Z][A-Za-z]{1,2}\d\d\b", edge.cite))
        pages = re.findall(r"\w+\.md", edge.cite)
        proven = all((FOLDER / name).is_file() for name in pages)
        own = f"from_{edge.source.__name__.lower()}.md" in pages or "the definition" in edge.cite
        if not (works <= listed and proven and own and (works or not pages)):
            found.append(edge.cite)
    return found


def test_each_citation_leads_to_a_work_and_a_proof() -> None:
    assert miscited(EDGES) == []


@pytest.mark.parametrize("cite", ["XYZ99; from_pure.md", "KOV15; gone.md", "KOV15", "from_gdp.md"])
def test_a_citation_that_leads_nowhere_is_found(cite: str) -> None:
    edge = EDGES[0]
    assert miscited((Edge(edge.source, edge.target, edge.step, cite),)) == [cite]


def test_each_edge_stands_in_the_page_of_its_source() -> None:
    for edge in EDGES:
        page = (FOLDER / f"from_{edge.source.__name__.lower()}.md").read_text("utf-8")
        assert f"`{edge.target.__name__}" in page, edge.cite


# --- walks ----------------------------------------------------------------------------------------


def kinds_on(walk: Walk) -> tuple[str, ...]:
    return (walk[0].source.__name__, *(edge.target.__name__ for edge in walk))


def paths(source: str, target: str) -> Iterator[tuple[str, ...]]:
    """All ways through different kinds, by trying all orders of what lies between."""
    others = [name for name in NAMES if name not in {source, target}]
    for length in range(len(others) + 1 if source != target else 1):
        for between in permutations(others, length):
            path = (source, *between, target)
            if all(b in TABLE[a] for a, b in pairwise(path)):
                yield path


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_walks_are_all_the_ways_through_the_table(source: str, target: str) -> None:
    found = walks(NAMES[source], NAMES[target])
    assert [len(walk) for walk in found] == sorted(map(len, found))
    assert all(here.target is there.source for walk in found for here, there in pairwise(walk))
    # A step from a kind to itself may come first, on the way to another.
    plain = [
        kinds_on(walk) for walk in found if len(walk) == 1 or walk[0].target is not walk[0].source
    ]
    assert sorted(plain) == sorted(paths(source, target))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_walk_taken_has_the_fewest_edges(source: str, target: str) -> None:
    taken = {kinds_on(walk) for walk in shortest(NAMES[source], NAMES[target])}
    lengths = [len(walk) for walk in walks(NAMES[source], NAMES[target])]
    assert {len(path) - 1 for path in taken} == ({min(lengths)} if lengths else set())
    if target in TABLE[source]:
        assert taken == {(source, target)}


# --- no walk is better, and none is wrong ---------------------------------------------------------

sizes = st.fractions("1/1000", 30, max_denominator=1000)
shares = st.fractions(0, "1/2", max_denominator=1000)
curves = st.dictionaries(st.fractions("9/8", 30, max_denominator=8), sizes, min_size=1, max_size=3)
losses: st.SearchStrategy[Loss] = st.one_of(
    st.builds(dp.Pure, sizes),
    st.builds(dp.Approx, sizes, shares),
    st.builds(dp.ZCDP, sizes, shares),
    st.builds(dp.GDP.root, sizes),
    curves.map(lambda points: dp.Renyi(points.items())),
)


def asks(kind: type[Loss]) -> list[Ask]:
    if kind is dp.Approx:
        some = [Ask.of(delta=d) for d in ("1e-9", "1/1000", "2/3")]
        return [Ask(), Ask.of(delta=0), *some, Ask.of(epsilon=0), Ask.of(epsilon="3/2")]
    return [Ask(), Ask.of(orders=["9/8"])] if kind is dp.Renyi else [Ask()]


def more(loss: Loss) -> Loss:
    """A loss larger by what rounding and a search may leave."""
    part = 1 + Fraction(1, 10**15)
    match loss:
        case dp.Approx():
            return dp.Approx(loss.epsilon * part, min(loss.delta * part, Fraction(1)))
        case dp.ZCDP():
            return dp.ZCDP(loss.rho * part, loss.delta)
        case dp.Pure():
            return dp.Pure(loss.epsilon * part)
        case dp.GDP():
            return dp.GDP.root(loss.square * part)
        case dp.Renyi():
            return dp.Renyi([(order, e * part) for order, e in loss.curve])
        case _:
            raise TypeError(loss)


def ends(loss: Loss, kind: type[Loss], ask: Ask) -> Iterator[Loss]:
    """What stands at the end of every walk that can be gone."""
    for walk in walks(type(loss), kind):
        try:
            yield along(loss, walk, ask)
        except LossError:
            continue


def outdone(loss: Loss) -> list[Loss]:
    """What some walk proves and the conversion does not."""
    found = []
    for kind in KINDS:
        for ask in asks(kind):
            better = list(ends(loss, kind, ask))
            if better:
                chosen = graph.convert(loss, kind, ask)
                found += [end for end in better if not chosen <= more(end)]
    return found


@settings(max_examples=20)
@given(losses)
def test_no_walk_is_better_than_the_one_taken(loss: Loss) -> None:
    assert outdone(loss) == []


def test_a_worse_edge_is_outdone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pure to zCDP at ε² in place of ε·tanh(ε/2): the walk by way of GDP is better."""
    square = Edge(dp.Pure, dp.ZCDP, lambda loss, _: dp.ZCDP(loss.epsilon**2), "none")
    others = [e for e in EDGES if (e.source, e.target) != (dp.Pure, dp.ZCDP)]
    monkeypatch.setattr(graph, "EDGES", (square, *others))
    assert outdone(dp.Pure("1/2")) != []


def losses_of(pair: Pair) -> list[Loss]:
    found = [pair.pure(), pair.approx(Fraction(1, 10)), pair.zcdp(), pair.renyi(), pair.gdp()]
    return [loss for loss in found if loss is not None]


@settings(max_examples=4)
@given(pairs())
def test_every_walk_from_what_two_laws_keep_ends_at_what_they_keep(pair: Pair) -> None:
    for loss in losses_of(pair):
        # A purse is checked by what follows from it, in test_from_approx.py.
        kinds = [kind for kind in KINDS if not (isinstance(loss, dp.Approx) and kind is dp.ZCDP)]
        for kind in kinds:
            # The default orders are many; two are enough here.
            for ask in [Ask.of(orders=["9/8", 3])] if kind is dp.Renyi else asks(kind):
                assert [end for end in ends(loss, kind, ask) if not pair.keeps(end)] == []


# --- what does not exist --------------------------------------------------------------------------

REFUSED: Final = [
    *product([dp.ZCDP(1), dp.Renyi({2: 1}), dp.GDP(1)], [dp.Pure]),
    *product([dp.ZCDP(1), dp.Renyi({2: 1})], [dp.GDP]),
    (dp.Renyi({2: 1}), dp.ZCDP),
    *product([dp.Approx(1, "1e-300"), dp.Approx(0, 1)], [dp.Pure, dp.GDP, dp.Renyi]),
    *product([dp.ZCDP(1, "1/3"), dp.ZCDP(0, 1)], [dp.Pure, dp.GDP, dp.Renyi]),
]


@pytest.mark.parametrize(("loss", "kind"), REFUSED, ids=str)
def test_where_there_is_no_edge_the_cure_runs(loss: Loss, kind: type[Loss]) -> None:
    with pytest.raises(LossError) as refused:
        loss.to(kind)
    assert refused.value.code in {"L08", "L11"}
    cures = pasted(refused.value.cure)
    assert cures
    for cure in cures:
        assert isinstance(eval(cure, {"dp": dp}), dp.Approx)  # noqa: S307


@settings(max_examples=60)
@given(losses, st.sampled_from(KINDS), st.sampled_from([{}, {"delta": 0}, {"delta": "1e-9"}]))
def test_what_is_refused_is_refused_with_a_cure_that_runs(
    loss: Loss, kind: type[Loss], asked: Mapping[str, Any]
) -> None:
    try:
        found = loss.to(kind, **asked)
    except LossError as refused:
        cures = pasted(refused.cure)
        assert cures
        assert all(isinstance(eval(cure, {"dp": dp}), Loss) for cure in cures)  # noqa: S307
    else:
        assert isinstance(found, kind)


@pytest.mark.parametrize(
    "nothing", [dp.Pure(0), dp.Approx(0, 0), dp.ZCDP(0), dp.Renyi({2: 0}), dp.GDP(0)], ids=str
)
@pytest.mark.parametrize("kind", KINDS)
def test_no_loss_at_all_is_none_of_any_kind(nothing: Loss, kind: type[Loss]) -> None:
    found = nothing.to(kind)
    if kind is dp.Renyi:
        assert all(e == 0 for _, e in nothing.to(dp.Renyi).curve)
    else:
        assert found == found.zero()


@settings(max_examples=8)
@given(pairs())
def test_a_rho_bounds_mu_though_no_edge_says_so(pair: Pair) -> None:
    """μ ≤ 2√2·(√ρ + √ln 2): graph.md, "What is not offered"."""
    concentrated, bell = pair.zcdp(), pair.gdp()
    assert concentrated is not None
    assert bell is not None
    most = 2 * sqrt(2) * (sqrt(float(concentrated.rho)) + sqrt(log(2)))
    assert float(bell.mu) < most


# --- what is asked --------------------------------------------------------------------------------


def test_one_thing_may_be_asked() -> None:
    assert Ask.of() == Ask()
    assert Ask.of(delta="1e-6") == Ask(delta=Fraction(1, 10**6))
    assert Ask.of(epsilon=0) == Ask(epsilon=Fraction(0))
    assert Ask.of(orders=[3, "3/2", 3]) == Ask(orders=(Fraction(3, 2), Fraction(3)))


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"delta": 0, "epsilon": 0}, "L10"),
        ({"epsilon": 1, "orders": [2]}, "L10"),
        ({"delta": "1e-6", "epsilon": 1, "orders": [2]}, "L10"),
        ({"delta": "1.01"}, "N04"),
        ({"delta": -1}, "N03"),
        ({"epsilon": "-1e-9"}, "N03"),
        ({"epsilon": "much"}, "N01"),
        ({"orders": []}, "L02"),
        ({"orders": [1]}, "L02"),
        ({"orders": [2, "1/2"]}, "L02"),
        ({"orders": ["two"]}, "N01"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: Mapping[str, Any], code: str) -> None:
    for ask in (Ask.of, lambda **each: dp.GDP(1).to(dp.Approx, **each)):
        with pytest.raises(DiscreetError) as refused:
            ask(**asked)
        assert refused.value.code == code


@pytest.mark.parametrize("kind", [dp.Pure, dp.ZCDP, dp.GDP, dp.Renyi])
@pytest.mark.parametrize("asked", [{"delta": "1e-6"}, {"epsilon": 1}, {"orders": [2]}])
def test_what_does_not_fit_the_kind_is_refused(kind: type[Loss], asked: Mapping[str, Any]) -> None:
    if kind is dp.Renyi and "orders" in asked:
        assert dp.Pure(0).to(kind, **asked) == dp.Renyi({2: 0})
        return
    with pytest.raises(LossError) as refused:
        dp.Pure(1).to(kind, **asked)
    assert refused.value.code == "L10"


@pytest.mark.parametrize("kind", [int, Loss, None, "Approx"])
def test_what_is_no_kind_is_refused(kind: Any) -> None:  # noqa: ANN401 - that is the point
    with pytest.raises(LossError) as refused:
        dp.Pure(1).to(kind)
    assert refused.value.code == "L12"


@settings(max_examples=40)
@given(losses)
def test_to_its_own_kind_a_loss_is_itself(loss: Loss) -> None:
    assert loss.to(type(loss)) is loss


@settings(max_examples=40)
@given(losses, losses)
def test_two_losses_are_brought_to_one_kind(one: Loss, other: Loss) -> None:
    left, right = (eval(code, {"dp": dp}) for code in graph.walks_to_meet(one, other))  # noqa: S307
    assert type(left) is type(right)


# --- time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["1e-4000", "1e-300", "1", "1e10", "1e20", "1e300", "1e4000"])
def test_no_conversion_takes_long(size: str) -> None:
    """Less than a second each, of the processor's time; the slowest are below a tenth."""
    sources = [dp.Pure(size), dp.Approx(size, "1e-9"), dp.ZCDP(size), dp.GDP(size)]
    curves = [dp.Renyi({"1.000000001": size, "1e6": size}), dp.Renyi({"1e4000": size})]
    deltas = ["1e-4000", "1e-6", "0.999999999", str(Decimal(1) - Decimal("1e-20"))]
    wanted: list[tuple[type[Loss], Ask]] = [(kind, Ask()) for kind in KINDS]
    wanted += [(dp.Approx, Ask.of(delta=delta)) for delta in deltas]
    wanted += [(dp.Approx, Ask.of(epsilon=epsilon)) for epsilon in ("0", "1", "1e4000", size)]
    for loss, (kind, ask) in product([*sources, *curves], wanted):
        start = process_time()
        try:
            graph.convert(loss, kind, ask)
        except DiscreetError as refused:
            assert refused.code in {"L08", "L09", "L11", "N06"}  # noqa: PT017
        assert process_time() - start < 1, (type(loss), kind, ask)
