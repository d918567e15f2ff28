"""What an edge says when it cannot be taken."""

from __future__ import annotations

from fractions import Fraction

from discreet.errors import LossError
from discreet.loss.approx import Approx
from discreet.loss.base import Loss, kind_of, larger_delta, pasted


def nothing_chosen(loss: Loss, delta: Fraction = Fraction(0)) -> LossError:
    return LossError(
        f"{kind_of(loss)} is many pairs of epsilon and delta: choose one of them",
        cure=f"choose a delta or an epsilon, such as `{_with_delta(loss, delta)}`",
        code="L09",
    )


def too_small(loss: Loss, delta: Fraction = Fraction(0)) -> LossError:
    return LossError(
        f"no finite epsilon follows from {kind_of(loss)} at so small a delta",
        cure=f"choose a larger delta: `{_with_delta(loss, delta)}`",
        code="L09",
    )


def has_delta(loss: Loss, kind: type[Loss], delta: Fraction) -> LossError:
    kept = pasted(loss) if isinstance(loss, Approx) else _with_delta(loss, delta)
    return LossError(
        f"a {kind.__name__} loss has no place for a delta, which {kind_of(loss)} has",
        cure=f"keep the delta: `{kept}`",
        code="L11",
    )


def _with_delta(loss: Loss, delta: Fraction) -> str:
    return f'{pasted(loss)}.to(dp.Approx, delta="{larger_delta(delta)}")'
