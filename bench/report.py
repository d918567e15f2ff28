"""The head of every report, and where it goes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.entry import E, Taker


def heading(
    title: str, machine: Mapping[str, object], how: Sequence[str], takers: Sequence[Taker[E]]
) -> str:
    """What was measured, on what, how, and who took part."""
    return "\n".join(
        [
            f"{title}, on one core of {machine['cores']}: {machine['cpu']}, {machine['python']}",
            f"{machine['system']}, load {machine['load_before']} to {machine['load_after']}",
            *how,
            *map(_taker, takers),
        ]
    )


def _taker(taker: Taker[E]) -> str:
    if taker.missing is not None:
        return f"  {taker.entrant.title}: not here; {taker.missing}"
    versions = ", ".join(f"{name} {number}" for name, number in taker.versions.items())
    return f"  {taker.entrant.title}: {versions}"


def tell(bench: str, effort: str, told: Mapping[str, object], text: str, folder: Path) -> None:
    """Write the JSON, which has the effort in its name unless it is the full one, and print."""
    file = folder / (f"{bench}.json" if effort == "full" else f"{bench}-{effort}.json")
    file.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(text)
