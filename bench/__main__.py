"""The command line: `python -m bench all`, or `noise`, `choice`, `error` or `account`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from bench.account import command as account, plan as account_plan, roster as account_roster
from bench.choice import command as choice, plan as choice_plan, roster as choice_roster
from bench.contestant import ROOT
from bench.error import command as error
from bench.noise import command as noise
from bench.noise.plan import FULL, QUICK, SETTINGS, Law
from bench.noise.roster import ENTRANTS

Bench: TypeAlias = Callable[[argparse.Namespace, Path], bool]
"""Measures and tells, in a folder; true if no aim was missed."""


def main(arguments: Sequence[str], benches: Mapping[str, Bench] | None = None) -> int:
    """0 if no aim was missed, 1 if one was."""
    held = BENCHES if benches is None else benches
    asked = _parser().parse_args(arguments)
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    names = list(held) if asked.what == "all" else [asked.what]
    # All of them, even if an earlier one misses an aim.
    passed = [held[name](asked, folder) for name in names]
    return 0 if all(passed) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Against peers.")
    parser.set_defaults(law=None, only=None)
    what = parser.add_subparsers(dest="what", required=True)
    helps = {
        "noise": "samples a second, against NumPy and other libraries",
        "choice": "choices, questions against a threshold, and histograms: times and ratios",
        "error": "how far off answers are, against other libraries",
        "account": "what many answers cost together: width, time, and whether others agree",
        "all": "all of these, one after another",
    }
    parts = {name: what.add_parser(name, help=text) for name, text in helps.items()}
    for part in parts.values():
        part.add_argument("--quick", action="store_true", help="a first look in half a minute")
    parts["noise"].add_argument("--law", choices=[str(law) for law in Law], help="only this law")
    takers = {
        "noise": [who.name for who in ENTRANTS],
        "choice": [who.name for who in choice_roster.ENTRANTS],
        "account": [who.name for who in account_roster.ENTRANTS],
    }
    for name, named in takers.items():
        parts[name].add_argument("--only", nargs="+", choices=named, help="only these contestants")
    return parser


def _noise(asked: argparse.Namespace, folder: Path) -> bool:
    settings = [setting for setting in SETTINGS if asked.law in (None, str(setting.law))]
    entrants = [entrant for entrant in ENTRANTS if not asked.only or entrant.name in asked.only]
    return noise.run(entrants, settings, QUICK if asked.quick else FULL, folder)


def _choice(asked: argparse.Namespace, folder: Path) -> bool:
    wanted = [who for who in choice_roster.ENTRANTS if not asked.only or who.name in asked.only]
    effort = choice_plan.QUICK if asked.quick else choice_plan.FULL
    return choice.run(effort, folder, wanted)


def _error(asked: argparse.Namespace, folder: Path) -> bool:
    return error.run("quick" if asked.quick else "full", folder)


def _account(asked: argparse.Namespace, folder: Path) -> bool:
    wanted = [who for who in account_roster.ENTRANTS if not asked.only or who.name in asked.only]
    return account.run(account_plan.QUICK if asked.quick else account_plan.FULL, folder, wanted)


BENCHES: Final[Mapping[str, Bench]] = {
    "noise": _noise,
    "choice": _choice,
    "error": _error,
    "account": _account,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
