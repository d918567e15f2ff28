"""Who takes part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

OURS: Final = "discreet"
LIMIT: Final = "limit"
DP_ACCOUNTING: Final = "dp-accounting"


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant before it is started; `slow`: it is asked for fewer random
    compositions, and not at all in a quick run."""

    name: str
    title: str
    module: str
    requirements: str | None = None
    slow: bool = False


ENTRANTS: Final = (
    Entrant(OURS, "Discreet", "with_discreet"),
    Entrant(LIMIT, "its limit", "with_limit"),
    Entrant(DP_ACCOUNTING, "dp-accounting", "with_dp_accounting", DP_ACCOUNTING),
    Entrant("prv-accountant", "prv-accountant", "with_prv_accountant", "prv-accountant", slow=True),
    Entrant("autodp", "autodp", "with_autodp", "autodp"),
)
OWN: Final = (OURS, LIMIT)
PEERS: Final = tuple(entrant for entrant in ENTRANTS if entrant.name not in OWN)
NOTE: Final = (
    "Discreet has integer noise, which ships; `its limit` and all others have continuous noise.\n"
    "dp-accounting and autodp tell an upper end alone; autodp's is by Rényi's divergence."
)
