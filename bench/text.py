"""Plain-text tables and numbers that a reader can take in at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import Final

NOTHING: Final = "–"
_SIZES: Final = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_TIMES: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; the first is set left, all others right."""
    cells = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(_set(row, widths)).rstrip() for row in cells]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def _set(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *rest = zip(row, widths, strict=True)
    return [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]


def digits(value: float, figures: int = 3) -> str:
    """Three significant figures, without an exponent, and no more than the integer part needs.

    >>> digits(0.93456), digits(12.345), digits(290.6), digits(17404.0)
    ('0.935', '12.3', '291', '17404')
    """
    if value == 0:
        return "0"
    places = max(0, figures - 1 - floor(log10(abs(value))))
    return f"{value:.{places}f}"


def rate(per_second: float) -> str:
    """How many a second.

    >>> rate(5.3e7), rate(187_400.0), rate(0.25)
    ('53.0 M', '187 k', '0.250')
    """
    size, letter = next((pair for pair in _SIZES if per_second >= pair[0]), (1.0, ""))
    return f"{digits(per_second / size)} {letter}".rstrip()


def time(seconds: float) -> str:
    """How long.

    >>> time(1.5e-6), time(0.0125), time(3.0)
    ('1.50 µs', '12.5 ms', '3.00 s')
    """
    unit, name = next((pair for pair in _TIMES if seconds >= pair[0]), _TIMES[-1])
    return f"{digits(seconds / unit)} {name}"


def mebibytes(size: float) -> str:
    """How much memory.

    >>> mebibytes(80_000_000)
    '76.3 MiB'
    """
    return f"{size / 2**20:.1f} MiB"


def percent(part: float) -> str:
    """What part of the whole.

    >>> percent(0.00035), percent(8e-11), percent(0.0)
    ('0.0350 %', '8.0e-09 %', '0 %')
    """
    if part == 0 or abs(part) >= 1e-6:
        return f"{digits(100 * part)} %"
    return f"{100 * part:.1e} %"
