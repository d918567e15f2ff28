"""Settings for all tests: hypothesis, and asserts that count in helpers as in tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Asserts in helper modules are rewritten too, so that they judge under `python -O` as well.
pytest.register_assert_rewrite(
    *(f"tests.{path.stem}" for path in Path(__file__).parent.iterdir() if path.stem != "conftest")
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
