from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path, built: Path) -> Path:
    """A small project with a history, in a home of its own."""
    return Path(shutil.copytree(built, tmp_path / "project", symlinks=True))
