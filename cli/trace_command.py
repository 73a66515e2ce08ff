"""`reflect trace`: what a session decided, did and found, as a list, as text, or as a page."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.trace.reading import Session

GOAL_CHARS = 70


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("trace", help="show what a session decided, did and found")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="sessions, the one worked on last first")
    showing = actions.add_parser("show", help="one session as text")
    showing.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    page = actions.add_parser("html", help="one session as a page that needs nothing but itself")
    page.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: standard output)")
    for action in (showing, page):
        action.add_argument("session", metavar="SESSION", help="name of the thread")
    for action in (listing, showing, page):
        action.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, show or write.

    Raises:
        UsageError: there is no such session, or the page cannot be written there.
    """
    from configs.loading import load_settings
    from configs.locations import located
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    directory = located(root, load_settings(root).settings.traces.path)
    if arguments.action == "list":
        _list(directory)
        return 0
    session = session_of(directory, arguments.session)
    if arguments.action == "html":
        from cli.trace_page import page_of
        from memory.trace.session_trace import trace_path

        _write(page_of(session), arguments.output, trace_path(directory, arguments.session))
    elif arguments.json:
        from memory.trace.reading import as_json

        sys.stdout.write(json.dumps(as_json(session), indent=2) + "\n")
    else:
        from cli.trace_text import text_of

        sys.stdout.write(text_of(session))
    return 0


def session_of(directory: Path, name: str) -> Session:
    """The trace of a session.

    Raises:
        UsageError: it has none.
    """
    from configs.errors import UsageError
    from memory.trace.reading import read_session
    from memory.trace.session_trace import trace_path

    path = trace_path(directory, name)
    if not path.is_file():
        raise UsageError(f"There is no trace of a session {name!r}.", "`reflect trace list` names them.")
    return read_session(path)


def _list(directory: Path) -> None:
    from cli.live import printable
    from memory.experience.recollection import read_time
    from memory.trace.reading import read_sessions

    for _, session in read_sessions(directory):
        last = session.runs[-1] if session.runs else None
        events = last.events if last else []
        at = read_time(events[-1].get("timestamp")) if events else None
        when = at.strftime("%Y-%m-%d %H:%M") if at else "-" * 16
        goal = " ".join(printable(last.goal).split()) if last else ""
        shown = goal if len(goal) <= GOAL_CHARS else f"{goal[: GOAL_CHARS - 1]}…"
        count = f"{len(session.runs)} run{'' if len(session.runs) == 1 else 's'}"
        sys.stdout.write(f"{printable(session.session_id)}  {when}  {count}  {shown}\n")


def _write(page: str, output: str | None, trace: Path) -> None:
    from cli.live import printable
    from configs.errors import UsageError
    from memory.errors import reason_and_remedy

    if output is None:
        # A page is UTF-8 whatever the terminal's encoding is.
        sys.stdout.flush()
        sys.stdout.buffer.write(page.encode("utf-8"))
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    try:
        if path.exists() and path.samefile(trace):
            raise UsageError(f"{output} is the trace itself.", "Name another file.")
        path.write_text(page, "utf-8")
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise UsageError(f"The page cannot be written to {what}.", remedy) from error
    sys.stderr.write(f"reflect: wrote {printable(output)}\n")
