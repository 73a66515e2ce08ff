"""`reflect check`: each sentence of a report, held against the sources it cites."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "check",
        help="check each sentence of a report against the sources it cites",
        description="Check each sentence of a report against the sources it cites, by code alone.",
        epilog="Exit codes: 0 no sentence is contradicted or unsupported, 1 some are, 2 usage error.",
    )
    # The same as `nodes.research.check.arguments`, whose import would slow every command's start.
    parser.add_argument(
        "report", nargs="?", type=Path, metavar="REPORT", help="Markdown or text; '-' reads standard input"
    )
    parser.add_argument(
        "--claims", type=Path, metavar="F", help="instead of a report: JSON lines {claim, citations: [{url}]}"
    )
    parser.add_argument(
        "--sources", type=Path, required=True, metavar="F", help="the items cited, one JSON object a line"
    )
    parser.add_argument("--json", action="store_true", help="print the checks as a JSON list")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and print what was found; returns 1 if a sentence is contradicted or unsupported."""
    from nodes.research import check

    return check.run(arguments)
