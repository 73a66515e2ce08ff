"""The calls of the runs this process works at, by their ids."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path

from configs.contractive import ContractiveSettings
from memory.call_journal import CallJournal
from models.roles import RoleModels
from nodes.contractive.calls import Calls

OPEN_RUNS = 256
_OPEN: OrderedDict[str, tuple[asyncio.AbstractEventLoop, Calls]] = OrderedDict()


async def calls_of(
    run_id: str,
    models: RoleModels,
    limits: ContractiveSettings,
    path: Path | None,
    deadline: float | None,
    spent: int = 0,
    seconds: float = 0.0,
) -> Calls:
    """The calls of a run: those this process has open, else with what their journal holds.

    Args:
        run_id: of the run.
        models: of the run.
        limits: of the run.
        path: of the journal; None keeps it in memory.
        deadline: as for `Calls`.
        spent: as for `Calls`.
        seconds: as for `Calls`.

    Raises:
        MemoryStoreError: the journal cannot be read.
    """
    loop = asyncio.get_running_loop()
    known = _OPEN.get(run_id)
    if known is not None and known[0] is loop:
        _OPEN.move_to_end(run_id)
        return known[1]
    journal = await asyncio.to_thread(CallJournal.read, path)
    again = _OPEN.get(run_id)
    if again is not None and again[0] is loop:
        # Another task of the same step was first.
        return again[1]
    calls = Calls(models, limits, journal, deadline, spent, seconds)
    _OPEN[run_id] = (loop, calls)
    while len(_OPEN) > OPEN_RUNS:
        _OPEN.popitem(last=False)
    return calls


def forget(run_id: str) -> None:
    """Let go of a run that has ended."""
    _OPEN.pop(run_id, None)
