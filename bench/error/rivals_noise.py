"""Continuous noise, as textbooks calibrate it for an answer that one person moves by one."""

from __future__ import annotations

from math import erfc, exp, log, sqrt


def laplace_deviation(epsilon: float) -> float:
    """The standard deviation of Laplace noise of scale 1/ε."""
    return sqrt(2) / epsilon


def textbook_sigma(epsilon: float, delta: float) -> float:
    """√(2 ln(1.25/δ))/ε, which is proven for ε below one and used beyond."""
    return sqrt(2 * log(1.25 / delta)) / epsilon


def analytic_sigma(epsilon: float, delta: float) -> float:
    """The least σ of continuous Gaussian noise for (ε, δ) (Balle and Wang, 2018), by bisection."""
    low, high = 1e-3, textbook_sigma(epsilon, delta) + 10
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(middle, epsilon) > delta else (low, middle)
    return high


def gaussian_delta(sigma: float, epsilon: float) -> float:
    """Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ)."""
    return _below(0.5 / sigma - epsilon * sigma) - exp(epsilon) * _below(
        -0.5 / sigma - epsilon * sigma
    )


def _below(z: float) -> float:
    return erfc(-z / sqrt(2)) / 2
