"""Connections to the public web only: a name is resolved once, and the address that was checked is asked.

A name that is resolved for a check and again for the connection may have another address by then (DNS
rebinding), so the connection is made to the checked address; the name stays in `Host` and in TLS.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence

import httpx

from tools.search.extraction.document import Unreadable

_MOST_TRIED = 3
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052
_COMPATIBLE = ipaddress.IPv6Network("::/96")  # RFC 4291, deprecated


class PublicTransport(httpx.AsyncBaseTransport):
    """Sends requests to public addresses, and to no other.

    Raises:
        Unreadable: the name stands for an address of this machine or its network.
    """

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Resolve, check and send."""
        name = request.url.raw_host.decode("ascii")
        addresses = await public_addresses(name, request.url.port or _default_port(request.url))
        request.extensions = {**request.extensions, "sni_hostname": name}
        failed: httpx.ConnectError | None = None
        for address in addresses[:_MOST_TRIED]:
            pinned = httpx.Request(
                request.method,
                request.url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions=request.extensions,
            )
            try:
                return await self._inner.handle_async_request(pinned)
            except httpx.ConnectError as error:
                failed = error
        raise failed or httpx.ConnectError(f"{name} has no address")

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


async def public_addresses(host: str, port: int) -> list[str]:
    """Addresses of a name, if all of them are public.

    Raises:
        Unreadable: one is of this machine or its network.
        OSError: the name is not known.
    """
    found = await resolve(host, port)
    if not found or not all(is_public(address) for address in found):
        raise Unreadable("lies on this machine or its network (research.search.private_addresses)")
    return list(found)


async def resolve(host: str, port: int) -> Sequence[str]:
    """Addresses of a name, each once.

    Raises:
        OSError: the name is not known.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


def is_public(address: str) -> bool:
    """True for an address of the public internet; one that wraps another is what it wraps."""
    found = ipaddress.ip_address(address.split("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        wrapped = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if wrapped is None and (found in _NAT64 or found in _COMPATIBLE):
            wrapped = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_public(str(wrapped))
    return found.is_global and not found.is_multicast and not found.is_reserved


def _default_port(url: httpx.URL) -> int:
    return 443 if url.scheme == "https" else 80
