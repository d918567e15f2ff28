"""Each file of `loss/`, `noise/` and `mechanisms/` has its claim beside it, unless PLAIN says why
it claims nothing; and each claim `x.md` has its code `x.py` and its test `test_x.py`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

import pytest

from tests.arch.source import PACKAGE, ROOT, Violations

CLAIMING: Final = {"loss", "noise", "mechanisms"}
PLAIN: Final = {
    "loss/__init__.py": "names only",
    "loss/base.py": "what every loss is; each loss claims for itself",
    "loss/text.py": "how losses are written and read",
    "loss/convert/__init__.py": "names only",
    "loss/convert/ask.py": "what was asked",
    "loss/convert/orders.py": "a list of orders; every order proves a bound",
    "loss/convert/refusals.py": "texts of errors",
    "loss/convert/search.py": "looks for a good order; every order proves a bound",
    "loss/pld/__init__.py": "names only",
    "loss/pld/apart.py": "response.md speaks of it",
    "loss/pld/ends.py": "asks curves, which claim; every number it returns was asked",
    "loss/pld/floats.py": "what is assumed of the machine; fold.md speaks of it",
    "loss/pld/grid.py": "what dots.md and contract.md speak of",
    "loss/pld/plan.py": "chooses among steps that claim for themselves",
    "loss/pld/saddle.py": "looks for a good tilt; every tilt gives a proven bound",
    "mechanisms/__init__.py": "names only",
    "mechanisms/base.py": "what every mechanism is; each claims for itself",
    "mechanisms/event.py": "what compose.md speaks of",
    "mechanisms/keys/__init__.py": "names only",
    "mechanisms/keys/coins.py": "the law of independent coins; the mechanisms claim",
    "mechanisms/lattice.py": "what may stand in an array; additive.md speaks of it",
    "mechanisms/sparse/__init__.py": "names only",
    "mechanisms/search.py": "looks for the least that is enough, which is asked again",
    "mechanisms/written.py": "how compositions are written and read",
    "noise/__init__.py": "names only",
    "noise/draw.py": "table.md claims for both",
    "noise/integer.py": "what three samplers share; each claims for itself",
    "noise/shape.py": "how many are wanted",
    "noise/weights.py": "the formulas that table.md speaks of",
    "noise/words.py": "bytes as words",
}


def unproven(code: Iterable[str], tests: Iterable[str], plain: Iterable[str]) -> Violations:
    """`code` are the files below `src/discreet`, `tests` those below `tests`."""
    files, checks = set(code), set(tests)
    claims = {file for file in files if file.endswith(".md")}
    return sorted(
        [f"{claim} has no {other}" for claim in claims if (other := _beside(claim)) not in files]
        + [f"{claim} has no test" for claim in claims if _test_of(claim) not in checks]
        + [
            f"{file} has no claim"
            for file in files
            if file.endswith(".py")
            and PurePosixPath(file).parts[0] in CLAIMING
            and file.removesuffix(".py") + ".md" not in claims
            and file not in set(plain)
        ]
        + [f"{file} is called plain, and is not there" for file in plain if file not in files]
        + [f"{file} is called plain, and claims" for file in plain if _claim_of(file) in claims]
    )


def _beside(claim: str) -> str:
    return claim.removesuffix(".md") + ".py"


def _claim_of(file: str) -> str:
    return file.removesuffix(".py") + ".md"


def _test_of(claim: str) -> str:
    path = PurePosixPath(claim)
    return (path.parent / f"test_{path.stem}.py").as_posix()


def test_every_claim_is_made_and_tested() -> None:
    code = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")]
    tests = [path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("*.py")]
    assert unproven(code, tests, PLAIN) == []


WHOLE: Final = {
    "code": ["noise/laplace.py", "noise/laplace.md", "noise/words.py", "units.py"],
    "tests": ["noise/test_laplace.py"],
    "plain": ["noise/words.py"],
}


def test_a_whole_claim_is_let_through() -> None:
    assert unproven(**WHOLE) == []


@pytest.mark.parametrize(
    ("what", "gone"),
    [
        ("code", "noise/laplace.py"),
        ("code", "noise/laplace.md"),
        ("tests", "noise/test_laplace.py"),
        ("plain", "noise/words.py"),
        ("code", "noise/words.py"),
    ],
)
def test_a_claim_with_a_part_missing_is_found(what: str, gone: str) -> None:
    assert len(unproven(**{**WHOLE, what: [file for file in WHOLE[what] if file != gone]})) == 1


def test_a_file_called_plain_that_claims_is_found() -> None:
    plain = [*WHOLE["plain"], "noise/laplace.py"]
    assert len(unproven(WHOLE["code"], WHOLE["tests"], plain)) == 1
