"""Privacy-loss distributions: what many answers cost together, between two proven numbers."""

from discreet.loss.pld.apart import told_apart
from discreet.loss.pld.atoms import Atoms, Losses
from discreet.loss.pld.normal import normal
from discreet.loss.pld.pld import PLD, Pair
from discreet.loss.pld.profile import Guess, profile, tradeoff
from discreet.loss.pld.response import of_loss
from discreet.loss.pld.subset import subset
from discreet.loss.pld.twins import Twins
from discreet.loss.pld.two_sided import two_sided

__all__ = [
    "PLD",
    "Atoms",
    "Guess",
    "Losses",
    "Pair",
    "Twins",
    "normal",
    "of_loss",
    "profile",
    "subset",
    "told_apart",
    "tradeoff",
    "two_sided",
]
