"""Answers over HTTP that end: httpx limits each wait for bytes, and neither all of them nor how many come."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import httpx

MOST_BYTES = 32_000_000
"""Of an answer; the ids and distances of a search are some hundred kilobytes."""


class BoundedTransport(httpx.BaseTransport):
    """Another transport, whose answers take no longer than some seconds and are of no more than some bytes.

    Args:
        inner: the transport.
        seconds: from an answer's head to its end; what it waits for the head is the inner one's to limit.
        most: bytes of an answer.
    """

    def __init__(self, inner: httpx.BaseTransport, seconds: float, most: int = MOST_BYTES) -> None:
        self._inner = inner
        self._seconds = seconds
        self._most = most

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; the body of its answer is bounded.

        Raises:
            httpx.TransportError: as the inner transport does, or the body is packed, and so of any size.
        """
        # A few packed bytes could stand for any number.
        request.headers["Accept-Encoding"] = "identity"
        response = self._inner.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            response.stream.close()
            raise httpx.RemoteProtocolError("the answer is packed, which was not asked for", request=request)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_BoundedStream(response.stream, request, self._seconds, self._most),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close the inner transport."""
        self._inner.close()


class _BoundedStream(httpx.SyncByteStream):
    def __init__(
        self, inner: httpx.SyncByteStream, request: httpx.Request, seconds: float, most: int
    ) -> None:
        self._inner = inner
        self._request = request
        self._seconds = seconds
        self._most = most
        self._until = monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._inner:
            size += len(part)
            if size > self._most:
                raise httpx.RemoteProtocolError(
                    f"the answer is longer than {self._most} bytes", request=self._request
                )
            if monotonic() > self._until:
                raise httpx.ReadTimeout(
                    f"the answer took longer than {self._seconds:g} s", request=self._request
                )
            yield part

    def close(self) -> None:
        self._inner.close()
