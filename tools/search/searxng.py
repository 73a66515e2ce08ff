"""A SearXNG server as a search back end; its `search.formats` must list json."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from configs.redaction import without_secrets
from configs.research import SearchSettings
from tools.errors import SearchUnavailable
from tools.search.items import Item
from tools.search.web_pages import MOST_BYTES
from tools.search.web_results import check_web_allowed, items_of, result_of

if TYPE_CHECKING:
    import httpx


class SearxngBackend:
    """Asks one SearXNG server, and reads the pages it names.

    Args:
        settings: of searches; `searxng_url` must be set.
        profile: that is in force.

    Raises:
        SearchForbidden: web searches are not allowed, or the profile is sovereign.
        SearchUnavailable: no server is named.
    """

    name = "searxng"

    def __init__(self, settings: SearchSettings, profile: str) -> None:
        check_web_allowed("SearXNG", settings, profile)
        if not settings.searxng_url:
            raise SearchUnavailable(
                "No SearXNG server is named.", "Set research.search.searxng_url to its address."
            )
        self._address = settings.searxng_url.rstrip("/")
        self._settings = settings
        self._notes: list[str] = []

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the searches so far."""
        return self._notes

    async def search(self, query: str, limit: int) -> list[Item]:
        """Pages for a query, the best first.

        Raises:
            SearchUnavailable: the server does not answer, or not with results.
        """
        import httpx

        # A search of this machine's own server must not go through somebody's proxy.
        local = httpx.URL(self._address).host in ("localhost", "127.0.0.1", "::1")
        async with httpx.AsyncClient(timeout=self._settings.timeout, trust_env=not local) as client:
            answer = await self._answer(client, query)
        entries = [entry for entry in answer if isinstance(entry, dict)]
        results = [result_of(entry, "url", "title", "content", "publishedDate") for entry in entries]
        found = [result for result in results if result is not None][:limit]
        return await items_of(found, self._settings, self._notes)

    async def _answer(self, client: httpx.AsyncClient, query: str) -> list[Any]:
        import httpx

        where = str(without_secrets("url", self._address))
        try:
            # The client's own limit is one for each piece, of which there may be many.
            async with asyncio.timeout(self._settings.timeout):
                status, content = await self._received(client, query)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as error:
            raise SearchUnavailable(
                f"Nothing answers at {where} ({type(error).__name__}).",
                "Start SearXNG, or correct research.search.searxng_url.",
            ) from error
        if status != 200:
            raise SearchUnavailable(
                f"SearXNG at {where} answers with status {status}.",
                "Add json to search.formats in its settings.yml." if status == 403 else "See its log.",
            )
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            answer = None
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise SearchUnavailable(f"{where} answers without results.", "Is it a SearXNG server?")
        self._tell_silent(answer)
        return results

    async def _received(self, client: httpx.AsyncClient, query: str) -> tuple[int, bytes]:
        asked = {"q": query, "format": "json"}
        async with client.stream("GET", f"{self._address}/search", params=asked) as response:
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MOST_BYTES:
                    raise SearchUnavailable(
                        f"SearXNG answers with more than {MOST_BYTES // 10**6} MB.", "Is it a SearXNG server?"
                    )
            return response.status_code, bytes(content)

    def _tell_silent(self, answer: dict[str, Any]) -> None:
        silent = answer.get("unresponsive_engines")
        if isinstance(silent, list) and silent:
            names = sorted({str(one[0] if isinstance(one, list) and one else one) for one in silent})
            note = f"Search engines that did not answer: {', '.join(names)[:200]}."
            if note not in self._notes:
                self._notes.append(note)
