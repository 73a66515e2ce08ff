from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.experience.open_indexes import close_indexes
from tests.memory.places import Experience


@pytest.fixture
def experience(tmp_path: Path) -> Iterator[Experience]:
    for folder in ("project", "home"):
        (tmp_path / folder).mkdir()
    yield Experience(tmp_path / "project", tmp_path / "home")
    close_indexes()
