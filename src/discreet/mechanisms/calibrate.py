"""The least noise for a loss, and the least loss for a wanted accuracy.  Claim: calibrate.md

What a search finds is asked back: the mechanism itself says what it costs, or how far it is off,
and a search that was wrong stops the program.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeVar, assert_never, overload

from discreet.distances import L1, L2, Distance
from discreet.errors import MechanismError
from discreet.loss import GDP, ZCDP, AnyLoss, Approx, Pure, Renyi
from discreet.mechanisms.gaussian import Gaussian
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.search import confidence_in
from discreet.noise.integer import LARGEST_SCALE
from discreet.numbers import Number, positive, whole

Noise = TypeVar("Noise", bound=Laplace | Gaussian)

_CLOSE: Final = Fraction(1, 2**24)
"""A search ends when the scale is known to so small a part."""


@overload
def noise_for(loss: AnyLoss, distance: L1, *, step: Number = 1) -> Laplace: ...


@overload
def noise_for(loss: AnyLoss, distance: L2, *, step: Number = 1) -> Gaussian: ...


def noise_for(loss: AnyLoss, distance: L1 | L2, *, step: Number = 1) -> Laplace | Gaussian:
    """The least noise whose answers cost no more than `loss`: Laplace for an L1 distance, Gaussian
    for an L2 distance.

    >>> noise_for(Pure(1), L1(2)).scale, noise_for(ZCDP("1/2"), L2.root(3)).variance
    (Fraction(2, 1), Fraction(3, 1))
    """
    match distance:
        case L1():
            return _laplace_for(loss, distance, step)
        case L2():
            return _gaussian_for(loss, distance, step)
        case _:
            assert_never(distance)


def _laplace_for(loss: AnyLoss, distance: L1, step: Number) -> Laplace:
    moved = _moves(distance, distance.by)
    match loss:
        case Pure() | Approx():
            found = Laplace(moved / positive(loss.epsilon, "epsilon"), step=step)
            return _asked(found, found.loss(distance).epsilon <= loss.epsilon)
        case ZCDP():
            least = _least(lambda scale: _zcdp(scale, distance, step).rho <= loss.rho)
            found = Laplace(least, step=step)
            return _asked(found, found.zcdp(distance).rho <= loss.rho)
        case Renyi() | GDP():
            raise _no_currency("Pure, Approx or ZCDP", "dp.L1(1)")
        case _:
            assert_never(loss)


def _zcdp(scale: Fraction, distance: L1, step: Number) -> ZCDP:
    return Laplace(scale, step=step).zcdp(distance)


def _gaussian_for(loss: AnyLoss, distance: L2, step: Number) -> Gaussian:
    square = _moves(distance, distance.square)
    match loss:
        case ZCDP():
            found = Gaussian(variance=square / (2 * positive(loss.rho, "rho")), step=step)
            return _asked(found, found.loss(distance).rho <= loss.rho)
        case Approx():
            if not 0 < loss.delta < 1:
                raise MechanismError(
                    "Gaussian noise is calibrated to a delta between zero and one",
                    cure="choose one far below one over the number of people, such as "
                    '`dp.noise_for(dp.Approx(1, "1e-6"), dp.L2(1))`',
                    code="M37",
                )
            variance = _least(
                lambda spread: _epsilon(square / (2 * spread), loss.delta) <= loss.epsilon
            )
            found = Gaussian(variance=variance, step=step)
            return _asked(found, _epsilon(found.loss(distance).rho, loss.delta) <= loss.epsilon)
        case Pure() | Renyi() | GDP():
            raise _no_currency("ZCDP or Approx", "dp.L2(1)")
        case _:
            assert_never(loss)


def _epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    return ZCDP(rho).to(Approx, delta=delta).epsilon


def noise_within(
    kind: type[Noise], error: Number, confidence: Number, count: Number = 1, *, step: Number = 1
) -> Noise:
    """The most noise, so the least loss, whose `count` errors are all at most `error` in size with
    probability `confidence`.

    >>> noise_within(Laplace, 12, "0.95", 10_000).accuracy("0.95", 10_000)
    Fraction(12, 1)
    """
    sure, times = confidence_in(confidence), whole(count, "count", least=1)
    size, unit = positive(error, "error"), positive(step, "step")

    def make(scale: Fraction) -> Noise:
        return kind(scale, step=unit)

    def near(scale: Fraction) -> bool:
        return make(scale).accuracy(sure, times) <= size

    if size < unit:
        raise MechanismError(
            "no noise stays so near: errors are whole numbers of steps",
            cure="allow an error of one step or more, such as "
            '`dp.noise_within(dp.Laplace, 5, "0.95")`',
            code="M38",
        )
    found = make(_most(near, unit / 2**20, unit * LARGEST_SCALE))
    return _asked(found, found.accuracy(sure, times) <= size)


def _asked(found: Noise, fits: bool) -> Noise:  # noqa: FBT001 - it is what the mechanism answered
    if not fits:
        raise RuntimeError("what was calibrated does not keep what was asked for: a defect")
    return found


def _moves(distance: Distance, size: Fraction) -> Fraction:
    if size == 0:
        raise MechanismError(
            f"an answer at a distance of {distance} moves nowhere, and needs no noise",
            cure="state how far one person moves it, such as `dp.noise_for(dp.Pure(1), dp.L1(1))`",
            code="M39",
        )
    return size


def _no_currency(kinds: str, distance: str) -> MechanismError:
    return MechanismError(
        f"noise for {distance} is calibrated to a loss of the kinds {kinds}",
        cure=f'ask for one of them: `dp.noise_for(dp.Approx(1, "1e-6"), {distance})`',
        code="M37",
    )


def _most(near: Callable[[Fraction], bool], low: Fraction, end: Fraction) -> Fraction:
    """The largest scale that is near enough, about; `low` is near."""
    high = low
    while high < end and near(high):
        low, high = high, 2 * high
    while high - low > low * _CLOSE:
        middle = (low + high) / 2
        low, high = (middle, high) if near(middle) else (low, middle)
    return low


def _least(enough: Callable[[Fraction], bool]) -> Fraction:
    """The least number that is enough, about, if all larger ones are, too."""
    high = Fraction(1)
    while not enough(high):
        high *= 2
    low = high / 2
    while enough(low):
        low, high = low / 2, low
    while high - low > low * _CLOSE:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
