"""Threads of a project, whoever began them, and what their files tell beyond their states."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from starlette.requests import Request

from cli.trace_facts import memory_hits
from configs.loading import load_settings
from configs.settings import Settings
from console.api.asked import number_of, root_of, thread_of
from console.api.graphs import graph_of_kind
from console.api.thread_places import ThreadPlace, find, newest_first, opened, places_of
from console.api.traces import session_of_thread
from console.errors import NotThere
from console.shapes import MemoryHit, ThreadAbout, ThreadFacts, Threads
from memory.checkpoints.heads import ThreadHead
from memory.errors import CheckpointCorrupt
from memory.thread_history import Moment, newest_moment
from memory.trace.reading import Session

MOST_THREADS = 1000
SOME_THREADS = 200
MOST_OFFSET = 1_000_000
UNREADABLE = "cannot be read"

_USED = {
    "reused": "its plan was run again",
    "example": "its plan was shown to the planner",
    "lesson": "what it taught was shown to a model",
    "": "it was shown to a model",
}
_ENDED = {
    "helpful": "the run succeeded with it",
    "harmful": "the run failed with it",
    "mixed": "runs succeeded and failed with it",
    "": "no run has said yet whether it helped",
}


def threads(request: Request) -> Threads:
    """The threads of a root, the one worked on last first; blocking."""
    root = root_of(request)
    most = number_of(request, "limit", SOME_THREADS, 1, MOST_THREADS)
    offset = number_of(request, "offset", 0, 0, MOST_OFFSET)
    total, listed = asyncio.run(_listed(root, places_of(root), most, offset))
    return Threads(root=os.fspath(root), total=total, offset=offset, threads=tuple(listed))


async def _listed(
    root: Path, places: list[ThreadPlace], most: int, offset: int
) -> tuple[int, list[ThreadAbout]]:
    async with AsyncExitStack() as stack:
        savers = {place.root: await stack.enter_async_context(opened(place)) for place in places}
        heads: list[tuple[ThreadPlace, ThreadHead]] = []
        for place in places:
            kept = await savers[place.root].heads()
            heads += [(place, head) for head in kept if place.holds(head.root, root)]
        # One database may keep the threads of several projects.
        heads = list({head.thread: (place, head) for place, head in reversed(heads)}.values())
        listed = []
        for place, head in newest_first(heads)[offset : offset + most]:
            try:
                moment = await newest_moment(savers[place.root], head.thread)
            except CheckpointCorrupt:
                listed.append(_unreadable(place, head))
                continue
            if moment is not None:
                listed.append(_about(place, head.thread, moment))
    return len(heads), listed


def _unreadable(place: ThreadPlace, head: ThreadHead) -> ThreadAbout:
    return ThreadAbout(
        id=head.thread,
        root=place.root_of(head.root),
        served=False,
        graph="",
        goal="",
        standing=UNREADABLE,
        step=-1,
        at="",
        waiting=False,
    )


def _about(place: ThreadPlace, thread: str, moment: Moment) -> ThreadAbout:
    return ThreadAbout(
        id=thread,
        root=place.root_of(moment.root),
        served=place.serves(thread),
        graph=graph_of_kind(moment.kind),
        goal=moment.asked,
        standing=moment.standing,
        step=moment.step,
        at=moment.at,
        waiting=moment.waiting,
    )


def thread_facts(request: Request) -> ThreadFacts:
    """What the files of a thread tell; blocking.

    Raises:
        NotThere: there is no such thread.
    """
    root, thread = root_of(request), thread_of(request)
    place, moment = thread_found(root, thread)
    settings = project_settings(root, place)
    session = session_of_thread(root, settings, thread)
    return ThreadFacts(
        thread=thread,
        root=place.root_of(moment.root),
        graph=graph_of_kind(moment.kind),
        memory=tuple(_hits(session)) if session is not None else (),
        has_trace=session is not None,
        has_report=bool(moment.values),
        notes=tuple(_notes(root, place, moment, session)),
    )


def thread_found(root: Path, thread: str) -> tuple[ThreadPlace, Moment]:
    """Where a thread is kept, and its newest checkpoint; blocking.

    Raises:
        NotThere: there is no such thread about that directory.
    """
    found = asyncio.run(find(root, places_of(root), thread))
    if found is None:
        raise NotThere(
            f"There is no thread {thread!r} about {root}.", "The list of threads names those there are."
        )
    return found


def project_settings(root: Path, place: ThreadPlace) -> Settings:
    """The settings of a root, which its place of threads has if it is its own; blocking."""
    return place.settings if place.root == root else load_settings(root).settings


def _hits(session: Session) -> Iterator[MemoryHit]:
    for number, run in enumerate(session.runs, start=1):
        for hit in memory_hits(run, session):
            known = hit.score is not None and math.isfinite(hit.score)
            yield MemoryHit(
                run=number,
                id=hit.event_id,
                goal=hit.goal,
                scope=hit.scope,
                score=hit.score if known else None,
                use=hit.use if hit.use in _USED else "",
                outcome=hit.verdict or "not judged",
                why=f"{_USED.get(hit.use, _USED[''])}; {_ENDED[hit.verdict]}",
            )


def _notes(root: Path, place: ThreadPlace, moment: Moment, session: Session | None) -> Iterator[str]:
    about = place.root_of(moment.root)
    if about != os.fspath(root):
        yield f"The thread is about {about}; its trace and stored outputs lie there."
    if session is None:
        return
    if session.truncated:
        yield "The trace was full; later records were not kept."
    if session.unreadable:
        yield f"{session.unreadable} lines of the trace could not be read and are left out."
