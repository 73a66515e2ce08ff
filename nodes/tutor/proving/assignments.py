"""Files of assignments: .env and .properties. All values are text. Pure."""

from __future__ import annotations

import re

from nodes.tutor.proving.unclear import Unclear, doubled

_SET = re.compile(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*(.*)")
_QUOTED = re.compile(r"""(?:'([^']*)'|"([^"\\$`]*)")[ \t]*(?:#.*)?""")
_PLAIN = re.compile(r"[^\s'\"#\\$`][^'\"#\\$`]*")
_PAIR = re.compile(r"([^\s=:\\#!][^\s=:\\]*)[ \t]*(?:[=:][ \t]*|[ \t])(.*)")


def read_dotenv(text: str) -> dict[str, object] | None:
    """Values by key; None if a line is neither an assignment nor a comment.

    `Unclear` stands for what readers of such files differ on: escapes, `$`, unclosed quotes, a `#` or a
    quote inside an unquoted value, and a key given twice.
    """
    found: dict[str, object] = {}
    for line in map(str.strip, text.split("\n")):
        if line and not line.startswith("#"):
            pair = _SET.fullmatch(line)
            if pair is None:
                return None
            _note(found, pair[1], _dotenv_value(pair[2].strip()))
    return found


def _dotenv_value(written: str) -> str | None:
    quoted = _QUOTED.fullmatch(written)
    if quoted is not None:
        return quoted[1] if quoted[1] is not None else quoted[2]
    return written if not written or _PLAIN.fullmatch(written) else None


def read_properties(text: str) -> dict[str, object]:
    r"""Values by key; a line without `=`, `:` or a space is a key with the empty text.

    `Unclear` stands for a key given twice and for a value that ends with white space. A file with a `\` has
    escapes, or lines that go on: none of its values is clear, nor how many there are.
    """
    found: dict[str, object] = {}
    for line in text.split("\n"):
        line = line.removesuffix("\r").lstrip()
        if line and line[0] not in "#!":
            pair = _PAIR.fullmatch(line)
            key, value = (pair[1], pair[2]) if pair else (line.rstrip("=: \t"), "")
            _note(found, key, value if value == value.rstrip() else None)
    return (
        dict.fromkeys(found, Unclear("The file holds a backslash.", doubled=True)) if "\\" in text else found
    )


def _note(found: dict[str, object], key: str, value: str | None) -> None:
    if key in found:
        found[key] = doubled(key)
    else:
        found[key] = Unclear(f"Programs read the value of {key} in several ways.") if value is None else value
