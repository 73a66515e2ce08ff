"""Which files of a folder are documents, and what each one is as an Item."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from configs.redaction import escaped
from tools.search.extraction.dates import dated_line, iso_date
from tools.search.extraction.document import Extracted, Unreadable
from tools.search.extraction.reading import READERS, Limits, read_document, reader_of
from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import DATE, FILE, LANGUAGE, SAYS_FROM, Item

DATE_SOURCE = "_date_source"
MODIFIED = "dateModified"

_MOST_KINDS = 5


class FolderScan:
    """The documents below a folder; links are not followed, so none leads out of it.

    Args:
        folder: where they lie; it must exist.
        ignored: directory names that are passed over; hidden ones always are.
        limits: how much of one file is read.
        logs: a directory that runs write to, passed over like a hidden one; what they left is no document.

    Attributes:
        notes: what was passed over, one sentence each; complete when `sources` is exhausted.
    """

    def __init__(
        self, folder: Path, ignored: Collection[str], limits: Limits, logs: Path | None = None
    ) -> None:
        self._folder = folder
        self._logs = logs.resolve() if logs is not None else None
        self._ignored = ignored
        self._limits = limits
        self.notes: list[str] = []

    def sources(self) -> Iterator[CorpusSource]:
        """Its files, in order of their paths."""
        self.notes.clear()
        links = 0
        other: Counter[str] = Counter()
        for path in self._files():
            if path.is_symlink():
                links += 1
            elif reader_of(path) is None:
                other[path.suffix.casefold() or "without a suffix"] += 1
            else:
                yield self._source(path)
        if links:
            self.notes.append(f"Links that were not followed: {links}.")
        if other:
            kinds = ", ".join(escaped(kind) for kind, _ in other.most_common(_MOST_KINDS))
            self.notes.append(f"Files of other kinds that were left aside: {other.total()} ({kinds}).")

    def _files(self) -> Iterator[Path]:
        for place, folders, names in os.walk(self._folder, onerror=self._unlisted):
            folders[:] = sorted(
                name
                for name in folders
                if not name.startswith(".")
                and name not in self._ignored
                and (self._logs is None or Path(place, name).resolve() != self._logs)
            )
            # A link to a folder is listed among the folders, and never walked into.
            yield from (Path(place, name) for name in folders if os.path.islink(os.path.join(place, name)))
            yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))

    def _unlisted(self, error: OSError) -> None:
        path = Path(error.filename)
        self.notes.append(f"The folder {self._relative(path)} cannot be listed ({error.strerror}).")

    def _source(self, path: Path) -> CorpusSource:
        try:
            facts = path.lstat()
            stamp = f"{facts.st_size}.{facts.st_mtime_ns}.{facts.st_ctime_ns}.{facts.st_ino}"
        except OSError:
            stamp = ""
        return CorpusSource(
            key=self._relative(path),
            stamp=f"{stamp}.{self._limits.chars}.{READERS}" if stamp else "",
            digest=partial(_digest, path, self._limits),
            load=partial(self._load, path),
        )

    def _load(self, path: Path) -> Loaded:
        name = self._relative(path)
        try:
            extracted = read_document(path, self._limits)
        except Unreadable as error:
            return Loaded([], [f"{name} {escaped(str(error))}; left out."])
        return Loaded(
            [self._item(path, name, extracted)], [f"{name} {escaped(note)}." for note in extracted.notes]
        )

    def _item(self, path: Path, name: str, extracted: Extracted) -> Item:
        facts = extracted.facts
        schema: dict[str, Any] = {"@type": "CreativeWork", FILE: name, **_dates(path, extracted)}
        if facts.language:
            schema[LANGUAGE] = facts.language.replace("_", "-")
        if facts.url:
            schema[SAYS_FROM] = facts.url
        given = {
            "url": name,
            "name": " ".join(facts.title.split()) or path.stem.encode("utf-8", "replace").decode(),
            "site": _own_site(extracted) or self._site(path),
            "description": extracted.text,
            "schema_object": schema,
        }
        return Item.model_validate(given)

    def _site(self, path: Path) -> str:
        """A folder of articles is often named after who published them."""
        parents = path.relative_to(self._folder).parent.parts
        return (parents[-1] if parents else self._folder.resolve().name).encode("utf-8", "replace").decode()

    def _relative(self, path: Path) -> str:
        return _as_url(path.relative_to(self._folder).as_posix())


def _as_url(path: str) -> str:
    """A relative address that any text can hold; letters of all scripts stay as they are, to be read."""
    plain = "/-_.~,+@="
    return "".join(sign if sign.isalnum() or sign in plain else quote(os.fsencode(sign)) for sign in path)


def _own_site(extracted: Extracted) -> str:
    """Who a document says published it; the host of the address it names is told with that address only."""
    facts = extracted.facts
    host = (Item(url=facts.url).site if facts.url else "").removeprefix("www.")
    return "" if facts.site.casefold().removeprefix("www.") == host.casefold() else facts.site


def _dates(path: Path, extracted: Extracted) -> dict[str, str]:
    """When it was published, as far as it says so; else when the file was changed, under that name."""
    facts = extracted.facts
    for written, where in ((facts.date, facts.date_source), (dated_line(extracted.text), "text")):
        date = iso_date(written) if written else None
        if date:
            return {DATE: date, DATE_SOURCE: where}
    try:
        changed = iso_date_of_time(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return {}
    return {MODIFIED: changed, DATE_SOURCE: "file time"}


def iso_date_of_time(seconds: float) -> str:
    """The day of a file time, in UTC.

    Raises:
        OverflowError: no calendar has it.
    """
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _digest(path: Path, limits: Limits) -> str:
    """SHA-256 of the file's bytes and of how it is read; of an unreadable one, its error."""
    hashed = hashlib.sha256(f"{limits.chars}.{READERS}\n".encode())
    try:
        if path.is_symlink() or not path.is_file():
            return "no ordinary file"
        with path.open("rb") as stream:
            while chunk := stream.read(1_000_000):
                hashed.update(chunk)
    except OSError as error:
        return f"error {error.errno}"
    return hashed.hexdigest()
