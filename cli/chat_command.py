"""`reflect chat`: one question after another in one thread, with history, approvals and slash commands."""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from cli.ask_command import add_run_options, approval_of, ended_at_once_by_ctrl_c

if TYPE_CHECKING:
    from cli.chat_reading import Reader


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("chat", help="ask one thing after another; /help lists what else it can")
    parser.add_argument("--thread", metavar="ID", help="go on with this thread (default: a new one)")
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Chat until the end of the input.

    Returns:
        0 after a chat at a terminal; for lines of a pipe, the exit code of the worst run.

    Raises:
        UsageError: the root, a flag, or a thread another chat has open.
        SettingsError: a settings source is wrong.
        ModelError: the profile forbids the model.
    """
    from configs.root import resolve_root

    with ended_at_once_by_ctrl_c():
        from cli.chat_choices import Choices

        root = resolve_root(arguments.root)
        choices = Choices(
            root,
            model=arguments.model,
            profile=arguments.profile,
            strategy=arguments.strategy,
            approval=approval_of(arguments),
        )
        choices.check()
        from cli.chat_session import Chat
        from cli.chat_slash import completions
        from memory.project_directory import ensure_project_directory

        directory = ensure_project_directory(root)
        chat = Chat(choices, arguments.thread or new_thread(), quiet=arguments.quiet, as_json=arguments.json)
        chat.reader = reader_of(directory, lambda text: completions(chat, text))
    return asyncio.run(chat.run(at_terminal=at_terminal()))


def new_thread() -> str:
    """A name that sorts by date and that nobody else has."""
    return f"chat-{datetime.now():%Y%m%d}-{uuid.uuid4().hex[:6]}"


def at_terminal() -> bool:
    """True if somebody types the lines."""
    return bool(sys.stdin) and sys.stdin.isatty() and (sys.stderr.isatty() or sys.stdout.isatty())


def reader_of(directory: Path, complete: Callable[[str], Iterable[tuple[str, int]]]) -> Reader:
    """Where the lines of a chat come from.

    Args:
        directory: the project's `.reflect`.
        complete: see `cli.chat_reading.TerminalReader`.
    """
    from prompt_toolkit.utils import is_dumb_terminal

    from cli.chat_history import ProjectHistory
    from cli.chat_reading import PipedReader, PlainReader, TerminalReader

    if not at_terminal():
        return PipedReader(_stdin())
    if is_dumb_terminal():
        return PlainReader(_stdin())
    return TerminalReader(ProjectHistory(directory), complete)


def _stdin() -> BinaryIO:
    return sys.stdin.buffer if sys.stdin else io.BytesIO()
