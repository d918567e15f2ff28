"""What an edge says when it cannot be taken."""

from __future__ import annotations

from fractions import Fraction

from discreet.errors import LossError
from discreet.loss.base import Loss, kind_of, larger_delta, pasted


def nothing_chosen(loss: Loss, delta: Fraction = Fraction(0)) -> LossError:
    return LossError(
        f"{kind_of(loss)} is many pairs of epsilon and delta: choose one of them",
        cure=_choose(loss, delta),
        code="L09",
    )


def too_small(loss: Loss, delta: Fraction = Fraction(0)) -> LossError:
    return LossError(
        f"no finite epsilon follows from {kind_of(loss)} at so small a delta",
        cure=_choose(loss, delta),
        code="L09",
    )


def has_delta(loss: Loss, kind: type[Loss], delta: Fraction) -> LossError:
    return LossError(
        f"{kind_of(loss)} with a delta gives no {kind.__name__} loss, which has none",
        cure=f'keep a delta: `{pasted(loss)}.to(dp.Approx, delta="{larger_delta(delta)}")`',
        code="L11",
    )


def _choose(loss: Loss, delta: Fraction) -> str:
    return f'choose a larger delta: `{pasted(loss)}.to(dp.Approx, delta="{larger_delta(delta)}")`'
