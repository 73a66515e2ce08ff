"""One call of a server's tool: sent once, waited for, its answer bounded and held to what was declared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from configs.mcp import ToolServer
from configs.redaction import escaped
from tools.errors import Changed, ServerAnswerRefused
from tools.mcp.connection import connected
from tools.mcp.listing import Listing, ServerTool, listed
from tools.mcp.schemas import misfits

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_MIME_CHARS = 60


@dataclass(frozen=True)
class Answer:
    """What a tool answered.

    Attributes:
        output: its texts, or its structured content as JSON; UTF-8.
        failed: the tool says that it failed; `output` says why.
        remarks: what of the answer is left out, a line each.
    """

    output: bytes
    failed: bool
    remarks: tuple[str, ...] = ()


async def call_once(
    tool: ServerTool,
    args: dict[str, Any],
    server: ToolServer,
    sending: Callable[[], None],
    seen: Callable[[Listing], None],
) -> Answer:
    """Connect, see that the tool is still what it was, call it, and read the answer.

    Args:
        tool: as it was listed when the call was checked.
        args: its arguments.
        server: its settings.
        sending: called just before the request is sent; from then on nobody knows what the tool has done.
        seen: told what the server lists now.

    Raises:
        Changed: the tool is gone or takes other arguments than it did; it was not called.
        ServerAnswerRefused: the answer is not what the tool declares.
        Exception: the connection, the program or the protocol fails.
    """
    async with connected(server) as client:
        now = await listed(client, tool.server, server)
        seen(now)
        found = now.tools.get(tool.name)
        if found is None or found.digest != tool.digest:
            what = "is gone" if found is None else "takes or gives something else"
            raise Changed(
                f"The server's tool {tool.full_name} {what} since it was looked at; it was not called.",
                "Plan the step anew.",
            )
        sending()
        return answer_of(await _sent(client.session, tool.name, args), tool)


async def _sent(session: Any, name: str, args: dict[str, Any]) -> CallToolResult:
    """The raw answer; the package's own call would check it against a schema that may never end."""
    from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

    request = CallToolRequest(params=CallToolRequestParams(name=name, arguments=args))
    answer: CallToolResult = await session.send_request(request, CallToolResult)
    return answer


def answer_of(result: CallToolResult, tool: ServerTool) -> Answer:
    """What a result says. Pure.

    Raises:
        ServerAnswerRefused: its structured content is missing or not what the tool declares.
    """
    structured = result.structured_content
    if tool.gives is not None and not result.is_error:
        problems = ["there is none"] if structured is None else misfits(tool.gives, structured)
        if problems:
            raise ServerAnswerRefused(
                f"The answer of {tool.full_name} is not what it declares: structured content: "
                f"{'; '.join(problems)}.",
                "Nothing of it is used; the server is at fault.",
            )
    texts: list[str] = []
    remarks: list[str] = []
    for block in result.content:
        text = _text_of(block)
        if text is None:
            kind = escaped(str(getattr(block, "mime_type", None) or block.type))[:_MIME_CHARS]
            remarks.append(f"left out a part of the answer that is no text ({kind})")
        else:
            texts.append(text)
    output = "\n".join(texts)
    if not output.strip() and structured is not None:
        output = json.dumps(structured, ensure_ascii=False, indent=2)
    return Answer(output.encode("utf-8", "backslashreplace"), bool(result.is_error), tuple(remarks))


def _text_of(block: Any) -> str | None:
    """The text of a block: its own, that of a resource in it, or a link's name and address."""
    if block.type == "text":
        return str(block.text)
    if block.type == "resource_link":
        return f"{block.name}: {block.uri}"
    if block.type == "resource" and hasattr(block.resource, "text"):
        return str(block.resource.text)
    return None
