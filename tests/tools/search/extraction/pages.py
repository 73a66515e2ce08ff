"""Files of every kind, written for tests."""

from __future__ import annotations

from pathlib import Path


def pdf(path: Path, *pages: str, damaged: int | None = None) -> Path:
    """A PDF of one line a page; the content of page `damaged` claims a compression it does not have."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, line in enumerate(pages):
        content = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET"
        coded = "/Filter /FlateDecode " if number == damaged else ""
        font = "<< /Font << /F1 3 0 R >> >>"
        page = f"/Parent 2 0 R /MediaBox [0 0 612 792] /Resources {font} /Contents {5 + 2 * number} 0 R"
        objects.append(f"<< /Type /Page {page} >>")
        objects.append(f"<< {coded}/Length {len(content)} >>\nstream\n{content}\nendstream")
    objects.append("<< /Title (Harbour report) /CreationDate (D:20240517093000+02'00') >>")
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    path.write_bytes(f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1"))
    return path


def docx(path: Path, *paragraphs: str, table: list[list[str]] | None = None) -> Path:
    """A Word file of paragraphs and at most one table, made on 2 March 2023."""
    from datetime import datetime

    import docx as word

    document = word.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if table:
        grid = document.add_table(len(table), len(table[0]))
        for row, values in zip(grid.rows, table, strict=True):
            for cell, value in zip(row.cells, values, strict=True):
                cell.text = value
    document.core_properties.created = datetime(2023, 3, 2)
    document.core_properties.title = "Annual figures"
    document.save(str(path))
    return path


def page(body: str, head: str = "", lang: str = "en") -> bytes:
    """An HTML page."""
    start = f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">{head}</head>'
    return f"{start}<body>{body}</body></html>".encode()
