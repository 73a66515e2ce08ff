"""The check of a corpus: its lines, where its vectors and records are, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cli.health_check import Check
from configs.settings import Settings
from memory.corpus import CorpusStats, HybridExperience
from memory.corpus_opening import open_experience
from memory.errors import MemoryStoreError
from memory.experience.recall_prompt import Scope
from models.embeddings import open_embedder


class _Trouble(NamedTuple):
    """What is wrong, unless the rest says it already, and what to do."""

    found: str
    remedy: str


def corpus_check(scope: Scope, root: Path, settings: Settings) -> Check:
    """Look at one corpus; nothing is sent to servers or taken from them.

    Raises:
        MemoryStoreError: the settings name no place it can be kept in.
    """
    name = f"{scope} corpus"
    if not (settings.experience.enabled and getattr(settings.profiles, settings.profile).memory):
        return Check(name, "ok", "off")
    corpus = open_experience(settings, root, lambda: open_embedder(settings))
    one = next((stats for stats in corpus.stats() if stats.scope == scope), None)
    if one is None:
        return Check(name, "ok", "off")
    troubles = list(_troubles(corpus, one))
    found = "; ".join([_found(one), *(trouble.found for trouble in troubles if trouble.found)])
    remedies = dict.fromkeys(trouble.remedy for trouble in troubles)
    return Check(name, "warning" if troubles else "ok", found, " ".join(remedies))


def _found(one: CorpusStats) -> str:
    found = f"{one.events} events, {one.bad_lines} unreadable lines ({one.path})"
    if one.events:
        where = f" on {one.server}" if one.server else ""
        unread = one.bytes - one.indexed_offset
        found += f"; {one.indexed} of {one.texts} texts have a vector{where}"
        found += f", {unread} bytes are not indexed yet"
    if one.shared:
        found += f"; shared through {one.shared}, {one.waiting} lines not sent yet"
    return found


def _troubles(corpus: HybridExperience, one: CorpusStats) -> Iterator[_Trouble]:
    if one.events:
        problems = [problem for problem in (one.problem, *corpus.index_problems(one.scope)) if problem]
        remedy = "Run `reflect experience reindex`; until then searches go by words, or find nothing."
        if one.server:
            remedy = "Searches go by words until it can be used."
        yield from (_Trouble(problem, remedy) for problem in problems)
    try:
        corpus.shared_records(one.scope)
    except MemoryStoreError as error:
        yield _Trouble(error.what, error.remedy)
    if one.bad_lines:
        yield _Trouble("", "Unreadable lines are skipped and kept; look at them when they grow.")
