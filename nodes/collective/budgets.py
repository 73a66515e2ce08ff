"""The budget of one run of several engines, with what earlier processes spent of it."""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from pathlib import Path

from configs.collective import CollectiveSettings
from memory.call_journal import COLLECTIVE, CallEnd, CallJournal, journal_path
from memory.project_directory import DIRECTORY
from models.shared_budget import Allowance, SharedBudget, Spent

OPEN_RUNS = 64
_OPEN: OrderedDict[str, tuple[asyncio.AbstractEventLoop, SharedBudget]] = OrderedDict()


async def budget_of(root: Path, run_id: str, limits: CollectiveSettings, *, kept: bool) -> SharedBudget:
    """The budget of a run: the one this process has open, else with what its journal says was spent.

    Args:
        root: whose project directory holds the journal.
        run_id: of the run.
        limits: of the run.
        kept: False for a run without a thread, which nothing can go on with.

    Raises:
        MemoryStoreError: the journal cannot be read.
    """
    loop = asyncio.get_running_loop()
    if (known := _known(run_id, loop)) is not None:
        return known
    path = journal_path(root / DIRECTORY, run_id, COLLECTIVE) if kept else None
    journal = await asyncio.to_thread(CallJournal.read, path)
    if (known := _known(run_id, loop)) is not None:
        return known  # another child of the same step was first
    budget = _opened(journal, limits)
    _OPEN[run_id] = (loop, budget)
    while len(_OPEN) > OPEN_RUNS:
        _OPEN.popitem(last=False)
    return budget


def forget(run_id: str) -> None:
    """Let go of a run that has ended."""
    _OPEN.pop(run_id, None)


def _known(run_id: str, loop: asyncio.AbstractEventLoop) -> SharedBudget | None:
    found = _OPEN.get(run_id)
    return found[1] if found is not None and found[0] is loop else None


def _opened(journal: CallJournal, limits: CollectiveSettings) -> SharedBudget:
    process = uuid.uuid4().hex

    async def began(key: str, most: int) -> None:
        await journal.began(key, most)

    async def ended(key: str, tokens: int, seconds: float) -> None:
        worked = seconds - spent.seconds
        await journal.ended(CallEnd(key, tokens, {"process": process, "worked": round(worked, 3)}))

    spent = _spent(journal)
    allowance = Allowance(limits.max_calls, limits.max_tokens, limits.run_timeout_sec)
    return SharedBudget(allowance, spent, began, ended)


def _spent(journal: CallJournal) -> Spent:
    """What is in a journal; each process worked until the end of its last call at least."""
    worked: dict[str, float] = {}
    for end in journal.ends.values():
        process, seconds = str(end.facts.get("process", "")), end.facts.get("worked")
        if isinstance(seconds, int | float):
            worked[process] = max(worked.get(process, 0.0), float(seconds))
    calls = len(journal.ends) + len(journal.unfinished())
    return Spent(calls, journal.tokens, sum(worked.values()))
