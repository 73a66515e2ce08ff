"""A worker of a soak: runs threads side by side on a database that other workers share, until it is killed.

`python -m evals.soak_worker DIRECTORY NUMBER` takes every file `jobs/NUMBER-*.json` of the directory, begins
its thread or goes on with it, and writes `done/` the same name, whole, when it has ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from configs.loading import load_settings
from graph.reflective import Reflective, build
from memory.checkpoints import open_project_checkpointer
from nodes.reflective.context import RunContext

AT_ONCE = 3
_PAUSE = 0.1


async def _go_on(graph: Reflective, job: Path, done: Path) -> None:
    """Run one thread to its end."""
    given = json.loads(job.read_text("utf-8"))
    config: RunnableConfig = {"configurable": {"thread_id": given["thread"]}}
    begun = bool((await graph.aget_state(config)).values)
    asked: Any = None if begun else {"goal": given["goal"]}
    context = RunContext.model_validate(given["context"])
    values = await graph.ainvoke(asked, config, context=context, durability="sync")
    if not values:
        values = dict((await graph.aget_state(config)).values)
    new = done / f"{job.name}.new"
    new.write_text(json.dumps({"values": values, "resumed": begun}), "utf-8")
    os.replace(new, done / job.name)


async def work(place: Path, number: int) -> None:
    """Take jobs until the process is killed."""
    jobs, done, root = place / "jobs", place / "done", place / "project"
    settings = load_settings(root).settings
    async with open_project_checkpointer(root, settings, pooled=True) as saver, asyncio.TaskGroup() as tasks:
        graph, taken, places = build(saver), set[str](), asyncio.Semaphore(AT_ONCE)

        async def one(job: Path) -> None:
            async with places:
                await _go_on(graph, job, done)

        (place / f"ready-{number}-{os.getpid()}").touch()
        while True:
            for job in sorted(jobs.glob(f"{number}-*.json")):
                if job.name not in taken and not (done / job.name).exists():
                    tasks.create_task(one(job))
                taken.add(job.name)
            await asyncio.sleep(_PAUSE)


def main(argv: Sequence[str] | None = None) -> int:
    """Work until killed; an error of a run ends the worker with exit code 1, and its message."""
    directory, number = sys.argv[1:3] if argv is None else argv
    asyncio.run(work(Path(directory), int(number)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
