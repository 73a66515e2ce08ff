"""Which values of a goal are to be exchanged in a plan's commands, and how a command may write each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memory.reuse.skeleton import Slot
from memory.reuse.wording import load_wording

_ONE_LINE = re.compile(r"[^\r\n\0]+")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|v?\d+(?:\.\d+)+")
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_.@][A-Za-z0-9_.@/-]*")
_PLAIN_VALUE = re.compile(r"\.[A-Za-z0-9_]{1,8}|\d{4}-\d{2}-\d{2}")
_CAPITALS = re.compile(r"[^a-z]*[A-Z][^a-z]*")


class Refused(Exception):
    """A value stands where it may mean something else. Never leaves `memory.reuse`."""


@dataclass(frozen=True)
class Exchange:
    """One value in a form a command may write it; without a new one it fits nowhere."""

    slot: Slot
    old: str
    new: str


def changed_values(old: Sequence[Slot], new: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """Pairs of values that differ.

    Raises:
        Refused: one value stands for two things now, or only one of a pair exists.
    """
    meant: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        value = f"{after.text}\0{after.path}"
        if meant.setdefault(before.text.lower(), value) != value:
            raise Refused
        if (before.path is None) != (after.path is None):
            raise Refused  # the one exists, the other does not
    changed = [
        (before, after)
        for before, after in zip(old, new, strict=True)
        if (before.text, before.path) != (after.text, after.path)
    ]
    return list(dict.fromkeys(changed))


def forms(before: Slot, after: Slot) -> list[Exchange]:
    """How a command may write the old value, and what is then to be written instead.

    Raises:
        Refused: either value is written with signs that may mean something in a command.
    """
    if before.kind in ("text", "name"):
        plain = _ONE_LINE if before.kind == "text" else _PLAIN_NAME
        if not (plain.fullmatch(before.text) and plain.fullmatch(after.text)):
            raise Refused
        if before.kind == "name" and ("." in before.text) != ("." in after.text):
            raise Refused
        return [Exchange(before, before.text, after.text)]
    if before.kind == "path":
        return _path_forms(before, after)
    if before.kind == "number":
        _check_number(before, after)
    elif not (_PLAIN_VALUE.fullmatch(before.text) and _PLAIN_VALUE.fullmatch(after.text)):
        raise Refused
    return [Exchange(before, before.text, after.text)]


def spelling(name: str) -> str:
    """Which letters are capitals: functions, classes and constants differ in that."""
    return "all" if _CAPITALS.fullmatch(name) else "first" if name[:1].isupper() else "none"


def _path_forms(before: Slot, after: Slot) -> list[Exchange]:
    if before.path is None or after.path is None:
        old, new = before.text.rstrip("/"), after.text.rstrip("/")
        if not (_PLAIN_PATH.fullmatch(old) and _PLAIN_PATH.fullmatch(new)) or ("/" in old) != ("/" in new):
            raise Refused
        return [Exchange(before, old, new)]
    if not (_PLAIN_PATH.fullmatch(before.path) and _PLAIN_PATH.fullmatch(after.path)):
        raise Refused
    written, meant = before.text.strip("/").removeprefix("./"), before.path
    other = after.text.strip("/").removeprefix("./")
    if written == meant:
        # "src" may stand in a command as a place or as a name; only if both are one word, either will do.
        if other != after.path and not ("/" in meant and "/" in after.path):
            raise Refused
        return [Exchange(before, meant, after.path)]
    if "." not in written and PurePosixPath(meant).parent != PurePosixPath(after.path).parent:
        other = ""  # a package is imported by the names of those it lies in
    return [Exchange(before, meant, after.path), Exchange(before, written, other)]


def _check_number(before: Slot, after: Slot) -> None:
    if not all(text.isdecimal() and len(text) < 10 and int(text) for text in (before.text, after.text)):
        raise Refused
    wording = load_wording()
    if before.before in wording.comparing and before.after not in wording.byte_units:
        raise Refused
