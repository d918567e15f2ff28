"""The pictures of docs/mechanisms: what each mechanism tells of two neighbours, and its loss.

    make pictures    draws docs/mechanisms/pictures/NAME.svg anew, one for each page

All answers here are invented.  At the end of each file stands the digest of what was drawn, by
which tests/docs/test_mechanism_pages.py finds a picture that is older than the code.  This stands
among the examples since it is one, is typed and linted as they are, and needs the same extra.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import vl_convert

import discreet as dp
from discreet.lab.exact import Neighbours
from discreet.lab.picture import Picture, picture
from discreet.mechanisms import Mechanism
from discreet.mechanisms.keys import ThresholdedRelease, TruncatedGeometric, WeightedGaussian

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "mechanisms" / "pictures"

SCORES: Final = Neighbours([5, 4, 3, 1], [6, 3, 2, 0], dp.LInf(1))
"""The best rises by one, all others fall."""
QUESTIONS: Final = Neighbours([4, 4, -1], [5, 5, -2], dp.LInf(1))
"""Two that are likely above rise, one that is likely below falls."""

DRAWN: Final[dict[str, tuple[Mechanism[Any, Any, Any], Neighbours]]] = {
    "laplace": (dp.Laplace(2), Neighbours(10, 11, dp.L1(1))),
    "gaussian": (dp.Gaussian(2), Neighbours(10, 11, dp.L2(1))),
    "response": (dp.Response.pure(1, values=4), Neighbours(1, 2, dp.L0(1))),
    "exponential": (dp.Exponential(2), SCORES),
    "permute_and_flip": (dp.PermuteAndFlip(2), SCORES),
    "noisy_max": (dp.NoisyMax(2), SCORES),
    "top_k": (dp.TopK(2, 4), SCORES),
    "above_threshold": (dp.AboveThreshold.textbook(1), QUESTIONS),
    "sparse": (dp.Sparse.textbook(2, positives=2), QUESTIONS),
    "numeric_sparse": (dp.NumericSparse(1, 2, 4, 1), Neighbours([4, -1], [5, -2], dp.LInf(1))),
    "quantile": (
        dp.Quantile("1/2", 0, 30, 1),
        Neighbours([5, 9, 12, 14, 20], [5, 9, 12, 14, 20, 25], dp.Rows(1)),
    ),
    "many_quantiles": (
        dp.ManyQuantiles(["1/3", "2/3"], 0, 4, 1, parts=1),
        Neighbours([0, 1, 1, 3], [0, 1, 1, 3, 4], dp.Rows(1)),
    ),
    "thresholded_release": (ThresholdedRelease(1, 4), Neighbours({"A": 5}, {"A": 4}, dp.L0(1))),
    "truncated_geometric": (
        TruncatedGeometric(1, "1/20"),
        Neighbours({"A": 4, "B": 1}, {"A": 3}, dp.L0(2)),
    ),
    "weighted_gaussian": (
        WeightedGaussian(2, variance=10_000, threshold=250, resolution=100),
        Neighbours({"A": 5 * 70, "B": 70}, {"A": 4 * 70}, dp.L2(1)),
    ),
}

PAIR: Final = dp.MeanPair(0, 3, 3)
TRIPLE: Final = dp.MomentTriple(0, 2, 4, parts=4)


def pictures() -> dict[str, Picture]:
    """The picture of each page."""
    found = {name: picture(mechanism, pair) for name, (mechanism, pair) in DRAWN.items()}
    # Of mechanisms that tell several sums with noise of their own, one sum: the joint law of all
    # has too many outcomes for a picture.
    found["mean_pair"] = picture(
        PAIR.noisy,
        Neighbours(PAIR.sums([0, 1, 2, 3])[0], PAIR.sums([0, 1, 2, 3, 3])[0], dp.L1(3)),
        title="What MeanPair(0, 3, 3) tells of its first sum",
    )
    found["moment_triple"] = picture(
        TRIPLE.noisy,
        Neighbours(TRIPLE.sums([0, 1, 2])[1], TRIPLE.sums([0, 1, 2, 1])[1], dp.L1(2)),
        title="What MomentTriple(0, 2, 4, parts=4) tells of its second sum",
    )
    return found


def svg(seen: Picture) -> str:
    drawn = vl_convert.vegalite_to_svg(json.dumps(seen.spec()))
    return f"{drawn.rstrip()}\n{mark(seen)}\n"


def mark(seen: Picture) -> str:
    """What a file that holds this picture ends with."""
    return f"<!-- drawn from {seen.digest()} -->"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, seen in pictures().items():
        text = svg(seen)
        (FOLDER / f"{name}.svg").write_text(text, "utf-8")
        sys.stdout.write(f"{name}.svg  {len(text) / 1000:.0f} KB\n")


if __name__ == "__main__":
    main()
