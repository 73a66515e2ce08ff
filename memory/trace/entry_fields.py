"""What goes into the fields of a reasoning entry: checked, of JSON types, without secrets, bounded.

Each reader takes the field's name, for its error, and the value; it raises `TraceEntryInvalid` when the value
is of another type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.errors import TraceEntryInvalid
from memory.redaction import may_hold_secret, redact, redact_record

LONGEST_TEXT = 1000
"""Characters kept of a thought, an error and a text among the parameters."""
LONGEST_ITEM = 500
"""Characters kept of one piece of evidence, one commitment, one correction."""
MOST_ITEMS = 50
"""Items kept of a list; the last one then says that there were more."""
MORE = "... and more"

_WINDOW = 16_000
_DEEPEST = 6


def text_of(name: str, value: Any) -> str:
    """A text, redacted and cut."""
    if not isinstance(value, str):
        raise _unfit(name, value, "a text")
    return _kept(value, LONGEST_TEXT)


def text_or_none(name: str, value: Any) -> str | None:
    """A text, or None."""
    return None if value is None else text_of(name, value)


def texts_of(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts."""
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise _unfit(name, value, "a list of texts")
    if not all(isinstance(item, str) for item in value):
        raise _unfit(name, value, "a list of texts")
    return bounded([_kept(item, LONGEST_ITEM) for item in value])


def mapping_of(name: str, value: Any) -> dict[str, Any]:
    """A mapping of JSON types."""
    if not isinstance(value, Mapping):
        raise _unfit(name, value, "a mapping")
    texts: list[str] = []
    plain: dict[str, Any] = _plain(value, texts) if value else {}
    whole = "\0".join(texts)
    if may_hold_secret(whole):
        plain = redact_record(plain)
    # Cut only now: a cut through a secret would leave half of it.
    return _cut(plain) if len(whole) > LONGEST_ITEM else plain


def mappings_of(name: str, value: Any) -> tuple[Mapping[str, Any], ...]:
    """A list of such mappings."""
    if isinstance(value, (str, Mapping)) or not isinstance(value, (list, tuple)):
        raise _unfit(name, value, "a list of mappings")
    return bounded([mapping_of(name, item) for item in value])


def _unfit(name: str, value: Any, wanted: str) -> TraceEntryInvalid:
    return TraceEntryInvalid(
        f"{name} of a reasoning entry is {type(value).__name__}, not {wanted}.", f"Give {wanted}."
    )


def bounded(items: list[Any]) -> tuple[Any, ...]:
    """The first items; without a number at the end, so that the same addition twice is one."""
    if len(items) <= MOST_ITEMS:
        return tuple(items)
    last = {"note": MORE} if isinstance(items[0], Mapping) else MORE
    return (*items[: MOST_ITEMS - 1], last)


def _kept(text: str, longest: int) -> str:
    """Redact, then cut: a cut through a secret would leave half of it."""
    clean = redact(text if len(text) <= _WINDOW else text[:_WINDOW])
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def _plain(value: Any, texts: list[str], depth: int = 0) -> Any:
    """A value in JSON types, what JSON has no form for written as text; every text is added to `texts`."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth < _DEEPEST and isinstance(value, Mapping):
        plain = {}
        for key, item in value.items():
            name = str(key)[:_WINDOW]
            texts.append(name)
            plain[name] = _plain(item, texts, depth + 1)
        return plain
    if depth < _DEEPEST and isinstance(value, (list, tuple, set, frozenset)):
        return list(bounded([_plain(item, texts, depth + 1) for item in value]))
    text = str(value)[:_WINDOW]
    texts.append(text)
    return text


def _cut(value: Any) -> Any:
    """The value with its texts cut to what is kept."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[: LONGEST_TEXT - 1] + "…"
    if isinstance(value, dict):
        return {key[:LONGEST_ITEM]: _cut(item) for key, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value
