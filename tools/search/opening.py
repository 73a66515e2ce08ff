"""Which back end a corpus is searched by."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from configs.locations import linked_out, located
from configs.redaction import path_text
from configs.settings import Settings
from tools.errors import SearchUnavailable
from tools.search.backend import SearchBackend
from tools.search.chroma_collection import FILE, ChromaCollectionBackend
from tools.search.duckduckgo import DuckDuckGoBackend
from tools.search.folder import FolderBackend
from tools.search.items_file import ItemsFileBackend
from tools.search.mcp_server import PREFIX as _MCP
from tools.search.mcp_server import McpBackend
from tools.search.searxng import SearxngBackend

_CHROMA = "chroma:"
_ITEMS = (".jsonl", ".json", ".ndjson")


def open_backend(settings: Settings, root: Path, corpus: str = "") -> SearchBackend:
    """The back end of a corpus.

    Args:
        settings: `research.search` decides what is allowed.
        root: the project's directory; indexes lie below it, and relative paths start there.
        corpus: a folder, a JSONL file of items, a Chroma directory, `chroma:DIRECTORY#COLLECTION`,
            `mcp:NAME` of a server in the settings, `searxng` or `duckduckgo`; empty for the root itself.

    Raises:
        SearchForbidden: the settings or the profile do not allow it.
        SearchUnavailable: there is no such corpus.
    """
    search = settings.research.search
    if corpus == SearxngBackend.name:
        return SearxngBackend(search, settings.profile)
    if corpus == DuckDuckGoBackend.name:
        return DuckDuckGoBackend(search, settings.profile)
    if corpus.startswith(_MCP):
        return McpBackend(corpus.removeprefix(_MCP), search, settings.profile)
    named, _, collection = (
        corpus.removeprefix(_CHROMA).partition("#") if corpus.startswith(_CHROMA) else (corpus, "", "")
    )
    path = root / Path(named).expanduser()
    _check_readable(path)
    index = _index_directory(root, search.index, f"{path.resolve()}#{collection}")
    if corpus.startswith(_CHROMA) or (path / FILE).is_file():
        return ChromaCollectionBackend(path, collection, index, search)
    if path.is_file() and path.suffix.casefold() in _ITEMS:
        return ItemsFileBackend(path, index, search)
    if not path.exists():
        raise SearchUnavailable(
            f"The corpus {path_text(path)} does not exist.", "Name a folder, or a JSONL file of items."
        )
    if not path.is_dir():
        raise SearchUnavailable(
            f"The corpus {path_text(path)} is no folder and no JSONL file of items.",
            "Name the folder that holds the document.",
        )
    return FolderBackend(
        path, index, search, settings.tools.ignore, located(root, settings.research.iterations)
    )


def with_place(corpus: str, put: Callable[[str], str]) -> str:
    """A corpus with another place on this disk; one that is a server is as it was.

    Args:
        corpus: as for `open_backend`.
        put: makes the new place of the one that is named.
    """
    if corpus in (SearxngBackend.name, DuckDuckGoBackend.name) or corpus.startswith(_MCP):
        return corpus
    if not corpus.startswith(_CHROMA):
        return put(corpus)
    named, mark, collection = corpus.removeprefix(_CHROMA).partition("#")
    return f"{_CHROMA}{put(named)}{mark}{collection}"


def _check_readable(path: Path) -> None:
    try:
        if path.is_dir():
            os.scandir(path).close()
    except OSError as error:
        raise SearchUnavailable(
            f"The corpus {path_text(path)} cannot be listed ({error.strerror}).",
            "Make it readable, or name another folder.",
        ) from error


def _index_directory(root: Path, setting: str, corpus: str) -> Path | None:
    """Where the index of a corpus lies; None, which is in memory, when a link leads that out of the root."""
    if linked_out(root, setting):
        return None
    base = located(root, setting)
    try:
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
        ignore = base / ".gitignore"
        if not os.path.lexists(ignore):
            ignore.write_bytes(b"*\n")
    except OSError:
        # The index itself tells that it cannot be kept there.
        return base / "unwritable"
    return base / hashlib.sha256(os.fsencode(corpus)).hexdigest()[:16]
