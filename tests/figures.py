"""What a run should tell beside that it passed: `figure(what, value)` in a test, and a list of
all figures at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import pytest

Figure: TypeAlias = Callable[[str, str], None]
TOLD: Final = pytest.StashKey[list[tuple[str, str]]]()


def lines(told: list[tuple[str, str]]) -> list[str]:
    widest = max((len(what) for what, _ in told), default=0)
    return [f"{what:<{widest}}  {value}" for what, value in told]
