"""The corpora: what is like a query, as every run searches them, or the newest. Secrets are redacted anew.

What was written since a run last searched is found by its words only, until the next one does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast, get_args

from starlette.requests import Request

from cli.experience_records import record_of
from configs.loading import load_settings
from console.api.asked import choice_of, number_of, root_of, text_of
from console.api.thread_places import check_not_linked_out
from console.shapes import ExperiencePage, ExperienceRecord
from memory.corpus import HybridExperience
from memory.corpus_opening import open_experience
from memory.experience.experience_corpus import EVENTS_FILE
from memory.experience.recall_prompt import ExperienceHit, Scope
from memory.experience.record_queries import RecordCount
from memory.redaction import redact, redact_record
from models.embeddings import open_embedder

MOST_RECORDS = 100
SOME_RECORDS = 20
MOST_FOUND = 200
"""Records like a query that are looked for, and counted."""
MOST_OFFSET = 1_000_000


def experience(request: Request) -> ExperiencePage:
    """A page of one corpus; blocking.

    Raises:
        UsageError: the project's corpus is a link that leads out of the project.
        IndexUnavailable: the corpus cannot be searched now.
    """
    root = root_of(request)
    scope = cast(Scope, choice_of(request, "scope", get_args(Scope)))
    query = text_of(request, "query").strip()
    most = number_of(request, "limit", SOME_RECORDS, 1, MOST_RECORDS)
    offset = number_of(request, "offset", 0, 0, MOST_OFFSET)
    settings = load_settings(root).settings
    place = os.path.join(settings.experience.project_root, "experience", EVENTS_FILE)
    check_not_linked_out(root, place)
    corpus = open_experience(settings, root, lambda: open_embedder(settings))
    count = corpus.count(scope)
    if query and count is not None:
        # Vectors of what is new are made by the next run that searches: hundreds of them take seconds.
        found = corpus.search(query, MOST_FOUND, scope=scope, settled=True)
        total, hits = len(found), found[offset : offset + most]
        notes = [*_of_query(corpus, scope, total), *_left_out(count)]
    else:
        total, hits = (count or RecordCount()).recallable, corpus.newest(scope, most, offset)
        notes = list(_left_out(count))
    return ExperiencePage(
        scope=scope,
        query=query,
        offset=offset,
        total=total,
        records=tuple(_record(hit, asked=bool(query)) for hit in hits),
        notes=(*notes, *corpus.problems()),
    )


def _record(hit: ExperienceHit, *, asked: bool) -> ExperienceRecord:
    facts: dict[str, Any] = redact_record(record_of(hit).model_dump(mode="json"))
    told = dict.fromkeys(text for text in (hit.error, hit.lesson, hit.later) if text)
    return ExperienceRecord(
        id=hit.event_id or hit.identity,
        kind=hit.event_type,
        goal=redact(hit.goal),
        text=redact("\n".join(told)),
        at=hit.at.isoformat() if hit.at else "",
        status=redact(hit.outcome),
        scope=hit.scope,
        score=round(hit.score, 4) if asked else None,
        shown=hit.helpful + hit.harmful,
        helped=hit.helpful,
        harmed=hit.harmful,
        facts=facts if asked else {name: value for name, value in facts.items() if name != "score"},
    )


def _of_query(corpus: HybridExperience, scope: Scope, total: int) -> Iterator[str]:
    yield from corpus.index_problems(scope)
    if total == MOST_FOUND:
        yield f"The best {MOST_FOUND} are shown; there may be more."


def _left_out(count: RecordCount | None) -> Iterator[str]:
    """Why records of the corpus are not on any page."""
    if count is None:
        yield "There is no such corpus: project and user share one, or experience.global_root names no place."
        return
    for number, why in (
        (count.too_old, "older than the settings recall, and did not help"),
        (count.quarantined, "imported, and not confirmed by a run of this project yet"),
        (count.harmful, "did more harm than good"),
    ):
        if number:
            yield f"{number} not shown: {why}."
