"""The directory of a probe: its files and links, and what the harness changes in it between moves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from configs.errors import ReflectError


class ProbeError(ReflectError):
    """A probe that cannot be set up as it is written; it is neither passed nor failed."""


def place(root: Path, path: object) -> Path:
    """Where a relative path lies.

    Args:
        root: of the probe, without links in it.
        path: as written in the probe.

    Raises:
        ProbeError: it is no relative path, or leads out of the root, by itself or through a link.
    """
    if not isinstance(path, str) or not path.strip("/") or "\0" in path:
        raise ProbeError(f"no path of a file: {path!r}")
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or not parts:
        raise ProbeError(f"outside the probe's directory: {path!r}")
    found = root.joinpath(*parts)
    if not found.parent.resolve().is_relative_to(root):
        raise ProbeError(f"a link leads out of the probe's directory: {path!r}")
    return found


def write(root: Path, path: str, text: object) -> None:
    """Make a file, with its directories; for a path that ends with "/", an empty directory.

    Raises:
        ProbeError: it cannot be made.
    """
    file = place(root, path)
    if not isinstance(text, str):
        raise ProbeError(f"no text for {path!r}: {text!r}")
    if file.is_symlink():
        raise ProbeError(f"a link stands at {path!r}")
    try:
        if path.endswith("/"):
            file.mkdir(parents=True, exist_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
    except (OSError, UnicodeEncodeError) as error:
        raise ProbeError(f"{path!r} cannot be written: {error}") from error


def delete(root: Path, path: str) -> None:
    """Take away a file, a link, or a directory with all in it.

    Raises:
        ProbeError: there is none.
    """
    file = place(root, path)
    try:
        shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
    except OSError as error:
        raise ProbeError(f"{path!r} cannot be deleted: {error}") from error


def rename(root: Path, path: str, to: str) -> None:
    """Give a file or directory another path.

    Raises:
        ProbeError: there is none, or it cannot be moved there.
    """
    old, new = place(root, path), place(root, to)
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
    except OSError as error:
        raise ProbeError(f"{path!r} cannot be renamed to {to!r}: {error}") from error


def build(root: Path, files: Mapping[str, str], links: Mapping[str, str]) -> None:
    """Make everything a probe begins with, the links last.

    Raises:
        ProbeError: something cannot be made.
    """
    root.mkdir(parents=True)
    for path, text in files.items():
        write(root, path, text)
    for path, target in links.items():
        link = place(root, path)
        try:
            link.parent.mkdir(parents=True, exist_ok=True)
            os.symlink(target, link)
        except (OSError, ValueError) as error:
            raise ProbeError(f"no link can be made at {path!r}: {error}") from error
