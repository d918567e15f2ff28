"""Rates and ratios, from draws whose ratios are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench.figures import Draw, draw_from, geometric_mean, number, ratio


def at(rates: Sequence[float], *, cpu: float = 1.0) -> list[Draw]:
    """Draws of these rates; the processor's clock runs `cpu` times the wall's."""
    return [Draw(1_000, 1_000 / rate, cpu * 1_000 / rate, 0.0, 0.0) for rate in rates]


def test_rounds_are_compared_with_each_other() -> None:
    # The machine halves its speed in every round; the ratio is 3 all the same.
    found = ratio(at([12, 6, 3]), at([4, 2, 1]))
    assert found.median == found.low == found.high == pytest.approx(3)


def test_the_parts_of_a_ratio() -> None:
    found = ratio(at([10, 20, 90]), at([10, 10, 30]))
    assert (found.median, found.low, found.high) == pytest.approx((2, 1, 3))
    assert found.best == pytest.approx(90 / 30)


def test_the_median_is_not_the_mean() -> None:
    disturbed = ratio(at([10, 10, 1]), at([10, 10, 10]))
    assert disturbed.median == pytest.approx(1)


def test_processor_time_does_not_count_the_time_of_others() -> None:
    # Ours was kept waiting half of the time: twice as slow by the wall, equal by the processor.
    found = ratio(at([5, 5, 5], cpu=0.5), at([10, 10, 10]))
    assert found.median == pytest.approx(0.5)
    assert found.cpu == pytest.approx(1)


def test_a_clock_too_coarse_for_the_draw_is_not_divided_by() -> None:
    assert Draw(10, 2.0, 0.0, 0.0, 0.0).cpu_rate == 5


def test_contestants_that_did_not_draw_equally_often_are_not_compared() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ratio(at([1, 1]), at([1]))


def test_the_geometric_mean() -> None:
    assert geometric_mean([0.25, 4]) == pytest.approx(1)
    assert geometric_mean([1, 2, 4]) == pytest.approx(2)


ANSWER = {"count": 4, "seconds": 0.5, "cpu": 0.25, "total": -2, "total_abs": 6.0}


def test_an_answer_is_read() -> None:
    drawn = draw_from(ANSWER)
    assert drawn == Draw(4, 0.5, 0.25, -2.0, 6.0)
    assert (drawn.rate, drawn.cpu_rate) == (8, 16)


@pytest.mark.parametrize("name", ANSWER)
@pytest.mark.parametrize("wrong", [None, "4", True, [4]])
def test_an_answer_without_a_number_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(TypeError, match=name):
        draw_from(ANSWER | {name: wrong})
    with pytest.raises(TypeError, match=name):
        number({}, name)


@pytest.mark.parametrize("wrong", [{"count": 0}, {"seconds": 0}, {"seconds": -1.0}])
def test_an_answer_that_would_divide_by_zero_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="takes time"):
        draw_from(ANSWER | wrong)
