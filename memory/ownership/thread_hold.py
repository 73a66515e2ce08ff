"""Having a thread alone among all hosts, where its checkpoints are in a database they share."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from configs.redaction import escaped
from configs.settings import Settings
from memory.checkpoints import allowed_place
from memory.checkpoints.postgres import explained, no_driver, shown_address
from memory.errors import MemoryStoreError, ThreadTaken
from memory.ownership.places import Place, place_of

if TYPE_CHECKING:
    from memory.ownership.session import OwnerSession

PAUSE = 0.2
"""Seconds between looks whether another host has let go."""

_RELEASING = 1.0
"""Seconds the server may take to notice that the process of a chat is gone."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def run_hold(root: Path, settings: Settings, thread: str, *, quiet: bool) -> AsyncIterator[None]:
    """Have a thread for a run; wait until no other has it. Nothing is done where no host shares it.

    Raises:
        ThreadElsewhere: the thread was begun in another directory.
        MemoryStoreError: the database cannot be used.
    """
    hold = await asyncio.to_thread(_hold, root, settings, "run", thread)
    if hold is None:
        yield
        return
    told, patience = quiet, 0.0
    while holder := await _taken(hold, patience):
        if not told:
            _log.warning("Thread %s is run by %s; this one waits for it.", escaped(thread), holder)
            told = True
        patience = hold.patience
        await asyncio.sleep(PAUSE)
    try:
        yield
    finally:
        await asyncio.to_thread(hold.give_back)


@asynccontextmanager
async def hold_for_deletion(root: Path, settings: Settings, thread: str) -> AsyncIterator[str]:
    """Have a thread, wherever it was begun; gives who has it instead, empty if this process now does.

    Raises:
        MemoryStoreError: the database cannot be used.
    """
    hold = await asyncio.to_thread(_hold, root, settings, "run", thread)
    if hold is None:
        yield ""
        return
    hold = replace(hold, place=None)
    holder = await _taken(hold, 0.0)
    try:
        yield holder
    finally:
        if not holder:
            await asyncio.to_thread(hold.give_back)


@contextmanager
def chat_hold(root: Path, settings: Settings, thread: str) -> Iterator[None]:
    """Have a thread for a chat, or be told who has it; runs are not kept off.

    Raises:
        ThreadTaken: another chat is open on it.
        MemoryStoreError: as `run_hold`.
    """
    hold = _hold(root, settings, "chat", thread)
    if hold is None:
        yield
        return
    deadline = time.monotonic() + _RELEASING
    while (holder := hold.take(0.0)) and time.monotonic() < deadline:
        time.sleep(PAUSE)
    if holder:
        raise ThreadTaken(
            f"Another chat is open on thread {thread!r}: {holder} has it.",
            "Go on there, or choose another thread here.",
        )
    try:
        yield
    finally:
        hold.give_back()


def holder_elsewhere(root: Path, settings: Settings, thread: str) -> str:
    """Who runs a thread, of those that share its database; empty if nobody does. Blocking.

    Raises:
        MemoryStoreError: the database cannot be used.
    """
    hold = _hold(root, settings, "run", thread)
    return hold.holder() if hold is not None else ""


@dataclass(frozen=True)
class _Hold:
    """A thread that can be held, over this process's session. Calls block."""

    session: OwnerSession
    kind: Literal["run", "chat"]
    thread: str
    place: Place | None
    url: str
    patience: float

    def take(self, patience: float) -> str:
        """Who has it; empty when this process now does."""
        from memory.ownership.holds import take

        with self._told():
            return take(self.session, self.kind, self.thread, self.place, patience)

    def give_back(self) -> None:
        from memory.ownership.holds import give_back

        give_back(self.session, self.kind, self.thread)

    def holder(self) -> str:
        from memory.ownership.holds import holder_of

        with self._told():
            return holder_of(self.session, self.thread, 0.0)

    @contextmanager
    def _told(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            raise explained(error, shown_address(self.url), self.url, False) from error


def _hold(root: Path, settings: Settings, kind: Literal["run", "chat"], thread: str) -> _Hold | None:
    place = allowed_place(root, settings)
    if isinstance(place, Path):
        return None
    try:
        from memory.ownership.session import session_of
    except ImportError as error:
        raise no_driver() from error
    patience = settings.checkpoints.busy_timeout
    return _Hold(session_of(place), kind, thread, place_of(root), place, patience)


async def _taken(hold: _Hold, patience: float) -> str:
    """As `take`; what is taken after all when nobody waits for it any more is given back."""
    taking = asyncio.ensure_future(asyncio.to_thread(hold.take, patience))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        # A second cancel does not stop it.
        await asyncio.shield(_given_back(hold, taking))
        raise


async def _given_back(hold: _Hold, taking: asyncio.Future[str]) -> None:
    # The waiting ends by the cancel, also where nothing could be taken.
    with suppress(MemoryStoreError):
        if not await taking:
            await asyncio.to_thread(hold.give_back)
