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
from memory.redaction import redact, redact_record

LONGEST_TEXT = 1000
"""Characters kept of a thought, an error and a text among the parameters."""
LONGEST_ITEM = 500
"""Characters kept of one piece of evidence, one commitment, one correction."""
MOST_ITEMS = 50
"""Items kept of a list; the last one then says that there were more."""
MORE = "... and more"

_WINDOW = 16_000
_DEEPEST = 6


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
            values[name] = _bounded([*before, *added])
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


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _unfit(name, value, "a text")
    return _kept(value, LONGEST_TEXT)


def _text_or_none(name: str, value: Any) -> str | None:
    return None if value is None else _text(name, value)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise _unfit(name, value, "a list of texts")
    if not all(isinstance(item, str) for item in value):
        raise _unfit(name, value, "a list of texts")
    return _bounded([_kept(item, LONGEST_ITEM) for item in value])


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _unfit(name, value, "a mapping")
    plain: dict[str, Any] = redact_record(_plain(value)) if value else {}
    return plain


def _mappings(name: str, value: Any) -> tuple[Mapping[str, Any], ...]:
    if isinstance(value, (str, Mapping)) or not isinstance(value, (list, tuple)):
        raise _unfit(name, value, "a list of mappings")
    return _bounded([_mapping(name, item) for item in value])


_READERS: dict[str, Any] = {
    "stage": _stage,
    "outcome": _outcome,
    "thought": _text,
    "action": _text_or_none,
    "error": _text_or_none,
    "parameters": _mapping,
    "attachments": _mappings,
    "evidence": _texts,
    "commitments": _texts,
    "corrections": _texts,
}


def _unfit(name: str, value: Any, wanted: str) -> TraceEntryInvalid:
    return TraceEntryInvalid(
        f"{name} of a reasoning entry is {type(value).__name__}, not {wanted}.", f"Give {wanted}."
    )


def _bounded(items: list[Any]) -> tuple[Any, ...]:
    """The first items; without a number at the end, so that the same addition twice is one."""
    if len(items) <= MOST_ITEMS:
        return tuple(items)
    last = {"note": MORE} if isinstance(items[0], Mapping) else MORE
    return (*items[: MOST_ITEMS - 1], last)


def _kept(text: str, longest: int) -> str:
    """Redact, then cut: a cut through a secret would leave half of it."""
    clean = redact(text if len(text) <= _WINDOW else text[:_WINDOW])
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def _plain(value: Any, depth: int = 0) -> Any:
    """A value in JSON types; what JSON has no form for is written as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {_kept(str(key), LONGEST_ITEM): _plain(item, depth + 1) for key, item in value.items()}
    if depth < _DEEPEST and isinstance(value, (list, tuple, set, frozenset)):
        return list(_bounded([_plain(item, depth + 1) for item in value]))
    return _kept(str(value), LONGEST_TEXT)
