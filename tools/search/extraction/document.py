"""What a file of any kind becomes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Facts:
    """What a document says of itself; empty where it says nothing.

    Attributes:
        title: of the document.
        url: http or https address it was published at.
        site: who published it.
        date: when, as written; `dates.iso_date` reads it.
        date_source: where the date stands, e.g. "front matter".
        language: as in BCP 47.
    """

    title: str = ""
    url: str = ""
    site: str = ""
    date: str = ""
    date_source: str = ""
    language: str = ""


@dataclass(frozen=True)
class Extracted:
    """The text of one file.

    Attributes:
        text: all of it, as far as it could be read; lines end with a line feed.
        facts: what it says of itself.
        notes: what a reader should know, e.g. pages that could not be read; no file name in it.
    """

    text: str
    facts: Facts = Facts()
    notes: list[str] = field(default_factory=list)


class Unreadable(Exception):
    """A file that gives no text; says why, as the rest of a sentence that begins with its name."""
