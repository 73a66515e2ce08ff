"""How a report names a file."""

from __future__ import annotations

import os
from pathlib import Path

from configs.redaction import path_text


def label(path: str) -> str:
    """A path below the root as text that any report can hold, another one for every other path.

    Args:
        path: as `os.scandir` or `os.fsdecode` gives it, with surrogates for bytes that are no UTF-8.

    Returns:
        Control characters and such bytes as escape sequences, and a backslash as two of them.
    """
    return path_text(Path(path.replace("\\", "\\\\"))) if path else "."


def label_of_bytes(path: bytes) -> str:
    """The same of a path as git writes it with `-z`."""
    return label(os.fsdecode(path))
