"""The manifest of a run: what it rested on, and all it takes to give the same report again.

`manifest.json` names models, prompts, settings and the corpus by their hashes and holds every reply and every
search; the items those searches gave lie beside it, in `sources.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from configs.redaction import path_text
from nodes.errors import ReplayImpossible, ReplayMismatch
from nodes.research.state import Agent, Asked, Exchange, Mode, Search, TemporalContext

VERSION = 1


class Manifest(BaseModel):
    """Everything a run rested on.

    Attributes:
        version: of this form.
        query, mode, corpus, temporal_context, today, seed: as the state has them.
        query_id: of the run that is recorded.
        asked: the query before a clarification narrowed it, and the answer; empty in older manifests.
        backend: its name, with the embedder it used.
        judges: True if its models could judge.
        models: provider:model by role.
        model_digests: SHA-256 or the provider's digest by provider:model, where one is known.
        windows: tokens by role.
        prompts: SHA-256 of each prompt file, by name.
        settings: section `research` of the settings.
        corpus_sha256: of the keys of all items that were found.
        documents_sha256: of the folder's documents, or of the file of items; empty where it is neither.
        searches: queries with what they gave.
        exchanges: replies of the models.
        exchanges_sha256: of them.
        items_file: name of the file with the items, beside this one.
        items_sha256: of that file.
        report_sha256: of the resulting items.
    """

    version: int = VERSION
    query: str
    mode: Mode
    query_id: str
    asked: Asked = Asked()
    corpus: str = ""
    temporal_context: TemporalContext = TemporalContext()
    today: str
    seed: str
    backend: str = ""
    judges: bool = True
    models: dict[str, str] = Field(default_factory=dict)
    model_digests: dict[str, str] = Field(default_factory=dict)
    windows: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    corpus_sha256: str = ""
    documents_sha256: str = ""
    searches: list[Search] = Field(default_factory=list)
    exchanges: list[Exchange] = Field(default_factory=list)
    exchanges_sha256: str = ""
    items_file: str = "sources.json"
    items_sha256: str = ""
    report_sha256: str = ""


def load_manifest(path: str) -> Manifest:
    """A manifest from its file; blocking.

    Raises:
        ReplayImpossible: it cannot be read, or is none.
    """
    file = Path(path)
    try:
        stamp = file.stat()
        return _loaded(path, stamp.st_mtime_ns, stamp.st_size)
    except OSError as error:
        raise ReplayImpossible(
            f"The manifest {path_text(file)} cannot be read: {error.strerror}.",
            "Name the manifest.json of a finished run.",
        ) from error
    except (ValidationError, ValueError) as error:
        raise ReplayImpossible(
            f"{path_text(file)} is no manifest of a research run.",
            "Name the manifest.json of a finished run.",
        ) from error


@lru_cache(maxsize=8)
def _loaded(path: str, stamp: int, size: int) -> Manifest:
    return Manifest.model_validate_json(Path(path).read_bytes())


def start_of_replay(path: str) -> dict[str, Any]:
    """The input of the recorded run, so that its replay asks and narrows the query as it did; blocking.

    Raises:
        ReplayImpossible: the manifest cannot be used.
    """
    recorded = load_manifest(path)
    asked = recorded.asked
    if not asked.query:
        asked = Asked(query=recorded.query, temporal_context=recorded.temporal_context)
    return {
        "query": asked.query,
        "mode": recorded.mode,
        "corpus": recorded.corpus,
        "temporal_context": asked.temporal_context.model_dump(mode="json"),
        "clarify": asked.clarify,
        "ambiguity": asked.ambiguity,
        "items": [],
        "replay": path,
    }


def recorded_answer(path: str) -> str:
    """What the person said the recorded query means; blocking.

    Raises:
        ReplayMismatch: nobody was asked in the recorded run.
    """
    answer = load_manifest(path).asked.answer
    if answer is None:
        raise ReplayMismatch(
            "What the query means was not asked in the recorded run.", "Replay it as it was begun."
        )
    return answer


def recorded_items(path: str) -> dict[str, dict[str, Any]]:
    """The items of a manifest's run by their keys in the content store; blocking.

    Raises:
        ReplayImpossible: they cannot be read, or are not those that were recorded.
    """
    manifest = load_manifest(path)
    file = Path(path).parent / Path(manifest.items_file).name
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ReplayImpossible(
            f"The items {path_text(file)} cannot be read: {error.strerror}.",
            "They lie beside the manifest; keep both.",
        ) from error
    if hashlib.sha256(data).hexdigest() != manifest.items_sha256:
        raise ReplayImpossible(
            f"{path_text(file)} is not the file that was recorded.", "Replay the files of one run together."
        )
    found: dict[str, dict[str, Any]] = json.loads(data)
    return found


def recorded_reply(path: str, agent: Agent, digest: str, asked: Sequence[Exchange]) -> Exchange:
    """The recorded reply to a prompt; blocking.

    Args:
        path: of the manifest.
        agent: who asks.
        digest: of the prompt.
        asked: what the replayed run asked before.

    Raises:
        ReplayMismatch: the run did not ask this at this place: a prompt, a setting or the code changed.
    """
    recorded = load_manifest(path).exchanges
    place = len(asked)
    if place < len(recorded):
        exchange = recorded[place]
        if exchange.agent == agent and exchange.prompt_sha256 == digest:
            return exchange
    raise ReplayMismatch(
        f"The {agent} asks something else than in the recorded run (question {place + 1}).",
        "A prompt, a setting or the program changed since; run the research anew.",
    )


def recorded_search(path: str, query: str, searched: int) -> Search:
    """The recorded result of a search; blocking.

    Raises:
        ReplayMismatch: the run did not search for this at this place.
    """
    recorded = load_manifest(path).searches
    if searched < len(recorded) and recorded[searched].query == query:
        return recorded[searched]
    raise ReplayMismatch(
        f"The search {query[:80]!r} is not the one that was recorded at this place.",
        "A setting or the program changed since; run the research anew.",
    )


def found_digest(searches: Sequence[Search]) -> str:
    """SHA-256 of the keys of everything that searches found."""
    return sha256_of(sorted({key for search in searches for key in search.stored}))


def replies_digest(exchanges: Sequence[Exchange]) -> str:
    """SHA-256 of the questions' hashes and the replies."""
    return sha256_of([exchange.model_dump(mode="json") for exchange in exchanges])


def sha256_of(value: Any) -> str:
    """SHA-256 of a JSON value, keys sorted."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
