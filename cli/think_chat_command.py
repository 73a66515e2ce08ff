"""Opens the chat of `reflect think --chat`, at a terminal or from a pipe."""

from __future__ import annotations

import argparse
import asyncio
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

from cli.ask_command import ended_at_once_by_ctrl_c


def chat(arguments: argparse.Namespace, root: Path, chosen: dict[str, Any], material: str) -> int:
    """Chat until the end of the input.

    Args:
        arguments: of `reflect think`.
        root: the project.
        chosen: settings by dotted key.
        material: the text every question is about.

    Returns:
        0 after a chat at a terminal; for lines of a pipe, the exit code of the worst question.

    Raises:
        UsageError: another chat has the thread open.
        SettingsError: a settings source is wrong.
        ModelError: the profile forbids the model.
    """
    with ended_at_once_by_ctrl_c():
        from cli.chat_choices import Choices
        from cli.chat_command import at_terminal, reader_of
        from cli.think_chat import ThinkChat, completions
        from memory.project_directory import ensure_project_directory

        choices = Choices(root, model=arguments.model, profile=arguments.profile, settings=chosen)
        choices.check()
        directory = ensure_project_directory(root)
        made = ThinkChat(
            choices,
            arguments.thread or f"think-{datetime.now():%Y%m%d}-{uuid.uuid4().hex[:6]}",
            material,
            quiet=arguments.quiet,
            as_json=arguments.json,
            events=arguments.print_events,
        )
        made.reader = reader_of(directory, completions)
    return asyncio.run(made.run(at_terminal=at_terminal()))
