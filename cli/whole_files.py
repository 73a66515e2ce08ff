"""Files a command writes for people: each whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from configs.errors import UsageError
from configs.redaction import path_text


def check_output(
    flag: str, path: Path, others: Mapping[str, str | None], is_ours: Callable[[Path], bool], kind: str
) -> None:
    """Refuse what cannot be written, and what would be lost.

    Args:
        flag: that named it, for the message.
        path: of the file.
        others: further files of the command, by their flags; None or "-" for none.
        is_ours: True for a file that an earlier run wrote, which may be written over.
        kind: what such a file is, with the command that writes it.

    Raises:
        UsageError: it is a directory, has none, is another file of the command, or is not ours.
    """
    told = f"{flag} {path_text(path)}"
    # A link may lead to where nothing can be, or round in a circle.
    target = Path(os.path.realpath(path))
    if path.is_dir() or target.is_symlink() or not target.parent.is_dir():
        raise UsageError(f"{told} names no file that can be made.", "Name a file.")
    for other, named in others.items():
        if _are_one(path, named):
            raise UsageError(f"{told} is the file of {other} as well.", "Name two different files.")
    if path.is_file() and path.stat().st_size and not is_ours(path):
        raise UsageError(
            f"{told} exists and is no {kind}; it would be lost.",
            f"Name a new file, or an earlier {kind.split()[0]}.",
        )
    if not path.exists() and not os.access(target.parent, os.W_OK):
        raise UsageError(f"{told} cannot be made there.", "Name a file in a directory you may write to.")


def _are_one(path: Path, other: str | None) -> bool:
    if other is None or other == "-" or (path.exists() and not path.is_file()):
        return False
    same = os.path.realpath(other) == os.path.realpath(path)
    return same or (path.exists() and Path(other).exists() and path.samefile(other))


def write_whole(flag: str, path: Path, text: str, remedy: str) -> None:
    """Write a file in one step: whoever reads it meanwhile has the old one or the new one.

    Args:
        flag: that named it, for the message.
        path: of the file; a link keeps leading to the file it leads to.
        text: what it is to hold.
        remedy: what to do when it cannot be written.

    Raises:
        UsageError: it cannot be written; what was there is there still.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        # A device or a pipe is written to, never replaced.
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = Path(os.path.realpath(path))
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=f".{target.name[:40]}.", delete=False
        ) as file:
            temporary = Path(file.name)
            try:
                file.write(data)
                file.close()
                temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
                os.replace(temporary, target)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise UsageError(
            f"{flag} {path_text(path)} cannot be written: {error.strerror or error}.", remedy
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
