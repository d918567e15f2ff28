"""`discreet account`, as a person runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

import discreet as dp
from discreet.app.cli import app, main

PAGE = "1000 * laplace(10) + 50 * gaussian(20).poisson(1/100)"


def told(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["account", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def as_json(*arguments: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(told(*arguments, "--json"))
    return found


def test_epsilon_is_told_with_its_ends_and_parts() -> None:
    found = as_json(PAGE, "--delta", "1e-6")
    bracket = dp.compose(1000 * dp.Laplace(10), 50 * dp.Gaussian(20).poisson("1/100")).epsilon(
        "1e-6"
    )
    lower, upper = Decimal(found["lower"]), Decimal(found["upper"])
    assert dp.exact(lower) <= bracket.low
    assert bracket.high <= dp.exact(upper)
    assert upper - lower < Decimal("0.01")
    assert found["asked"] == "epsilon"
    assert [part["answers"] for part in json.loads(json.dumps(found["parts"]))] == [
        "1000 * Laplace(scale=10).at(L1(1))",
        "50 * Gaussian(variance=400).at(L2(1)).poisson('1/100')",
    ]


def test_people_see_a_table_and_the_proof() -> None:
    lines = told(PAGE).splitlines()
    assert lines[0].strip() == "epsilon at delta 1e-6"
    assert any("1000 * Laplace(scale=10).at(L1(1))" in line for line in lines)
    assert lines[-2].startswith("all together: epsilon 19.34")
    assert lines[-1].startswith("proven: no less than 19.34")


def test_delta_is_told_at_an_epsilon() -> None:
    found = as_json("10 * laplace(2)", "--epsilon", "3")
    assert dp.exact(found["upper"]) >= dp.compose(10 * dp.Laplace(2)).delta(3).high
    assert "delta at epsilon 3" in told("10 * laplace(2)", "--epsilon", "3")


def test_noise_is_found_for_a_loss() -> None:
    found = as_json("100 * laplace(1)", "--noise-for", "epsilon=1, delta=1e-6")
    assert dp.exact(found["upper"]) <= 1
    assert dp.exact(found["lower"]) > dp.exact("0.99")


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_a_picture_is_drawn(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"curve.{ending}"
    told("3 * laplace(2)", "--plot", str(file))
    assert file.stat().st_size > 1_000


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nothing(3)"], "M98"),
        (["laplace(10)", "--delta", "2"], "N0"),
        (["laplace(10)", "--noise-for", "rho=1"], "L57"),
        (["gaussian(20).at(100)"], "M93"),
    ],
)
def test_an_error_is_a_text_with_a_cure_and_a_code(
    arguments: list[str],
    code: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["discreet", "account", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert ended.value.code == 3
    assert shown.out == ""
    assert "cure:" in shown.err
    assert f"docs/errors.md#{code}" in shown.err.replace("\n", "")
    assert "Traceback" not in shown.err


def test_wrong_usage_ends_with_two() -> None:
    assert CliRunner().invoke(app, ["account"]).exit_code == 2
    assert CliRunner().invoke(app, ["account", "laplace(1)", "--nothing"]).exit_code == 2
    assert CliRunner().invoke(app, ["nothing"]).exit_code == 2


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).parent / "discreet"
    run = subprocess.run(
        [command, "account", "2 * laplace(1)", "--delta", "0", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(run.stdout)["upper"] == "2"
