"""Errors of the tools: a call that is refused or cannot run.

ToolError
├── UnknownTool          no tool of that name
├── BadArguments         the arguments do not fit the tool
├── CommandRefused       the policy or the parser does not let it run
├── SandboxUnavailable   a sandbox is required and none works
├── AccessDenied         a writing tool, where the profile only lets read
├── WriteRefused         a change that may not be made there
├── Changed              the world is no longer what was read or previewed; nothing was done
├── WriteFailed          the system did not let a change be made; nothing was done
├── NotInstalled         the program to run is not there
├── ArtifactLost         a stored output is gone or was altered
├── SearchUnavailable    a search back end cannot be reached, read or used
│   └── SearchForbidden  a search back end the profile or the settings do not allow
├── AuditFailed          an audit cannot read its root, or cannot start its workers
└── PartlyDone           a change was made, but not all of it: the message says what was and what was not
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


class AccessDenied(ToolError):
    """A writing tool was called where the profile only lets read."""

    kind = "access"


class WriteRefused(ToolError):
    """A change that may not be made: outside the root, a name that is taken, no ordinary file."""


class Changed(ToolError):
    """What is there is not what was read or previewed, so nothing was done."""

    kind = "changed"


class WriteFailed(ToolError):
    """The system did not let a change be made (disk full, no permission); nothing was done."""

    kind = "failed"


class NotInstalled(ToolError):
    """The program to run is not in the system's own directories."""

    kind = "launch"


class ArtifactLost(ToolError):
    """A stored output is gone, or is not what was stored."""

    kind = "artifact"


class SearchUnavailable(ToolError):
    """A search back end cannot be reached, or what it searches cannot be read."""

    kind = "launch"


class SearchForbidden(SearchUnavailable):
    """A search back end that would send the query away, where the profile or the settings do not allow it."""

    kind = "refused"


class AuditFailed(ToolError):
    """An audit as a whole cannot be done; a file that cannot be looked at is reported instead."""

    kind = "failed"


class PartlyDone(ToolError):
    """A change was made, but not durably or not where it was asked for; the message says how far it got."""

    kind = "partial"
