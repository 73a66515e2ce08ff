"""Calls of servers' tools: read, checked, shown, made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from tools.errors import (
    BadArguments,
    CallInterrupted,
    Changed,
    ServerTimedOut,
    ServerUnavailable,
    ToolError,
)
from tools.mcp.calling import Answer, call_once
from tools.mcp.catalogue import Catalogue, unusable
from tools.mcp.connection import address, reason, to_its_end
from tools.mcp.listing import Listing, ServerTool
from tools.mcp.schemas import arguments_text, misfits
from tools.mcp.wording import called_tool, check_plain, laid_out, read_arguments
from tools.protocol import Preview, ToolCall


@dataclass
class _Call:
    """How far a call got."""

    sent: bool = False


class ToolServers(Catalogue):
    """The tools of all servers of the settings, for one toolbox."""

    def read_command(self, command: str) -> ToolCall | None:
        """The call a command means if it names a server's tool, else None; the server must be looked at.

        Raises:
            ToolError: there is no such tool, or its arguments cannot be read.
        """
        parts = called_tool(command)
        if parts is None or parts[0] not in self._servers:
            return None
        server, name, rest = parts
        tool = self.tool(f"{server}.{name}")
        return ToolCall(tool=tool.full_name, args=read_arguments(tool.full_name, rest, tool.accepts))

    def check(self, call: ToolCall) -> ServerTool:
        """The tool of a call whose arguments fit.

        Raises:
            ToolError: there is no such tool, or they do not fit its schema.
        """
        tool = self.tool(call.tool)
        check_plain(call.tool, call.args)
        problems = misfits(tool.accepts, call.args)
        if problems:
            raise BadArguments(
                f"{call.tool}: {'; '.join(problems)}.",
                f"Its arguments are: {arguments_text(tool.accepts) or 'none'}.",
            )
        return tool

    def preview(self, call: ToolCall) -> Preview:
        """What a call would send, and to whom; nothing is asked.

        Raises:
            ToolError: the call would be refused.
        """
        tool = self.check(call)
        server = self._servers[tool.server]
        reached = server.url or list(server.command)
        parts = {"call": call.model_dump(mode="json"), "tool": tool.digest, "server": reached}
        text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
        return Preview(
            tool=call.tool,
            kind="request",
            summary=f"ask {tool.name} of the MCP server {tool.server} ({address(server)})",
            request=laid_out(call.args),
            fingerprint=hashlib.sha256(text.encode("ascii")).hexdigest(),
        )

    async def call(self, call: ToolCall, seconds: float, expected: str | None) -> Answer:
        """Call a tool, once; its program is gone when this returns or is cancelled.

        Args:
            call: what to call.
            seconds: it may take; the server's own timeout holds as well.
            expected: fingerprint of the preview that was approved, or None.

        Raises:
            CallInterrupted: it is not vouched to read only, it was sent, and there is no answer that can be
                used, so nobody knows what it did.
            ToolError: it was refused or not sent, or only reads and did not answer properly or in time.
        """
        if expected is not None and self.preview(call).fingerprint != expected:
            raise Changed("The call is not what was approved; nothing was done.", "Preview it again.")
        tool = self.check(call)
        server = self._servers[tool.server]
        progress = _Call()

        def sending() -> None:
            progress.sent = True

        def seen(listing: Listing) -> None:
            self._listings[tool.server] = listing

        limit = min(seconds, server.timeout)
        try:
            return await to_its_end(lambda: call_once(tool, call.args, server, sending, seen), limit)
        except Exception as error:  # As in listing: whatever a server can do wrong.
            raise self._told(error, call, progress, limit) from error

    def _told(self, error: Exception, call: ToolCall, progress: _Call, limit: float) -> ToolError:
        """An error of a call in our words, which say whether anything may have been done."""
        name = call.tool.partition(".")[0]
        server = self._servers[name]
        late = isinstance(error, TimeoutError)
        if progress.sent and self.writes(call.tool):
            why = f"there was no answer within {limit:g} s" if late else reason(error)
            return CallInterrupted(
                f"{call.tool} was asked, and whether it took effect is not known ({why}); it was not "
                "repeated.",
                "Look at what it was to change.",
            )
        if isinstance(error, ToolError):
            return error
        if late and not progress.sent:
            return ServerUnavailable(
                f"The MCP server {name!r} was not ready within {limit:g} s, so {call.tool} was not called.",
                f"Raise mcp.servers.{name}.timeout, or see whether it works at all: {address(server)}.",
            )
        if late:
            return ServerTimedOut(f"{call.tool} timed out after {limit:g} seconds.")
        return unusable(name, server, error)
