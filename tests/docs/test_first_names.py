"""The example of `make demo`: its names are distinct, its bound is the closed form, its picture
is drawn."""

from __future__ import annotations

from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from discreet.numbers import exact
from examples import first_names
from examples.first_names import Bound, Count, bound_for_all, invented_counts, released


def test_there_are_ten_thousand_names_and_nobody_is_drawn_by_lot() -> None:
    counts = invented_counts()
    assert len({name for name, _ in counts}) == 10_000
    assert counts == invented_counts()
    assert [true for _, true in counts] == sorted((true for _, true in counts), reverse=True)


def all_within(errors: int, names: int) -> Decimal:
    """(1 - 2q^(errors+1)/(1+q))^names with q = 1/e, in 60 digits."""
    with localcontext(prec=60):
        q = Decimal(-1).exp()
        return (1 - 2 * q ** (errors + 1) / (1 + q)) ** names


def test_the_bound_is_the_least_that_holds_for_all_names() -> None:
    bound = bound_for_all(first_names.NOISE.law(), 10_000, "0.95")
    assert bound.errors == 12
    assert all_within(11, 10_000) < Decimal("0.95") <= all_within(12, 10_000)
    told, true = bound.probability, all_within(12, 10_000)
    assert 0 <= true - Decimal(told.numerator) / Decimal(told.denominator) < Decimal("1e-20")
    assert round(true, 4) == Decimal("0.9675")


@pytest.mark.parametrize(("confidence", "errors"), [("0.5", 9), ("0.9", 11), ("0.999", 16)])
def test_the_bound_grows_with_the_confidence(confidence: str, errors: int) -> None:
    bound = bound_for_all(first_names.NOISE.law(), 10_000, confidence)
    assert bound.errors == errors
    assert all_within(errors - 1, 10_000) < Decimal(confidence) <= all_within(errors, 10_000)


def test_every_count_gets_noise_of_its_own() -> None:
    errors = [each.error for each in released(invented_counts(), first_names.NOISE)]
    # 10,000 equal errors, or none but zero, have a probability below 1e-3000.
    assert len(set(errors)) > 5
    # P(|X| > 40) is below 1e-17 for each.
    assert max(map(abs, errors)) <= 40


def test_the_report_shows_the_largest_error() -> None:
    counts = [Count(rank, "Name", 100, 100 + rank % 3) for rank in range(1, 10_001)]
    report = first_names.report(counts, Bound(12, exact("0.9675")))
    assert "largest error            2\n" in report
    assert "counts told exactly      3,333\n" in report
    assert "12, with probability 0.9675" in report


def test_the_picture_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    first_names.main()
    assert "10,000 counts" in capsys.readouterr().out
    drawn = (tmp_path / first_names.FOLDER / "first_names.png").read_bytes()
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) > 50_000
    assert "<html" in (tmp_path / first_names.FOLDER / "first_names.html").read_text("utf-8")
