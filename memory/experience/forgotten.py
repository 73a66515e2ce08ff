"""Lines of a corpus that say which of its records were removed, for the hosts that share it.

Such a line is written only by the removal itself. One that is imported, or comes from the shared table, says
nothing: removing what others keep is nobody's right but that of who keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory.events import SCHEMA_VERSION, new_event_id
from memory.experience.recollection import is_identity, meta_of, text_of

FORGOTTEN = "forgotten"
_AT_ONCE = 500


def forgotten_lines(identities: Sequence[str]) -> list[dict[str, Any]]:
    """The records to append when those of some identities were removed."""
    now = datetime.now(UTC).isoformat()
    return [
        {
            "timestamp": now,
            "event_type": FORGOTTEN,
            "meta": {"of": list(identities[start : start + _AT_ONCE])},
            "schema_version": SCHEMA_VERSION,
            "event_id": new_event_id(),
        }
        for start in range(0, len(identities), _AT_ONCE)
    ]


def is_forgetting(record: Mapping[str, Any]) -> bool:
    """Whether a record says that others were removed."""
    return text_of(record.get("event_type")) == FORGOTTEN


def forgotten_by(record: Mapping[str, Any]) -> list[str]:
    """The identities a record says were removed; none unless it is such a line of this host's own."""
    meta = meta_of(record)
    named = meta.get("of")
    if not is_forgetting(record) or "imported_from" in meta or not isinstance(named, list):
        return []
    return [name for name in named if isinstance(name, str) and is_identity(name)]
