"""How to answer: mechanisms, each with its loss, its law and its error."""

from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.calibrate import noise_for, noise_within
from discreet.mechanisms.gaussian import Gaussian
from discreet.mechanisms.laplace import Laplace

__all__ = ["Gaussian", "Laplace", "Mechanism", "noise_for", "noise_within"]
