"""The result of a research run: on standard output, in files, and what a reader should know beside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cli.live import printable
from cli.report_facts import report_facts
from cli.research_page import page_of, text_for_people
from cli.whole_files import write_whole

LONGEST_TEXT = 200_000
MOST_NOTES = 12
LONGEST_NOTE = 400
REMEDY = "Name a file in another place; the report itself is in the logs, and --replay gives it again."


def print_report(result: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print the items as JSON, or their texts."""
    if as_json:
        is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        sys.stdout.write(json.dumps(result, ensure_ascii=not is_utf8, indent=2) + "\n")
    else:
        for item in result:
            text = text_for_people(item)[:LONGEST_TEXT]
            sys.stdout.write(printable(text).rstrip() + "\n")
    sys.stdout.flush()


def write_files(result: list[dict[str, Any]], items: str | None, page: str | None) -> None:
    """Write the items as JSONL and the page, each whole or not at all.

    Raises:
        UsageError: a file cannot be written.
    """
    if items:
        lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in result)
        write_whole("--items", Path(items), lines, REMEDY)
    if page and result:
        write_whole("--html", Path(page), page_of(result[0]), REMEDY)


def tell_notes(result: list[dict[str, Any]]) -> None:
    """Write what a reader should know beside the report: files that were left out, models that failed."""
    notes = report_facts(result[0]).get("notes", []) if result else []
    for note in notes[:MOST_NOTES]:
        sys.stderr.write(f"Note: {printable(note[:LONGEST_NOTE])}\n")
    if len(notes) > MOST_NOTES:
        sys.stderr.write(f"Note: {len(notes) - MOST_NOTES} more; --json and --html show all of them.\n")
