"""The result of specialists for people: the answer, its places as file:line, and who answered."""

from __future__ import annotations

import sys

from cli.live import printable
from nodes.specialists.result import SpecialistsResult

MOST_NOTES = 12
LONGEST_NOTE = 400


def print_result(result: SpecialistsResult, *, quiet: bool) -> None:
    """Write the answer to standard output, and what a reader should know beside it to standard error."""
    if result.answer:
        sys.stdout.write(f"{printable(result.answer).rstrip()}\n")
    if result.failure is not None:
        sys.stderr.write(f"reflect: {printable(result.failure)}\n")
    for note in result.notes[:MOST_NOTES]:
        sys.stdout.write(f"Note: {printable(note[:LONGEST_NOTE])}\n")
    if len(result.notes) > MOST_NOTES:
        sys.stdout.write(f"Note: {len(result.notes) - MOST_NOTES} more; --json shows all of them.\n")
    sys.stdout.flush()
    if not quiet:
        sys.stderr.write(f"{printable(_facts(result))}\n")


def _facts(result: SpecialistsResult) -> str:
    """Who answered and why, on one line."""
    who = "; ".join(f"{one.name}: {one.why}" for one in result.specialists) or "nobody"
    status = result.status.replace("_", " ")
    return f"{status} ({who}), {result.usage.calls} model calls, thread {result.thread_id}"
