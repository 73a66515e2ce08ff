"""`reflect config`: which settings are in force, where each comes from, and what can be set.

Everything heavy is imported inside functions: `reflect --help` imports this module.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from configs.loading import LoadedSettings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `config` to the command line; the parsed arguments carry `run`."""
    parser = subparsers.add_parser("config", help="show settings, their files and their schema")
    parser.add_argument(
        "what",
        nargs="?",
        choices=("show", "path", "schema", "reference"),
        default="show",
        help="show: every key, value and origin; path: the files looked at; schema: JSON schema; "
        "reference: every setting explained, as Markdown",
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="project directory (default: this one)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; 0 is the exit code.

    Raises:
        SettingsError: a settings source is wrong.
        UsageError: `--root` is not a directory.
    """
    commands = {"show": _show, "path": _path, "schema": _schema, "reference": _reference}
    commands[args.what](args)
    return 0


def _show(args: argparse.Namespace) -> None:
    from configs.loading import load_settings

    rows = rows_of(load_settings(args.root))
    if args.json:
        _print_json({key: {"value": value, "origin": origin} for key, (value, origin) in rows.items()})
        return
    from configs.redaction import shown

    cells = [(key, shown("", value), origin) for key, (value, origin) in rows.items()]
    _print_table(("key", "value", "origin"), cells)


def rows_of(loaded: LoadedSettings) -> dict[str, tuple[object, str]]:
    """Every setting by its dotted key: its value without secrets, and where it comes from."""
    from configs.keys import dotted
    from configs.layers import leaves
    from configs.redaction import escaped, without_secrets

    return {
        escaped(dotted(key)): (without_secrets(key[-1], value), _origin(loaded, dotted(key)))
        for key, _, value in leaves(loaded.settings)
    }


def _origin(loaded: LoadedSettings, key: str) -> str:
    """Where a value comes from, and by whose leave when a project's file could not give it by itself."""
    by_leave = f", trusted by {loaded.trust.origin}" if key in loaded.trust.keys else ""
    return loaded.origins[key] + by_leave


def _path(args: argparse.Namespace) -> None:
    from configs.files import settings_files
    from configs.redaction import path_text

    files = [(path_text(file.path), file.exists) for file in settings_files(args.root)]
    if args.json:
        _print_json([{"path": path, "exists": exists} for path, exists in files])
    else:
        _print_table(("file", "exists"), [(path, "yes" if exists else "no") for path, exists in files])


def _schema(args: argparse.Namespace) -> None:
    from configs.settings import Settings

    _print_json(Settings.model_json_schema())


def _reference(args: argparse.Namespace) -> None:
    from cli.settings_page import as_json, page

    sys.stdout.write(as_json() if args.json else page())


def _print_json(document: object) -> None:
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def _print_table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.console import Console

    table = _table(header, rows)
    console = Console()
    if not console.is_terminal:
        # A pipe has no width; rich would assume 80 columns and break keys and values apart.
        widest = console.options.update(max_width=1_000_000)
        console.width = console.measure(table, options=widest).maximum
    console.print(table)


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        # Text, because a value in brackets would be read as markup.
        table.add_row(*map(Text, row))
    return table
