"""PDF files, by pypdf, page after page."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from tools.search.extraction.document import Extracted, Facts, Unreadable

_FEW = 5


def extract(path: Path, most_chars: int) -> Extracted:
    """Read a PDF up to about `most_chars` characters; a page that cannot be read is told and passed over.

    Raises:
        Unreadable: none of its pages gives text.
    """
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages: list[str] = []
    failed: list[int] = []
    notes: list[str] = []
    try:
        with path.open("rb") as stream:
            reader = pypdf.PdfReader(stream, strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise Unreadable("is encrypted with a password")
            total, read = len(reader.pages), 0
            for number in range(total):
                text = _page(reader, number, failed)
                pages.append(text)
                read += len(text)
                if read >= most_chars and number + 1 < total:
                    notes.append(f"is long: {total - number - 1} of its {total} pages were left out")
                    break
            facts = _facts(reader)
    except Unreadable:
        raise
    except Exception as error:  # pypdf meets broken files with errors of any kind.
        raise Unreadable(f"is no PDF that can be read ({type(error).__name__}: {error})"[:300]) from error
    if failed:
        shown = ", ".join(map(str, failed[:_FEW])) + (" ..." if len(failed) > _FEW else "")
        notes.append(f"gives no text on {len(failed)} of {total} pages, damaged or pictures: {shown}")
    if not any(text.strip() for text in pages):
        raise Unreadable("holds no text: its pages may be pictures, which need text recognition first")
    return Extracted("\n\n".join(text.strip() for text in pages if text.strip()), facts, notes)


def _page(reader: Any, number: int, failed: list[int]) -> str:
    try:
        text = str(reader.pages[number].extract_text() or "").replace("\0", "")
    except Exception:  # As above; the page is told as one that failed.
        text = ""
    # A damaged page is no error to pypdf: it gives no text, as a scanned one does.
    if not text.strip():
        failed.append(number + 1)
    return text


def _facts(reader: Any) -> Facts:
    try:
        information = reader.metadata or {}
        title, made = information.get("/Title"), information.get("/CreationDate")
    except Exception:  # As above: damaged metadata of a file whose pages were read is not worth losing it.
        return Facts()
    date = str(made or "")
    return Facts(title=str(title or "").strip()[:300], date=date, date_source="PDF metadata" if date else "")
