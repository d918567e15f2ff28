"""`discreet account`: what many answers cost together, and the noise that a loss allows."""

from __future__ import annotations

import json
from decimal import ROUND_FLOOR
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from discreet.errors import LossError
from discreet.loss import Approx, loss
from discreet.loss.divergence import Bracket
from discreet.mechanisms.compose import Composition, short
from discreet.mechanisms.fit import fit
from discreet.mechanisms.written import composition

EXAMPLE: Final = "1000 * laplace(10) + 50 * gaussian(20).poisson(1/100)"


def account(  # noqa: PLR0913, PLR0917 - each is an option of the command
    answers: Annotated[str, typer.Argument(help=f'Such as "{EXAMPLE}".')],
    delta: Annotated[str, typer.Option(help="Ask for epsilon at this delta.")] = "1e-6",
    epsilon: Annotated[str, typer.Option(help="Ask for delta at this epsilon instead.")] = "",
    noise_for: Annotated[
        str, typer.Option(help='Multiply all noise until this is kept: "epsilon=1, delta=1e-6".')
    ] = "",
    plot: Annotated[
        str, typer.Option(help="Draw what a guesser must miss: FILE.svg, .png or .html.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,  # noqa: FBT002
) -> None:
    """What many answers cost together, if all are fixed before the first is given."""
    asked = composition(answers)
    if noise_for:
        wanted = _approx(noise_for)
        asked, delta = fit(asked, wanted), str(wanted.delta)
    if plot:
        asked.plot().save(str(Path(plot)))
    shown = _delta_at(asked, epsilon) if epsilon else _epsilon_at(asked, delta)
    if as_json:
        typer.echo(json.dumps(shown, indent=2))
    else:
        _print(shown)


def _approx(text: str) -> Approx:
    wanted = loss(text)
    if not isinstance(wanted, Approx):
        raise LossError(
            "noise for many answers is found for an epsilon and a delta",
            cure='write both, as in --noise-for "epsilon=1, delta=1e-6"',
            code="L57",
        )
    return wanted


# --- what is shown -------------------------------------------------------------------------------


def _epsilon_at(asked: Composition, delta: str) -> dict[str, object]:
    told = asked.explain(delta)
    rows = [
        {
            "answers": part.answers,
            "alone": short(part.alone.high),
            "others": short(part.others.high),
        }
        for part in told.parts
    ]
    return {"asked": "epsilon", "delta": delta, **_ends(told.total), "parts": rows}


def _delta_at(asked: Composition, epsilon: str) -> dict[str, object]:
    rows = [{"answers": str(event)} for event in asked.events]
    return {"asked": "delta", "epsilon": epsilon, **_ends(asked.delta(epsilon)), "parts": rows}


def _ends(found: Bracket) -> dict[str, object]:
    return {"lower": short(found.low, ROUND_FLOOR), "upper": short(found.high)}


def _print(shown: dict[str, object]) -> None:
    asked = shown["asked"]
    given = f"delta {shown['delta']}" if asked == "epsilon" else f"epsilon {shown['epsilon']}"
    table = Table(title=f"{asked} at {given}", title_justify="left")
    table.add_column("answers", overflow="fold")
    rows = shown["parts"]
    if asked == "epsilon":
        table.add_column("alone", justify="right")
        table.add_column("all the others", justify="right")
    for row in rows if isinstance(rows, list) else []:
        table.add_row(*row.values())
    console = Console(highlight=False)
    console.print(table)
    console.print(f"all together: {asked} {shown['upper']}", style="bold")
    console.print(f"proven: no less than {shown['lower']}, and no more than {shown['upper']}")
