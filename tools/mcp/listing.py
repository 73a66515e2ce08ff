"""What tools a server has: bounded, escaped, and without those that cannot be told apart or called safely."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from configs.mcp import ToolServer
from configs.redaction import escaped
from tools.mcp.schemas import Schema, arguments_text, tamed

if TYPE_CHECKING:
    from mcp import Client

MOST_TOOLS = 40
MOST_PAGES = 10
MOST_SCHEMA_CHARS = 16_000
MOST_DESCRIPTION_CHARS = 160
# What a planner is shown of one server; a small model's window holds some 16,000 characters of everything.
MOST_SHOWN_CHARS = 6000

# The names the protocol asks for, as far as they can be one word of a command.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,63}")
_MOST_NAMED = 5


@dataclass(frozen=True)
class ServerTool:
    """One tool of a server.

    Attributes:
        server: the server's name in the settings.
        name: the tool's name there.
        description: what the server says of it, in one line, bounded and escaped.
        accepts: schema of its arguments, tamed.
        gives: schema of its structured content, tamed; None if it declares none.
        digest: SHA-256 of both schemas as the server sent them.
    """

    server: str
    name: str
    description: str
    accepts: Schema
    gives: Schema | None
    digest: str

    @property
    def full_name(self) -> str:
        """As plans name it."""
        return f"{self.server}.{self.name}"

    @property
    def line(self) -> str:
        """The tool in a line of a prompt; the server's own words stand between quotation marks."""
        said = f": {json.dumps(self.description, ensure_ascii=False)}" if self.description else ""
        return f"- {self.full_name}({arguments_text(self.accepts)}){said}"


@dataclass(frozen=True)
class Listing:
    """What a server lists.

    Attributes:
        tools: by their names there.
        problems: what is left out and why, or why there is nothing, a sentence each.
    """

    tools: Mapping[str, ServerTool] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


async def listed(client: Client, name: str, server: ToolServer) -> Listing:
    """The tools of a server that may be used.

    Args:
        client: connected to it.
        name: of the server in the settings.
        server: its settings.

    Raises:
        Exception: it does not answer as the protocol wants it.
    """
    found, cut = await _pages(client)
    return selected(found, cut, name, server)


async def _pages(client: Client) -> tuple[list[Any], bool]:
    """The tools of all pages, and whether there are more than are read."""
    found: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            return found, False
        if cursor in seen:
            return found, True
        seen.add(cursor)
    return found, True


def selected(found: Sequence[Any], cut: bool, name: str, server: ToolServer) -> Listing:
    """What may be used of the tools a server lists. Pure.

    Args:
        found: `mcp.types.Tool`s, as it lists them.
        cut: it lists more.
        name: of the server in the settings.
        server: its settings.
    """
    problems: list[str] = []
    counts = Counter(tool.name for tool in found)
    who = f"The MCP server {name!r}"

    def left_out(names: Sequence[str], why: str) -> None:
        shown = ", ".join(escaped(one)[:60] or "''" for one in names[:_MOST_NAMED])
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        if names:
            problems.append(f"{who}: left out {shown}{more}, {why}.")

    wanted = [tool for tool in found if not server.tools or tool.name in server.tools]
    missing = [one for one in (*server.tools, *server.read_only) if one not in counts]
    if missing:
        left_out(sorted(set(missing)), "which the settings name and it does not list")
    left_out([one for one, count in counts.items() if count > 1], "which it lists more than once")
    wanted = [tool for tool in wanted if counts[tool.name] == 1]
    left_out([tool.name for tool in wanted if not _NAME.fullmatch(tool.name)], "whose name no plan can hold")
    wanted = [tool for tool in wanted if _NAME.fullmatch(tool.name)]
    sizes = {tool.name: _size(tool) for tool in wanted}
    large = [one for one, size in sizes.items() if size > MOST_SCHEMA_CHARS]
    left_out(large, f"whose schemas are longer than {MOST_SCHEMA_CHARS} characters")
    wanted = [tool for tool in wanted if tool.name not in large]
    left_out(
        [tool.name for tool in wanted[MOST_TOOLS:]], f"because {MOST_TOOLS} tools of a server are the most"
    )
    if cut:
        problems.append(
            f"{who} lists more tools than are read; name those to use in mcp.servers.{name}.tools."
        )
    tools = [_tool(tool, name) for tool in wanted[:MOST_TOOLS]]
    return Listing({tool.name: tool for tool in tools}, tuple(problems))


def _size(tool: Any) -> int:
    return len(json.dumps([tool.input_schema, tool.output_schema], default=str))


def _tool(tool: Any, server: str) -> ServerTool:
    text = escaped(" ".join((tool.description or tool.title or "").split()))
    schemas = json.dumps([tool.input_schema, tool.output_schema], sort_keys=True, default=str)
    return ServerTool(
        server=server,
        name=tool.name,
        description=text if len(text) <= MOST_DESCRIPTION_CHARS else f"{text[:MOST_DESCRIPTION_CHARS]}…",
        accepts={**tamed(tool.input_schema), "type": "object"},
        gives=tamed(tool.output_schema) if tool.output_schema is not None else None,
        digest=hashlib.sha256(schemas.encode("utf-8", "backslashreplace")).hexdigest(),
    )


def lines_of(tools: Sequence[ServerTool]) -> list[str]:
    """The tools of one server as lines of a prompt; where they are too long, descriptions give way first."""
    lines = [tool.line for tool in tools]
    if sum(map(len, lines)) > MOST_SHOWN_CHARS:
        lines = [f"- {tool.full_name}({arguments_text(tool.accepts)})" for tool in tools]
    shown: list[str] = []
    for line in lines:
        if sum(map(len, shown)) + len(line) > MOST_SHOWN_CHARS:
            shown.append(f"- ... and {len(lines) - len(shown)} more")
            break
        shown.append(line)
    return shown
