from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from configs.settings import ToolSettings
from nodes.tutor.facts import Fact
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import facts_of


class Sandbox:
    """A directory, and an observer of it."""

    def __init__(self, root: Path, level: str = "auto") -> None:
        self.root = root
        self.root.mkdir()
        self.observer = Observer(root, ToolSettings.model_validate({"sandbox": level}), "game")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            self.put(name, text)

    def put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def see(self, request: Request) -> Observation:
        return asyncio.run(self.observer.observe(request, id="o1", turn=1))

    def raw(self, command: str) -> Observation:
        return self.see(Request(raw=command))

    def facts(self, command: str) -> tuple[Fact, ...]:
        return facts_of(self.raw(command))


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """An empty sandbox."""
    return Sandbox(tmp_path / "root")
