"""One run, from the contests to the report: `python -m bench error`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import machine
from bench.entry import progress
from bench.error.aims import passed, shown
from bench.error.contest import Contest
from bench.error.counts import counts
from bench.error.keys import keys
from bench.error.peers import Library, libraries
from bench.error.plan import Effort, Trials, trials_of
from bench.error.quantiles import many, medians
from bench.error.selection import selection
from bench.error.sparse import sparse
from bench.error.sums import means, variances
from bench.report import tell


def run(effort: str, folder: Path) -> bool:
    """Measure, print the tables, write the JSON.  True if no aim was missed."""
    chosen = Effort(effort)
    folder.mkdir(parents=True, exist_ok=True)
    with libraries(folder) as peers:
        contests = held(trials_of(chosen), peers)
    told, text = to_json(chosen, contests, peers), to_text(chosen, contests, peers)
    tell("error", str(chosen), told, text, folder)
    return passed(aim for contest in contests for aim in contest.aims)


def held(trials: Trials, peers: Sequence[Library]) -> list[Contest]:
    """All contests, those that are only computed first."""
    contests = []
    for name, hold in (
        ("counts", counts),
        ("keys", keys),
        ("selection", selection),
        ("sparse vector", sparse),
        ("means", lambda: means(trials.means)),
        ("variances", lambda: variances(trials.variances)),
        ("medians", lambda: medians(trials.medians, peers, trials.peers)),
        ("quantiles", lambda: many(trials.many)),
    ):
        progress(f"{name} …")
        contests.append(hold())
    return contests


def to_text(effort: Effort, contests: Sequence[Contest], peers: Sequence[Library]) -> str:
    """The report for people."""
    head = "\n".join(
        ["Error, one row added or removed unless it says otherwise", *map(_peer, peers)]
    )
    note = "" if effort is Effort.FULL else f" (a {effort} run: not the proof)"
    aims = [aim for contest in contests for aim in contest.aims]
    parts = [contest.text() for contest in contests]
    return "\n\n".join([head, *parts, f"Aims{note}\n{shown(aims)}"]) + "\n"


def _peer(peer: Library) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in peer.versions.items())
    return f"  {peer.name}: {versions or 'not here; ' + peer.missing}"


def to_json(
    effort: Effort, contests: Sequence[Contest], peers: Sequence[Library]
) -> dict[str, object]:
    """The report as plain values."""
    return {
        "bench": "error",
        "format": 1,
        "machine": machine.describe(),
        "effort": str(effort),
        "peers": {
            peer.name: {"versions": dict(peer.versions), "missing": peer.missing or None}
            for peer in peers
        },
        "contests": [contest.json() for contest in contests],
        "passed": passed(aim for contest in contests for aim in contest.aims),
    }
