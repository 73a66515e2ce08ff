"""What a finished run leaves on the disk: its summary, its manifest, and the items the manifest needs."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from memory.trace.iteration_log import IterationLogger, iterations_directory
from nodes.reflective.services import Services
from nodes.research.bookkeeping import research_settings
from nodes.research.fingerprints import corpus_digest, prompt_digests, weights_digest
from nodes.research.places import source_store
from nodes.research.replaying import Manifest, found_digest, replies_digest, sha256_of
from nodes.research.retrieve import BROUGHT
from nodes.research.state import ResearchState


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
    searched = state.backend not in ("", BROUGHT)
    documents = corpus_digest(services.root, services.settings, state.corpus) if searched else ""
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
        model_digests={model: weights_digest(services.settings, model) for model in models},
        windows=state.windows,
        prompts=prompt_digests(),
        settings=research_settings(services, state).model_dump(mode="json"),
        corpus_sha256=found_digest(state.searches),
        documents_sha256=documents,
        searches=state.searches,
        exchanges=state.exchanges,
        exchanges_sha256=replies_digest(state.exchanges),
        items_file=items_file.name,
        items_sha256=hashlib.sha256(items_file.read_bytes()).hexdigest(),
        report_sha256=sha256_of(result),
    )
