"""Which of many questions lie above a threshold, at the price of those that do."""

from discreet.mechanisms.sparse.above_threshold import AboveThreshold
from discreet.mechanisms.sparse.numeric_sparse import NumericSparse
from discreet.mechanisms.sparse.sparse import Sparse
from discreet.mechanisms.sparse.sparse_once import SparseOnce

__all__ = ["AboveThreshold", "NumericSparse", "Sparse", "SparseOnce"]
