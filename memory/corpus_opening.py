"""Opening the corpora of a project as its settings say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from configs.settings import Settings
from memory.corpus import HybridExperience
from memory.experience.places import experience_places

if TYPE_CHECKING:
    from models.embeddings import Embedder


def open_experience(
    settings: Settings, root: Path, embedder: Callable[[], Embedder], home: Path | None = None
) -> HybridExperience:
    """The corpora of a project and of its user, on this machine and the servers the settings name.

    Nothing is connected to before something is written or searched.

    Args:
        settings: of the project.
        root: its directory.
        embedder: opens the embedding model.
        home: the user's home directory; the process's own when None.

    Raises:
        ExperiencePlaceInvalid: a variable of an address is not set or holds none, or the profile allows no
            server on another machine.
        MemoryPackageMissing: a package that a server needs is not installed.
    """
    return HybridExperience(settings.experience, root, embedder, home, experience_places(settings))
