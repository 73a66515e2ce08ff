"""Which files a research run may write: nothing of anybody else is overwritten, nothing it reads."""

from __future__ import annotations

import argparse
from pathlib import Path


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse, before anything runs, to write where something is or cannot be.

    Raises:
        UsageError: no query, two sources at once, an output that exists or has no directory.
    """
    from configs.errors import UsageError
    from configs.redaction import path_text

    if not arguments.query and not arguments.resume and not arguments.replay:
        raise UsageError("There is nothing to research: no query is given.", "Say what you want to know.")
    check_replay(arguments)
    if arguments.corpus and arguments.sources:
        raise UsageError("--corpus and --sources are both given.", "Name the documents one way.")
    for name in ("html", "items"):
        given = getattr(arguments, name)
        if given is None:
            continue
        path = Path(given)
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise UsageError(f"--{name} {path_text(path)} names no file that can be made.", "Name a file.")
        _check_not_read(arguments, name, path)
        # A file of items may be somebody's sources, which have to be named by --sources.
        if name == "items" and path.is_file() and path.stat().st_size:
            raise UsageError(
                f"--items {path_text(path)} exists; the resulting items are written there.",
                "Name a new file; items to research are named by --sources.",
            )
        if name == "html" and path.is_file() and not _may_be_replaced(path):
            raise UsageError(
                f"--html {path_text(path)} exists and is no page of a report; it would be lost.",
                "Name a new file, or the page of an earlier report.",
            )


def _check_not_read(arguments: argparse.Namespace, name: str, path: Path) -> None:
    """Refuse an output that is another output too, or what the run reads.

    Raises:
        UsageError: it is.
    """
    from configs.errors import UsageError
    from configs.redaction import path_text

    for other in ("items", "sources", "corpus", "replay"):
        named = getattr(arguments, other)
        if other == name or named is None or (path.exists() and not path.is_file()):
            continue
        if Path(named).resolve() == path.resolve() or (
            path.exists() and Path(named).exists() and path.samefile(named)
        ):
            raise UsageError(
                f"--{name} and --{other} are one file, {path_text(path)}.", "Name two different files."
            )


def _may_be_replaced(path: Path) -> bool:
    """True for an empty file and for a page of an earlier report."""
    from tools.search.own_reports import HEAD_BYTES, PAGE_MARK

    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False
    return not head or PAGE_MARK in head


def check_replay(arguments: argparse.Namespace) -> None:
    """Refuse what a replay takes from its manifest.

    Raises:
        UsageError: something beside --replay says what to research, or goes on with another run.
    """
    from configs.errors import UsageError

    if not arguments.replay:
        return
    names = {"query": "a query", "start": "--from", "end": "--to"}
    for name in ("query", "mode", "corpus", "sources", "start", "end", "ask", "resume"):
        if getattr(arguments, name):
            told = names.get(name, f"--{name}")
            raise UsageError(
                f"--replay and {told} are both given; a replay takes all of that from its manifest.",
                f"Leave out {told}, or research anew without --replay.",
            )
