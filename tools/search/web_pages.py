"""Pages of the web: fetched within limits, and their text extracted."""

from __future__ import annotations

import asyncio
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from tools.search.extraction import html, markdown
from tools.search.extraction.document import Extracted, Unreadable

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 5_000_000
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class PageLimits:
    """How pages are fetched.

    Attributes:
        seconds: one page may take.
        private: whether addresses of this machine and its network may be asked.
    """

    seconds: float
    private: bool = False


def page_client(limits: PageLimits) -> httpx.AsyncClient:
    """A client that reads pages; unless private addresses are allowed, it connects to public ones only."""
    import httpx

    from tools.search.web_addresses import PublicTransport

    transport = None if limits.private else PublicTransport()
    return httpx.AsyncClient(timeout=limits.seconds, transport=transport)


async def read_page(client: httpx.AsyncClient, url: str, limits: PageLimits) -> Extracted:
    """Fetch a page and extract its text.

    Args:
        client: of `page_client`.
        url: of the page.
        limits: how it is fetched.

    Raises:
        Unreadable: it cannot be fetched, may not be, or holds no text.
    """
    import httpx

    try:
        async with asyncio.timeout(limits.seconds):
            kind, content = await _fetch(client, url, limits)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise Unreadable(f"did not come within {limits.seconds:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise Unreadable(f"cannot be fetched ({type(error).__name__})") from error
    extract = html.extract if "html" in kind else markdown.extract if kind.startswith("text/") else None
    if extract is None:
        raise Unreadable(f"is {kind or 'of no kind'}, no page")
    return await asyncio.to_thread(extract, content)


async def _fetch(client: httpx.AsyncClient, url: str, limits: PageLimits) -> tuple[str, bytes]:
    for _ in range(_MOST_REDIRECTS + 1):
        if not limits.private and urllib.request.getproxies():
            # A proxy resolves by itself; it is not asked for what is seen to be private from here.
            await _check_public(url)
        async with client.stream("GET", url, follow_redirects=False) as response:
            if response.status_code in _REDIRECTS and "location" in response.headers:
                url = urljoin(url, response.headers["location"])
                continue
            if response.status_code != 200:
                raise Unreadable(f"answers with status {response.status_code}")
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MOST_BYTES:
                    raise Unreadable(f"is larger than {MOST_BYTES // 10**6} MB")
            return response.headers.get("content-type", "").split(";")[0].strip().lower(), bytes(content)
    raise Unreadable(f"leads on more than {_MOST_REDIRECTS} times")


async def _check_public(url: str) -> None:
    """Refuse what is not the public web: a search result must not have this machine's network asked."""
    import httpx

    from tools.search.web_addresses import public_addresses

    parts = httpx.URL(url)
    if parts.scheme not in ("http", "https") or not parts.host:
        raise Unreadable("is no address of the web")
    await public_addresses(parts.host, parts.port or 443)
