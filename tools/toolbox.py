"""The tools of one root: check a call, run it, say what it did. Nothing a model causes raises."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from configs.settings import ToolSettings
from tools.arguments import TOOLS, Command, Pipeline, Stage
from tools.artifacts import excerpt, store
from tools.errors import SandboxUnavailable, ToolError, UnknownTool
from tools.parser import parse_command
from tools.pipeline import Outcome, run_pipeline
from tools.protocol import ToolCall, ToolResult
from tools.sandbox.confinement import Confinement, Sandbox
from tools.sandbox.probe import choose
from tools.stages import Vector, parse_arguments, shown, stage_vector

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

JOINING: dict[str, type[BaseModel]] = {"pipeline": Pipeline, "command": Command}


class Toolbox:
    """Read-only tools for one directory.

    Args:
        root: directory no call may leave.
        settings: limits and the sandbox wanted.
        artifacts: where outputs too long for the state are kept; without it they are kept whole.
        timeout: seconds one call may take unless it says otherwise.

    Raises:
        SandboxUnavailable: isolation is required and does not work here.
    """

    def __init__(
        self, root: Path, settings: ToolSettings, *, artifacts: Path | None = None, timeout: float = 60.0
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.settings = settings
        self.artifacts = artifacts
        self.timeout = timeout
        self._sandbox: Sandbox = choose(settings.sandbox)

    @property
    def sandbox(self) -> Sandbox:
        """Isolation in force, and why it is not higher."""
        return self._sandbox

    @property
    def sandbox_level(self) -> str:
        """Isolation in force: bwrap, landlock or policy."""
        return self._sandbox.level

    @property
    def names(self) -> tuple[str, ...]:
        """Every tool a call may name."""
        return (*TOOLS, *JOINING)

    def check(self, call: ToolCall) -> None:
        """Everything that can be said before running.

        Raises:
            ToolError: names the part that is refused and what to use instead.
        """
        self._vectors(call)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """JSON schema of every tool's arguments."""
        models: dict[str, type[BaseModel]] = {**TOOLS, **JOINING}
        return {name: model.model_json_schema() for name, model in models.items()}

    def describe(self) -> str:
        """The tools as a line of text each, for prompts."""
        lines = [
            f"- {name}: {(model.__doc__ or '').strip().splitlines()[0]}" for name, model in TOOLS.items()
        ]
        return "\n".join(lines)

    def langchain_tools(self) -> list[BaseTool]:
        """The same tools for anything that speaks LangChain's tool interface."""
        from langchain_core.tools import StructuredTool

        def runner(name: str) -> Any:
            async def run(**args: Any) -> str:
                result = await self.run(ToolCall(tool=name, args=args))
                return result.model_dump_json()

            return run

        models: dict[str, type[BaseModel]] = {**TOOLS, **JOINING}
        return [
            StructuredTool.from_function(
                coroutine=runner(name), name=name, description=model.__doc__ or name, args_schema=model
            )
            for name, model in models.items()
        ]

    async def run(
        self, call: ToolCall, *, stdin: str | None = None, timeout: float | None = None
    ) -> ToolResult:
        """Run one call.

        Args:
            call: what to run; its arguments may be anything a model wrote.
            stdin: text the first stage reads.
            timeout: seconds of wall clock, instead of the toolbox's own.
        """
        started = time.perf_counter()
        try:
            vectors = await asyncio.to_thread(self._vectors, call)
        except ToolError as error:
            return self._refused(call, error)
        seconds = timeout if timeout is not None else self.timeout
        limits = Confinement(self.root, self._sandbox, self.settings.max_memory_mb * 2**20, seconds)
        source = stdin.encode("utf-8", "surrogateescape") if stdin is not None else None
        result = ToolResult(
            tool=call.tool, returncode=-1, command=shown(vectors), sandbox_level=self._sandbox.level
        )
        try:
            async with asyncio.timeout(seconds):
                outcome = await run_pipeline(vectors, source, limits, self.settings.max_output_bytes)
        except TimeoutError:
            done = {"error": f"timed out after {seconds:g} seconds", "error_kind": "timeout"}
        except SandboxUnavailable as error:
            done = {"error": str(error), "error_kind": error.kind}
        except OSError as error:
            done = {"error": f"could not be started: {error}", "error_kind": "launch"}
        else:
            done = await asyncio.to_thread(self._told, outcome)
        return result.model_copy(update={**done, "duration": round(time.perf_counter() - started, 4)})

    def full_output(self, result: ToolResult) -> str:
        """The whole output, read back from the artifact when the result holds only head and tail.

        Raises:
            ToolError: the artifact is gone.
        """
        if result.artifact is None or self.artifacts is None:
            return result.stdout
        try:
            return (self.artifacts / Path(result.artifact).name).read_text("utf-8")
        except OSError as error:
            raise ToolError(
                f"The stored output {result.artifact} cannot be read: {error}.", "Run the step again."
            ) from error

    def _vectors(self, call: ToolCall) -> list[Vector]:
        return [stage_vector(stage, self.root) for stage in self._stages(call)]

    def _stages(self, call: ToolCall) -> list[Stage]:
        if call.tool == "command":
            return parse_command(parse_arguments(Command, call.tool, call.args).command, self.root)  # type: ignore[attr-defined]  # a Command
        if call.tool == "pipeline":
            return list(parse_arguments(Pipeline, call.tool, call.args).stages)  # type: ignore[attr-defined]  # a Pipeline
        if call.tool not in TOOLS:
            raise UnknownTool(f"There is no tool {call.tool!r}.", f"Use one of {', '.join(self.names)}.")
        return [Stage(tool=call.tool, args=dict(call.args))]

    def _refused(self, call: ToolCall, error: ToolError) -> ToolResult:
        command = str(call.args.get("command") or json.dumps(call.args, ensure_ascii=False, default=str))
        return ToolResult(
            tool=call.tool,
            returncode=-1,
            error=str(error),
            error_kind=error.kind,
            command=command if call.tool == "command" else f"{call.tool} {command}",
        )

    def _told(self, outcome: Outcome) -> dict[str, Any]:
        """The outcome in the terms of the protocol."""
        failed = outcome.failed
        told: dict[str, Any] = {
            "returncode": outcome.returncodes[failed] if failed is not None else outcome.returncodes[-1],
            "stderr": outcome.stderr.decode("utf-8", "backslashreplace"),
            "stage_returncodes": outcome.returncodes,
            "truncated": outcome.capped,
        }
        if outcome.left_out:
            told["stderr"] += (
                f"left out, because they lead outside the root: {', '.join(outcome.left_out[:10])}\n"
            )
        if outcome.capped:
            told |= {
                "returncode": -1,
                "error": f"output cut at {self.settings.max_output_bytes} bytes, so the call was stopped",
                "error_kind": "output_cap",
            }
        return told | self._kept(outcome.stdout)

    def _kept(self, stdout: bytes) -> dict[str, Any]:
        text = stdout.decode("utf-8", "backslashreplace")
        if self.artifacts is None or len(stdout) <= self.settings.state_output_bytes:
            return {"stdout": text}
        try:
            path = store(self.artifacts, text.encode("utf-8"))
        except OSError as error:
            # Nothing is lost: the state grows instead, and the reader is told.
            return {"stdout": text, "stderr": f"the output could not be kept in a file: {error}\n"}
        where = f"artifacts/{path.name}"
        return {"stdout": excerpt(text, self.settings.state_output_bytes, where), "artifact": where}
