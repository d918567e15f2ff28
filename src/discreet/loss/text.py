"""Losses as text: `loss` reads what `str` writes.

| text | loss |
|---|---|
| `epsilon=3` | `Pure` |
| `epsilon=1, delta=1e-6` | `Approx` |
| `rho=1/2` and `rho=1/2, delta=1e-6` | `ZCDP` |
| `mu=1` and `mu=sqrt(2)` | `GDP` |
| `renyi=2:0.5 4:1` | `Renyi`: an order, a colon, its epsilon |
"""

from __future__ import annotations

import re
from typing import Final

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.base import Loss
from discreet.loss.digits import read
from discreet.loss.gdp import GDP
from discreet.loss.pure import Pure
from discreet.loss.renyi import Renyi
from discreet.loss.zcdp import ZCDP

LONGEST: Final = 1_000_000
_EXAMPLE: Final = '`dp.loss("epsilon=1, delta=1e-6")`'
_NAMES: Final = ("epsilon", "delta", "rho", "mu", "renyi")
_ROOT: Final = re.compile(r"sqrt\s*\((.*)\)")


def loss(text: str) -> Loss:
    """The loss that `text` writes: names in any order, each once, numbers exact.

    >>> loss("delta=1e-6, epsilon=1")
    loss('epsilon=1, delta=1e-6')
    >>> str(loss("rho = 1/2"))
    'rho=0.5'
    """
    parts = _parts(text)
    match sorted(parts):
        case ["epsilon"]:
            return Pure(read(parts["epsilon"], "epsilon"))
        case ["delta", "epsilon"]:
            return Approx(read(parts["epsilon"], "epsilon"), read(parts["delta"], "delta"))
        case ["rho"]:
            return ZCDP(read(parts["rho"], "rho"))
        case ["delta", "rho"]:
            return ZCDP(read(parts["rho"], "rho"), read(parts["delta"], "delta"))
        case ["mu"]:
            return _gdp(parts["mu"])
        case ["renyi"]:
            return _renyi(parts["renyi"])
        case names:
            raise LossError(
                f"{_listed(names)} make{'s' * (len(names) == 1)} no loss",
                cure="name epsilon, epsilon and delta, rho, rho and delta, mu, or renyi, "
                f"such as {_EXAMPLE}",
                code="L16",
            )


def _listed(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last} together" if others else f"{last} alone"


def _parts(text: object) -> dict[str, str]:
    if not isinstance(text, str) or len(text) > LONGEST or not text.strip():
        raise _unreadable()
    parts: dict[str, str] = {}
    for piece in text.split(","):
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not value:
            raise _unreadable()
        if "=" in value:
            raise LossError(
                "between the parts of a loss stand commas",
                cure=f"write it like {_EXAMPLE}",
                code="L13",
            )
        if name not in _NAMES:
            raise LossError(
                f"a loss has no {name[:40]!r}" if name.isprintable() else "a loss has no such name",
                cure=f"use {', '.join(_NAMES[:-1])} or {_NAMES[-1]}, such as {_EXAMPLE}",
                code="L14",
            )
        if name in parts:
            raise LossError(
                f"{name} stands twice in the text",
                cure=f"give it once, as in {_EXAMPLE}",
                code="L15",
            )
        parts[name] = value
    return parts


def _unreadable() -> LossError:
    return LossError(
        "a loss is written as names with their numbers, and this is not",
        cure=f"write it like {_EXAMPLE}",
        code="L13",
    )


def _gdp(value: str) -> GDP:
    root = _ROOT.fullmatch(value)
    return GDP(read(value, "mu")) if root is None else GDP.root(read(root[1], "mu squared"))


def _renyi(value: str) -> Renyi:
    points = []
    for pair in value.split():
        order, colon, epsilon = pair.partition(":")
        if not colon:
            raise LossError(
                "a Rényi curve is written as orders and epsilons with a colon between",
                cure='write it like `dp.loss("renyi=2:0.5 4:1")`',
                code="L13",
            )
        points.append((read(order, "the order"), read(epsilon, "epsilon")))
    return Renyi(points)
