"""What a search back end is. Add one in a file: a class with these names, and a line in `opening.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tools.search.items import Item


class SearchBackend(Protocol):
    """Finds documents.

    Attributes:
        name: what a report calls it, e.g. "folder".
    """

    name: str

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the searches so far, one sentence each.

        Which embedding model was used, which files could not be read, what was left out.
        """
        ...

    async def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, the best first, each url once.

        Args:
            query: any text in any language; nothing in it is an operator.
            limit: documents at most.

        Raises:
            SearchUnavailable: the back end cannot be reached or may not be used.
        """
        ...
