"""Who has a thread, at all hosts that share a Postgres database.

A hold is an advisory lock of the owner's session, so it ends with its process. A random number beside it,
new with every taking, tells a process that was cut off from the server whether another had the thread
meanwhile.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from configs.redaction import escaped
from memory.errors import ThreadElsewhere, ThreadTaken
from memory.ownership.owners import Owner
from memory.ownership.places import Place
from memory.ownership.session import OwnerSession, lock_number
from memory.trace.session_trace import BELOW

Execute = Callable[[str, Sequence[object]], Any]
RUN, CHAT = "run", "chat"

_TAKE = (
    "INSERT INTO reflect_holds (name, taking, holder) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET taking = excluded.taking, holder = excluded.holder"
)


def top_of(thread: str) -> str:
    """The thread a run belongs to; a run below another has its thread's name before its own."""
    return thread.partition(BELOW)[0]


def take(session: OwnerSession, kind: str, thread: str, place: Place, patience: float) -> str:
    """Take a thread, unless another has it; gives who has it, empty when this process now does.

    Args:
        session: of this process.
        kind: run or chat; they do not keep one another off.
        thread: its name.
        place: the project.
        patience: seconds to wait for the server.

    Raises:
        ThreadElsewhere: the thread was begun in another directory.
        psycopg.Error: the server cannot be reached, or refuses.
    """
    number, name = lock_number(kind, thread), f"{kind} {thread}"
    if session.has(number):
        return "another run of this process"
    taking = secrets.randbits(62)
    try:
        with session.transaction(patience) as connection:

            def execute(statement: str, values: Sequence[object]) -> Any:
                return connection.execute(statement.replace("?", "%s").encode(), values)

            ours = execute("SELECT pg_try_advisory_lock(?) AS ours", (number,)).fetchone()["ours"]
            check_place(execute, thread, "", place, anew=ours)
            if not ours:
                return _holder(execute, name)
            execute(_TAKE, (name, taking, str(Owner.here(session.number))))
    except BaseException:
        # A lock of the session outlives the transaction it was taken in.
        session.give_back(number)
        raise
    session.keep(number, name, taking)
    return ""


def give_back(session: OwnerSession, kind: str, thread: str) -> None:
    """Let go of a thread."""
    session.give_back(lock_number(kind, thread))


def check_hold(session: OwnerSession, execute: Execute, thread: str) -> None:
    """Make sure that no other process has a thread, and that none had it since this one took it.

    Raises:
        ThreadTaken: one has, or had.
    """
    number = lock_number(RUN, thread)
    if number in session.lost:
        raise ThreadTaken(
            f"The server was lost in the middle of the run, and {_holder(execute, f'{RUN} {thread}')} has "
            f"taken over thread {thread!r} meanwhile.",
            "Nothing was changed after that. Resume the thread to see where it stands.",
        )
    if not execute("SELECT pg_try_advisory_xact_lock_shared(?) AS free", (number,)).fetchone()["free"]:
        raise ThreadTaken(
            f"Thread {thread!r} is being run by {_holder(execute, f'{RUN} {thread}')}.",
            "Wait for it to end, then resume the thread.",
        )


def holder_of(session: OwnerSession, thread: str, patience: float) -> str:
    """Who is at work on a thread; empty if nobody is.

    Raises:
        psycopg.Error: the server cannot be reached, or refuses.
    """
    number = lock_number(RUN, thread)
    if session.has(number):
        return "this process"
    with session.transaction(patience) as connection:
        row = connection.execute(
            "SELECT pg_try_advisory_xact_lock_shared(%s) AS free,"
            " (SELECT holder FROM reflect_holds WHERE name = %s) AS holder",
            (number, f"{RUN} {thread}"),
        ).fetchone()
    return "" if row is None or row["free"] else _told(row["holder"])


def check_place(execute: Execute, thread: str, run: str, place: Place, *, anew: bool = False) -> None:
    """Make sure that a run goes on in the directory it was begun in; of a new one, note the directory.

    Args:
        execute: within a transaction.
        thread: its name.
        run: its run; empty for the thread as a whole.
        place: where it is to go on.
        anew: the thread may be begun here, if nothing of it is there but its name.

    Raises:
        ThreadElsewhere: it was begun in another.
    """
    noted = (thread, run, place.identity, place.shown)
    row = execute(
        "SELECT place, shown FROM reflect_places WHERE thread = ? AND run = ?", (thread, run)
    ).fetchone()
    if row is None:
        execute("INSERT INTO reflect_places (thread, run, place, shown) VALUES (?, ?, ?, ?)", noted)
        return
    if row["place"] == place.identity:
        return
    if anew and not _has_begun(execute, thread):
        execute("DELETE FROM reflect_places WHERE thread = ?", (thread,))
        execute("INSERT INTO reflect_places (thread, run, place, shown) VALUES (?, ?, ?, ?)", noted)
        return
    raise ThreadElsewhere(
        f"Thread {thread!r} was begun in {escaped(row['shown'])}; {place.shown} is another directory, where "
        "nothing of what it did is found.",
        "Resume it there, or in a directory both hosts share; here, choose another thread or fork this one.",
    )


def forget_place(execute: Execute, thread: str) -> None:
    """Forget where a thread was begun, and who held it."""
    execute("DELETE FROM reflect_places WHERE thread = ?", (thread,))
    for kind in (RUN, CHAT):
        execute("DELETE FROM reflect_holds WHERE name = ?", (f"{kind} {thread}",))


def _has_begun(execute: Execute, thread: str) -> bool:
    if not execute("SELECT to_regclass('checkpoints') IS NOT NULL AS there", ()).fetchone()["there"]:
        return False
    there = "SELECT EXISTS (SELECT 1 FROM checkpoints WHERE thread_id = ?) AS begun"
    return bool(execute(there, (thread,)).fetchone()["begun"])


def _holder(execute: Execute, name: str) -> str:
    row = execute("SELECT holder FROM reflect_holds WHERE name = ?", (name,)).fetchone()
    return _told(row["holder"] if row is not None else "")


def _told(holder: str | None) -> str:
    owner = Owner.read(holder or "")
    return escaped(owner.told) if owner is not None else "another process"
