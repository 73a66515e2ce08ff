"""A server of the Model Context Protocol as a search back end, through its reference package (extra `mcp`).

What a server says is data: its results become items like those of any search, and its descriptions of itself
and of its tools are read by nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from configs.redaction import escaped
from configs.research import McpServer, SearchSettings
from tools.errors import SearchForbidden, SearchUnavailable
from tools.mcp.connection import INSTALL, PACKAGE, address, connected, is_installed, reason, to_its_end
from tools.search.copies import with_copies
from tools.search.items import Item
from tools.search.mcp_results import McpResult, items_of, results_of, whole_text
from tools.search.merging import merged

if TYPE_CHECKING:
    from mcp import Client

PREFIX = "mcp:"

_AT_ONCE = 4
_QUERY_NAMES = ("query", "q", "search_query", "search", "question", "keywords", "text")
_LIMIT_NAMES = ("limit", "max_results", "num_results", "top_k", "count", "k", "n")


class McpBackend:
    """Asks one tool of one server; a program is started for each search and ended after it.

    Args:
        name: of the server in the settings.
        settings: of searches.
        profile: that is in force.

    Raises:
        SearchForbidden: the server is not on this machine and web searches are not allowed, or it is not said
            to be local and the profile is sovereign.
        SearchUnavailable: no server has that name, or the package is not installed.
    """

    name = "mcp"

    def __init__(self, name: str, settings: SearchSettings, profile: str) -> None:
        server = settings.mcp.get(name)
        if server is None:
            there = ", ".join(map(escaped, sorted(settings.mcp))) or "none"
            raise SearchUnavailable(
                f"No MCP server is called {escaped(name)!r}; there are: {there}.",
                f"Describe it under research.search.mcp.{escaped(name) or 'NAME'} in the settings.",
            )
        _check_allowed(name, server, settings, profile)
        if not is_installed():
            raise SearchUnavailable(f"The package {PACKAGE} is not installed.", INSTALL)
        self._server_name = name
        self._server = server
        self._settings = settings
        self._notes: list[str] = []

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the searches so far."""
        return self._notes

    async def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, in the order the server gives them.

        Raises:
            SearchUnavailable: the server cannot be started or reached, fails, or has no such tool.
        """
        who = f"The MCP server {escaped(self._server_name)!r}"
        try:
            results = await to_its_end(lambda: self._results(query, limit), self._settings.timeout)
        except SearchUnavailable:
            raise
        except TimeoutError as error:
            raise SearchUnavailable(
                f"{who} did not answer within {self._settings.timeout:g} s.",
                "Raise research.search.timeout, or see whether it works at all: "
                + address(self._server)
                + ".",
            ) from error
        except Exception as error:  # Its pipes, its JSON, its protocol: each fails with errors of its own.
            raise SearchUnavailable(
                f"{who} cannot be used ({reason(error)}).",
                f"See whether it works at all: {address(self._server)}.",
            ) from error
        found, told = items_of(results[:limit], self._server_name, self._settings.max_document_chars)
        kept, more = merged(found)
        for note in (*told, *more):
            if note not in self._notes:
                self._notes.append(note)
        return with_copies(kept)

    async def _results(self, query: str, limit: int) -> list[McpResult]:
        async with connected(self._server) as client:
            schema = await self._schema(client, self._server.tool)
            arguments = self._arguments(schema, query, limit)
            answer = await client.call_tool(self._server.tool, arguments)
            self._check(answer, self._server.tool)
            results = results_of(answer)
            if self._server.fetch is None:
                return results
            return await self._fetched(client, self._server.fetch, results[:limit])

    async def _schema(self, client: Client, tool: str) -> Mapping[str, Any]:
        listed = (await client.list_tools()).tools
        for one in listed:
            if one.name == tool:
                return one.input_schema
        there = ", ".join(escaped(one.name)[:60] for one in listed[:20]) or "none"
        raise SearchUnavailable(
            f"The MCP server {escaped(self._server_name)!r} has no tool {escaped(tool)!r}; it has: {there}.",
            f"Correct research.search.mcp.{escaped(self._server_name)}.",
        )

    def _arguments(self, schema: Mapping[str, Any], query: str, limit: int) -> dict[str, Any]:
        """The query, and how many results are wanted where the tool can be told."""
        properties = schema.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        name = self._server.query or _query_argument(schema, known)
        if name is None:
            raise SearchUnavailable(
                f"Which argument of {escaped(self._server.tool)!r} takes the query cannot be told.",
                f"Name it: research.search.mcp.{escaped(self._server_name)}.query.",
            )
        counted = [one for one in _LIMIT_NAMES if _type(known.get(one)) == "integer"]
        return {name: query} | ({counted[0]: limit} if counted else {})

    def _check(self, answer: Any, tool: str) -> None:
        if answer.is_error:
            said = " ".join(whole_text(answer).split())[:200]
            raise SearchUnavailable(
                f"The tool {escaped(tool)!r} of the MCP server {escaped(self._server_name)!r} failed"
                + (f": {escaped(said)}" if said else "."),
                "See the server's own log.",
            )

    async def _fetched(self, client: Client, tool: str, results: list[McpResult]) -> list[McpResult]:
        """Results with the whole texts their `id`s stand for; one that cannot be had keeps its snippet."""
        gate = asyncio.Semaphore(_AT_ONCE)
        from mcp import MCPError

        async def fetched(result: McpResult) -> McpResult:
            if not result.key:
                return result
            async with gate:
                try:
                    answer = await client.call_tool(tool, {"id": result.key})
                    self._check(answer, tool)
                except (MCPError, SearchUnavailable) as error:
                    where = escaped(result.url or result.key)[:200]
                    self._notes.append(
                        f"{where} could not be fetched ({reason(error)}); its snippet was read."
                    )
                    return result
            whole = results_of(answer)
            return result.filled(whole[0]) if whole else result

        return await asyncio.gather(*(fetched(result) for result in results))


def _check_allowed(name: str, server: McpServer, settings: SearchSettings, profile: str) -> None:
    if profile == "sovereign" and not server.local:
        raise SearchForbidden(
            f"The profile 'sovereign' keeps everything on this machine; the MCP server {escaped(name)!r} may "
            "send the query away.",
            f"If its program asks no network, set research.search.mcp.{escaped(name)}.local to true.",
        )
    if server.url is not None and not settings.web:
        raise SearchForbidden(
            f"The MCP server {escaped(name)!r} would be sent the query, which is not allowed.",
            "Set research.search.web to true.",
        )


def _query_argument(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str | None:
    """The argument that takes the query: the one text there must be, else the one of a usual name."""
    texts = [name for name, about in known.items() if _type(about) == "string"]
    required = schema.get("required")
    needed = [name for name in texts if isinstance(required, list) and name in required]
    named = [name for name in _QUERY_NAMES if name in texts]
    for names in (needed, named, texts):
        if len(names) == 1 or (names and names is named):
            return names[0]
    return None


def _type(about: object) -> object:
    return about.get("type") if isinstance(about, Mapping) else None
