"""What an answer costs: privacy losses, their algebra, their conversions, their text."""

from typing import TypeAlias

from discreet.loss.approx import Approx
from discreet.loss.base import Loss
from discreet.loss.compose import advanced, simple
from discreet.loss.gdp import GDP
from discreet.loss.pure import Pure
from discreet.loss.renyi import Renyi
from discreet.loss.text import loss
from discreet.loss.zcdp import ZCDP

AnyLoss: TypeAlias = Pure | Approx | ZCDP | Renyi | GDP
"""The closed union of losses: `match` over it ends in `assert_never`."""

__all__ = [
    "GDP",
    "ZCDP",
    "AnyLoss",
    "Approx",
    "Loss",
    "Pure",
    "Renyi",
    "advanced",
    "loss",
    "simple",
]
