"""Chroma's own client for a server, with a limit to how long it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
from chromadb.api.fastapi import FastAPI
from chromadb.config import Settings, System

from memory.experience.bounded_http import BoundedTransport

if TYPE_CHECKING:
    from memory.experience.chroma_address import ChromaServer


class BoundedApi(FastAPI):
    """Chroma's client, which by itself waits for ever, and asks whatever proxy the environment names."""

    def close(self) -> None:
        """Close its sockets."""
        self.stop()
        self._session.close()

    def bounded(self, connecting: float, answering: float) -> None:
        """Wait no longer than these seconds for a connection, and for an answer."""
        unbounded = self._session
        inner = httpx.HTTPTransport(limits=self.http_limits, trust_env=False)
        self._session = httpx.Client(
            transport=BoundedTransport(inner, answering),
            timeout=httpx.Timeout(answering, connect=connecting),
            headers=unbounded.headers,
            trust_env=False,
            follow_redirects=False,
        )
        unbounded.close()


def bounded_api(server: ChromaServer, connecting: float, answering: float) -> BoundedApi:
    """A client of a server; it asks nothing yet.

    Args:
        server: the server.
        connecting: seconds a connection may take.
        answering: seconds an answer may take.
    """
    headers = {"Authorization": server.authorization} if server.authorization else {}
    settings = Settings(
        anonymized_telemetry=False,
        chroma_api_impl="chromadb.api.fastapi.FastAPI",
        chroma_server_host=str(server),
        chroma_server_http_port=server.port,
        chroma_server_ssl_enabled=server.secure,
        chroma_server_headers=headers,
    )
    api = BoundedApi(System(settings))
    api.bounded(connecting, answering)
    return api
