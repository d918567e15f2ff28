"""The law of keys that are told or not, each by a coin of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import compress, product
from typing import TypeVar

from flint import arb

from discreet.errors import MechanismError
from discreet.loss.divergence import Law
from discreet.mechanisms.additive import MOST_OUTCOMES
from discreet.mechanisms.keys.people import Key, in_order

Chance = TypeVar("Chance", Fraction, arb)


def law_of_coins(
    coins: Mapping[Key, tuple[Chance, Chance]], times: Callable[[Sequence[Chance]], Chance]
) -> Law:
    """The law of the tuple of keys that are told, from the chances of each to be told and not to
    be; `times` multiplies chances."""
    keys = in_order(coins)
    if 2 ** len(keys) > MOST_OUTCOMES:
        raise MechanismError(
            "the law has more outcomes than can be listed",
            cure="ask of fewer keys at a time, such as `from discreet.mechanisms.keys import "
            'TruncatedGeometric; TruncatedGeometric(1, "1e-6").law({"A": 40})`; keys are '
            "independent",
            code="M84",
        )
    joint: dict[tuple[Key, ...], Chance] = {}
    for told in product((True, False), repeat=len(keys)):
        parts = [coins[key][0 if yes else 1] for key, yes in zip(keys, told, strict=True)]
        joint[tuple(compress(keys, told))] = times(parts)
    return Law(joint)
