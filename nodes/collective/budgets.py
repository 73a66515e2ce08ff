"""The budget of one run of several engines, with what earlier processes spent of it."""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from configs.collective import CollectiveSettings
from memory.call_journal import COLLECTIVE, CallEnd, CallJournal, journal_path
from memory.project_directory import DIRECTORY
from models.shared_budget import Allowance, SharedBudget, Spent, spending
from nodes.reflective.services import Services, thread_id

OPEN_RUNS = 64
_WORKED = "worked-"
"""Before the process in keys of what is no call: how long a process worked."""


@dataclass(frozen=True)
class _Open:
    """A budget this process has open.

    Attributes:
        loop: it is for.
        budget: what is left.
        journal: of the run's calls.
        process: tells this opening from others in the journal.
        kept: False for a run without a thread, which nothing can go on with.
        places: for engines at work at once.
    """

    loop: asyncio.AbstractEventLoop
    budget: SharedBudget
    journal: CallJournal
    process: str
    kept: bool
    places: asyncio.Semaphore


_OPEN: OrderedDict[str, _Open] = OrderedDict()


@asynccontextmanager
async def sharing(services: Services, run_id: str) -> AsyncIterator[SharedBudget]:
    """Put the budget of a run in force for what is done within.

    When nobody works within it any more, a budget that is kept is let go of: whoever goes on with the run,
    here or in another process, reads from the journal what was spent by then.

    Args:
        services: of the run; their settings say what may be spent.
        run_id: of the run.

    Raises:
        MemoryStoreError: the journal cannot be read or written.
    """
    budget = await budget_of(
        services.root, run_id, services.settings.collective, kept=bool(run_id and thread_id())
    )
    try:
        with spending(budget):
            yield budget
    finally:
        await _leave(run_id, budget)


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
        return known.budget
    path = journal_path(root / DIRECTORY, run_id, COLLECTIVE) if kept else None
    journal = await asyncio.to_thread(CallJournal.read, path)
    if (known := _known(run_id, loop)) is not None:
        return known.budget  # another child of the same step was first
    opened = _opened(journal, limits, loop, kept)
    _OPEN[run_id] = opened
    for idle in [name for name, one in _OPEN.items() if one.budget.idle and name != run_id]:
        if len(_OPEN) > OPEN_RUNS:
            forget(idle)
    return opened.budget


def place_of(run_id: str) -> asyncio.Semaphore:
    """The places for engines at work at once, for a run whose budget is in force."""
    return _OPEN[run_id].places


def forget(run_id: str) -> None:
    """Let go of a run that has ended."""
    _OPEN.pop(run_id, None)


async def _leave(run_id: str, budget: SharedBudget) -> None:
    known = _OPEN.get(run_id)
    if known is None or known.budget is not budget or not budget.idle:
        return
    if run_id and not known.kept:
        return
    try:
        await known.journal.ended(_worked(known, budget.spent.seconds))
    finally:
        if budget.idle:
            forget(run_id)


def _known(run_id: str, loop: asyncio.AbstractEventLoop) -> _Open | None:
    found = _OPEN.get(run_id)
    return found if found is not None and found.loop is loop else None


def _opened(
    journal: CallJournal, limits: CollectiveSettings, loop: asyncio.AbstractEventLoop, kept: bool
) -> _Open:
    process = uuid.uuid4().hex

    async def began(key: str, most: int) -> None:
        await journal.began(key, most)

    async def ended(key: str, tokens: int, seconds: float) -> None:
        worked = round(seconds - spent.seconds, 3)
        await journal.ended(CallEnd(key, tokens, {"process": process, "worked": worked}))

    spent = _spent(journal)
    allowance = Allowance(limits.max_calls, limits.max_tokens, limits.run_timeout_sec)
    budget = SharedBudget(allowance, spent, began, ended)
    places = asyncio.Semaphore(limits.max_concurrent_children)
    return _Open(loop, budget, journal, process, kept, places)


def _worked(opened: _Open, seconds: float) -> CallEnd:
    """How long a process worked until now, which its calls alone do not tell."""
    before = sum(_seconds(opened.journal, but=opened.process).values())
    worked = {"process": opened.process, "worked": round(seconds - before, 3)}
    return CallEnd(f"{_WORKED}{opened.process}", 0, worked)


def _spent(journal: CallJournal) -> Spent:
    """What is in a journal; a process that was killed worked until the end of its last call at least."""
    made = sum(not key.startswith(_WORKED) for key in journal.ends)
    calls = made + len(journal.unfinished())
    return Spent(calls, journal.tokens, sum(_seconds(journal).values()))


def _seconds(journal: CallJournal, but: str = "") -> dict[str, float]:
    """Seconds of work by process."""
    worked: dict[str, float] = {}
    for end in journal.ends.values():
        process, seconds = str(end.facts.get("process", "")), end.facts.get("worked")
        if isinstance(seconds, int | float) and process != but:
            worked[process] = max(worked.get(process, 0.0), float(seconds))
    return worked
