"""`research`: a report from documents, every sentence checked against its source."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field

from cli.live import plain_line, printable
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome, waiting_note
from cli.mcp_server.place import corpus_below
from cli.research_command import EXIT_BY_STATUS, new_run
from cli.research_output import LONGEST_TEXT
from cli.research_page import text_for_people
from cli.research_running import run_research_thread
from configs.errors import UsageError
from configs.prompting import render
from nodes.reflective.context import RunContext
from nodes.research.state import LONGEST_QUERY

_ERROR = EXIT_BY_STATUS["error"]


class ResearchArguments(Arguments):
    """What `research` takes."""

    query: str = Field(
        description="The question, complete in itself.",
        json_schema_extra={"minLength": 1, "maxLength": LONGEST_QUERY},
    )
    mode: Literal["strict", "discovery", "monitor"] = Field(
        "discovery",
        description="strict: established sources only. discovery: all. monitor: what changes with time.",
    )
    corpus: str = Field(
        "",
        description="Where to search: a folder or a JSONL file of NLWeb Items below the root, "
        "`chroma:FOLDER#COLLECTION` below it, or `mcp:NAME`, `searxng`, `duckduckgo` where the settings "
        "allow them. Empty: all documents below the root.",
    )


class ResearchResult(BaseModel):
    """What `research` gives.

    Attributes:
        items: NLWeb Items, the report first; what `reflect research --json` prints.
        status: reported, no_data, error, or waiting for a person.
        thread_id: by which the run can be gone on with.
        notes: how, if it waits.
        waiting_for: questions to a person.
    """

    items: list[dict[str, Any]]
    status: Literal["reported", "no_data", "error", "waiting"]
    thread_id: str
    notes: list[str] = Field(default_factory=list)
    waiting_for: list[dict[str, Any]] = Field(default_factory=list)


async def research(call: Call, given: ResearchArguments) -> Outcome:
    """Research the query in a thread of its own.

    Raises:
        ReflectError: it cannot be run, or was ended.
    """
    query = given.query.strip()
    _check(query)
    site, thread = call.site, f"research-{uuid.uuid4().hex[:12]}"
    go_on = site.go_on(thread)
    corpus = await asyncio.to_thread(corpus_below, site.root, given.corpus)
    settings = await asyncio.to_thread(site.settings)
    context = RunContext(root=str(site.root), model=site.model, profile=site.profile)
    call.announce(thread, go_on)
    values, waiting = await run_research_thread(
        new_run(query, given.mode, corpus, thread),
        context,
        thread,
        settings,
        go_on,
        quiet=False,
        ask=False,
        control=call.control,
        show=lambda event: call.progress.tell(f"{event['node'].upper()} {plain_line(dict(event))}"),
    )
    if waiting:
        note = waiting_note("an answer to what its question means", go_on)
        asked = ResearchResult(
            items=[], status="waiting", thread_id=thread, notes=[note], waiting_for=waiting
        )
        return Outcome(asked, note)
    result = ResearchResult(items=values["result"], status=values["status"], thread_id=thread)
    text = "\n".join(printable(text_for_people(item)[:LONGEST_TEXT]).rstrip() for item in result.items)
    return Outcome(result, text, failed=EXIT_BY_STATUS[result.status] == _ERROR)


def _check(query: str) -> None:
    if not query:
        raise UsageError("There is nothing to research: the query is empty.", "Say what you want to know.")
    if len(query) > LONGEST_QUERY:
        raise UsageError(
            f"The query has {len(query)} characters; {LONGEST_QUERY} is the limit.",
            "Put long material in a file below the root, and ask about it.",
        )


RESEARCH = EngineTool(
    name="research",
    title="Research documents",
    description=render("mcp_research"),
    arguments=ResearchArguments,
    result=ResearchResult,
    run=research,
    open_world=True,
)
