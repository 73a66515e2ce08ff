"""What a run tells the outside: live progress for people, events for the experience corpus."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from langgraph.config import get_stream_writer

from memory.events import ReasoningEvent
from nodes.reflective.services import Services


def now() -> str:
    """The time, UTC, ISO with seconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def progress(kind: str, **values: Any) -> None:
    """Send one progress event to whoever streams the run in `custom` mode."""
    get_stream_writer()({"kind": kind, **values})


async def record(services: Services, event: ReasoningEvent) -> None:
    """Append an event to the session's trace and to the project's corpus, when memory is on."""
    if services.experience is None:
        return
    trace = services.trace(event.session_id)
    if trace is not None:
        await asyncio.to_thread(trace.append, event.model_dump(mode="json"))
    await asyncio.to_thread(services.experience.append, event)
