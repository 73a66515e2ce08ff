"""The one protocol every tool speaks: a call goes in, a result comes out. Results are data."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class ToolCall(BaseModel):
    """A request to run one tool.

    Attributes:
        tool: registered name, e.g. "grep" or "pipeline"; of a server's tool `server.tool`.
        args: arguments of that tool's Pydantic model, or of a server's schema, as JSON values.
    """

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class ToolResult(BaseModel):
    r"""What a tool call did.

    Attributes:
        tool: name of the tool that ran.
        returncode: 0 for success; of a pipeline, the first stage that failed; 1 if a server's tool says that
            it failed (`stderr` holds what it says); -1 if nothing ran, or if a change was not made whole and
            durably.
        stdout: output text, undecodable bytes as surrogate-free escapes (`\xNN`).
        stderr: diagnostics text.
        error: why there is no ordinary result (refused, timed out, output capped), else None.
        error_kind: machine-readable class of `error`: refused, unknown_tool, bad_args, timeout, output_cap,
            sandbox, launch, bad_answer (of a server's tool: not what it declares), and of writing tools
            access, changed, failed (nothing was done), partial (`error` says what was done and what was not)
            and interrupted (nobody knows whether it was done); None without an error.
        duration: seconds of wall clock.
        truncated: True if output stopped at the cap.
        artifact: path of the file that holds the whole output, relative to the project root, or None.
        sandbox_level: "bwrap", "landlock", "policy" or "none" (no process ran).
        stage_returncodes: exit code of every pipeline stage, in order.
        command: the stages as a person would type them, for display only; never executed.
    """

    tool: str
    returncode: int
    stdout: str = ""
    stderr: str = ""
    error: str | None = None
    error_kind: str | None = None
    duration: float = 0.0
    truncated: bool = False
    artifact: str | None = None
    sandbox_level: str = "none"
    stage_returncodes: list[int] = Field(default_factory=list)
    command: str = ""

    @property
    def ok(self) -> bool:
        """True when every stage exited 0 and nothing was refused, cut or timed out."""
        return self.returncode == 0 and self.error is None


class Preview(BaseModel):
    """What a writing call would do, found out without doing it.

    Attributes:
        tool: name of the tool.
        kind: "file" for a change of files, "command" for a process, "request" for a server's tool.
        summary: one line for a person.
        diff: for files, a unified diff or what would be moved where.
        argv: for `run`, the argument vector.
        code: for `python`, the code.
        request: for a server's tool, its arguments as JSON, whole.
        fingerprint: SHA-256 of the call and of what it was found to work on; of a command, of the call alone.
        after: SHA-256 of the file's bytes once `write_file` or `edit_file` is done, else None.
    """

    tool: str
    kind: Literal["file", "command", "request"]
    summary: str
    diff: str = ""
    argv: list[str] | None = None
    code: str | None = None
    request: str = ""
    fingerprint: str
    after: str | None = None
