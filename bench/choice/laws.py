"""Does a contestant choose by the law it was asked for?  By the definitions, on few candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, permutations
from math import exp, factorial, log, prod, sqrt
from typing import Final, TypeAlias, assert_never

from bench.choice.tasks import CLOSE, FEW, FEW_K, QUERY_SCALE, SCALE, THRESHOLD_SCALE, Task
from bench.noise.laws import Moments, moments
from bench.noise.plan import Law

Chances: TypeAlias = Mapping[str, float]
_SIGMAS: Final = 6.0
_RARE: Final = 2 * _SIGMAS
"""So many answers more or less count for nothing.  By Bernstein's inequality, each comparison then
raises a false alarm in less than one of 10^7 runs, however rare the answer is."""
_FINE: Final = 50
"""Steps this many times finer stand for noise in floats."""
_REACH: Final = 40
"""Noise is summed up to so many scales, beyond which lies less than 1e-17 of it."""
_FAILURE: Final = 1e-12


def law(task: Task, *, continuous: bool = False) -> Chances:
    """The chance of each answer that a worker can give to `law`."""
    match task:
        case Task.NOISY_MAX:
            return noisy_max(FEW, SCALE, _FINE if continuous else 1)
        case Task.EXPONENTIAL:
            return top_k(FEW, SCALE, 1)
        case Task.PERMUTE_AND_FLIP:
            return permute_and_flip(FEW, SCALE)
        case Task.TOP_K:
            return top_k(FEW, SCALE, FEW_K)
        case Task.ABOVE_THRESHOLD:
            scales = THRESHOLD_SCALE, QUERY_SCALE
            return first_of_two(CLOSE, scales, _FINE if continuous else 1)
        case Task.LAPLACE | Task.GAUSSIAN:
            raise ValueError("the law of cells is judged by their sums")
        case _:
            assert_never(task)


def noisy_max(scores: Sequence[int], scale: float, fine: int) -> Chances:
    """Discrete Laplace noise; of several that are largest, the smallest index."""
    noise, up_to = _laplace(scale * fine)
    reach = len(noise) // 2
    behind = [fine * (max(scores) - score) for score in scores]

    def chance(i: int, own: int) -> float:
        height = own - behind[i]
        places = [height + each + reach for each in behind]
        earlier = prod(up_to(place - 1) for place in places[:i])
        return noise[own + reach] * earlier * prod(up_to(place) for place in places[i + 1 :])

    heights = range(-reach, reach + 1)
    return {str(i): sum(chance(i, own) for own in heights) for i in range(len(scores))}


def _laplace(scale: float) -> tuple[list[float], _UpTo]:
    """The chances of −reach … reach, and that of no more than the place in this list."""
    reach = int(_REACH * scale)
    weights = [exp(-abs(n) / scale) for n in range(-reach, reach + 1)]
    mass = sum(weights)
    noise = [weight / mass for weight in weights]
    return noise, _UpTo(list(accumulate(noise)))


class _UpTo:
    """A cumulated law: the chance of no more than the place in its list."""

    def __init__(self, cumulated: Sequence[float]) -> None:
        self._cumulated = cumulated

    def __call__(self, place: int) -> float:
        if place < 0:
            return 0.0
        return self._cumulated[min(place, len(self._cumulated) - 1)]


def permute_and_flip(scores: Sequence[int], scale: float) -> Chances:
    """Over all orders: nobody before was stopped at, and this one is."""
    stop = [exp((score - max(scores)) / scale) for score in scores]
    chances = dict.fromkeys(map(str, range(len(scores))), 0.0)
    for order in permutations(range(len(scores))):
        passed = 1.0 / factorial(len(scores))
        for i in order:
            chances[str(i)] += passed * stop[i]
            passed *= 1 - stop[i]
    return chances


def top_k(scores: Sequence[int], scale: float, k: int) -> Chances:
    """One after another by the weights of those who are left; for k = 1, the exponential law."""
    weights = [exp((score - max(scores)) / scale) for score in scores]
    chances: dict[str, float] = {}
    for order in permutations(range(len(scores)), k):
        left, chance = sum(weights), 1.0
        for i in order:
            chance *= weights[i] / left
            left -= weights[i]
        chances[" ".join(map(str, order))] = chance
    return chances


def first_of_two(value: int, scales: tuple[float, float], fine: int) -> Chances:
    """Two questions with this value against one noisy threshold around 0."""
    bar, _ = _laplace(scales[0] * fine)
    noise, up_to = _laplace(scales[1] * fine)
    middle, half = len(bar) // 2, len(noise) // 2
    below = [up_to(place - middle - value * fine - 1 + half) for place in range(len(bar))]
    first = sum(p * (1 - q) for p, q in zip(bar, below, strict=True))
    second = sum(p * q * (1 - q) for p, q in zip(bar, below, strict=True))
    return {"0": first, "1": second, "none": 1 - first - second}


def objection(told: Mapping[str, int], expected: Chances) -> str | None:
    """Why these answers cannot come from this law, if they cannot."""
    count = sum(told.values())
    strange = next((name for name in told if name not in expected), None)
    if strange is not None:
        return f"another law: it chose {strange}"
    for name, chance in expected.items():
        came, due = told.get(name, 0), count * chance
        if abs(came - due) > _SIGMAS * sqrt(due * (1 - chance)) + _RARE:
            return f"another law: {name} in {came / count:.1%} of choices, not {chance:.1%}"
    return None


def longest_fall(task: Task, size: int, k: int) -> float:
    """What a choice falls short by at most, but once in 10^12 times, by the union over all noises:
    the chosen one's is up, or that of one of the best is down."""
    widths = 2 if task is Task.NOISY_MAX else 1
    return widths * SCALE * log(2 * k * size / _FAILURE)


def cell_moments(task: Task, *, continuous: bool) -> Moments:
    """The moments of the noise on a cell."""
    named = Law.LAPLACE if task is Task.LAPLACE else Law.GAUSSIAN
    return moments(named, Fraction(SCALE), continuous=continuous)
