"""The command line: `python -m bench noise`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bench.contestant import ROOT
from bench.noise import command
from bench.noise.plan import FULL, QUICK, SETTINGS, Law
from bench.noise.roster import ENTRANTS


def main(arguments: Sequence[str]) -> int:
    """0 if no aim was missed, 1 if one was."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed against peers.")
    what = parser.add_subparsers(dest="what", required=True)
    noise = what.add_parser("noise", help="samples a second, against NumPy and other libraries")
    noise.add_argument("--quick", action="store_true", help="a first look in half a minute")
    noise.add_argument("--law", choices=[str(law) for law in Law], help="only this law")
    names = [entrant.name for entrant in ENTRANTS]
    noise.add_argument("--only", nargs="+", choices=names, help="only these contestants")
    asked = parser.parse_args(arguments)
    settings = [setting for setting in SETTINGS if asked.law in (None, str(setting.law))]
    entrants = [entrant for entrant in ENTRANTS if not asked.only or entrant.name in asked.only]
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    effort = QUICK if asked.quick else FULL
    return 0 if command.run(entrants, settings, effort, folder) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
