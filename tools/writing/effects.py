"""Whether the world already shows what a call does: asked after a crash between intent and result."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.writing.arguments import AppendFile, Delete, EditFile, MakeDir, Move, WriteFile
from tools.writing.descent import OpenRoot, open_root
from tools.writing.entries import look
from tools.writing.places import Place, locate
from tools.writing.plan import arguments_of
from tools.writing.text import encoded, occurrences, pieces, text_of
from tools.writing.trash import list_trash

Effect = Literal["done", "not_done", "unknown"]


def effect_of(root: Path, call: ToolCall, after: str | None = None) -> Effect:
    """Whether a call's effect is there. Nothing is changed.

    "done" and "not_done" are said only where the files prove it, taking for granted that nothing but the call
    touched them since; everything else, and every command, is "unknown".

    Args:
        root: resolved root.
        call: a writing call that was begun.
        after: `Preview.after` of the call. Without it no edit can be shown to be done, because its result
            cannot be told from a file that looked so before.
    """
    try:
        arguments = arguments_of(call)
        with open_root(root) as opened:
            if isinstance(arguments, WriteFile):
                return _written(opened, arguments)
            if isinstance(arguments, EditFile):
                return _edited(opened, arguments, after)
            if isinstance(arguments, AppendFile):
                # Only what the file is to become tells: the same text may have been at its end before.
                return "done" if _content_is(opened, root, arguments.path, after) else "unknown"
            if isinstance(arguments, MakeDir):
                kind = look(opened, locate(root, arguments.path, follow=True)).kind
                return "done" if kind == "directory" else "not_done" if kind == "absent" else "unknown"
            if isinstance(arguments, Move):
                return _moved(opened, arguments)
            if isinstance(arguments, Delete):
                return _deleted(opened, locate(root, arguments.path, follow=False))
    except (ToolError, OSError):
        return "unknown"  # what cannot be looked at proves nothing
    return "unknown"


def _content_is(opened: OpenRoot, root: Path, path: str, after: str | None) -> bool:
    found = look(opened, locate(root, path, follow=True))
    return found.content is not None and hashlib.sha256(found.content).hexdigest() == after


def _written(root: OpenRoot, arguments: WriteFile) -> Effect:
    found = look(root, locate(root.path, arguments.path, follow=True))
    if found.kind not in ("file", "absent"):
        return "unknown"
    return "done" if found.content == encoded(arguments.content) else "not_done"


def _edited(root: OpenRoot, arguments: EditFile, after: str | None) -> Effect:
    place = locate(root.path, arguments.path, follow=True)
    found = look(root, place)
    if found.content is not None and hashlib.sha256(found.content).hexdigest() == after:
        return "done"
    text = text_of(found, place.shown)
    old, new = pieces(text, arguments)
    # Once it is done the file holds `new`; where it does not and `old` is there, it is still to be done.
    return "not_done" if new not in text and occurrences(text, old) else "unknown"


def _moved(root: OpenRoot, arguments: Move) -> Effect:
    source = look(root, locate(root.path, arguments.source, follow=False)).kind
    target = look(root, locate(root.path, arguments.target, follow=False)).kind
    if source == "absent" and target != "absent":
        return "done"
    return "not_done" if source != "absent" and target == "absent" else "unknown"


def _deleted(root: OpenRoot, place: Place) -> Effect:
    there = look(root, place).kind != "absent"
    in_trash = any(entry.place == place for entry in list_trash(root.path))
    if there:
        return "unknown" if in_trash else "not_done"
    return "done" if in_trash else "unknown"
