"""What a run decided and why: one entry per decision, call, check and correction, in order.

Entries are small, fixed values. Texts are bounded and free of secrets from the moment an entry is made, so
whatever shows or stores one later has nothing left to hide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from memory.errors import TraceEntryInvalid
from memory.trace.entry_fields import bounded, mapping_of, mappings_of, text_of, text_or_none, texts_of


class ReasoningStage(StrEnum):
    """Where in a run an entry was made."""

    PLANNING = "planning"
    EXECUTION = "execution"
    VERIFICATION = "verification"
    CORRECTION = "correction"
    FINALIZATION = "finalization"


class OutcomeStatus(StrEnum):
    """How what an entry tells of went; pending until it is known."""

    PENDING = "pending"
    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReasoningEntry:
    """One entry.

    Attributes:
        entry_id: identifies it; a later version of the same id replaces an earlier one.
        interaction_id: the request it belongs to.
        timestamp: when it was made, UTC, ISO 8601.
        stage: where in the run.
        thought: what was decided or found, in words.
        action: the tool or model that was used, or None.
        parameters: what it was given, of JSON types.
        evidence: what was observed.
        outcome: how it went.
        error: why it failed, or None.
        commitments: what was promised beyond an answer, `name` or `name:target`.
        attachments: files and artifacts found or made, each with its path and status.
        corrections: what to do differently.
    """

    entry_id: str
    interaction_id: str
    timestamp: str
    stage: ReasoningStage
    thought: str
    action: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    outcome: OutcomeStatus = OutcomeStatus.SUCCESS
    error: str | None = None
    commitments: tuple[str, ...] = ()
    attachments: tuple[Mapping[str, Any], ...] = ()
    corrections: tuple[str, ...] = ()

    def updated(self, **given: Any) -> ReasoningEntry:
        """A later version: texts and the outcome are replaced, parameters merged, lists added to.

        What is in a list already is not added again, so the same update twice is one.

        Raises:
            TraceEntryInvalid: an unknown field, or a value that does not fit one; nothing is changed.
        """
        values = _checked(given)
        for name in _LISTS & values.keys():
            before = getattr(self, name)
            added = [item for item in values[name] if item not in before]
            values[name] = bounded([*before, *added])
        if "parameters" in values:
            values["parameters"] = {**self.parameters, **values["parameters"]}
        return replace(self, **values)

    def as_record(self) -> dict[str, Any]:
        """The entry in JSON types; what is empty is left out."""
        record: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            if value or name == "thought":
                record[name] = list(value) if isinstance(value, tuple) else value
        return record


_NAMES = tuple(item.name for item in fields(ReasoningEntry))
_LISTS = {"evidence", "commitments", "attachments", "corrections"}
_IDS = {"entry_id", "interaction_id", "timestamp"}
CHANGEABLE = frozenset(_NAMES) - _IDS
"""Fields a caller may give; the others identify the entry."""


def new_entry(
    stage: str, thought: str, interaction_id: str, entry_id: str | None = None, **given: Any
) -> ReasoningEntry:
    """Make an entry now.

    Args:
        stage: one of `ReasoningStage`, as such or by its value.
        thought: what was decided or found.
        interaction_id: the request it belongs to.
        entry_id: its id, when the caller has one that stays the same if this is done again.
        given: further fields; outcome is success unless given.

    Raises:
        TraceEntryInvalid: an unknown stage, outcome or field, or a value that does not fit.
    """
    values = _checked({"stage": stage, "thought": thought, **given})
    return ReasoningEntry(
        entry_id=entry_id or uuid4().hex,
        interaction_id=interaction_id,
        timestamp=datetime.now(UTC).isoformat(timespec="milliseconds"),
        **values,
    )


def read_entry(record: Mapping[str, Any]) -> ReasoningEntry | None:
    """Read a stored entry, tolerantly: fields that do not fit are left out.

    Returns:
        None when the record has no id, no stage or no thought: it is no entry.
    """
    ids = [record.get(name) for name in ("entry_id", "interaction_id", "timestamp")]
    if not all(isinstance(value, str) and value for value in ids):
        return None
    values: dict[str, Any] = {}
    for name in CHANGEABLE & record.keys():
        try:
            values |= _checked({name: record[name]})
        except TraceEntryInvalid:
            continue  # written by another version; the rest of the entry still tells something
    if not {"stage", "thought"} <= values.keys():
        return None
    entry_id, interaction_id, timestamp = (str(value) for value in ids)
    return ReasoningEntry(entry_id, interaction_id, timestamp, **values)


class ReasoningTrace:
    """The entries of one interaction, in the order they were made; a new version keeps its place.

    Args:
        interaction_id: the request they belong to.
    """

    __slots__ = ("_entries", "interaction_id")

    def __init__(self, interaction_id: str) -> None:
        self.interaction_id = interaction_id
        self._entries: dict[str, ReasoningEntry] = {}

    def put(self, entry: ReasoningEntry) -> None:
        """Add an entry, or replace the version of it that is there."""
        self._entries[entry.entry_id] = entry

    def get(self, entry_id: str) -> ReasoningEntry | None:
        """The entry of that id, or None."""
        return self._entries.get(entry_id)

    def drop(self, entry_id: str) -> None:
        """Forget an entry that was never finished; nothing happens without it."""
        self._entries.pop(entry_id, None)

    @property
    def entries(self) -> list[ReasoningEntry]:
        """All entries, oldest first."""
        return list(self._entries.values())

    def pending(self) -> list[ReasoningEntry]:
        """Entries whose outcome is not known yet."""
        return [entry for entry in self._entries.values() if entry.outcome is OutcomeStatus.PENDING]

    def commitments(self) -> list[str]:
        """What was promised, each once."""
        return _distinct(name for entry in self.entries for name in entry.commitments)

    def corrections(self) -> list[str]:
        """What to do differently, each once."""
        return _distinct(text for entry in self.entries for text in entry.corrections)

    def attachments(self) -> list[dict[str, Any]]:
        """Files and artifacts, each once; of one path the last that was said of it."""
        found: dict[str, dict[str, Any]] = {}
        for entry in self.entries:
            for item in entry.attachments:
                key = str(item.get("path") or sorted(item.items(), key=str))
                found[key] = {**found.get(key, {}), **item}
        return list(found.values())


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as an entry holds them.

    Raises:
        TraceEntryInvalid: an unknown field, or a value that does not fit.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in CHANGEABLE:
            raise TraceEntryInvalid(
                f"A reasoning entry has no field {name!r}.", f"Use {', '.join(sorted(CHANGEABLE))}."
            )
        values[name] = _READERS[name](name, value)
    return values


def _stage(name: str, value: Any) -> ReasoningStage:
    try:
        return ReasoningStage(value)
    except ValueError as error:
        raise TraceEntryInvalid(f"{value!r} is no stage.", f"Use {', '.join(ReasoningStage)}.") from error


def _outcome(name: str, value: Any) -> OutcomeStatus:
    try:
        return OutcomeStatus(value)
    except ValueError as error:
        raise TraceEntryInvalid(f"{value!r} is no outcome.", f"Use {', '.join(OutcomeStatus)}.") from error


_READERS: dict[str, Any] = {
    "stage": _stage,
    "outcome": _outcome,
    "thought": text_of,
    "action": text_or_none,
    "error": text_or_none,
    "parameters": mapping_of,
    "attachments": mappings_of,
    "evidence": texts_of,
    "commitments": texts_of,
    "corrections": texts_of,
}
