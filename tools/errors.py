"""Errors of the tools: a call that is refused or cannot run.

ToolError
├── UnknownTool          no tool of that name
├── BadArguments         the arguments do not fit the tool
├── CommandRefused       the policy or the parser does not let it run
└── SandboxUnavailable   a sandbox is required and none works
"""

from __future__ import annotations

from configs.errors import ReflectError


class ToolError(ReflectError):
    """Base of everything that keeps a tool from running.

    Attributes:
        kind: the `error_kind` a ToolResult carries for it.
    """

    kind = "refused"


class UnknownTool(ToolError):
    """No tool of that name is registered."""

    kind = "unknown_tool"


class BadArguments(ToolError):
    """Arguments that the tool's model does not accept."""

    kind = "bad_args"


class CommandRefused(ToolError):
    """A call that could write, run something, or look outside the root."""


class SandboxUnavailable(ToolError):
    """`tools.sandbox` asks for isolation that this machine does not give."""

    kind = "sandbox"
