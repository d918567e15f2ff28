"""Every error can be had, has a page, and its cure works.

The source is searched for codes and for the calls that make errors.  `triggers.py` lists ways to
get each code; together they must reach every such call, so that no cure is left untried.
"""

from __future__ import annotations

import re

import pytest

import discreet
from discreet.errors import DiscreetError
from tests.arch.source import ROOT, package, planted
from tests.docs.errors import Site, codes, pages, pasted, reached, sites, watched
from tests.docs.mechanism_triggers import Trigger
from tests.docs.triggers import TRIGGERS

CASES = [
    pytest.param(code, trigger, id=f"{code}-{number}")
    for code, triggers in TRIGGERS.items()
    for number, trigger in enumerate(triggers)
]


def caught(trigger: Trigger) -> DiscreetError:
    with pytest.raises(DiscreetError) as error:
        trigger()
    return error.value


@pytest.mark.parametrize(("code", "trigger"), CASES)
def test_an_error_can_be_had(code: str, trigger: Trigger) -> None:
    error = caught(trigger)
    assert error.code == code
    assert error.page == f"docs/errors.md#{code}"
    assert error.problem.strip()
    assert error.cure.strip()


@pytest.mark.parametrize(("code", "trigger"), CASES)
def test_its_cure_can_be_pasted(code: str, trigger: Trigger) -> None:
    for line in pasted(caught(trigger).cure):
        exec(compile(line, f"cure of {code}", "exec"), {"dp": discreet})  # noqa: S102


def test_every_code_can_be_had() -> None:
    assert codes(package()) == set(TRIGGERS)


def test_every_call_that_makes_an_error_is_reached() -> None:
    made: list[tuple[str, int]] = []
    with watched(made):
        for triggers in TRIGGERS.values():
            for trigger in triggers:
                caught(trigger)
    everywhere = sites(package())
    assert sorted(everywhere - reached(made, everywhere)) == []


def test_every_code_has_one_page() -> None:
    written = pages((ROOT / "docs" / "errors.md").read_text("utf-8"))
    assert sorted(written) == sorted(TRIGGERS)


def test_every_page_shows_its_error() -> None:
    text = (ROOT / "docs" / "errors.md").read_text("utf-8")
    parts = re.split(r'<a id="(\w+)"></a>', text)[1:]
    bodies = zip(parts[::2], parts[1::2], strict=True)
    assert [code for code, body in bodies if f"Error: ...#{code}\n" not in body] == []


# --- the judge is judged -----------------------------------------------------------------------

PLANTED = planted(
    {
        "units.py": """\
def f():
    raise UnitError(
        "a", cure="`1`", code="U99"
    )

def g(code="U98"):
    raise UnitError("b", cure="c", code=code)
"""
    }
)


def test_codes_and_calls_are_found() -> None:
    assert codes(PLANTED) == {"U98", "U99"}
    assert sites(PLANTED) == {Site("units.py", 2, 4), Site("units.py", 7, 7)}


def test_a_call_that_is_not_reached_is_found() -> None:
    assert reached([("units.py", 2), ("loss/pure.py", 9)], sites(PLANTED)) == {
        Site("units.py", 2, 4)
    }


def test_a_page_needs_its_anchor_and_its_heading() -> None:
    good = '<a id="U01"></a>\n## U01 · A count\n'
    assert pages(good) == ["U01"]
    assert pages(good.replace('id="U01"', 'id="U02"')) == []
    assert pages("## U01 · A count\n") == []


def test_the_code_in_a_cure_is_found() -> None:
    assert pasted("give `dp.Rows(1)`, or `dp.Rows(2)`") == ["dp.Rows(1)", "dp.Rows(2)"]
