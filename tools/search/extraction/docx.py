"""Word files, by python-docx: paragraphs and tables in their order."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.search.extraction.document import Extracted, Facts, Unreadable

MOST_UNPACKED = 500_000_000
"""Bytes all parts of a file may take when unpacked; a small file can be made to take all memory."""


def extract(path: Path) -> Extracted:
    """Read a Word file; a row of a table is one line, its cells apart by ` | `.

    Raises:
        Unreadable: it is no such file, or holds no text.
    """
    import docx

    try:
        with zipfile.ZipFile(path) as package:
            if sum(part.file_size for part in package.infolist()) > MOST_UNPACKED:
                raise Unreadable(f"takes more than {MOST_UNPACKED // 10**6} MB when unpacked")
        document = docx.Document(str(path))
        text = "\n".join(_lines(document))
        facts = _facts(document.core_properties)
    except Unreadable:
        raise
    except Exception as error:  # A broken package is met with errors of any kind, down to the XML parser's.
        raise Unreadable(f"is no Word file that can be read ({type(error).__name__})") from error
    if not text.strip():
        raise Unreadable("holds no text")
    return Extracted(text, facts)


def _lines(document: Any) -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                # A cell that spans columns comes once for each of them.
                cells = dict.fromkeys((cell._tc, cell.text.strip()) for cell in row.cells)
                yield " | ".join(text for _, text in cells)
            yield ""
        elif block.text.strip():
            yield block.text
            yield ""


def _facts(properties: Any) -> Facts:
    made = properties.created
    date = made.date().isoformat() if made is not None else ""
    return Facts(
        title=(properties.title or "").strip(), date=date, date_source="Word metadata" if date else ""
    )
