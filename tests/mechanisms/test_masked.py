"""A masked array is refused by every mechanism: its mask is data that would be handed on, and it
adds and sorts by rules that no proof here speaks of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import discreet as dp
from discreet.entropy import Replay
from discreet.errors import MechanismError
from discreet.mechanisms import Mechanism

MASKED: Final = np.ma.masked_array([1, 0, 1], mask=[True, False, False])
MECHANISMS: Final[list[Mechanism[Any, Any, Any]]] = [
    dp.Laplace(1),
    dp.Gaussian(1),
    dp.Response.pure(1),
    dp.Exponential(1),
    dp.PermuteAndFlip(1),
    dp.NoisyMax(1),
    dp.TopK(1, 1),
    dp.Quantile("1/2", 0, 5, 1),
    dp.ManyQuantiles(["1/2"], 0, 5, 1),
    dp.MeanPair(0, 5, 1),
    dp.MomentTriple(0, 5, 1),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
def test_a_masked_array_is_refused_before_anything_is_drawn(
    mechanism: Mechanism[Any, Any, Any],
) -> None:
    asked: list[Callable[[], object]] = [
        lambda: mechanism.release(MASKED, entropy=Replay(b"")),
        lambda: mechanism.law(MASKED),
    ]
    for ask in asked:
        with pytest.raises(MechanismError):
            ask()


class Own(np.ndarray[Any, Any]):
    """Sums and sorts as it likes."""

    def sum(self, *_: object, **__: object) -> int:  # type: ignore[override]
        return 10**6


def test_an_array_of_somebodys_own_is_read_as_a_plain_one() -> None:
    own = np.array([1, 2, 3]).view(Own)
    assert dp.MeanPair(0, 5, 1).sums(own) == (6, 9)
    assert type(dp.Laplace(1).release(own)) is np.ndarray
