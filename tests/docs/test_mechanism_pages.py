"""Every public mechanism has a page, each page its picture, and each picture is of today's code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

import discreet
from discreet.lab.picture import Picture, picture
from discreet.mechanisms import Mechanism, keys
from examples import pictures as script
from examples.pictures import DRAWN, PAIR, TRIPLE, mark, pictures, svg
from tests.arch.source import ROOT
from tests.docs.prose import blocks, dead_links

FOLDER: Final = ROOT / "docs" / "mechanisms"
PAGES: Final = sorted(FOLDER.glob("*.md"))
SEEN: Final[dict[str, Picture]] = pictures()
WITHOUT: Final = {"keys"}
"""Pages that lead to others."""
MOST_LINES: Final = 60
MOST_BYTES: Final = 60_000
_IMAGE: Final = re.compile(r"^!\[(?P<alt>[^\]\n]*)\]\((?P<target>[^)\s]+)\)$", re.MULTILINE)


def page_of(kind: type[Any]) -> str:
    """`ManyQuantiles` is on `many_quantiles.md`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def public() -> set[str]:
    found = [getattr(discreet, name) for name in dir(discreet)]
    found += [getattr(keys, name) for name in keys.__all__]
    return {page_of(each) for each in found if isinstance(each, type) and below(each)}


def below(kind: type[Any]) -> bool:
    return issubclass(kind, Mechanism) and kind is not Mechanism


def test_every_public_mechanism_has_a_page_and_a_picture() -> None:
    assert {"laplace", "many_quantiles", "weighted_gaussian"} <= public()
    assert {path.stem for path in PAGES} == public() | WITHOUT
    assert set(SEEN) == public()


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in script.FOLDER.iterdir()} == {f"{name}.svg" for name in SEEN}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_short_and_has_its_picture_in_words(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    wanted = set() if path.stem in WITHOUT else {f"pictures/{path.stem}.svg"}
    assert {found["target"] for found in _IMAGE.finditer(text)} == wanted
    assert all(len(found["alt"]) > 40 for found in _IMAGE.finditer(text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_leads_to_its_claim_and_shows_error_and_loss(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "[Claim and proof](../../src/discreet/mechanisms/" in text
    assert "[all mechanisms](../mechanisms.md)" in text
    code = "".join(block.text for block in blocks(text) if block.tag == "python")
    assert ".accuracy(" in code
    assert ".release(" in code
    assert path.stem in WITHOUT or ".loss(" in code
    assert dead_links(text, FOLDER) == []


def test_the_table_of_all_mechanisms_leads_to_every_page() -> None:
    table = (FOLDER.parent / "mechanisms.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(mechanisms/(\w+)\.md\)", table))
    linked |= set(re.findall(r"\]\((\w+)\.md\)", (FOLDER / "keys.md").read_text("utf-8")))
    assert linked >= {path.stem for path in PAGES}


@pytest.mark.parametrize("name", SEEN)
def test_a_picture_is_of_todays_code(name: str) -> None:
    """`make pictures` draws them anew."""
    drawn = (script.FOLDER / f"{name}.svg").read_text("utf-8")
    assert drawn.endswith(f"</svg>\n{mark(SEEN[name])}\n")
    assert len(drawn.encode()) < MOST_BYTES


@pytest.mark.parametrize("name", ["laplace", "truncated_geometric"])
def test_a_picture_is_drawn_the_same_each_time(name: str) -> None:
    assert svg(SEEN[name]) == svg(pictures()[name])
    assert "<script" not in svg(SEEN[name])


@pytest.mark.parametrize("name", DRAWN)
def test_no_loss_on_a_picture_passes_its_claim(name: str) -> None:
    """But for those that a δ pays for."""
    seen, (mechanism, pair) = SEEN[name], DRAWN[name]
    assert seen.claimed == mechanism.loss(pair.distance)
    paid = [row for row in seen.rows if abs(row.loss) == float("inf")]
    assert sum(row.most for row in paid) <= getattr(seen.claimed, "delta", 0)
    limit = seen.limit
    if limit is not None:
        assert all(abs(row.loss) <= limit + 1e-6 for row in seen.rows if row not in paid)


def test_one_sum_is_a_part_of_what_all_sums_cost() -> None:
    """The pictures of the pair and of the triple show one of their sums."""
    assert SEEN["mean_pair"].claimed == PAIR.loss(discreet.Rows(1))
    assert [b - a for a, b in zip(PAIR.sums([0]), PAIR.sums([0, 3]), strict=True)] == [3, 0]
    assert 2 * SEEN["moment_triple"].claimed == TRIPLE.loss(discreet.Rows(1))
    assert TRIPLE.split(1) == (1, 2, 1)


# --- the judge is judged -----------------------------------------------------------------------


def test_a_picture_of_another_law_is_found() -> None:
    """Of a scale that is a thousandth larger."""
    _, pair = DRAWN["laplace"]
    drawn = (script.FOLDER / "laplace.svg").read_text("utf-8")
    assert mark(picture(discreet.Laplace(2), pair)) in drawn
    assert mark(picture(discreet.Laplace("2.002"), pair)) not in drawn
    assert len({mark(seen) for seen in SEEN.values()}) == len(SEEN)


def test_a_name_becomes_its_page() -> None:
    assert page_of(discreet.ManyQuantiles) == "many_quantiles"
    assert page_of(discreet.Laplace) == "laplace"
