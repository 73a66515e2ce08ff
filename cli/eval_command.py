"""`reflect eval SUITE`: one of the evaluation suites, in this process."""

from __future__ import annotations

import argparse
import runpy
import sys

# A suite is a program of its own (`python -m evals.learning`), so nothing of it is imported here.
SUITES = {"learning": "evals.learning"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("eval", help="run an evaluation suite", add_help=False)
    parser.add_argument("suite", choices=sorted(SUITES), help="which suite")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="its options; --help lists them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the suite; its exit code is 0 if every target is met."""
    module = SUITES[arguments.suite]
    before = sys.argv
    sys.argv = [f"reflect eval {arguments.suite}", *arguments.options]
    try:
        runpy.run_module(module, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv = before
    return 0
