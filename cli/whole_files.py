"""Files a command writes for people: each whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from configs.errors import UsageError
from configs.redaction import path_text


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
