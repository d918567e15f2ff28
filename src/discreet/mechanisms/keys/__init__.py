"""Which groups exist: keys that may be told only if enough people stand behind them."""

from discreet.mechanisms.keys.choose import Strategy, choose
from discreet.mechanisms.keys.threshold import ThresholdedRelease
from discreet.mechanisms.keys.truncated_geometric import TruncatedGeometric
from discreet.mechanisms.keys.weighted_gaussian import WeightedGaussian

__all__ = ["Strategy", "ThresholdedRelease", "TruncatedGeometric", "WeightedGaussian", "choose"]
