"""Where a research run keeps its sources."""

from __future__ import annotations

from pathlib import Path

from memory.content_store import ContentStore
from memory.project_directory import DIRECTORY

STORE = "research/sources"


def source_store(root: Path) -> ContentStore:
    """The texts of every source that was found, by their content."""
    return ContentStore(root / DIRECTORY / STORE)
