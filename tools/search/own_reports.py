"""Reports of deep research, told from documents: a report is no source of another one.

What was said once would come back as if somebody else had said it, under a path that looks like evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.search.items import Item

PAGE_MARK = b'<meta name="generator" content="reflective-graph research">'
"""Stands within the first HEAD_BYTES of a page that `--html` wrote."""

HEAD_BYTES = 4_000
TITLES = ("Deep research report: ", "深度研究報告：")
"""What the heading of every report begins with, in English and in Chinese."""

KINDS = ("ResearchReport", "NoDataReport", "ErrorReport")
"""What `@type` of the `schema_object` of a report can be."""

WHY = "is a report of deep research, which is no source of another"

_LINES = 4
_HEADING = re.compile(rf"#{{1,6}}\s+(?:{'|'.join(re.escape(title.strip()) for title in TITLES)})")
_AS_JSON = re.compile(rf'"@type"\s*:\s*"(?:{"|".join(KINDS)})"')


def is_own_report(text: str) -> bool:
    """True for what a report prints: its Markdown, its text without marks, or its items as JSON."""
    head = [line.strip() for line in text.lstrip("\ufeff \t\r\n")[:HEAD_BYTES].splitlines() if line.strip()]
    if not head:
        return False
    if head[0].startswith(("[", "{")):
        return _AS_JSON.search(text) is not None
    plain = tuple(title.strip() for title in TITLES)
    return head[0].startswith(plain) or any(_HEADING.match(line) for line in head[:_LINES])


def is_report_item(item: Item) -> bool:
    """True for an item that a run gave, by what it calls itself or by its text."""
    return item.schema_object.get("@type") in KINDS or is_own_report(item.description)


def without_reports(items: Sequence[Item]) -> tuple[list[Item], list[str]]:
    """The items that are no reports, and a note if there were any."""
    kept = [item for item in items if not is_report_item(item)]
    lost = len(items) - len(kept)
    return kept, [f"Items that are reports of deep research were left out: {lost}."] if lost else []
