"""How much noise a list of answers needs, all of it together.  Claim: fit.md"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from discreet.errors import MechanismError
from discreet.loss.approx import Approx
from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.compose import Composition
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.gaussian import Gaussian
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip

CLOSE: Final = Fraction(1, 2**12)
"""The factor is found up to so small a part."""
_MOST: Final = 2**24


def fit(answers: Composition, loss: Approx) -> Composition:
    """The same answers with all noise multiplied by one factor, about the least with which they
    cost no more than `loss` together.

    >>> from discreet.mechanisms.compose import compose
    >>> least = fit(compose(100 * Laplace(1)), Approx(1, "1e-6"))
    >>> least.epsilon("1e-6").high <= 1 < compose(100 * Laplace(40)).epsilon("1e-6").low
    True
    """

    def enough(factor: Fraction) -> bool:
        found = scaled(answers, factor).delta(loss.epsilon).high
        return isinstance(found, Fraction) and found <= loss.delta

    high = Fraction(1)
    while not enough(high):
        high *= 2
        if high > _MOST:
            raise MechanismError(
                "no noise is enough for this loss",
                cure="allow more: `from discreet.mechanisms.fit import fit; "
                'fit(dp.compose(100 * dp.Laplace(1)), dp.Approx(1, "1e-6"))`',
                code="M99",
            )
    low = high / 2
    while enough(low) and low > Fraction(1, _MOST):
        low, high = low / 2, low
    while high - low > low * CLOSE:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return scaled(answers, high)


def scaled(answers: Composition, factor: Fraction) -> Composition:
    """All noise multiplied by one factor."""
    return Composition(
        tuple(
            replace(event, mechanism=_scaled(event.mechanism, factor)) for event in answers.events
        )
    )


def _scaled(mechanism: Mechanism[Any, Any, Any], factor: Fraction) -> Mechanism[Any, Any, Any]:
    rescale = _RESCALE.get(type(mechanism))
    if rescale is None:
        raise MechanismError(
            f"{type(mechanism).__name__} has no scale that could be multiplied",
            cure="list answers with Laplace or Gaussian noise, or choices: "
            "`from discreet.mechanisms.fit import fit; "
            'fit(dp.compose(100 * dp.Laplace(1)), dp.Approx(1, "1e-6"))`',
            code="M99",
        )
    return rescale(mechanism, factor)


_RESCALE: Final[Mapping[type, Callable[[Any, Fraction], Mechanism[Any, Any, Any]]]] = {
    Laplace: lambda old, factor: Laplace(old.scale * factor, step=old.step),
    Gaussian: lambda old, factor: Gaussian(variance=old.variance * factor**2, step=old.step),
    Exponential: lambda old, factor: Exponential(old.scale * factor, old.weights),
    PermuteAndFlip: lambda old, factor: PermuteAndFlip(old.scale * factor),
    NoisyMax: lambda old, factor: NoisyMax(old.scale * factor),
}
