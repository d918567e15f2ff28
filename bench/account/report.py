"""What one run found out, as JSON and as tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final, TypeAlias, final

from bench import entry
from bench.account.agreement import Agreement, Compared, Survey
from bench.account.measure import Ends, Outcome
from bench.account.plan import Effort
from bench.account.roster import ENTRANTS, LIMIT, NOTE, OWN, Entrant
from bench.account.tasks import Parts
from bench.aims import Aim, passed, shown
from bench.report import heading
from bench.text import NOTHING, digits, mebibytes, percent, table, time

FORMAT: Final = 1
Taker: TypeAlias = entry.Taker[Entrant]


@final
@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run found out."""

    machine: Mapping[str, object]
    effort: Effort
    takers: Sequence[Taker]
    outcomes: Sequence[Outcome]
    survey: Survey
    aims: Sequence[Aim]

    @property
    def passed(self) -> bool:
        return passed(self.aims)


def to_json(report: Report) -> dict[str, object]:
    """The report as plain values.  Times are seconds for one call, memory is in bytes."""
    return {
        "bench": "account",
        "format": FORMAT,
        "machine": dict(report.machine),
        "effort": asdict(report.effort),
        "contestants": {taker.entrant.name: taker.json() for taker in report.takers},
        "tasks": [_outcome(outcome) for outcome in report.outcomes],
        "random": {
            "widths": report.survey.widths,
            "refused": [
                {"delta": str(case.delta), "parts": _parts(case.parts), "reason": reason}
                for case, reason in report.survey.refused
            ],
            "with": {each.name: _agreement(each) for each in report.survey.agreements},
        },
        "aims": [aim.json() for aim in report.aims],
        "passed": report.passed,
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "task": str(outcome.task),
        "turns": {
            name: {
                "calls": [turn.calls for turn in turns],
                "seconds": [turn.seconds for turn in turns],
                "cpu": [turn.cpu for turn in turns],
                "ends": asdict(turns[-1].ends),
            }
            for name, turns in outcome.turns.items()
        },
        "peaks": dict(outcome.peaks),
        "faster": {
            f"{own} / {name}": asdict(found)
            for own in OWN
            for name in outcome.turns
            if name not in OWN and (found := outcome.against(own, name)) is not None
        },
        "problems": dict(outcome.problems),
    }


def _agreement(agreement: Agreement) -> dict[str, object]:
    return {
        "compared": [
            {
                "delta": str(each.own.case.delta),
                "parts": _parts(each.own.case.parts),
                "ours": [each.own.low, each.own.high],
                "theirs": [each.theirs.low, each.theirs.high],
            }
            for each in agreement.compared
        ],
        "below": len(agreement.below),
        "above": len(agreement.above),
        "under": len(agreement.under),
        "failed": dict(agreement.failed),
    }


def _parts(parts: Parts) -> list[dict[str, object]]:
    return [part.json() for part in parts]


def to_text(report: Report) -> str:
    """The report: epsilons, times, ratios, agreement, aims, and what went wrong."""
    effort = report.effort
    how = [
        f"{effort.rounds} rounds at most; a turn lasts {digits(effort.seconds, 2)} s, or one call",
        "a call is all of it: mechanisms, composition, and epsilon at delta 1e-6",
    ]
    parts = [
        heading("Accounts", report.machine, how, report.takers) + "\n" + NOTE,
        _epsilons(report),
        _times(report),
        _ratios(report),
        _survey(report.survey),
        shown(report.aims, "", effort.name),
        "\n".join(_problems(report)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _present(report: Report) -> list[Entrant]:
    here = {taker.entrant.name for taker in report.takers if taker.missing is None}
    return [entrant for entrant in ENTRANTS if entrant.name in here]


def _epsilons(report: Report) -> str:
    entrants = _present(report)
    rows = [
        [str(outcome.task), *(_ends(outcome.ends(who.name)) for who in entrants)]
        for outcome in report.outcomes
    ]
    return "Epsilon\n" + table(["", *(who.title for who in entrants)], rows)


def _ends(ends: Ends | None) -> str:
    if ends is None:
        return NOTHING
    return " … ".join("endless" if end is None else f"{end:.4f}" for end in _told(ends))


def _told(ends: Ends) -> Sequence[float | None]:
    return [ends.high] if ends.low is None else [ends.low, ends.high]


def _times(report: Report) -> str:
    entrants = _present(report)
    rows = []
    for outcome in report.outcomes:
        seconds = (outcome.seconds(who.name) for who in entrants)
        peaks = (outcome.peaks.get(name) for name in OWN)
        rows.append(
            [
                str(outcome.task),
                *(NOTHING if each is None else time(each) for each in seconds),
                *(NOTHING if each is None else mebibytes(each) for each in peaks),
            ]
        )
    head = ["", *(who.title for who in entrants), "memory", "its limit's"]
    return f"Time, median of the rounds; memory at most, of a whole process\n{table(head, rows)}"


def _ratios(report: Report) -> str:
    here = [who.name for who in _present(report)]
    rows = [
        [str(outcome.task), own, peer, *map(digits, (x.median, x.low, x.high, x.best, x.cpu))]
        for outcome in report.outcomes
        for peer in here
        for own in OWN
        if peer not in OWN and (x := outcome.against(own, peer)) is not None
    ]
    if not rows:
        return ""
    head = ["", "", "as fast as", "times", "lowest", "highest", "best/best", "cpu time"]
    return "In the same round, we are so many times as fast\n" + table(head, rows)


def _survey(survey: Survey) -> str:
    if not survey.own:
        return ""
    widths = survey.widths
    first = (
        f"{len(survey.own) + len(survey.refused)} random compositions, of which we answer"
        f" {len(survey.own)}; our width: median {percent(median(widths))},"
        f" worst {percent(widths[-1])}, {sum(width < 1e-3 for width in widths)} below 0.1 %"
    )
    head = ["", "compared", "below ours", "ours passes it", "ours below it", "ours above: most"]
    head.append("theirs above our low end: least")
    rows = [_compared(each) for each in survey.agreements if each.compared]
    lines = [first] + ([table([*head, "median", "most"], rows)] if rows else [])
    return "\n".join(lines)


def _compared(agreement: Agreement) -> list[str]:
    apart = sorted(x for each in agreement.compared if (x := each.apart) is not None)
    excess = [x for each in agreement.compared if (x := each.excess) is not None]
    bounded = any(each.above is not None for each in agreement.compared)
    shares = [percent(x) for x in (apart[0], median(apart), apart[-1])] if apart else [NOTHING] * 3
    return [
        agreement.name,
        str(len(agreement.compared)),
        str(len(agreement.below)),
        str(len(agreement.above)) if bounded else NOTHING,
        str(len(agreement.under)) if bounded else NOTHING,
        percent(max(excess)) if excess else NOTHING,
        *shares,
    ]


def _problems(report: Report) -> Iterator[str]:
    for outcome in report.outcomes:
        for name, problem in outcome.problems.items():
            yield f"{outcome.task}, {name}: {problem}"
        yield from _contradictions(outcome)
    reasons = Counter(reason for _, reason in report.survey.refused)
    for case, reason in report.survey.refused[:5]:
        yield f"we do not answer, delta {float(case.delta):g}: {_named(case.parts)}: {reason}"
    if len(report.survey.refused) > 5:
        yield f"and so on: {dict(reasons)}"
    for agreement in report.survey.agreements:
        for failed, count in agreement.failed.items():
            yield f"random compositions, {agreement.name}: {count} times: {failed}"
        lists = {"below": agreement.below, "passed": agreement.above, "above us": agreement.under}
        for word, found in lists.items():
            yield from (_apart(agreement.name, word, each) for each in found[:5])


def _contradictions(outcome: Outcome) -> Iterator[str]:
    """Whose upper end for continuous noise lies below our lower one."""
    ours = outcome.ends(LIMIT)
    floor = None if ours is None else ours.low
    for name in outcome.turns:
        theirs = outcome.ends(name)
        high = None if theirs is None or name in OWN else theirs.high
        if floor is not None and high is not None and high < floor:
            yield f"{outcome.task}, {name}: {high!r} is below our {floor!r}"


def _apart(name: str, word: str, each: Compared) -> str:
    own, theirs = each.own, each.theirs
    return (
        f"{name}, {word}: delta {float(own.case.delta):g}, {_named(own.case.parts)}:"
        f" {theirs.low!r} … {theirs.high!r}, ours {own.low!r} … {own.high!r}"
    )


def _named(parts: Parts) -> str:
    return ", ".join(
        f"{part.count} {part.law} {float(part.size):g}"
        + (f" of {float(part.rate):g}" if part.rate != 1 else "")
        for part in parts
    )
