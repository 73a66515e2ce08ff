"""Which command a thread belongs to, and the line that goes on with it."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from configs.errors import UsageError

if TYPE_CHECKING:
    from configs.settings import Settings
    from memory.thread_history import Kind


async def kind_of(root: Path, settings: Settings, thread: str) -> Kind | None:
    """What a thread was begun by; None if there is no such thread.

    Raises:
        MemoryStoreError: the checkpoints cannot be read.
    """
    from memory.checkpoints import open_project_checkpointer
    from memory.thread_history import newest_moment

    async with open_project_checkpointer(root, settings) as saver:
        moment = await newest_moment(saver, thread)
    return moment.kind if moment is not None else None


def check_kind(thread: str, kind: Kind | None, wanted: Kind) -> None:
    """Keep a command from a thread whose state is another's.

    Raises:
        UsageError: the thread was begun by another command.
    """
    if kind is None or kind == wanted:
        return
    what = {
        "ask": "answers a question (reflect ask)",
        "research": "is a research run (reflect research)",
        "think": "thinks about a question (reflect think)",
        "play": "plays a proof game (reflect play)",
    }
    told = what.get(kind) or f"is worked at by several engines (reflect {kind})"
    raise UsageError(
        f"The thread {thread!r} {told}.",
        f"Go on with it by: reflect resume {shlex.quote(thread)}, or choose another name.",
    )


def resume_line(thread: str, arguments: Namespace) -> str:
    """The command that goes on with a run, with the choices it was begun with."""
    outputs = [
        word
        for name in ("html", "items")
        if (given := getattr(arguments, name, None))
        for word in (f"--{name}", given)
    ]
    words = (
        ["reflect", "research", f"--resume={thread}", *outputs] if outputs else ["reflect", "resume", thread]
    )
    if arguments.root != ".":
        words += ["--root", arguments.root]
    for name in ("model", "profile"):
        if getattr(arguments, name, None):
            words += [f"--{name}", getattr(arguments, name)]
    return shlex.join(words)
