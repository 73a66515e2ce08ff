"""`reflect doctor`: each thing a run needs, ok or what to do about it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.health_check import Check

MARKS = {"ok": ("green", "ok"), "warning": ("yellow", "note"), "problem": ("red", "problem")}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("doctor", help="check Python, models, sandbox, memory and MCP servers")
    parser.add_argument("--root", default=".", metavar="DIR", help="directory to check for (default: here)")
    parser.add_argument("--json", action="store_true", help="print a JSON list of checks")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print every check; returns 0 when none is a problem, else 2."""
    from cli.health import all_checks

    checks = all_checks(arguments.root)
    if arguments.json:
        sys.stdout.write(json.dumps([asdict(check) for check in checks], indent=2) + "\n")
    else:
        _print(checks)
    return 2 if any(check.verdict == "problem" for check in checks) else 0


def _print(checks: list[Check]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    for check in checks:
        style, word = MARKS[check.verdict]
        found = escape(check.found).replace("\n", f"\n{'':<26}")
        console.print(f"[{style}]{word:<9}[/]{check.name:<16} {found}")
        if check.remedy:
            console.print(f"{'':<9}{'':<16} -> {escape(check.remedy)}")
