"""Rounds in turn, sizes by speed, and one failure does not spoil the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from bench.contestant import NoAnswerError
from bench.noise.measure import Seat, bout, new_scales, peak, single_calls
from bench.noise.plan import QUICK, SETTINGS, Setting
from bench.noise.roster import Entrant

EFFORT = replace(QUICK, rounds=4, size=1_000_000, short_rounds=2, short_size=10_000, seconds=4.0)
LAPLACE_10 = next(setting for setting in SETTINGS if setting.label == "10")
MEAN_SIZE = 9.983353  # 1 / sinh(1/10)


@dataclass
class Scripted:
    """Draws at a given rate, and fails at the draw with a given number."""

    name: str
    rate: float
    diary: list[tuple[str, int]]
    fails_at: int | None = None
    mean_size: float = MEAN_SIZE
    asked: list[Mapping[str, object]] = field(default_factory=list)
    drawn: int = 0

    def ask(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]:
        assert seconds > 0
        self.asked.append(request)
        match request:
            case {"do": "draw", "count": int(count)}:
                self.drawn += 1
                self.diary.append((self.name, count))
                if self.drawn == self.fails_at:
                    raise NoAnswerError("no answer within 3 s")
                time = count / self.rate
                sums = {"total": 0.0, "total_abs": count * self.mean_size}
                return {"count": count, "seconds": time, "cpu": time, **sums}
            case {"do": "memory"}:
                return {"result": 80, "resident": None, "traced": 8}
            case {"do": "set"}:
                return {}
            case _:
                return {"seconds": 0.5}

    def end(self) -> None:
        self.diary.append((self.name, 0))


def seats(*scripted: Scripted) -> list[Seat]:
    return [
        Seat(Entrant(each.name, each.name, "", fast=each.name.startswith("fast")), each)
        for each in scripted
    ]


def run(*scripted: Scripted, setting: Setting = LAPLACE_10) -> Mapping[str, str]:
    return bout(setting, seats(*scripted), EFFORT).problems


def test_who_is_slow_draws_what_fits_and_who_is_fast_draws_all() -> None:
    diary: list[tuple[str, int]] = []
    found = bout(
        LAPLACE_10, seats(Scripted("fast", 5e7, diary), Scripted("slow", 2e5, diary)), EFFORT
    )
    assert not found.problems
    assert [draw.count for draw in found.rounds["fast"]] == [1_000_000] * 4
    assert [draw.count for draw in found.rounds["slow"]] == [200_000] * 4
    assert {name: len(draws) for name, draws in found.short.items()} == {"fast": 2}
    assert found.rounds["slow"][0].rate == 2e5


def test_the_contestants_take_turns_and_none_is_always_first() -> None:
    diary: list[tuple[str, int]] = []
    run(Scripted("fast-a", 5e7, diary), Scripted("fast-b", 5e7, diary))
    long = [name for name, count in diary if count == EFFORT.size]
    assert long == ["fast-a", "fast-b", "fast-b", "fast-a"] * 2


def test_who_fails_is_out_of_this_setting_and_the_others_go_on() -> None:
    diary: list[tuple[str, int]] = []
    failing, other = Scripted("failing", 1e6, diary, fails_at=12), Scripted("fast", 5e7, diary)
    found = bout(LAPLACE_10, seats(failing, other), EFFORT)
    assert found.problems == {"failing": "no answer within 3 s"}
    assert set(found.rounds) == {"fast"}
    assert len(found.rounds["fast"]) == 4
    assert failing.drawn == 12


def test_who_draws_another_law_is_out() -> None:
    diary: list[tuple[str, int]] = []
    wrong = Scripted("wrong", 1e6, diary, mean_size=1.05 * MEAN_SIZE)
    found = bout(LAPLACE_10, seats(wrong, Scripted("fast", 5e7, diary)), EFFORT)
    assert "another law" in found.problems["wrong"]
    assert set(found.rounds) == {"fast"}


def test_new_scales_are_new_and_near() -> None:
    scale = Fraction(22, 7)
    first, second = new_scales(scale, 1), new_scales(scale, 8)
    assert len({*first, *second, str(scale)}) == 15
    assert all(scale < Fraction(text) < Fraction("1.02") * scale for text in first + second)


def test_memory_is_measured_in_a_process_that_did_nothing_else() -> None:
    diary: list[tuple[str, int]] = []
    ours = Scripted("ours", 1e7, diary)
    found = peak(LAPLACE_10, seats(ours)[0], EFFORT)
    assert diary == [("ours", 0)]
    assert found is not None
    assert (found.result, found.resident, found.traced) == (80, None, 8)


def test_single_calls_ask_for_scalars_and_vectors_with_known_and_new_scales() -> None:
    ours = Scripted("ours", 1e7, [])
    assert single_calls(LAPLACE_10, seats(ours)[0], EFFORT) is not None
    asked = [(request["do"], request.get("count")) for request in ours.asked]
    assert asked == [
        ("set", None),
        ("fresh", None),
        ("calls", None),
        ("fresh", 100),
        ("calls", 100),
    ]
