"""Ours: the continuous laws that other libraries account for."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from bench.account.tasks import Law, Part, Parts
from bench.account.workers.serve import Ends, serve_accounts
from bench.account.workers.with_discreet import finite
from discreet.loss import Pure
from discreet.loss.pld import PLD, normal, of_loss, two_sided


def distribution(part: Part) -> PLD:
    match part.law:
        case Law.GAUSSIAN | Law.SAMPLED:
            return part.count * normal(1 / part.size, part.rate)
        case Law.LAPLACE:
            return part.count * two_sided(1 / part.size)
        case Law.RESPONSE:
            return part.count * of_loss(Pure(part.size))
        case _:
            assert_never(part.law)


def epsilon(parts: Parts, delta: Fraction) -> Ends:
    found = sum(map(distribution, parts), start=PLD()).epsilon(delta)
    return finite(found.low), finite(found.high)


if __name__ == "__main__":
    serve_accounts(epsilon, packages=["discreet", "numpy", "python-flint"])
