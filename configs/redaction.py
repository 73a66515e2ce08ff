"""How a setting is written where people can see it: in one line, bounded, without secrets.

Settings hold the names of secrets, never secrets; but an address can carry a password, and a key pasted
where the name of its variable belongs is the commonest slip. Neither may reach a terminal or a log.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

HIDDEN = "[hidden]"

_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_ADDRESS_LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")
_DATABASE_LOGIN = re.compile(r"(?<=postgres://).*@|(?<=postgresql://).*@")
_ADDRESS_QUERY = re.compile(r"(?<=\?)[^#\s]+")
_TOKEN = re.compile(
    # Prefixes their issuers document: OpenAI and Anthropic, GitHub, Hugging Face, AWS, Slack, a JWT.
    r"(?:\b(?:sk|pk|rk)-|\bgh[opsru]_|\bgithub_pat_|\bhf_|\bAKIA|\bxox[abprs]-|\beyJ)[A-Za-z0-9_\-.]{8,}"
)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_LONGEST = 120


def without_secrets(name: str, value: Any) -> Any:
    """Return a value fit to be shown, of the same shape, under the last name of its key."""
    if isinstance(value, str):
        return _hide(name, value)
    if isinstance(value, (list, tuple)):
        return [without_secrets(name, item) for item in value]
    if isinstance(value, dict):
        return {_hide("", str(key)): without_secrets(str(key), item) for key, item in value.items()}
    return value


def shown(name: str, value: Any) -> str:
    """Write a value on one line, as JSON, control characters escaped, secrets hidden."""
    return escaped(json.dumps(without_secrets(name, value), ensure_ascii=False, default=str))


def found(name: str, value: Any) -> str:
    """Say what was found where something else was expected: its kind, then the value, cut when long."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, dict):
        return "a section"
    text = shown(name, value)
    kinds = {bool: "", int: "the number ", float: "the number ", str: "the text ", list: "the list "}
    kind = kinds.get(type(value), f"the {type(value).__name__} ")
    return kind + (text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def path_text(path: Path) -> str:
    """Write a path so that any terminal can print it."""
    return escaped(os.fsencode(path).decode("utf-8", "backslashreplace"))


def escaped(text: str) -> str:
    """Escape what a terminal would obey or not show."""
    visible = "".join(char if char >= " " else char.encode("unicode_escape").decode() for char in text)
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), visible)


def _hide(name: str, text: str) -> str:
    if name.endswith("_env") and text and not _VARIABLE_NAME.fullmatch(text):
        return HIDDEN
    # A password may hold any character, and no path of a Postgres URL holds an @.
    text = (_DATABASE_LOGIN if _DATABASE_LOGIN.search(text) else _ADDRESS_LOGIN).sub(f"{HIDDEN}@", text)
    if "://" in text:
        text = _ADDRESS_QUERY.sub(HIDDEN, text)
    return _TOKEN.sub(HIDDEN, text)
