"""Who has a thread, at all hosts that share a Postgres database.

A hold is an advisory lock of the owner's session, so it ends with its process. A random number beside it,
new with every taking, tells a process that was cut off from the server whether another had the thread
meanwhile.
"""

from __future__ import annotations

import secrets

from psycopg.rows import DictRow

from configs.redaction import escaped
from memory.errors import ThreadElsewhere, ThreadTaken
from memory.ownership.owners import Owner
from memory.ownership.places import Place
from memory.ownership.session import OwnerSession, Transaction, lock_number
from memory.trace.session_trace import BELOW

RUN, CHAT = "run", "chat"

_NOTED = "SELECT place, shown FROM reflect_places WHERE thread = ? AND run = ?"
_NOTE = (
    "INSERT INTO reflect_places (thread, run, place, shown) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (thread, run) DO UPDATE SET shown = reflect_places.shown RETURNING place, shown"
)
_TAKE = (
    "INSERT INTO reflect_holds (name, taking, holder) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET taking = excluded.taking, holder = excluded.holder"
)


def top_of(thread: str) -> str:
    """The thread a run belongs to; a run below another has its thread's name before its own."""
    return thread.partition(BELOW)[0]


def take(session: OwnerSession, kind: str, thread: str, place: Place | None, patience: float) -> str:
    """Take a thread, unless another has it; gives who has it, empty when this process now does.

    Args:
        session: of this process.
        kind: run or chat; they do not keep one another off.
        thread: its name.
        place: the project; None for who only deletes the thread, wherever it was begun.
        patience: seconds to wait for the server.

    Raises:
        ThreadElsewhere: the thread was begun in another directory.
        psycopg.Error: the server cannot be reached, or refuses.
    """
    number, name = lock_number(kind, thread), f"{kind} {thread}"
    taking = secrets.randbits(62)
    # For its own session a lock is always free, so two runs of this process are told apart here.
    with session.using:
        if session.has(number):
            return "another run of this process"
        try:
            with session.transaction(patience) as transaction:
                row = transaction.row("SELECT pg_try_advisory_lock(?) AS ours", (number,))
                ours = bool(row and row["ours"])
                if place is not None:
                    _check_place(transaction, thread, "", place, _noted(transaction, thread, ""), anew=ours)
                if not ours:
                    return _holder(transaction, name)
                transaction.execute(_TAKE, (name, taking, str(Owner.here(session.number))))
        except BaseException:
            # A lock of the session outlives the transaction it was taken in.
            session.give_back(number)
            raise
        session.keep(number, name, taking)
    return ""


def give_back(session: OwnerSession, kind: str, thread: str) -> None:
    """Let go of a thread."""
    session.give_back(lock_number(kind, thread))


def admit(session: OwnerSession, transaction: Transaction, thread: str, run: str, place: Place) -> None:
    """Make sure that a run may change something: here, and as the only one that is at work on its thread.

    Args:
        session: of this process.
        transaction: within which that will be true.
        thread: its name.
        run: the run.
        place: the project.

    Raises:
        ThreadTaken: another process has the thread, or had it since this one took it.
        ThreadElsewhere: the run was begun in another directory.
    """
    number = lock_number(RUN, thread)
    if number in session.lost:
        raise ThreadTaken(
            f"The server was lost in the middle of the run, and {_holder(transaction, f'{RUN} {thread}')} "
            f"has taken over thread {thread!r} meanwhile.",
            "Nothing was changed after that. Resume the thread to see where it stands.",
        )
    row = transaction.row(
        f"SELECT pg_try_advisory_xact_lock_shared(?) AS free, noted.* FROM (VALUES (1)) AS one"
        f" LEFT JOIN ({_NOTED}) AS noted ON true",
        (number, thread, run),
    )
    if row is not None and not row["free"]:
        raise ThreadTaken(
            f"Thread {thread!r} is being run by {_holder(transaction, f'{RUN} {thread}')}.",
            "Wait for it to end, then resume the thread.",
        )
    _check_place(transaction, thread, run, place, row)


def holder_of(session: OwnerSession, thread: str, patience: float) -> str:
    """Who is at work on a thread; empty if nobody is.

    Raises:
        psycopg.Error: the server cannot be reached, or refuses.
    """
    number = lock_number(RUN, thread)
    if session.has(number):
        return "this process"
    with session.transaction(patience) as transaction:
        row = transaction.row(
            "SELECT pg_try_advisory_xact_lock_shared(?) AS free,"
            " (SELECT holder FROM reflect_holds WHERE name = ?) AS holder",
            (number, f"{RUN} {thread}"),
        )
    return "" if row is None or row["free"] else _told(row["holder"])


def forget_place(transaction: Transaction, thread: str) -> None:
    """Forget where a thread was begun."""
    transaction.execute("DELETE FROM reflect_places WHERE thread = ?", (thread,))


def _check_place(
    transaction: Transaction,
    thread: str,
    run: str,
    place: Place,
    noted: DictRow | None,
    *,
    anew: bool = False,
) -> None:
    """Make sure that a run goes on in the directory it was begun in; of a new one, note the directory.

    Args:
        transaction: within which it is noted.
        thread: its name.
        run: its run; empty for the thread as a whole.
        place: where it is to go on.
        noted: where it was begun; None or empty if that is not known.
        anew: the thread may be begun here, if nothing of it is there but its name.

    Raises:
        ThreadElsewhere: it was begun in another.
    """
    if noted is not None and noted["place"] == place.identity:
        return
    if noted is not None and noted["place"] is not None:
        if not anew or _has_begun(transaction, thread):
            raise _elsewhere(thread, noted["shown"], place)
        # A run that ended before its first step has left its name behind, and nothing else.
        forget_place(transaction, thread)
    # Another may have begun it since the look; its row is then waited for and given back as it is.
    row = transaction.row(_NOTE, (thread, run, place.identity, place.shown))
    if row is not None and row["place"] != place.identity:
        raise _elsewhere(thread, row["shown"], place)


def _elsewhere(thread: str, shown: str, place: Place) -> ThreadElsewhere:
    return ThreadElsewhere(
        f"Thread {thread!r} was begun in {escaped(shown)}; {place.shown} is another directory, or a copy, "
        "where nothing of what it did since is found.",
        "Resume it there, or in a directory both hosts share; here, choose another thread or fork this one.",
    )


def _noted(transaction: Transaction, thread: str, run: str) -> DictRow | None:
    return transaction.row(_NOTED, (thread, run))


def _has_begun(transaction: Transaction, thread: str) -> bool:
    there = transaction.row("SELECT to_regclass('checkpoints') IS NOT NULL AS there")
    if there is None or not there["there"]:
        return False
    row = transaction.row("SELECT EXISTS (SELECT 1 FROM checkpoints WHERE thread_id = ?) AS begun", (thread,))
    return bool(row and row["begun"])


def _holder(transaction: Transaction, name: str) -> str:
    row = transaction.row("SELECT holder FROM reflect_holds WHERE name = ?", (name,))
    return _told(row["holder"] if row is not None else "")


def _told(holder: str | None) -> str:
    owner = Owner.read(holder or "")
    return escaped(owner.told) if owner is not None else "another process"
