"""How a picture lies on paper: two halves with one axis, in the language of Vega-Lite.

Here are floats and words only, and nothing of privacy; `picture.py` fills the sheet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, Final, TypeAlias, final

Spec: TypeAlias = dict[str, Any]

HERE: Final = "#0072b2"
THERE: Final = "#e69f00"
DARK: Final = "#333333"
WIDTH: Final = 660
MOST_BARS: Final = 64
"""More numbers are drawn as lines."""
STYLE: Final[Spec] = {
    "padding": 18,
    "background": "white",
    "config": {
        "font": "Helvetica, Arial, sans-serif",
        "aria": False,
        "title": {"anchor": "start", "fontSize": 19, "subtitleFontSize": 14, "offset": 10,
                  "subtitleColor": "#444444", "subtitlePadding": 7},
        "axis": {"labelFontSize": 13, "titleFontSize": 14, "titleFontWeight": "normal",
                 "titlePadding": 10, "gridColor": "#ececec", "domainColor": "#888888",
                 "tickColor": "#888888"},
        "legend": {"labelFontSize": 14, "labelLimit": 0, "symbolType": "square",
                   "symbolSize": 160, "title": None, "orient": "top", "direction": "vertical"},
        "view": {"stroke": None},
    },
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Place:
    """An outcome on paper: where it stands, its two probabilities, and its loss."""

    text: str
    at: float
    here: float
    there: float
    loss: float


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """All that is drawn.  `limit` is where the dashed lines lie; `numbers` says that places are
    numbers on an axis, and else each has its text below it."""

    places: tuple[Place, ...]
    numbers: bool
    limit: float | None
    names: tuple[str, str]
    title: str
    subtitle: tuple[str, str]
    note: str


def spec_of(seen: Sheet) -> Spec:
    """The sheet in the language of Vega-Lite."""
    places = seen.places
    step = min((b.at - a.at for a, b in pairwise(places)), default=1.0)
    ends = [places[0].at - 0.7 * step, places[-1].at + 0.7 * step]
    sizes = [abs(each.loss) for each in places if isfinite(each.loss)]
    edge = 1.45 * max(seen.limit or 0, *sizes, 0.05)
    bare = {"field": "left", "type": "quantitative", "scale": {"domain": ends, "nice": False}}
    hidden = {**bare, "axis": {**_ticks(seen), "labels": False, "title": None}}
    named = {**bare, "axis": {**_ticks(seen), "title": _across(seen)}}
    loss = {
        "field": "loss",
        "type": "quantitative",
        "scale": {"domain": [-edge, edge], "nice": False},
        "axis": {"tickCount": 5, "title": "loss: ln(x ÷ neighbour)"},
    }
    upper = _probabilities(seen, places, step)
    lower = [_losses(places, step), *_endless(places, edge), *_limits(seen, ends)]
    upper["encoding"]["x"] = {**hidden, **upper["encoding"]["x"]}
    for layer in lower:
        encoding = layer["encoding"]
        encoding["x"], encoding["y"] = {**named, **encoding["x"]}, {**loss, **encoding["y"]}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": {"text": seen.title, "subtitle": list(seen.subtitle)},
        "spacing": 16,
        "vconcat": [
            {"width": WIDTH, "height": 210, **upper},
            {"width": WIDTH, "height": 180, "title": _legend(seen), "layer": lower},
        ],
        **STYLE,
    }


def _ticks(seen: Sheet) -> Spec:
    if seen.numbers:
        return {"grid": False, "tickMinStep": 1}
    words = [each.text for each in seen.places]
    slanted = max(map(len, words)) * 7 > WIDTH / len(words)
    turned = {"labelAngle": -40, "labelAlign": "right", "labelBaseline": "top"} if slanted else {}
    return {
        "grid": False,
        "values": [*range(len(words))],
        "labelExpr": f"{json.dumps(words, ensure_ascii=False)}[datum.value]",
        "labelOverlap": False,
        "labelLimit": 0,
        **turned,
    }


def _across(seen: Sheet) -> str:
    return f"what is told ({seen.note})" if seen.note else "what is told"


def _probabilities(seen: Sheet, places: Sequence[Place], step: float) -> Spec:
    """Two bars for each outcome, or two lines if they are many."""
    bars = len(places) <= MOST_BARS
    reach = 0.42 * step if bars else 0
    values = [
        {"left": each.at + left, "right": each.at + right, "chance": chance, "who": who}
        for each in places
        for who, chance, left, right in (
            (seen.names[0], each.here, -reach, 0),
            (seen.names[1], each.there, 0, reach),
        )
    ]
    across: Spec = {"x": {}, "x2": {"field": "right"}, "y2": {"datum": 0}} if bars else {"x": {}}
    up = {"field": "chance", "type": "quantitative", "title": "probability"}
    colours = {"domain": list(seen.names), "range": [HERE, THERE]}
    return {
        "data": {"values": values},
        "mark": {"type": "rect"} if bars else {"type": "line", "strokeWidth": 2.5},
        "encoding": {
            **across,
            "y": {**up, "axis": {"tickCount": 5}, "scale": {"zero": True}},
            "color": {"field": "who", "type": "nominal", "scale": colours},
        },
    }


def _losses(places: Sequence[Place], step: float) -> Spec:
    """A bar for each loss in the colour of whom it speaks for, or a line if they are many."""
    finite = [each for each in places if isfinite(each.loss)]
    if len(places) > MOST_BARS:
        values = [{"left": each.at, "loss": each.loss} for each in finite]
        line = {"type": "line", "color": DARK, "strokeWidth": 2.5}
        return {"data": {"values": values}, "mark": line, "encoding": {"x": {}, "y": {}}}
    values = [
        {"left": each.at - 0.3 * step, "right": each.at + 0.3 * step, "loss": each.loss}
        for each in finite
    ]
    colour = {"condition": {"test": "datum.loss > 0", "value": HERE}, "value": THERE}
    encoding = {"x": {}, "x2": {"field": "right"}, "y": {}, "y2": {"datum": 0}, "color": colour}
    return {"data": {"values": values}, "mark": {"type": "rect"}, "encoding": encoding}


def _endless(places: Sequence[Place], edge: float) -> list[Spec]:
    """∞ where only one of both tells it."""
    values = [
        {"left": each.at, "loss": edge * (0.88 if each.loss > 0 else -0.88)}
        for each in places
        if not isfinite(each.loss)
    ]
    mark = {"type": "text", "text": "∞", "fontSize": 22, "color": DARK}
    layer = {"data": {"values": values}, "mark": mark, "encoding": {"x": {}, "y": {}}}
    return [layer] if values else []


def _limits(seen: Sheet, ends: Sequence[float]) -> list[Spec]:
    """Dashed lines at ±ε with their names, and one at zero."""
    limit = [] if seen.limit is None else [seen.limit, -seen.limit]
    rule = {"type": "rule", "color": DARK, "strokeWidth": 1.4}
    across = {"x": {}, "x2": {"datum": ends[1]}, "y": {}}
    zero = {"data": _only(ends[0], 0), "mark": rule, "encoding": dict(across)}
    lines = [
        {"data": _only(ends[0], at), "mark": {**rule, "strokeDash": [6, 4]}, "encoding": {**across}}
        for at in limit
    ]
    word = {"type": "text", "align": "left", "dx": 8, "fontSize": 15, "color": DARK}
    words = [
        {"data": _only(ends[1], at), "mark": {**word, "text": text}, "encoding": {"x": {}, "y": {}}}
        for text, at in zip(("ε", "−ε"), limit, strict=False)
    ]
    return [zero, *lines, *words]


def _only(left: float, loss: float) -> Spec:
    return {"values": [{"left": left, "loss": loss}]}


def _legend(seen: Sheet) -> Spec:
    """What stands between both halves."""
    none = "no line: the claim bounds no single outcome"
    words = [none if seen.limit is None else "dashed: ±ε, as claimed"]
    words += ["∞: told of one of both alone"] * any(not isfinite(each.loss) for each in seen.places)
    return {
        "text": " · ".join(words),
        "fontSize": 14,
        "fontWeight": "normal",
        "color": "#444444",
        "anchor": "end",
        "offset": 6,
    }
