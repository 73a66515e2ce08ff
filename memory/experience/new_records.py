"""Adding records to a corpus that may have some of them already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from memory.experience.recollection import identity
from memory.experience.record_queries import known_identities
from memory.experience.record_table import RecordTable
from memory.json_lines import JsonLines


def append_new(batch: Sequence[dict[str, Any]], corpus: JsonLines, table: RecordTable) -> int:
    """Append those events the corpus does not have; nobody else appends between the look and the append.

    Args:
        batch: records with an `event_id` each.
        corpus: where to.
        table: of that corpus.

    Returns:
        How many were appended.

    Raises:
        CorpusUnwritable: the corpus cannot be written; it is as it was.
        IndexUnavailable: the table that tells what is known cannot be used.
    """
    if not batch:
        return 0
    with corpus.locked():
        while not table.catch_up():
            pass
        named = {identity(record["event_id"]): record for record in reversed(batch)}
        seen = table.read(partial(known_identities, identities=list(named)))
        new = [record for name, record in reversed(named.items()) if name not in seen]
        corpus.extend(new)
        return len(new)
