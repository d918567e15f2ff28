"""How many bytes a draw reads."""

from __future__ import annotations

from typing import final

from discreet.entropy import SYSTEM, Entropy


@final
class Counted(Entropy):
    """The bytes of another source, with a count of what was read."""

    def __init__(self, source: Entropy = SYSTEM) -> None:
        self.read = 0
        self._source = source

    def take(self, count: int) -> bytes:
        given = self._source.take(count)
        self.read += count
        return given
