"""A project, a home, and the corpora of both."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from configs.settings import ExperienceSettings
from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.experience.open_indexes import close_indexes
from tests.support.hashing_embedder import HashingEmbedder


def event(goal: str = "count the files", **values: Any) -> ReasoningEvent:
    days = values.pop("days_ago", 0)
    defaults: dict[str, Any] = {
        "timestamp": (datetime.now(UTC) - timedelta(days=days)).isoformat(),
        "session_id": "s1",
        "event_type": "episode",
        "outcome_status": "success",
    }
    return ReasoningEvent(goal=goal, **{**defaults, **values})


class Experience:
    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        self.embedder = HashingEmbedder()

    def open(self, **settings: Any) -> HybridExperience:
        return HybridExperience(ExperienceSettings(**settings), self.root, lambda: self.embedder, self.home)

    @property
    def file(self) -> Path:
        return self.root / ".reflect" / "experience" / "events.jsonl"

    @property
    def index(self) -> Path:
        return self.file.parent / "index"

    def generation(self) -> Path:
        """The Chroma directory in use."""
        found = [path for path in self.index.glob("*/chroma-*") if not path.name.endswith(".set-aside")]
        assert len(found) == 1
        return found[0]

    def next_process(self) -> HybridExperience:
        """The corpora as a process that starts now sees them."""
        from chromadb.api.shared_system_client import SharedSystemClient

        close_indexes()
        SharedSystemClient.clear_system_cache()
        return self.open()

    def delete_index(self) -> None:
        shutil.rmtree(self.index)
