"""Ten thousand counts of first names, released at ε = 1, and how far they are off.

A person has one first name and so is in one count: who joins or leaves moves one count by one, and
the whole list by an L1 distance of 1.  Discrete Laplace noise of scale 1 then costs ε = 1 for all
10,000 counts together.

The names and their true counts are invented by a formula, so this page may show them beside what
was released.  With real people only the released column could ever be seen.

    make demo        prints the table, and draws build/demo/first_names.png and .html
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Final, final

import altair as alt

from discreet.noise import DiscreteLaplace
from discreet.noise.law import IntegerLaw
from discreet.numbers import Number, down, exact, nearest_float

HOW_MANY: Final = 10_000
NOISE: Final = DiscreteLaplace(1)
CONFIDENCE: Final = "0.95"
FOLDER: Final = Path("build/demo")

BEGINNINGS: Final = (*"BCDFGHJKLMNPRSTVWYZ", "Th")
VOWELS: Final = (*"aeiou",)
MIDDLES: Final = (*"dlmnrsv", "nd", "rr", "th")
ENDINGS: Final = (*"aeo", "el", "en", "ia", "ie", "in", "is", "on")


@final
@dataclass(frozen=True, slots=True)
class Count:
    """How many people have a name, and what was told of it."""

    rank: int
    name: str
    true: int
    released: int

    @property
    def error(self) -> int:
        return self.released - self.true

    @property
    def signed(self) -> str:
        return f"{self.error:+}" if self.error else "0"


@final
@dataclass(frozen=True, slots=True)
class Bound:
    """With this probability none of the errors is larger than `errors`."""

    errors: int
    probability: Fraction


def invented_counts() -> list[tuple[str, int]]:
    """20 · 5 · 10 · 10 = 10,000 names in a fixed disorder, and counts that fall off as Zipf's."""
    spelled = ["".join(parts) for parts in product(BEGINNINGS, VOWELS, MIDDLES, ENDINGS)]
    shuffled = [spelled[(rank * 6_337 + 40) % HOW_MANY] for rank in range(1, HOW_MANY + 1)]
    return [(name, 250_000 // (rank + 9)) for rank, name in enumerate(shuffled, start=1)]


def released(counts: list[tuple[str, int]], noise: DiscreteLaplace) -> list[Count]:
    """Each count with its own noise."""
    drawn = noise.sample(len(counts))
    return [
        Count(rank, name, true, true + int(error))
        for rank, ((name, true), error) in enumerate(zip(counts, drawn, strict=True), start=1)
    ]


def bound_for_all(law: IntegerLaw, errors: int, confidence: Number) -> Bound:
    """The smallest bound that holds for all the independent errors at once.

    All of n errors are at most t with probability (1 - P(|X| > t))^n, rounded down here; for scale
    1, P(|X| > t) = 2q^(t+1) / (1 + q) with q = 1/e.
    """
    for largest in count():
        beyond = largest + 1
        probability = down(lambda: (1 - law.at_least(beyond)) ** errors)  # noqa: B023
        if probability >= exact(confidence):
            return Bound(largest, probability)
    raise AssertionError("the law has no tail")


def report(counts: list[Count], bound: Bound) -> str:
    shown = [counts[rank - 1] for rank in (1, 2, 3, 12, 123, 1_234, 5_678, 10_000)]
    rows = [
        f"{each.rank:>6,}  {each.name:<9}{each.true:>8,}{each.released:>10,}{each.signed:>8}"
        for each in shown
    ]
    sure = f"{float(bound.probability):.4f} (asked: {CONFIDENCE})"
    worst = max(abs(each.error) for each in counts)
    same = sum(each.error == 0 for each in counts)
    return "\n".join(
        [
            f"{len(counts):,} counts of first names, released at ε = 1 for all of them together",
            "(names and true counts are invented; of real people only `released` may be seen)",
            "",
            "  rank  name         true  released   error",
            *rows,
            "",
            f"largest error            {worst}",
            f"counts told exactly      {same:,}",
            f"bound for all at once    {bound.errors}, with probability {sure}",
        ]
    )


FEWEST: Final = 0.02
"""Where the log scale of the histogram begins."""
BLUE: Final = "#4c78a8"
RED: Final = "#d1495b"
HEIGHT: Final = 400


def plot(counts: list[Count], law: IntegerLaw, bound: Bound) -> alt.HConcatChart:
    """Each error in its place, and beside them their histogram and the law it should follow."""
    edge = max(bound.errors + 2, *(abs(each.error) + 1 for each in counts))
    title = alt.TitleParams(
        f"{len(counts):,} name counts released at ε = 1: how far each is off",
        subtitle=f"Dashed: none of them is off by more than {bound.errors}, "
        f"with probability {float(bound.probability):.4f}",
        anchor="start",
        offset=16,
    )
    panels = alt.hconcat(_each_error(counts, bound, edge), _histogram(counts, law, bound, edge))
    chart: alt.HConcatChart = (
        panels.resolve_scale(y="shared")
        .properties(title=title, padding=20, spacing=24)
        .configure(font="Helvetica, Arial, sans-serif", background="white")
        .configure_title(fontSize=19, subtitleFontSize=14, subtitleColor="#444", subtitlePadding=8)
        .configure_axis(
            labelFontSize=13,
            titleFontSize=14,
            titleFontWeight="normal",
            titlePadding=10,
            gridColor="#ececec",
            domainColor="#888",
            tickColor="#888",
        )
        .configure_view(stroke=None)
    )
    return chart


def _each_error(counts: list[Count], bound: Bound, edge: int) -> alt.LayerChart:
    rank = alt.X("rank:Q", title="rank of the name").scale(domain=[1, len(counts)])
    error = _up(edge, "error").axis(title="error: released − true", values=_ticks(bound))
    points = _chart([{"rank": each.rank, "error": each.error} for each in counts])
    points = points.mark_circle(size=13, opacity=0.5, color=BLUE).encode(
        x=rank.axis(grid=False, values=[1, 2_500, 5_000, 7_500, 10_000], format=",d"), y=error
    )
    panel: alt.LayerChart = points.properties(width=520, height=HEIGHT) + _lines(bound, edge)
    return panel


def _histogram(counts: list[Count], law: IntegerLaw, bound: Bound, edge: int) -> alt.LayerChart:
    """Bars for what was seen, points for what is due: on a log scale the law is a tent."""
    seen = Counter(each.error for each in counts)
    due = {
        error: len(counts) * nearest_float(partial(law.probability, error))
        for error in range(-edge, edge + 1)
    }
    bars = _chart(
        [
            {"low": error - 0.38, "high": error + 0.38, "least": FEWEST, "seen": number}
            for error, number in sorted(seen.items())
        ]
    )
    bars = bars.mark_rect(color=BLUE, opacity=0.65).encode(
        x=_many("least"), x2="seen:Q", y=_up(edge, "low").axis(None), y2="high:Q"
    )
    points = _chart(
        [{"error": error, "due": many} for error, many in due.items() if many >= FEWEST]
    )
    points = points.mark_line(
        color=RED, strokeWidth=1.2, point=alt.OverlayMarkDef(color=RED, size=36)
    ).encode(x=_many("due"), y=_up(edge, "error").axis(None), order="error:Q")
    panel: alt.LayerChart = (
        bars.properties(width=300, height=HEIGHT)
        + points
        + _lines(bound, edge)
        + _word("the exact law", RED, due[6], 6)
        + _word("the errors seen", BLUE, due[-6], -6)
    )
    return panel


def _chart(values: list[dict[str, float]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=values))


def _word(text: str, colour: str, many: float, error: int) -> alt.Chart:
    """What the bars or the points are, written where they are."""
    word = _chart([{"many": many, "error": error}])
    word = word.mark_text(
        text=text, color=colour, align="left", dx=14, fontSize=13, fontWeight="bold"
    )
    placed: alt.Chart = word.encode(x="many:Q", y="error:Q")
    return placed


def _lines(bound: Bound, edge: int) -> alt.Chart:
    """Drawn between the last integer that the bound allows and the first that it does not."""
    line = bound.errors + 0.5
    rules = _chart([{"error": line}, {"error": -line}])
    rules = rules.mark_rule(strokeDash=[6, 4], color="#222", size=1.4)
    placed: alt.Chart = rules.encode(y=_up(edge, "error"))
    return placed


def _up(edge: int, field: str) -> alt.Y:
    return alt.Y(f"{field}:Q").scale(domain=[-edge, edge], nice=False)


def _many(field: str) -> alt.X:
    across = alt.X(f"{field}:Q", title="how many counts (log scale)")
    across = across.scale(type="log", domain=[FEWEST, HOW_MANY], nice=False)
    return across.axis(values=[0.1, 1, 10, 100, 1_000, 10_000], format=",~g", labelFlush=False)


def _ticks(bound: Bound) -> list[int]:
    third = bound.errors // 3
    return [*range(-bound.errors, 0, third), *range(0, bound.errors + 1, third)]


def main() -> None:
    counts = released(invented_counts(), NOISE)
    bound = bound_for_all(NOISE.law(), len(counts), CONFIDENCE)
    sys.stdout.write(report(counts, bound) + "\n")
    FOLDER.mkdir(parents=True, exist_ok=True)
    chart = plot(counts, NOISE.law(), bound)
    chart.save(FOLDER / "first_names.png", ppi=160)
    chart.save(FOLDER / "first_names.html", inline=True)
    sys.stdout.write(f"picture                  {FOLDER}/first_names.png and .html\n")


if __name__ == "__main__":
    main()
