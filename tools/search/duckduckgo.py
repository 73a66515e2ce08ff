"""DuckDuckGo as a search back end, through the ddgs package, which comes with the extra `web`."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence
from typing import Any

from configs.research import SearchSettings
from tools.errors import SearchUnavailable
from tools.search.items import Item
from tools.search.web_results import check_web_allowed, items_of, result_of

PACKAGE = "ddgs"


class DuckDuckGoBackend:
    """Asks DuckDuckGo, and reads the pages it names.

    Args:
        settings: of searches.
        profile: that is in force.

    Raises:
        SearchForbidden: web searches are not allowed, or the profile is sovereign.
        SearchUnavailable: the package is not installed.
    """

    name = "duckduckgo"

    def __init__(self, settings: SearchSettings, profile: str) -> None:
        check_web_allowed("DuckDuckGo", settings, profile)
        if importlib.util.find_spec(PACKAGE) is None:
            raise SearchUnavailable(
                f"The package {PACKAGE} is not installed.", "pip install 'reflective-graph[web]'."
            )
        self._settings = settings
        self._notes: list[str] = []

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the searches so far."""
        return self._notes

    async def search(self, query: str, limit: int) -> list[Item]:
        """Pages for a query, the best first.

        Raises:
            SearchUnavailable: DuckDuckGo does not answer.
        """
        entries = await asyncio.to_thread(self._answer, query, limit)
        results = [result_of(entry, "href", "title", "body") for entry in entries]
        found = [result for result in results if result is not None][:limit]
        return await items_of(found, self._settings, self._notes)

    def _answer(self, query: str, limit: int) -> list[dict[str, Any]]:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException

        try:
            with DDGS(timeout=round(self._settings.timeout)) as engine:
                return list(engine.text(query, max_results=limit, backend="duckduckgo"))
        except DDGSException as error:
            if "No results" in str(error):
                return []
            raise SearchUnavailable(
                f"DuckDuckGo does not answer ({error}).", "Try again later, or search a folder with --corpus."
            ) from error
