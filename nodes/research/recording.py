"""What a finished run leaves on the disk: its summary, its manifest, and the items the manifest needs."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from memory.trace.iteration_log import IterationLogger
from models.embedded_weights import weights_path
from models.errors import ModelError
from models.identifiers import ModelId
from models.ollama_health import model_digest, ollama_address
from nodes.reflective.services import Services
from nodes.research.bookkeeping import research_settings
from nodes.research.places import iterations_directory, source_store
from nodes.research.replaying import Manifest, sha256_of
from nodes.research.state import ResearchState

DIGEST_SECONDS = 2.0
UNKNOWN = "unknown"
_log = logging.getLogger(__name__)


def write_records(services: Services, state: ResearchState, result: list[dict[str, Any]]) -> str:
    """Write `session_summary.json`, and for a run that was no replay `manifest.json`; blocking.

    Args:
        services: of the run.
        state: at its end.
        result: the items it answers with.

    Returns:
        Path of the manifest; empty in a replay.

    Raises:
        MemoryStoreError: they cannot be written.
    """
    logger = IterationLogger(iterations_directory(services.root, services.settings), state.query_id)
    logger.log_summary(state.iteration, state.status, state.mode, _summary(state))
    if state.replay:
        return ""
    store = source_store(services.root)
    keys = dict.fromkeys(key for search in state.searches for key in search.stored)
    stored = {key: store.get(key) for key in keys}
    items_file = logger.write("sources", stored, redacted=False)
    manifest = _manifest(services, state, items_file, result)
    # Replies are needed as they were; what they hold of a source lies in the items as well.
    path = logger.write("manifest", manifest.model_dump(mode="json"), redacted=False)
    return str(path)


def _summary(state: ResearchState) -> dict[str, Any]:
    return {
        "query_id": state.query_id,
        "query": state.query,
        "reviews": state.reviews,
        "searches": [search.model_dump(mode="json", exclude={"stored"}) for search in state.searches],
        "rewrites": state.rewrites,
        "fixes": state.fixes,
        "confidence": state.confidence_level,
        "usage": {agent: spent.model_dump() for agent, spent in state.usage.items()},
        "timeline": [moment.model_dump() for moment in state.timeline],
        "dropped_sources": state.dropped,
        "notes": state.notes,
        "failure": state.failure.model_dump() if state.failure is not None else None,
    }


def _manifest(
    services: Services, state: ResearchState, items_file: Path, result: list[dict[str, Any]]
) -> Manifest:
    prompts = {
        entry.name.removesuffix(".md"): hashlib.sha256(entry.read_bytes()).hexdigest()
        for entry in (files("configs") / "prompts").iterdir()
        if entry.name.startswith("research_")
    }
    models = dict.fromkeys([*state.models.values(), *(one.model for one in state.exchanges if one.model)])
    return Manifest(
        query=state.query,
        mode=state.mode,
        query_id=state.query_id,
        asked=state.asked,
        corpus=state.corpus,
        temporal_context=state.temporal_context,
        today=state.today,
        seed=state.seed,
        backend=state.backend,
        judges=state.judges,
        models=state.models,
        model_digests={model: _digest(services, model) for model in models},
        windows=state.windows,
        prompts=dict(sorted(prompts.items())),
        settings=research_settings(services, state).model_dump(mode="json"),
        corpus_sha256=sha256_of(sorted({key for search in state.searches for key in search.stored})),
        searches=state.searches,
        exchanges=state.exchanges,
        items_file=items_file.name,
        items_sha256=hashlib.sha256(items_file.read_bytes()).hexdigest(),
        report_sha256=sha256_of(result),
    )


def _digest(services: Services, model: str) -> str:
    """What tells a model's weights from others of its name, where that is known."""
    parsed = ModelId.parse(model)
    try:
        if parsed.provider == "ollama":
            address = ollama_address(services.settings, "worker")
            return model_digest(address, parsed.name, DIGEST_SECONDS) or UNKNOWN
        if parsed.provider == "embedded":
            with weights_path(parsed.name).open("rb") as stream:
                return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    except (ModelError, OSError) as error:
        _log.warning("The digest of %s is not known: %s", model, error)
    return UNKNOWN


def prompts_changed(recorded: Mapping[str, str]) -> list[str]:
    """Names of prompts that are not what they were when a manifest was written; blocking."""
    folder = files("configs") / "prompts"
    changed = []
    for name, digest in recorded.items():
        file = folder / f"{name}.md"
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            changed.append(name)
    return changed


def as_lines(result: list[dict[str, Any]]) -> str:
    """Items as JSONL."""
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in result)
