"""Settings for all tests: hypothesis, and asserts that count in helpers as in tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.figures import TOLD, Figure, lines

# Asserts in helper modules are rewritten too, so that they judge under `python -O` as well.
pytest.register_assert_rewrite(
    *(
        f"tests.{path.stem}"
        for path in Path(__file__).parent.iterdir()
        if path.stem not in {"conftest", "figures"}
    )
)

settings.register_profile("local", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """Tells a figure at the end of the run."""
    told = request.config.stash.setdefault(TOLD, [])
    return lambda what, value: told.append((what, value))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if told := config.stash.get(TOLD, []):
        terminalreporter.section("figures")
        terminalreporter.write("\n".join([*lines(told), ""]))
