"""How a call that was let through is run: processes, changes of files, requests to servers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from configs.audit import AuditSettings
from configs.settings import ToolSettings
from tools.audit.asking import AuditCall
from tools.errors import BadArguments, SandboxUnavailable
from tools.looking import Look
from tools.mcp.servers import ToolServers
from tools.mcp.telling import told_answer
from tools.mcp.wording import shown_call
from tools.pipeline import Outcome, run_pipeline
from tools.protocol import Preview, ToolCall
from tools.sandbox.confinement import Confinement, Sandbox
from tools.stages import Vector
from tools.telling import Keeping, kept, told
from tools.writing import plan
from tools.writing.arguments import FILE_TOOLS
from tools.writing.programs import check_program, run_program
from tools.writing.threads import finished


@dataclass(frozen=True)
class Runner:
    """Runs calls below one root; what it returns are fields of a ToolResult.

    Attributes:
        root: resolved directory no call may leave.
        settings: limits.
        sandbox: isolation in force.
        artifacts: where outputs too long for the state are kept; without it they are kept whole.
        servers: tools of servers.
        audit: limits of the audit.
    """

    root: Path
    settings: ToolSettings
    sandbox: Sandbox
    artifacts: Path | None
    servers: ToolServers
    audit: AuditSettings

    async def read(self, look: Look, stdin: bytes | None, seconds: float) -> dict[str, Any]:
        """Run a checked call that only reads.

        Raises:
            ToolError: the audit it begins with cannot be done.
        """
        if look.audit is not None:
            return {"command": look.shown, **await self._audit(look.audit, look.vectors, stdin, seconds)}
        running = run_pipeline(look.vectors, stdin, self.limits(seconds), self.settings.max_output_bytes)
        done = await self._outcome(running, seconds)
        return {"command": look.shown, "sandbox_level": self.sandbox.level, **done}

    async def _audit(
        self, asked: AuditCall, vectors: Sequence[Vector], stdin: bytes | None, seconds: float
    ) -> dict[str, Any]:
        """Fields for an audit, and for the programs that read what it found."""
        if stdin is not None:
            raise BadArguments("audit reads no input.", "Name what it is to measure.")
        from tools.audit.calling import call_audit  # it needs numpy, which no other tool does

        cap = self.settings.max_output_bytes

        async def both() -> Outcome:
            called = await call_audit(self.root, asked, self.audit, self.settings.sandbox)
            told, remarks = called.stdout, called.stderr.encode("utf-8")
            if called.returncode:
                return Outcome(stderr=remarks, returncodes=[called.returncode], failed=0)
            if not vectors:
                return Outcome(told[:cap], remarks, [0], capped=len(told) > cap)
            rest = await run_pipeline(vectors, told, self.limits(seconds), cap)
            failed = None if rest.failed is None else rest.failed + 1
            return replace(
                rest, stderr=remarks + rest.stderr, returncodes=[0, *rest.returncodes], failed=failed
            )

        # Its workers read files and nothing else, but in no sandbox of the system's.
        return {"sandbox_level": "policy", **await self._outcome(both(), seconds)}

    async def write(
        self, call: ToolCall, stdin: bytes | None, seconds: float, expected: str | None
    ) -> dict[str, Any]:
        """Make a change; one that has begun is finished even if this is cancelled.

        Raises:
            ToolError: it is refused, or does not fit the approved preview.
        """
        command = {"command": plan.displayed(call)}
        if call.tool in FILE_TOOLS:
            if stdin is not None:
                raise BadArguments(f"{call.tool} reads no input.", "Give it what to write as an argument.")
            output = await finished(plan.execute, self.root, call, expected)
            stored = await asyncio.to_thread(kept, output.encode("utf-8"), self.keeping)
            return {**command, "returncode": 0, **stored}
        found = await asyncio.to_thread(self.preview, call)
        plan.check_fingerprint(found.fingerprint, expected)
        running = run_program(
            plan.arguments_of(call), stdin, self.limits(seconds), self.settings.max_output_bytes
        )
        done = await self._outcome(running, seconds)
        if done.get("error_kind") in ("timeout", "output_cap"):
            done["error"] += "; what the program had changed until then stays"
        return {**command, "sandbox_level": self.sandbox.level, **done}

    def preview(self, call: ToolCall) -> Preview:
        """What a change of files or a program would do; it reads files, so call it in a thread.

        Raises:
            ToolError: the call would be refused, or is none of a writing tool of this machine.
        """
        found = plan.preview(self.root, call)
        if call.tool not in FILE_TOOLS:
            check_program(plan.arguments_of(call), self.sandbox)
        return found

    async def ask_server(
        self, call: ToolCall, stdin: bytes | None, seconds: float, expected: str | None
    ) -> dict[str, Any]:
        """Call a server's tool, which was looked at.

        Raises:
            ToolError: it was refused, or did not answer properly.
        """
        if stdin is not None:
            raise BadArguments(f"{call.tool} reads no input.", "Give it what to read as an argument.")
        answer = await self.servers.call(call, seconds, expected)
        writes = self.servers.writes(call.tool)
        fields = await asyncio.to_thread(told_answer, answer, self.keeping, writes=writes)
        return {"command": shown_call(call), **fields}

    async def bytes_of(
        self, vectors: Sequence[Vector], seconds: float, stdin: bytes | None = None
    ) -> Outcome:
        """Run checked stages, and give the output as it is: not decoded, not excerpted, kept nowhere.

        Raises:
            TimeoutError: it took longer than `seconds`.
            OSError: a process cannot be started.
        """
        async with asyncio.timeout(seconds):
            return await run_pipeline(vectors, stdin, self.limits(seconds), self.settings.max_output_bytes)

    @property
    def keeping(self) -> Keeping:
        """Where outputs are kept."""
        below = self.artifacts is not None and self.artifacts.is_relative_to(self.root)
        named = str(self.artifacts.relative_to(self.root)) if self.artifacts and below else "artifacts"
        settings = self.settings
        return Keeping(self.artifacts, settings.state_output_bytes, settings.max_output_bytes, named)

    def limits(self, seconds: float) -> Confinement:
        """What a process may do."""
        return Confinement(self.root, self.sandbox, self.settings.max_memory_mb * 2**20, seconds)

    async def _outcome(self, running: Awaitable[Outcome], seconds: float) -> dict[str, Any]:
        """What processes did, or why they did not, in the terms of the protocol."""
        try:
            async with asyncio.timeout(seconds):
                outcome = await running
        except TimeoutError:
            return {"error": f"timed out after {seconds:g} seconds", "error_kind": "timeout"}
        except SandboxUnavailable as error:
            return {"error": str(error), "error_kind": error.kind}
        except OSError as error:
            return {"error": f"could not be started: {error}", "error_kind": "launch"}
        keeping = self.keeping
        if len(outcome.stdout) <= keeping.state_bytes:
            return told(outcome, keeping)  # nothing is written, so no thread is needed
        return await asyncio.to_thread(told, outcome, keeping)
