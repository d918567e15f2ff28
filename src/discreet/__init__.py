"""Discreet: a trusted curator.  The public names, each imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

# The folder `discreet.loss` would take the name of the function when it is imported, which Python
# does once: so it is imported first, and the function has the last word.
from discreet.loss import loss as loss

if TYPE_CHECKING:
    from discreet.distances import (
        L0 as L0,
        L1 as L1,
        L2 as L2,
        LInf as LInf,
        Monotone as Monotone,
    )
    from discreet.errors import (
        DiscreetError as DiscreetError,
        EntropyError as EntropyError,
        LossError as LossError,
        MechanismError as MechanismError,
        NumberError as NumberError,
        UnitError as UnitError,
    )
    from discreet.loss import (
        GDP as GDP,
        ZCDP as ZCDP,
        Approx as Approx,
        Loss as Loss,
        Pure as Pure,
        Renyi as Renyi,
    )
    from discreet.loss.filters import Filter as Filter
    from discreet.loss.odometer import Odometer as Odometer
    from discreet.mechanisms import (
        AboveThreshold as AboveThreshold,
        Exponential as Exponential,
        Gaussian as Gaussian,
        Laplace as Laplace,
        ManyQuantiles as ManyQuantiles,
        MeanPair as MeanPair,
        MomentTriple as MomentTriple,
        NoisyMax as NoisyMax,
        NumericSparse as NumericSparse,
        PermuteAndFlip as PermuteAndFlip,
        Quantile as Quantile,
        Response as Response,
        Sparse as Sparse,
        TopK as TopK,
        compose as compose,
        noise_for as noise_for,
        noise_within as noise_within,
    )
    from discreet.noise import (
        DiscreteGaussian as DiscreteGaussian,
        DiscreteLaplace as DiscreteLaplace,
        Geometric as Geometric,
    )
    from discreet.numbers import exact as exact
    from discreet.units import Ids as Ids, Replace as Replace, Rows as Rows

_HOMES: Final = {
    "distances": ("L0", "L1", "L2", "LInf", "Monotone"),
    "errors": (
        "DiscreetError",
        "EntropyError",
        "LossError",
        "MechanismError",
        "NumberError",
        "UnitError",
    ),
    "loss": ("GDP", "ZCDP", "Approx", "Loss", "Pure", "Renyi"),
    "loss.filters": ("Filter",),
    "loss.odometer": ("Odometer",),
    "mechanisms": (
        "AboveThreshold",
        "Exponential",
        "Gaussian",
        "Laplace",
        "ManyQuantiles",
        "MeanPair",
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
    ),
    "noise": ("DiscreteGaussian", "DiscreteLaplace", "Geometric"),
    "numbers": ("exact",),
    "units": ("Ids", "Replace", "Rows"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:  # or the type checker would believe in every name

    def __getattr__(name: str) -> object:
        if name not in _HOME_OF:
            raise AttributeError(f"module 'discreet' has no attribute {name!r}")
        found = getattr(import_module(f"discreet.{_HOME_OF[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted([*_HOME_OF, "loss"])
