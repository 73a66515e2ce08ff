from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.experience.open_indexes import close_indexes
from tests.nodes.reflective.bench import SHIPS, Bench


@pytest.fixture
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Bench:
    """A project of a few files, memory off."""
    root = tmp_path / "project"
    (root / "data").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "data" / "ships.csv").write_text(SHIPS)
    (root / "src" / "storage.py").write_text("import json\n\n\ndef load_state(path):\n    return json\n")
    (root / "notes.txt").write_text("gamma\nalpha\nbeta\n")
    return Bench(root, request.node.name)


@pytest.fixture
def remembering(
    bench: Bench, tmp_path: Path, machine_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    """The same with memory on, in a home of its own."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(machine_cache))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    bench.memory = True
    yield bench
    close_indexes()
