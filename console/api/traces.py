"""The trace of a thread, with those of the runs below it, as one session."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request

from cli.trace_page import page_of
from configs.loading import load_settings
from configs.locations import located
from configs.settings import Settings
from console.api.asked import root_of, thread_of
from console.api.thread_places import check_not_linked_out
from console.errors import NotThere
from memory.trace.reading import Session, read_session
from memory.trace.session_trace import files_below, trace_path


def trace_page(request: Request) -> str:
    """The page of a thread's trace; blocking.

    Raises:
        NotThere: it has none.
    """
    root, thread = root_of(request), thread_of(request)
    session = session_of_thread(root, load_settings(root).settings, thread)
    if session is None:
        raise NotThere(
            f"There is no trace of {thread!r} below {root}.",
            "Engines that think, play or research keep none, nor does a run with traces switched off.",
        )
    return page_of(session)


def session_of_thread(root: Path, settings: Settings, thread: str) -> Session | None:
    """The trace of a thread, then those of the runs below it, as one; None if there is none. Blocking.

    Args:
        root: the project.
        settings: of the project.
        thread: any text.

    Raises:
        UsageError: a file of the trace is a link that leads out of the project.
        OSError: a file is there and cannot be read.
    """
    sessions = [read_session(path) for path in _files(root, settings.traces.path, thread)]
    if not sessions:
        return None
    return dataclasses.replace(
        sessions[0],
        session_id=thread,
        runs=[run for session in sessions for run in session.runs],
        feedback=_said(sessions),
        unreadable=sum(session.unreadable for session in sessions),
        truncated=any(session.truncated for session in sessions),
        records=sum(session.records for session in sessions),
    )


def _files(root: Path, named: str, thread: str) -> Iterator[Path]:
    directory = located(root, named)
    below = (path for path in files_below(directory, thread) if path.suffix == ".jsonl")
    for path in itertools.chain([trace_path(directory, thread)], below):
        check_not_linked_out(root, os.path.join(named, path.name))
        if path.is_file():
            yield path


def _said(sessions: list[Session]) -> dict[str, list[Mapping[str, Any]]]:
    """What was said of records, in whichever session."""
    said: dict[str, list[Mapping[str, Any]]] = {}
    for session in sessions:
        for record, metas in session.feedback.items():
            said.setdefault(record, []).extend(metas)
    return said
