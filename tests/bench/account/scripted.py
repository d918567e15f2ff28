"""Contestants that answer what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bench.account.measure import Seat
from bench.account.roster import Entrant
from bench.contestant import NoAnswerError


@dataclass
class Scripted:
    """Answers in so many seconds, with ends by delta, and fails at the question with a number."""

    name: str
    seconds: float = 0.01
    ends: Callable[[Fraction], tuple[float | None, float | None]] = lambda _: (1.0, 1.001)
    peak: float | None = 5e7
    fails_at: int | None = None
    slow: bool = False
    diary: list[str] = field(default_factory=list)
    asked: list[Mapping[str, object]] = field(default_factory=list)
    ended: int = 0

    def ask(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]:
        assert seconds > 0
        self.asked.append(request)
        self.diary.append(self.name)
        if len(self.asked) == self.fails_at:
            raise NoAnswerError("no answer within 9 s")
        low, high = self.ends(Fraction(str(request.get("delta", 0))))
        told: dict[str, object] = {"low": low, "high": high}
        match request:
            case {"do": "peak"}:
                return {"peak": self.peak}
            case {"do": "account"}:
                return told
            case _:
                return told | {"calls": 3, "seconds": self.seconds, "cpu": self.seconds / 2}

    def end(self) -> None:
        self.ended += 1


def seat(scripted: Scripted) -> Seat:
    return Seat(Entrant(scripted.name, scripted.name, "", slow=scripted.slow), scripted)
