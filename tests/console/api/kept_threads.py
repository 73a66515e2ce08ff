"""Threads as runs leave them, written without running anything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6

from configs.settings import Settings
from memory.checkpoints import open_project_checkpointer

SETTINGS = Settings()
SERVED = "01a20488-f40c-7381-a093-85e5d325560f"
"""A name as LangGraph's server gives."""


def keep(
    root: Path,
    thread: str,
    values: Mapping[str, Any],
    about: Path | str | None = None,
    *,
    waits: bool = False,
) -> None:
    """Write a thread's only checkpoint.

    Args:
        root: the project that keeps it.
        thread: its name.
        values: of its state.
        about: directory its metadata names, as LangGraph's server writes it.
        waits: True if it waits for a person.
    """
    asyncio.run(_keep(root, thread, values, about, waits))


async def _keep(
    root: Path, thread: str, values: Mapping[str, Any], about: Path | str | None, waits: bool
) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    metadata = {"source": "loop", "step": 3} | ({} if about is None else {"root": str(about)})
    checkpoint = {
        **empty_checkpoint(),
        "id": str(uuid6(clock_seq=-2)),
        "channel_values": dict(values),
        "channel_versions": dict.fromkeys(values, 1),
    }
    async with open_project_checkpointer(root, SETTINGS) as saver:
        stored = await saver.aput(
            config, cast(Checkpoint, checkpoint), cast(CheckpointMetadata, metadata), dict.fromkeys(values, 1)
        )
        if waits:
            await saver.aput_writes(stored, [("__interrupt__", [{"value": {"summary": "May I?"}}])], "task")
