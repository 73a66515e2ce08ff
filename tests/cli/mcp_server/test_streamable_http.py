from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.transport_security import TransportSecurityMiddleware

from cli.mcp_server.streamable_http import Door, allowed, door_of
from configs.errors import UsageError

TOKEN = "xyzzy-plugh"
NAMES = st.text(st.sampled_from("abc019.-:[]/%@ "), max_size=20)


async def answer(door: Door, port: int, host: str, origin: str | None = None) -> int:
    """What the SDK's own check makes of a request: 200 lets it in."""
    headers = {"host": host, "content-type": "application/json"} | ({"origin": origin} if origin else {})
    refused = await TransportSecurityMiddleware(allowed(door, port)).validate_request(
        SimpleNamespace(headers=headers),  # type: ignore[arg-type]  # it reads no more of a request
        is_post=True,
    )
    return refused.status_code if refused is not None else 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
async def test_this_machine_is_let_in_by_its_own_names(host: str) -> None:
    for name in ("127.0.0.1:8765", "localhost:8765", "[::1]:8765"):
        assert await answer(Door(host, 8765), 8765, name) == 200
        assert await answer(Door(host, 8765), 8765, name, f"http://{name}") == 200


@given(host=NAMES, origin=NAMES)
async def test_nobody_else_is(host: str, origin: str) -> None:
    door = Door("127.0.0.1", 8765)
    own = {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    assert await answer(door, 8765, host) == (200 if host in own else 421)
    assert await answer(door, 8765, "127.0.0.1:8765", f"http://{origin}") == (200 if origin in own else 403)


async def test_a_name_that_is_allowed_comes_with_or_without_the_port() -> None:
    door = Door("0.0.0.0", 80, TOKEN, ("light.example",))
    for host in ("light.example", "light.example:80", "localhost", "127.0.0.1:80"):
        assert await answer(door, 80, host) == 200
    assert await answer(door, 80, "light.example", "https://light.example") == 200
    assert await answer(door, 80, "light.example.evil", "https://light.example") == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert door_of(host, 1, None, ()) == Door(host, 1)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "example.com", "127.0.0.1.example.com", ""])
def test_any_other_does(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="--token-env"):
        door_of(host, 1, None, ())
    monkeypatch.setenv("LIGHTHOUSE", f" {TOKEN}\n")
    assert door_of(host, 1, "LIGHTHOUSE", ["name"]) == Door(host, 1, TOKEN, ("name",))


@pytest.mark.parametrize("value", [None, "", " \n"])
def test_a_variable_without_a_token_is_refused(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIGHTHOUSE", raising=False)
    if value is not None:
        monkeypatch.setenv("LIGHTHOUSE", value)
    with pytest.raises(UsageError, match="LIGHTHOUSE.* holds no token"):
        door_of("127.0.0.1", 1, "LIGHTHOUSE", ())


def test_a_door_shows_no_token() -> None:
    assert TOKEN not in repr(Door("0.0.0.0", 80, TOKEN))
