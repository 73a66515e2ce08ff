"""File tools: plan a call, preview it, make it happen. All of it blocks; call it in a thread."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel

from tools.errors import Changed, UnknownTool, WriteFailed, WriteRefused
from tools.mcp.wording import shown_call
from tools.protocol import Preview, ToolCall
from tools.stages import SHOWN_CHARS, encodable, parse_arguments
from tools.writing.arguments import (
    FILE_TOOLS,
    WRITERS,
    AppendFile,
    Delete,
    EditFile,
    MakeDir,
    Move,
    Python,
    Run,
    WriteFile,
)
from tools.writing.changes import Change, plan_make_dir, plan_move
from tools.writing.descent import OpenRoot, open_root
from tools.writing.text import plan_append, plan_edit, plan_write
from tools.writing.trash import plan_delete


def arguments_of(call: ToolCall) -> BaseModel:
    """The call's arguments, typed.

    Raises:
        ToolError: no writing tool of that name, or arguments that do not fit.
    """
    if call.tool not in WRITERS:
        raise UnknownTool(f"{call.tool!r} is no writing tool.", f"Use one of {', '.join(WRITERS)}.")
    return parse_arguments(WRITERS[call.tool], call.tool, call.args)


def displayed(call: ToolCall) -> str:
    """A call as a person would type it: paths or argv, never the content; for display only.

    Of a tool that is not of this machine, nothing is left out: nobody but its server knows what is content.
    """
    if call.tool not in WRITERS:
        return shown_call(call)
    args = call.args
    if call.tool == "run" and isinstance(args.get("argv"), list):
        words = shlex.join(str(word) for word in args["argv"])
    elif call.tool == "python":
        words = f"python ({len(str(args.get('code', '')).splitlines())} lines)"
    else:
        named = [str(args[key]) for key in ("path", "source", "target") if key in args]
        words = shlex.join([call.tool, *named])
    text = encodable(words)
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " ..."


def preview(root: Path, call: ToolCall) -> Preview:
    """What a call would do; nothing is changed.

    Raises:
        ToolError: the call would be refused.
    """
    arguments = arguments_of(call)
    if isinstance(arguments, Run):
        fingerprint = _fingerprint(call.tool, arguments, ())
        return Preview(
            tool=call.tool,
            kind="command",
            summary=f"run {displayed(call)}",
            argv=arguments.argv,
            fingerprint=fingerprint,
        )
    if isinstance(arguments, Python):
        fingerprint = _fingerprint(call.tool, arguments, ())
        lines = f"run {len(arguments.code.splitlines())} lines of Python"
        return Preview(
            tool=call.tool, kind="command", summary=lines, code=arguments.code, fingerprint=fingerprint
        )
    with _looking(), open_root(root) as opened:
        change = _plan(opened, arguments)
    return Preview(
        tool=call.tool,
        kind="file",
        summary=change.summary,
        diff=change.diff,
        fingerprint=_fingerprint(call.tool, arguments, change.state),
        after=change.after,
    )


def execute(root: Path, call: ToolCall, expected_fingerprint: str | None = None) -> str:
    """Make a file tool's change.

    Args:
        root: resolved root.
        call: the call.
        expected_fingerprint: of the preview that was approved.

    Returns:
        What was done: a diff, or from where to where.

    Raises:
        PartlyDone: something was done; the message says what was and what was not.
        ToolError: nothing was done.
    """
    arguments = arguments_of(call)
    if call.tool not in FILE_TOOLS:
        raise UnknownTool(f"{call.tool} changes files by a process, not directly.", "Run it by the toolbox.")
    with _looking(), open_root(root, lock=True) as opened:
        change = _plan(opened, arguments)
        check_fingerprint(_fingerprint(call.tool, arguments, change.state), expected_fingerprint)
        try:
            return change.apply(opened)
        except OSError as error:
            raise WriteFailed(
                f"Nothing was done: {change.summary}: {error.strerror or error}.",
                "Check the disk's space and permissions.",
            ) from error


def check_fingerprint(found: str, expected: str | None) -> None:
    """Hold a call to what was approved.

    Raises:
        Changed: it is another call, or it would work on something else.
    """
    if expected is not None and found != expected:
        raise Changed(
            "The call or what it works on is not what was approved; nothing was done.", "Preview it again."
        )


def _plan(root: OpenRoot, arguments: BaseModel) -> Change:
    if isinstance(arguments, WriteFile):
        return plan_write(root, arguments)
    if isinstance(arguments, EditFile):
        return plan_edit(root, arguments)
    if isinstance(arguments, AppendFile):
        return plan_append(root, arguments)
    if isinstance(arguments, MakeDir):
        return plan_make_dir(root, arguments.path)
    if isinstance(arguments, Move):
        return plan_move(root, arguments.source, arguments.target)
    assert isinstance(arguments, Delete)
    return plan_delete(root, arguments.path)


@contextmanager
def _looking() -> Iterator[None]:
    """Errors of the system while nothing is changed yet, as refusals."""
    try:
        yield
    except OSError as error:
        raise WriteRefused(
            f"It cannot be looked at: {error.strerror or error}.",
            "Name something below the root that exists.",
        ) from error


def _fingerprint(tool: str, arguments: BaseModel, state: tuple[str, ...]) -> str:
    parts = {"tool": tool, "args": arguments.model_dump(), "state": state}
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=True).encode("ascii")).hexdigest()
