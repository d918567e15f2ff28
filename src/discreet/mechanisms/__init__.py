"""How to answer: mechanisms, each with its loss, its law and its error."""

from discreet.mechanisms.base import Mechanism
from discreet.mechanisms.calibrate import noise_for, noise_within
from discreet.mechanisms.compose import compose
from discreet.mechanisms.exponential import Exponential
from discreet.mechanisms.gaussian import Gaussian
from discreet.mechanisms.laplace import Laplace
from discreet.mechanisms.many_quantiles import ManyQuantiles
from discreet.mechanisms.mean_pair import MeanPair
from discreet.mechanisms.moment_triple import MomentTriple
from discreet.mechanisms.noisy_max import NoisyMax
from discreet.mechanisms.permute_and_flip import PermuteAndFlip
from discreet.mechanisms.quantile import Quantile
from discreet.mechanisms.response import Response
from discreet.mechanisms.sparse import AboveThreshold, NumericSparse, Sparse
from discreet.mechanisms.top_k import TopK

__all__ = [
    "AboveThreshold",
    "Exponential",
    "Gaussian",
    "Laplace",
    "ManyQuantiles",
    "MeanPair",
    "Mechanism",
    "MomentTriple",
    "NoisyMax",
    "NumericSparse",
    "PermuteAndFlip",
    "Quantile",
    "Response",
    "Sparse",
    "TopK",
    "compose",
    "noise_for",
    "noise_within",
]
