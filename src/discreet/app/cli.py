"""`discreet`: the commands, and how they end.

Exit codes: 0 answered, 1 a defect, 2 wrong usage, 3 a question that is refused.
"""

from __future__ import annotations

import sys
from typing import Final

import typer
from rich.console import Console

from discreet.app.account import account
from discreet.errors import DiscreetError

REFUSED: Final = 3

app: Final = typer.Typer(
    name="discreet",
    help="A trusted curator: exact noise, exact accounts, answers with differential privacy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(account)


@app.callback()
def _commands() -> None:
    """With one command alone typer would leave out its name."""


def main() -> None:
    """Run a command; an error of ours is a text, not a traceback."""
    try:
        app()
    except DiscreetError as error:
        Console(stderr=True, highlight=False).print(f"discreet: {error}", markup=False)
        sys.exit(REFUSED)
