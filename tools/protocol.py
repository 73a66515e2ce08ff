"""The one protocol every tool speaks: a call goes in, a result comes out. Results are data."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class ToolCall(BaseModel):
    """A request to run one tool.

    Attributes:
        tool: registered name, e.g. "grep" or "pipeline".
        args: arguments of that tool's Pydantic model, as JSON values.
    """

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class ToolResult(BaseModel):
    r"""What a tool call did.

    Attributes:
        tool: name of the tool that ran.
        returncode: 0 for success; of a pipeline, the first stage that failed; -1 if nothing ran.
        stdout: output text, undecodable bytes as surrogate-free escapes (`\xNN`).
        stderr: diagnostics text.
        error: why there is no ordinary result (refused, timed out, output capped), else None.
        error_kind: machine-readable class of `error`: refused, timeout, sandbox, launch, or None.
        duration: seconds of wall clock.
        truncated: True if output stopped at the cap.
        artifact: path of the file that holds the whole output, relative to the project root, or None.
        sandbox_level: "bwrap", "landlock", "policy" or "none" (nothing ran).
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
