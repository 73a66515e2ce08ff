"""Waiting until the checkpoint a node runs from is on the disk.

An effect is known by its task, and a task by its checkpoint: were the process killed after the effect and
before that checkpoint is written, the step would run again as another task, and be done twice. With the
durability "sync" the checkpoint is there already; with LangGraph's default it may still be on its way.
"""

from __future__ import annotations

import asyncio

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config

from nodes.errors import NotKept

SECONDS = 10.0
PAUSE = 0.01


async def until_kept(checkpoint_id: str | None) -> None:
    """Return once the checkpoint can be read back; at once without a checkpointer.

    Raises:
        NotKept: it cannot after SECONDS.
    """
    configurable = get_config().get("configurable", {})
    saver = configurable.get("__pregel_checkpointer")
    if checkpoint_id is None or saver is None or isinstance(saver, bool):
        return
    namespace = str(configurable.get("checkpoint_ns") or "").rpartition("|")[0]
    config: RunnableConfig = {
        "configurable": {
            "thread_id": configurable["thread_id"],
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
    }
    end = asyncio.get_running_loop().time() + SECONDS
    while await saver.aget_tuple(config) is None:
        if asyncio.get_running_loop().time() > end:
            raise NotKept(
                f"The thread's last step is not on the disk after {SECONDS:g} s, so nothing was changed.",
                "Check the checkpoint database and its disk, then resume the thread.",
            )
        await asyncio.sleep(PAUSE)
