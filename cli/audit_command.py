"""`reflect audit PATH`: facts about a tree of code that code alone finds, each with its file and line."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from configs.loading import LoadedSettings
    from tools.audit.report import Audit

KERNELS = (
    "ast_scan",
    "metrics",
    "history",
    "hotspots",
    "security",
    "documentation",
    "risk",
    "recommendations",
)
TOP = 10
REMEDY = "Name a file in another place."
PAGE_KIND = "page of `reflect audit`"
PAGE_MARK = b'content="reflective-graph audit"'
PAGE_HEAD = 4096


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "audit", help="find what deserves work in a tree of code, each with its file and line"
    )
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="directory, or one file (default: here)"
    )
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")
    parser.add_argument("--html", metavar="FILE", help="write the report as one page")
    parser.add_argument("--kernel", choices=KERNELS, help="show what this kernel found only")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting for this run, e.g. audit.most_cyclomatic=15",
    )
    parser.add_argument(
        "--top", type=_count, default=TOP, metavar="N", help=f"rows of each list at most (default: {TOP})"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Audit, print, write; returns 0 for a report that was made.

    Raises:
        UsageError: there is nothing at the path, or a file cannot be written.
        SettingsError: a setting is wrong.
        AuditFailed: the path cannot be read, or no worker started.
    """
    from cli.audit_output import only, print_audit
    from cli.whole_files import write_whole

    root = _root(arguments.path)
    page = Path(arguments.html) if arguments.html else None
    if page is not None:
        _check_page(page)
    loaded = _settings(root, arguments.set)
    _tell_origins(loaded)
    audit = asyncio.run(_audited(root, loaded, quiet=arguments.quiet))
    shown = only(audit, arguments.kernel) if arguments.kernel else audit
    try:
        if page is not None:
            from cli.audit_page import page_of

            write_whole("--html", page, page_of(audit, root.name or str(root)), REMEDY)
    finally:
        if arguments.json:
            # JSON is UTF-8, whatever the terminal's encoding is.
            sys.stdout.buffer.write(shown.to_json().encode())
        else:
            print_audit(shown, root, arguments.kernel, arguments.top, sys.stdout)
    return 0


def _root(text: str) -> Path:
    """The path as an absolute one, links resolved.

    Raises:
        UsageError: there is nothing, or nothing that can be looked at.
    """
    from configs.errors import UsageError
    from configs.redaction import path_text

    path = Path(text)
    try:
        root = path.expanduser().resolve(strict=True)
        usable = root.is_dir() or root.is_file()
    except (OSError, RuntimeError) as error:
        raise UsageError(
            f"{path_text(path)} cannot be audited: {getattr(error, 'strerror', None) or error}.",
            "Name a directory, or a source file.",
        ) from error
    if not usable:
        raise UsageError(
            f"{path_text(path)} is neither a directory nor a file.", "Name a directory, or a source file."
        )
    return root


def _check_page(page: Path) -> None:
    """Refuse, before anything runs, to write where something else is, or nothing can be.

    Raises:
        UsageError: the file is not ours, or cannot be made.
    """
    from cli.whole_files import check_output

    check_output("--html", page, {}, _is_ours, PAGE_KIND)


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            head = stream.read(PAGE_HEAD)
    except OSError:
        return False
    return head.startswith(b"<!doctype html>") and PAGE_MARK in head


def _settings(root: Path, given: Sequence[str]) -> LoadedSettings:
    """The settings in force.

    Raises:
        UsageError: what was given sets nothing, or the same twice.
        SettingsError: a key or a value is wrong.
    """
    from configs.errors import UsageError
    from configs.loading import load_settings

    flags: dict[str, Any] = {}
    for word in given:
        key, sign, text = word.partition("=")
        if not sign or not key or key in flags:
            raise UsageError(
                f"--set {word!r} sets nothing, or sets it twice.", "Write --set audit.KEY=VALUE, once a key."
            )
        flags[key] = _value(text)
    return load_settings(root if root.is_dir() else root.parent, flags)


def _value(text: str) -> Any:
    """JSON if it can be read as JSON, else text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _tell_origins(loaded: LoadedSettings) -> None:
    """Say what the audited project itself has set: it may leave something out of its own audit."""
    from configs.redaction import path_text

    project = loaded.files[-1]
    if project.own:
        return
    begins = f"file {path_text(project.path)}"
    keys = [
        key
        for key, origin in loaded.origins.items()
        if key.startswith("audit.") and origin.startswith(begins)
    ]
    if keys:
        sys.stderr.write(f"Note: the project's own settings say {', '.join(sorted(keys))}.\n")


async def _audited(root: Path, loaded: LoadedSettings, *, quiet: bool) -> Audit:
    from rich.console import Console

    from cli.passing_text import PassingText
    from tools.audit.pipeline import audit_repository

    progress = PassingText(Console(stderr=True))

    def told(kernel: str, done: int, of: int) -> None:
        progress.show(f"{kernel} |", f"{done} of {of} files")

    settings = loaded.settings
    try:
        return await audit_repository(
            root, settings.audit, None if quiet else told, sandbox=settings.tools.sandbox
        )
    finally:
        progress.clear()
