"""`search_experience`: what past runs of the project left behind."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from cli.experience_records import ExperienceRecord, lines_of, record_of
from cli.live import printable
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome, Site
from configs.errors import UsageError
from configs.prompting import render
from memory.corpus_opening import open_experience
from memory.experience.recall_prompt import ExperienceHit
from models.embeddings import open_embedder

MOST_RECORDS = 100
LONGEST_QUERY = 8000


class ExperienceArguments(Arguments):
    """What `search_experience` takes."""

    query: str = Field(
        description="A goal, an error, or both.",
        json_schema_extra={"minLength": 1, "maxLength": LONGEST_QUERY},
    )
    limit: int | None = Field(
        None, ge=1, le=MOST_RECORDS, description="Records at most; unset leaves it to the settings."
    )


class ExperienceResult(BaseModel):
    """What `search_experience` gives: records, the project's first, each part best first."""

    records: list[ExperienceRecord]


async def search_experience(call: Call, given: ExperienceArguments) -> Outcome:
    """Search the corpora.

    Raises:
        ReflectError: they cannot be searched.
    """
    query = given.query.strip()
    if not query:
        raise UsageError(
            "There is nothing to search for: the query is empty.", "Say what was asked or failed."
        )
    if len(query) > LONGEST_QUERY:
        raise UsageError(
            f"The query has {len(query)} characters; {LONGEST_QUERY} is the limit.", "Give its first lines."
        )
    hits = await asyncio.to_thread(_search, call.site, query, given.limit)
    text = "\n".join(printable(line) for hit in hits for line in lines_of(hit))
    return Outcome(
        ExperienceResult(records=[record_of(hit) for hit in hits]), text or "No experience is like that."
    )


def _search(site: Site, query: str, limit: int | None) -> list[ExperienceHit]:
    settings = site.settings()
    corpus = open_experience(settings, site.root, lambda: open_embedder(settings))
    return corpus.search(query, limit)


SEARCH_EXPERIENCE = EngineTool(
    name="search_experience",
    title="Search past runs",
    description=render("mcp_search_experience"),
    arguments=ExperienceArguments,
    result=ExperienceResult,
    run=search_experience,
    read_only=True,
    has_thread=False,
)
