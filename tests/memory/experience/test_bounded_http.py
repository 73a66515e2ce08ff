"""Answers that would not end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import httpx
import pytest

from memory.experience import bounded_http
from memory.experience.bounded_http import BoundedTransport
from memory.experience.chroma_address import chroma_server
from memory.experience.chroma_api import bounded_api


class Parts(httpx.SyncByteStream):
    """A body in parts, and whether it was closed."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        return self._parts

    def close(self) -> None:
        self.closed = True


def ask(body: Parts, most: int = 1000, headers: dict[str, str] | None = None) -> bytes:
    inner = httpx.MockTransport(lambda request: httpx.Response(200, headers=headers, stream=body))
    with httpx.Client(transport=BoundedTransport(inner, 5.0, most)) as client:
        return client.get("http://127.0.0.1/").content


@pytest.fixture(autouse=True)
def a_second_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()
    monkeypatch.setattr(bounded_http, "monotonic", lambda: float(next(seconds)))


def test_an_answer_arrives_whole() -> None:
    assert ask(Parts(iter([b"a", b"b"]))) == b"ab"


def test_an_answer_that_drips_is_given_up() -> None:
    body = Parts(itertools.repeat(b"x"))
    with pytest.raises(httpx.ReadTimeout, match="longer than 5 s"):
        ask(body)
    assert body.closed


def test_an_answer_that_is_too_long_is_given_up() -> None:
    body = Parts(itertools.repeat(b"x" * 600))
    with pytest.raises(httpx.RemoteProtocolError, match="longer than 1000 bytes"):
        ask(body)
    assert body.closed


def test_an_answer_that_is_packed_is_not_unpacked() -> None:
    body = Parts(iter([b"x"]))
    with pytest.raises(httpx.RemoteProtocolError, match="packed"):
        ask(body, headers={"Content-Encoding": "gzip"})
    assert body.closed


def test_chromas_client_is_bounded() -> None:
    api = bounded_api(chroma_server("http://127.0.0.1:1"), 1.0, 1.0)
    assert isinstance(api._session._transport, BoundedTransport)
    api.close()
