"""One count: the deviation of the noise.  All exact."""

from __future__ import annotations

from fractions import Fraction
from math import exp, expm1, sqrt
from typing import Final

from bench.error.aims import Aim, beats
from bench.error.contest import Contest, Figure
from bench.error.estimate import Estimate
from bench.error.rivals_noise import analytic_sigma, laplace_deviation, textbook_sigma
from discreet.distances import L1, L2
from discreet.loss import Approx, Pure
from discreet.mechanisms.calibrate import noise_for

DELTA: Final = Fraction(1, 10**6)
RESEARCH: Final = {"0.1": 14.136, "0.5": 2.799, "1": 1.357, "2": 0.602, "4": 0.195}
"""The deviation of integer noise, rounded to a thousandth."""
ROUNDED: Final = 0.997


def counts() -> Contest:
    """`Laplace` and `Gaussian` for a loss, against continuous noise."""
    figures: list[Figure] = []
    aims: list[Aim] = []
    for text, said in RESEARCH.items():
        epsilon = Fraction(text)
        pure, approx = f"ε = {text}", f"ε = {text}, δ = 10^-6"
        made = noise_for(Pure(epsilon), L1(1))
        ours = Estimate(sqrt(laplace_variance(made.scale)))
        theirs = Estimate(laplace_deviation(float(epsilon)))
        spread = noise_for(Approx(epsilon, DELTA), L2(1)).variance
        sigma = Estimate(sqrt(spread))
        textbook = Estimate(textbook_sigma(float(epsilon), float(DELTA)))
        analytic = Estimate(analytic_sigma(float(epsilon), float(DELTA)))
        figures += [
            Figure("deviation", pure, "Laplace", ours),
            Figure("deviation", pure, "continuous", theirs),
            Figure("sigma", approx, "Gaussian", sigma),
            Figure("sigma", approx, "textbook", textbook),
            Figure("sigma", approx, "analytic", analytic),
        ]
        aims += [
            beats(f"count, {pure}: research", Estimate(said), ours, ROUNDED),
            beats(f"count, {pure}: continuous Laplace", theirs, ours),
            beats(f"count, {approx}: textbook sigma", textbook, sigma),
            beats(f"count, {approx}: analytic sigma", analytic, sigma, None),
        ]
    how = (
        "Analytic: what continuous noise needs; integer noise needs a little more, and ours takes "
        "its loss from ρ."
    )
    return Contest("count", "One count", how, figures, aims)


def laplace_variance(scale: Fraction) -> float:
    """2q/(1 − q)² with q = e^(−1/scale)."""
    step = float(1 / scale)
    return 2 * exp(-step) / expm1(-step) ** 2
