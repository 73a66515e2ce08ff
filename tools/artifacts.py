"""Long outputs: the whole text in a file named by its hash, head and tail in the state."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from pathlib import Path

from tools.errors import ArtifactLost


def store(directory: Path, content: bytes) -> Path:
    """Write content under its SHA-256, atomically; the same content is written once.

    Raises:
        OSError: the directory or the one above is a link, or cannot be written, or the disk is full.
    """
    path = directory / f"{hashlib.sha256(content).hexdigest()}.txt"
    if path.exists():
        return path
    for parent in (directory, directory.parent):
        # A repository from elsewhere may bring one, which would have its asker write where it leads.
        if parent.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(parent))
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=directory, delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise
    return path


def read_back(path: Path) -> str:
    """A stored text, proved to be the one that was stored.

    Raises:
        ArtifactLost: it is gone, or its content does not fit its name.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ArtifactLost(
            f"The stored output {path.name} cannot be read: {error}.", "Run the step again."
        ) from error
    if hashlib.sha256(content).hexdigest() != path.stem:
        raise ArtifactLost(f"The stored output {path.name} was altered.", "Run the step again.")
    return content.decode("utf-8")


def excerpt(text: str, limit: int, where: str) -> str:
    """Head and tail of a text, with a line between that says what is left out and where it is."""
    half = limit // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[... {left_out} characters left out; whole output: {where} ...]\n{text[-half:]}"
