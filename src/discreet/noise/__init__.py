"""Exact samplers: uniform bits in, integers out."""

from discreet.noise.gaussian import DiscreteGaussian
from discreet.noise.geometric import Geometric
from discreet.noise.laplace import DiscreteLaplace

__all__ = ["DiscreteGaussian", "DiscreteLaplace", "Geometric"]
