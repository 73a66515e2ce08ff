"""The tools of one root: check a call, preview it, run it, say what it did. Nothing a model causes raises."""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from configs.audit import AuditSettings
from configs.settings import ToolSettings
from models.telemetry.tool_calls import tool_call
from tools.arguments import TOOLS, Command, Pipeline, Stage
from tools.artifacts import read_back
from tools.audit.asking import AUDIT, AuditCall
from tools.describing import langchain_tools, readers_text, writers_text
from tools.errors import AccessDenied, ToolError, UnknownTool
from tools.looking import Look, look_of
from tools.mcp.listing import ServerTool
from tools.mcp.servers import ToolServers
from tools.parser import parse_command
from tools.pipeline import Outcome
from tools.protocol import Preview, ToolCall, ToolResult
from tools.running import Runner
from tools.sameness import Signature, with_plain_paths
from tools.sandbox.confinement import Sandbox
from tools.sandbox.probe import choose
from tools.stages import encodable, parse_arguments, shown, stage_vector
from tools.telling import told
from tools.writing import plan
from tools.writing.arguments import WRITERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.tools import BaseTool

Access = Literal["read", "read_write", "full"]
READERS: dict[str, type[BaseModel]] = {**TOOLS, AUDIT: AuditCall}
JOINING: dict[str, type[BaseModel]] = {"pipeline": Pipeline, "command": Command}


class Toolbox:
    """Tools for one directory.

    Args:
        root: directory no call may leave.
        settings: limits and the sandbox wanted.
        access: "read" knows the read-only tools; "read_write" and "full" know the writing tools too. Who asks
            a person before a change is the caller's affair: `writes`, `preview` and `expected_fingerprint`
            are there for it.
        artifacts: where outputs too long for the state are kept; without it they are kept whole.
        timeout: seconds one call may take unless it says otherwise.
        servers: tools of servers, named `server.tool`; they are known once they were looked at (`look`).
        audit: limits of the tool `audit`.

    Raises:
        SandboxUnavailable: isolation is required and does not work here.
    """

    def __init__(
        self,
        root: Path,
        settings: ToolSettings,
        access: Access = "read",
        *,
        artifacts: Path | None = None,
        timeout: float = 60.0,
        servers: ToolServers | None = None,
        audit: AuditSettings | None = None,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.settings = settings
        self.access: Access = access
        self.artifacts = artifacts
        self.timeout = timeout
        self.servers = servers if servers is not None else ToolServers({}, "")
        self._runner = Runner(
            self.root, settings, choose(settings.sandbox), artifacts, self.servers, audit or AuditSettings()
        )

    @property
    def sandbox(self) -> Sandbox:
        """Isolation in force, and why it is not higher."""
        return self._runner.sandbox

    @property
    def sandbox_level(self) -> str:
        """Isolation in force: bwrap, landlock or policy."""
        return self._runner.sandbox.level

    @property
    def names(self) -> tuple[str, ...]:
        """Every tool a call may name."""
        return (*self._models, *(tool.full_name for tool in self._server_tools))

    @property
    def _server_tools(self) -> list[ServerTool]:
        reading = self.access == "read"
        return [tool for tool in self.servers.tools if not (reading and self.servers.writes(tool.full_name))]

    @property
    def _models(self) -> dict[str, type[BaseModel]]:
        return {**READERS, **({} if self.access == "read" else WRITERS), **JOINING}

    def writes(self, call: ToolCall) -> bool:
        """True if the call names a writing tool, whether or not this toolbox lets it write."""
        return call.tool in WRITERS or self.servers.writes(call.tool)

    async def ready(self, call: ToolCall) -> None:
        """Look at the server a call names, if it names one, so that the call can be checked."""
        if self.servers.owns(call.tool):
            await self.servers.look([call.tool.partition(".")[0]])

    def read_call(self, call: ToolCall) -> ToolCall:
        """A call as it is meant: a command that names a server's tool is a call of that tool.

        Raises:
            ToolError: the server has no such tool, or its arguments cannot be read.
        """
        command = call.args.get("command") if call.tool == "command" else None
        return (self.servers.read_command(command) if isinstance(command, str) else None) or call

    def check(self, call: ToolCall) -> None:
        """Everything that can be said before running; nothing is changed.

        Raises:
            ToolError: names the part that is refused and what to use instead.
        """
        if self.writes(call):
            self.preview(call)
        elif self.servers.owns(call.tool):
            self.servers.check(call)
        else:
            self._look(call)

    def signature(self, call: ToolCall) -> Signature:
        """What a call comes down to, so that a call in other quotes, blanks or option order is known again.

        A call that is refused, or writes, is the same as one with equal arguments only. What the arguments of
        a server's tool mean is its own affair.
        """
        if self.servers.owns(call.tool):
            return ((call.tool, json.dumps(call.args, sort_keys=True, default=str)),)
        try:
            if not self.writes(call):
                return self._look(call).signature(self.root)
        except ToolError:
            pass  # what cannot be run has no stages to compare
        return ((call.tool, json.dumps(with_plain_paths(call.args), sort_keys=True, default=str)),)

    def programs(self, call: ToolCall) -> tuple[str, ...]:
        """The programs a reading call runs, in order; an audit counts as one.

        Raises:
            ToolError: the call is refused.
        """
        return self._look(call).programs

    def preview(self, call: ToolCall) -> Preview:
        """What a writing call would do; nothing is changed. It reads files, so call it in a thread.

        Raises:
            ToolError: the call would be refused, or is none of a writing tool.
        """
        if self.writes(call):
            self._check_access(call)
        if self.servers.owns(call.tool):
            return self.servers.preview(call)
        return self._runner.preview(call)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """JSON schema of every tool's arguments."""
        schemas = {name: model.model_json_schema() for name, model in self._models.items()}
        return schemas | {tool.full_name: tool.accepts for tool in self._server_tools}

    def describe(self) -> str:
        """The tools that only read as a line of text each, for prompts; those of servers come last."""
        return readers_text(READERS, self.servers.describe(writing=False))

    @property
    def writers(self) -> tuple[str, ...]:
        """The writing tools a call may name."""
        own = [name for name in self._models if name in WRITERS]
        others = [tool.full_name for tool in self._server_tools]
        return (*own, *(name for name in others if self.servers.writes(name)))

    def describe_writers(self) -> str:
        """The writing tools as a line of text each, with their arguments, for prompts."""
        writers = {name: model for name, model in self._models.items() if name in WRITERS}
        return writers_text(writers, self.servers.describe(writing=True))

    def langchain_tools(self) -> list[BaseTool]:
        """The tools of this machine for anything that speaks LangChain's tool interface."""
        return langchain_tools(self._models, self.run)

    async def run(
        self,
        call: ToolCall,
        *,
        stdin: str | None = None,
        timeout: float | None = None,
        expected_fingerprint: str | None = None,
    ) -> ToolResult:
        """Run one call.

        A change of files that has begun is finished even if this is cancelled, so it is wholly done or not
        at all, and `timeout` does not cut it; `tools.writing.effects.effect_of` tells which. Processes die.

        Args:
            call: what to run; its arguments may be anything a model wrote.
            stdin: text the first stage reads.
            timeout: seconds of wall clock, instead of the toolbox's own.
            expected_fingerprint: of the approved preview; a writing call that does not fit it any more is
                refused with error_kind "changed".
        """
        with tool_call(call.tool, call.args, lambda: self.names) as recorded:
            result = await self._result(call, stdin, timeout, expected_fingerprint)
            recorded.did(result)
        return result

    async def _result(
        self, call: ToolCall, stdin: str | None, timeout: float | None, expected_fingerprint: str | None
    ) -> ToolResult:
        started = time.perf_counter()
        seconds = timeout if timeout is not None else self.timeout
        source = stdin.encode("utf-8", "surrogateescape") if stdin is not None else None
        try:
            done = await self._done(call, source, seconds, expected_fingerprint)
        except ToolError as error:
            return self._refused(call, error, time.perf_counter() - started)
        result = ToolResult(tool=call.tool, returncode=-1)
        return result.model_copy(update={**done, "duration": round(time.perf_counter() - started, 4)})

    async def bytes_of(self, stages: Sequence[Stage]) -> tuple[str, Outcome]:
        """Run reading stages, and give the output as it is: not decoded, not excerpted, kept nowhere.

        Returns:
            The stages as a person would type them, and what they did.

        Raises:
            ToolError: a stage is refused; nothing has run.
            TimeoutError: it took longer than the toolbox's timeout.
            OSError: a process cannot be started.
        """
        arguments = {"stages": [stage.model_dump(mode="json") for stage in stages]}
        with tool_call("pipeline", arguments, lambda: self.names) as recorded:
            vectors = await asyncio.to_thread(lambda: [stage_vector(stage, self.root) for stage in stages])
            outcome = await self._runner.bytes_of(vectors, self.timeout)
            whole = told(outcome, replace(self._runner.keeping, artifacts=None))
            recorded.did(ToolResult(tool="pipeline", sandbox_level=self.sandbox_level, **whole))
        return shown(vectors), outcome

    async def _done(
        self, call: ToolCall, stdin: bytes | None, seconds: float, expected: str | None
    ) -> dict[str, Any]:
        if self.writes(call):
            self._check_access(call)
        if self.servers.owns(call.tool):
            await self.ready(call)
            return await self._runner.ask_server(call, stdin, seconds, expected)
        if self.writes(call):
            return await self._runner.write(call, stdin, seconds, expected)
        look = await asyncio.to_thread(self._look, call)
        return await self._runner.read(look, stdin, seconds)

    def _check_access(self, call: ToolCall) -> None:
        if self.access == "read":
            raise AccessDenied(
                f"{call.tool} writes, and here tools only read.",
                "Set profile to one whose profiles.<name>.tools is read_write or full, as dev and sovereign.",
            )

    def full_output(self, result: ToolResult) -> str:
        """The whole output, read back from the artifact when the result holds only head and tail.

        Raises:
            ArtifactLost: it is gone, or is not what was stored.
        """
        if result.artifact is None or self.artifacts is None:
            return result.stdout
        return read_back(self.artifacts / Path(result.artifact).name)

    def _look(self, call: ToolCall) -> Look:
        return look_of(self._stages(call), self.root)

    def _stages(self, call: ToolCall) -> list[Stage]:
        if call.tool == "command":
            return parse_command(parse_arguments(Command, call.tool, call.args).command, self.root)  # type: ignore[attr-defined]  # a Command
        if call.tool == "pipeline":
            return list(parse_arguments(Pipeline, call.tool, call.args).stages)  # type: ignore[attr-defined]  # a Pipeline
        if call.tool not in READERS:
            raise UnknownTool(f"There is no tool {call.tool!r}.", f"Use one of {', '.join(self.names)}.")
        return [Stage(tool=call.tool, args=dict(call.args))]

    def _refused(self, call: ToolCall, error: ToolError, seconds: float) -> ToolResult:
        command = str(call.args.get("command") or json.dumps(call.args, ensure_ascii=False, default=str))
        if self.writes(call) or self.servers.owns(call.tool):
            command = plan.displayed(call)
        elif call.tool != "command":
            command = f"{call.tool} {command}"
        return ToolResult(
            tool=call.tool,
            returncode=-1,
            error=str(error),
            error_kind=error.kind,
            command=encodable(command),
            duration=round(seconds, 4),
        )
