"""`reflect resume THREAD`: go on with a run that was interrupted, killed, or waits for an approval."""

from __future__ import annotations

import argparse

from cli.ask_command import add_run_options, run_thread


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("resume", help="go on with a thread that was interrupted or waits")
    parser.add_argument("thread", metavar="THREAD", help="its name, as the run printed it")
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Go on; a thread at its end is only shown again."""
    return run_thread(arguments, arguments.thread, lambda: None)
