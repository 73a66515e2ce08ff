from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.places import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project a test may change."""
    return Project(tmp_path)
