"""What an answer costs: privacy losses, their algebra, their conversions, their text."""

from discreet.loss.approx import Approx
from discreet.loss.base import Loss
from discreet.loss.compose import advanced, simple
from discreet.loss.gdp import GDP
from discreet.loss.pure import Pure
from discreet.loss.renyi import Renyi
from discreet.loss.text import loss
from discreet.loss.zcdp import ZCDP

__all__ = [
    "GDP",
    "ZCDP",
    "Approx",
    "Loss",
    "Pure",
    "Renyi",
    "advanced",
    "loss",
    "simple",
]
