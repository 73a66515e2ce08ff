"""Where a research run keeps its logs and its sources."""

from __future__ import annotations

from pathlib import Path

from configs.redaction import path_text
from configs.settings import Settings
from memory.content_store import ContentStore
from memory.errors import TraceUnwritable
from memory.project_directory import DIRECTORY

STORE = "research/sources"


def iterations_directory(root: Path, settings: Settings) -> Path:
    """The directory with one directory of logs per query; blocking.

    Raises:
        TraceUnwritable: a link on the way leads out of the root: a repository from elsewhere could
            otherwise have its reader write anywhere.
    """
    directory = root / settings.research.iterations
    inside = not Path(settings.research.iterations).is_absolute()
    if inside and not directory.resolve().is_relative_to(root.resolve()):
        raise TraceUnwritable(
            f"{path_text(directory)} leads out of {path_text(root)}.",
            "Remove the link, or name another place in research.iterations.",
        )
    return directory


def source_store(root: Path) -> ContentStore:
    """The texts of every source that was found, by their content."""
    return ContentStore(root / DIRECTORY / STORE)
