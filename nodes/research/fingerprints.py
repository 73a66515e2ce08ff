"""What tells the prompts, models and documents of a run from others of their names; all of it blocks."""

from __future__ import annotations

import hashlib
import logging
from importlib.resources import files
from pathlib import Path

from configs.settings import Settings
from models.embedded_weights import weights_path
from models.errors import ModelError
from models.identifiers import ModelId
from models.ollama_health import model_digest, ollama_addresses
from nodes.research.replaying import sha256_of

DIGEST_SECONDS = 2.0
UNKNOWN = "unknown"
_log = logging.getLogger(__name__)


def prompt_digests() -> dict[str, str]:
    """SHA-256 of each prompt of research, by name."""
    prompts = {
        entry.name.removesuffix(".md"): hashlib.sha256(entry.read_bytes()).hexdigest()
        for entry in (files("configs") / "prompts").iterdir()
        if entry.name.startswith("research_")
    }
    return dict(sorted(prompts.items()))


def weights_digest(settings: Settings, model: str) -> str:
    """What tells a model's weights from others of its name, where that is known; else "unknown"."""
    try:
        parsed = ModelId.parse(model)
        if parsed.provider == "ollama":
            addresses = ollama_addresses(settings, "worker")
            found = (model_digest(address, parsed.name, DIGEST_SECONDS) for address in addresses)
            return next(filter(None, found), UNKNOWN)
        if parsed.provider == "embedded":
            with weights_path(parsed.name).open("rb") as stream:
                return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    except (ModelError, OSError) as error:
        _log.warning("The digest of %s is not known: %s", model, error)
    return UNKNOWN


def corpus_digest(root: Path, settings: Settings, corpus: str) -> str:
    """SHA-256 of a folder's documents or of a file of items; empty where the corpus is neither.

    Args:
        root: where a relative corpus lies; an empty one is the root itself.
        settings: which folders are passed over, and how much of a file is read.
        corpus: as the run has it.
    """
    from tools.search.extraction.reading import Limits
    from tools.search.folder_scan import FolderScan

    path = root / Path(corpus).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        if path.is_dir():
            search = settings.research.search
            limits = Limits(search.max_document_chars, search.max_file_mb * 10**6)
            documents = FolderScan(path, settings.tools.ignore, limits).sources()
            return sha256_of([[document.key, document.digest()] for document in documents])
    except OSError as error:
        _log.warning("The documents of a corpus cannot be compared: %s", error)
    return ""
