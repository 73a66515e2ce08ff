"""Where a research run keeps its logs and its sources."""

from __future__ import annotations

from pathlib import Path

from configs.settings import Settings
from memory.content_store import ContentStore
from memory.project_directory import DIRECTORY

STORE = "research/sources"


def iterations_directory(root: Path, settings: Settings) -> Path:
    """The directory with one directory of logs per query."""
    return root / settings.research.iterations


def source_store(root: Path) -> ContentStore:
    """The texts of every source that was found, by their content."""
    return ContentStore(root / DIRECTORY / STORE)
