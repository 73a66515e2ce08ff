"""A call of a tool: a span, and a count by sandbox level."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from models.telemetry import names
from models.telemetry.scope import Recorder, Scope, Value, recorded, within

UNKNOWN_TOOL = "unknown"


class ToolOutcome(Protocol):
    """What is told of what a tool did; `tools.protocol.ToolResult` is one."""

    returncode: int
    stdout: str
    stderr: str
    error: str | None
    error_kind: str | None
    truncated: bool
    sandbox_level: str


@dataclass
class ToolRun:
    """A call of a tool that goes on."""

    _recorder: Recorder | None = None
    _scope: Scope | None = None
    _about: dict[str, Value] = field(default_factory=dict)

    def did(self, result: ToolOutcome) -> None:
        """Note what it did."""
        if self._recorder is None or self._scope is None:
            return
        kind = result.error_kind or ("error" if result.error is not None else f"exit {result.returncode}")
        outcome = _outcome(result)
        if outcome == "failed":
            self._scope.failed(kind, result.error or result.stderr)
        elif outcome == "succeeded":
            self._scope.outcome = "ok"
        self._about = {names.SANDBOX: result.sandbox_level, names.OUTCOME: outcome}
        output = self._recorder.text("output", result.stdout)
        if self._recorder.content:
            output[names.TOOL_RESULT] = output[names.OUTPUT_VALUE]
        self._scope.attributes |= {
            **self._about,
            **output,
            names.RETURN_CODE: result.returncode,
            names.TRUNCATED: result.truncated,
        }


def _outcome(result: ToolOutcome) -> str:
    """Succeeded, failed, or nothing: programs that look for something say so by 1, and say nothing else."""
    if result.error is not None:
        return "failed"
    if result.returncode == 0:
        return "succeeded"
    return "nothing" if result.returncode == 1 and not result.stderr.strip() else "failed"


@contextmanager
def tool_call(
    tool: str, arguments: Mapping[str, Any], known: Callable[[], Collection[str]]
) -> Iterator[ToolRun]:
    """A call of a tool.

    Args:
        tool: the name in the call, which a model may have made up.
        arguments: of the call.
        known: gives the names there are; another one is told as unknown.
    """
    at = recorded()
    if at is None:
        yield ToolRun()
        return
    above, recorder = at
    name = tool if tool in known() else UNKNOWN_TOOL
    about: dict[str, Value] = {names.TOOL: name}
    attributes = recorder.text("input", _as_text(arguments))
    if recorder.content:
        attributes[names.TOOL_ARGUMENTS] = attributes[names.INPUT_VALUE]
    attributes |= {
        **about,
        names.OPERATION: names.EXECUTE_TOOL,
        names.SPAN_KIND: names.TOOL_KIND,
        names.TOOL_NAME: name,
        names.TOOL_TYPE: "extension" if "." in name else "function",
    }
    scope = Scope(f"{names.EXECUTE_TOOL} {name}", above, attributes=attributes)
    call = ToolRun(recorder, scope)
    try:
        with within(scope):
            yield call
    finally:
        ended = call._about or {names.SANDBOX: "none", names.OUTCOME: "ended"}
        recorder.count(names.TOOL_CALLS, 1, about | ended)


def _as_text(arguments: Mapping[str, Any]) -> str:
    try:
        return json.dumps(arguments, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError) as error:
        # The tool refuses them, and says so better.
        return f"(arguments that are no JSON: {type(error).__name__})"
