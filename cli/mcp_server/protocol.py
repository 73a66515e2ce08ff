"""What the protocol asks for: the list of tools, a call, and its result."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import anyio
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from cli.mcp_server.calls import Calls
from cli.mcp_server.engine_tool import Call, EngineTool, Outcome, Site
from cli.mcp_server.offers import TOOLS
from cli.mcp_server.progress import Progress
from configs.errors import ReflectError, UsageError
from configs.prompting import render
from configs.redaction import escaped

# Where a transport that can tell leaves an event that is set when the client of a request has gone.
LEFT = "reflect.client_left"
_SHOWN_PROBLEMS = 5

_log = logging.getLogger(__name__)


def server_of(site: Site, calls: Calls, tools: Sequence[EngineTool[Any]] = TOOLS) -> Server[Any]:
    """The server, not yet connected to any client.

    Args:
        site: what all calls are about.
        calls: by which they are run and ended.
        tools: that are offered.
    """
    by_name = {tool.name: tool for tool in tools}
    listed = [described(tool) for tool in tools]

    async def list_tools(
        context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        tool = by_name.get(params.name)
        if tool is None:
            what = f"There is no tool {escaped(params.name[:100])!r}; there are: {', '.join(by_name)}."
            raise MCPError(INVALID_PARAMS, what)
        try:
            given = tool.arguments.model_validate(whole_characters(params.arguments or {}))
        except ValidationError as error:
            return refused(tool, error)
        return await _called(tool, given, Call(site, Progress()), calls, context)

    return Server(
        "reflective-graph",
        version=_own_version(),
        title="Reflective Graph",
        instructions=render("mcp_server"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema={tool.name: tool.input_schema for tool in listed}.get,
    )


def _own_version() -> str:
    try:
        return version("reflective-graph")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return ""


async def _called(
    tool: EngineTool[Any], given: Any, call: Call, calls: Calls, context: ServerRequestContext[Any]
) -> CallToolResult:
    """Run a call, its progress told before its result; one whose client has gone is ended."""
    result = failure(ReflectError("The client has gone."))
    async with anyio.create_task_group() as watching:
        left = getattr(context.request, "scope", {}).get(LEFT)
        if isinstance(left, asyncio.Event):
            watching.start_soon(_cancel_when, left, watching.cancel_scope)
        async with anyio.create_task_group() as telling:
            telling.start_soon(call.progress.send_all, context.session.report_progress)
            try:
                result = await _result(tool, given, call, calls)
            finally:
                call.progress.close()
        watching.cancel_scope.cancel()
    return result


async def _cancel_when(left: asyncio.Event, scope: anyio.CancelScope) -> None:
    await left.wait()
    scope.cancel()


async def _result(tool: EngineTool[Any], given: Any, call: Call, calls: Calls) -> CallToolResult:
    try:
        control = call.control if tool.has_thread else None
        outcome = await calls.run(lambda: tool.run(call, given), control, call.progress.tell)
    except ReflectError as error:
        return failure(error)
    except Exception as error:  # The client is told that it failed; why is in the log, with the traceback.
        _log.exception("The tool %s failed.", tool.name)
        what = f"The tool {tool.name} failed unexpectedly ({type(error).__name__})."
        return failure(ReflectError(what, "See the log of the server, which is its standard error."))
    return success(outcome)


def described(tool: EngineTool[Any]) -> Tool:
    """A tool as clients see it, its schemas made of its models."""
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments.model_json_schema(),
        output_schema=tool.result.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=tool.read_only,
            open_world_hint=tool.open_world,
        ),
    )


def success(outcome: Outcome) -> CallToolResult:
    """The result of a call that came to an end; a run that failed is marked as an error."""
    return CallToolResult(
        content=[TextContent(text=whole_characters(outcome.text))],
        structured_content=whole_characters(outcome.result.model_dump(mode="json")),
        is_error=outcome.failed,
    )


def failure(error: ReflectError) -> CallToolResult:
    """The result of a call that gave nothing: what happened, and what to do."""
    return CallToolResult(
        content=[TextContent(text=whole_characters(f"{error.what}\n{error.remedy}".rstrip()))], is_error=True
    )


def refused(tool: EngineTool[Any], error: ValidationError) -> CallToolResult:
    """The result of a call whose arguments do not fit; values are not repeated, they may be long."""
    problems = [
        f"{escaped('.'.join(map(str, one['loc']))[:100]) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_input=False, include_url=False)[:_SHOWN_PROBLEMS]
    ]
    return failure(
        UsageError(
            f"The arguments of {tool.name} do not fit: {'; '.join(problems)}.",
            f"It takes: {', '.join(tool.arguments.model_fields)}; its input schema says how.",
        )
    )


def whole_characters(value: Any) -> Any:
    """JSON whose texts hold no halves of characters, which could be neither written nor sent."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
