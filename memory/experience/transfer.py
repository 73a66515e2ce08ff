"""Taking a corpus elsewhere, and taking one in that somebody else wrote.

What is imported stays in quarantine, out of every search, until a run of this project has confirmed it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from pydantic import ValidationError

from configs.redaction import path_text
from memory.errors import TransferFailed, reason_and_remedy
from memory.events import ReasoningEvent
from memory.experience.forgotten import is_forgetting
from memory.experience.new_records import append_new
from memory.experience.recollection import identity_of, meta_text
from memory.experience.record_queries import known_identities
from memory.experience.record_table import RecordTable
from memory.json_lines import JsonLines, Line, encode_line
from memory.redaction import redact_record

LONGEST_IMPORTED = 1_000_000
"""Bytes of the longest event that is taken in."""

_BATCH = 500
_LONGEST_ORIGIN = 200
_FIELDS = frozenset(ReasoningEvent.model_fields)


@dataclass(frozen=True)
class Exported:
    """What an export wrote: events, and how many unreadable lines it left out."""

    events: int
    bad_lines: int


@dataclass(frozen=True)
class Imported:
    """What an import did.

    Attributes:
        added: events that are new.
        known: events the corpus had.
        refused: lines that are no event.
    """

    added: int
    known: int
    refused: int


def export_lines(corpora: Iterable[tuple[JsonLines, RecordTable]], path: Path) -> Exported:
    """Write the events of corpora to a file, secrets redacted; the file appears whole or not at all.

    An event that several corpora hold is written once.

    Args:
        corpora: files with their tables.
        path: the new file; one that is there is replaced.

    Raises:
        TransferFailed: it cannot be written, or is no regular file.
        IndexUnavailable: a table that tells what was written before cannot be used.
        OSError: a corpus cannot be read.
    """
    _refuse_special(path, "written to")
    sources = list(corpora)
    if any(path.exists() and source.path.exists() and path.samefile(source.path) for source, _ in sources):
        raise TransferFailed(f"{path_text(path)} is the corpus itself.", "Export it to another file.")
    events = bad = 0
    earlier: list[RecordTable] = []
    with _appearing_whole(path) as stream:
        for source, table in sources:
            for line in source.read():
                if line.record is None:
                    bad += 1
                    continue
                if is_forgetting(line.record):
                    continue
                name = identity_of(line.record, line.raw)
                if any(one.read(partial(known_identities, identities=[name])) for one in earlier):
                    continue
                stream.write(encode_line(redact_record(line.record)))
                events += 1
            while not table.catch_up():
                pass
            earlier.append(table)
    return Exported(events, bad)


def import_lines(path: Path, corpus: JsonLines, table: RecordTable) -> Imported:
    """Append the events of a file to a corpus, in quarantine, each once.

    Args:
        path: a file of JSON lines.
        corpus: where to.
        table: of that corpus.

    Raises:
        TransferFailed: the file cannot be read, or is no regular file.
        CorpusUnwritable: the corpus cannot be written; what was appended before stays.
        IndexUnavailable: the table that tells what is known cannot be used.
    """
    _refuse_special(path, "read from")
    if not path.exists():
        raise TransferFailed(f"There is no file {path_text(path)}.", "Name a file of JSON lines.")
    if corpus.size():
        # What takes long is done before others are kept from appending.
        while not table.catch_up():
            pass
    added = known = refused = 0
    batch: list[dict[str, Any]] = []
    try:
        for line in JsonLines(path).read():
            record = _validated(line, path.name)
            if record is None:
                refused += 1
                continue
            batch.append(record)
            if len(batch) == _BATCH:
                new = append_new(batch, corpus, table)
                added, known, batch = added + new, known + len(batch) - new, []
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise TransferFailed(f"{what}.", remedy) from error
    new = append_new(batch, corpus, table)
    return Imported(added + new, known + len(batch) - new, refused)


def _validated(line: Line, origin: str) -> dict[str, Any] | None:
    """The event of a line as it is taken in; None when it is none."""
    if line.record is None or len(line.raw) > LONGEST_IMPORTED:
        return None
    values = {name: value for name, value in line.record.items() if name in _FIELDS}
    values["event_id"] = identity_of(line.record, line.raw)
    if values.get("meta") is None:
        values["meta"] = {}
    if not isinstance(values["meta"], dict):
        return None
    earlier = meta_text(line.record, "imported_from")
    came_from = f"{origin} ({earlier})" if earlier else origin
    values["meta"] = {**values["meta"], "quarantined": True, "imported_from": came_from[:_LONGEST_ORIGIN]}
    try:
        event = ReasoningEvent.model_validate(values)
        record: dict[str, Any] = redact_record(event.model_dump(mode="json"))
        encode_line(record)
    except (ValidationError, ValueError, RecursionError):
        return None
    return record


def _refuse_special(path: Path, verb: str) -> None:
    """Refuse directories, pipes and devices: opening some of them would wait forever.

    Raises:
        TransferFailed: it is one, or cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise TransferFailed(f"{what}.", remedy) from error
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "no regular file"
        raise TransferFailed(f"{path_text(path)} is {kind}, so it cannot be {verb}.", "Name a file.")


@contextlib.contextmanager
def _appearing_whole(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes its name when it is complete."""
    new = path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise TransferFailed(f"Nothing was exported to {what}.", remedy) from error
    finally:
        with contextlib.suppress(OSError):
            new.unlink()
