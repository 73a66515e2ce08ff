"""Where a research run keeps its logs and its sources."""

from __future__ import annotations

from pathlib import Path

from configs.files import SETTINGS_FILE, settings_files
from configs.loading import load_settings
from configs.redaction import path_text
from configs.settings import Settings
from configs.yaml_file import read_layer
from memory.content_store import ContentStore
from memory.errors import TraceUnwritable
from memory.project_directory import DIRECTORY

STORE = "research/sources"
PLACE = ("research", "iterations")


def iterations_directory(root: Path, settings: Settings) -> Path:
    """The directory with one directory of logs per query; blocking.

    Raises:
        TraceUnwritable: it lies outside of the root, by a link or by an absolute path in the project's own
            settings: a repository from elsewhere could otherwise have its reader write anywhere.
    """
    named = settings.research.iterations
    directory = root / named
    if directory.resolve().is_relative_to(root.resolve()):
        return directory
    if not Path(named).is_absolute():
        raise TraceUnwritable(
            f"{path_text(directory)} leads out of {path_text(root)}.",
            "Remove the link, or name another place in research.iterations.",
        )
    if _only_the_project_says(root, named):
        raise TraceUnwritable(
            f"research.iterations in {path_text(root / SETTINGS_FILE)} names {path_text(directory)}, "
            f"which lies outside of {path_text(root)}.",
            "Name a place below the root there, or name this one in your own settings.",
        )
    return directory


def _only_the_project_says(root: Path, named: str) -> bool:
    """True if the place comes from the project's settings, and nothing of the user's names it."""
    *others, project = settings_files(root)
    if not others and _is_home(root):
        return False
    loaded = load_settings(root)
    told = loaded.settings.research.iterations == named
    if not told or not loaded.origins[".".join(PLACE)].startswith("file "):
        return False
    own = [setting.value for file in others if (setting := read_layer(file.path).get(PLACE)) is not None]
    return PLACE in read_layer(project.path) and named not in own


def _is_home(root: Path) -> bool:
    try:
        return Path.home().absolute() == root.absolute()
    except RuntimeError:
        # A user without a home directory has no settings of their own.
        return False


def source_store(root: Path) -> ContentStore:
    """The texts of every source that was found, by their content."""
    return ContentStore(root / DIRECTORY / STORE)
