"""The guard in front of every route, and the page behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph_sdk import Auth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from configs.admission import STUDIO
from configs.errors import UsageError
from console import access
from console.access import Door, Guard, door_of, is_open
from console.app import HEADERS, app, routes_of

TOKEN = "a-long-token"
EVERYTHING = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]
LANGGRAPHS = [
    "/",
    "/info",
    "/docs",
    "/openapi.json",
    "/metrics",
    "/assistants/search",
    "/threads",
    "/runs/stream",
    "/store/items",
    "/mcp",
    "/a2a/x",
    "/ui/x",
    "/console/api",
    "/console/api/models",
    "/console/api/about/x",
]


async def reached(request: Request) -> Response:
    return JSONResponse({"private": dict(request.headers).get("access-control-request-private-network", "")})


def guarded(door: Door) -> Starlette:
    return Starlette(
        routes=[Route("/{path:path}", reached, methods=EVERYTHING)], middleware=[Middleware(Guard, door=door)]
    )


def asked(
    door: Door, method: str, path: str, headers: Mapping[str, str] = {}, peer: str = "127.0.0.1", **more: Any
) -> httpx.Response:
    async def once() -> httpx.Response:
        transport = httpx.ASGITransport(guarded(door), client=(peer, 40000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:2024") as client:
            return await client.request(method, path, headers=dict(headers), **more)

    return asyncio.run(once())


OPEN_DOOR = Door(None, frozenset())
CLOSED_DOOR = Door(TOKEN, frozenset({"box.lan"}))


@pytest.mark.parametrize(
    ("peer", "let_in"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("10.0.0.9", False), ("fe80::1", False)],
)
def test_another_machine_needs_a_token_whatever_name_it_calls(peer: str, let_in: bool) -> None:
    for path in ("/console/", "/ok", "/threads"):
        for host in ("localhost", "127.0.0.1:2024"):
            answer = asked(OPEN_DOOR, "GET", path, {"Host": host}, peer=peer)
            assert answer.status_code == (200 if let_in else 403)
    shown = {"Authorization": f"Bearer {TOKEN}", "Host": "box.lan"}
    assert asked(CLOSED_DOOR, "POST", "/threads", shown, peer=peer).status_code == 200
    assert asked(CLOSED_DOOR, "POST", "/threads", {"Host": "box.lan"}, peer=peer).status_code == 401


@pytest.mark.parametrize("path", LANGGRAPHS)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_token_is_needed_for_every_route(path: str, method: str) -> None:
    refused = asked(CLOSED_DOOR, method, path)
    assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
    assert "Bearer" in refused.json()["error"]
    assert asked(CLOSED_DOOR, method, path, {"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert asked(CLOSED_DOOR, method, path, {"Authorization": "Bearer x"}).status_code == 401
    assert (
        asked(CLOSED_DOOR, method, path, {"x-auth-scheme": "langsmith", "x-api-key": "x"}).status_code == 401
    )
    assert asked(OPEN_DOOR, method, path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/ok", "/console", "/console/", "/console/assets/a-12345678.js", "/console/api/about"]
)
def test_the_page_asks_for_the_token_so_it_is_open(path: str) -> None:
    assert asked(CLOSED_DOOR, "GET", path).status_code == 200
    assert asked(CLOSED_DOOR, "POST", path).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:2024", "127.0.0.1.evil.example", "", "192.168.1.7"]
)
@pytest.mark.parametrize("door", [OPEN_DOOR, CLOSED_DOOR])
def test_another_name_of_this_machine_is_refused_whatever_is_asked(host: str, door: Door) -> None:
    for method, path in (("GET", "/ok"), ("GET", "/console/"), ("POST", "/runs"), ("OPTIONS", "/runs")):
        answer = asked(door, method, path, {"Host": host, "Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 403 and "REFLECT_ALLOWED_HOSTS" in answer.json()["error"]


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json",
    ],
)
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example"])
def test_a_page_of_a_stranger_starts_no_run(kind: str, origin: str) -> None:
    headers = {"Origin": origin, "Content-Type": kind, "Authorization": f"Bearer {TOKEN}"}
    for method in ("POST", "PUT", "PATCH", "DELETE", "QUERY"):
        assert asked(CLOSED_DOOR, method, "/runs", headers, content=b"{}").status_code == 403
        assert asked(OPEN_DOOR, method, "/runs", headers, content=b"{}").status_code == 403
    assert asked(OPEN_DOOR, "GET", "/info", headers).status_code == 200


@pytest.mark.parametrize(
    "origin", [STUDIO, "http://127.0.0.1:2024", "http://localhost:3000", "https://box.lan"]
)
def test_our_own_page_and_studio_may(origin: str) -> None:
    headers = {"Origin": origin, "Authorization": f"Bearer {TOKEN}"}
    assert asked(CLOSED_DOOR, "POST", "/runs", headers).status_code == 200
    refused = asked(CLOSED_DOOR, "POST", "/runs", {"Origin": origin})
    assert refused.status_code == 401 and refused.headers["access-control-allow-origin"] == origin


def test_a_browsers_question_is_let_through_without_the_header_starlette_refuses() -> None:
    headers = {
        "Origin": STUDIO,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Private-Network": "true",
    }
    answer = asked(CLOSED_DOOR, "OPTIONS", "/runs", headers)
    assert answer.status_code == 200 and answer.json() == {"private": ""}


@pytest.mark.parametrize(
    ("headers", "let_in"),
    [
        ([(b"host", b"localhost:2024")], True),
        ([(b"host", b"localhost:2024"), (b"origin", b"http://localhost:2024")], True),
        ([(b"host", b"localhost:2024"), (b"origin", b"https://evil.example")], False),
        ([(b"host", b"evil.example")], False),
        ([(b"host", b"localhost"), (b"host", b"evil.example")], False),
        ([], False),
    ],
)
async def test_a_websocket_is_guarded_before_it_is_accepted(headers: list[Any], let_in: bool) -> None:
    sent: list[Any] = []
    reached: list[str] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    await Guard(behind, OPEN_DOOR)(
        {"type": "websocket", "path": "/threads/x/stream/events", "headers": headers}, receive, send
    )
    assert (reached == ["websocket"], sent == []) == (let_in, let_in)
    assert let_in or sent[0]["type"] == "websocket.close"


async def test_calls_within_the_process_are_not_asked() -> None:
    reached: list[str] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["path"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/runs",
        "headers": [(b"host", b"api")],
        "root_path": "/noauth",
    }
    await Guard(behind, CLOSED_DOOR)(scope, None, None)  # type: ignore[arg-type]  # neither is called
    assert reached == ["/runs"]


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["console", "api", "about", "..", ".", "", "ok", "threads", "API", "assets", "x.js"]),
        max_size=6,
    )
)
def test_whatever_is_open_is_the_page_or_nothing(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    if is_open(path, "GET") and path not in ("/ok", "/console", "/console/api/about"):
        assert (
            path.startswith("/console/") and not path.startswith("/console/api/") and path != "/console/api"
        )


@pytest.mark.parametrize("value", ["", "  ", "a b"])
def test_a_token_that_is_none_lets_nothing_start(value: str) -> None:
    with pytest.raises(UsageError):
        door_of({"REFLECT_API_TOKEN": value})
    assert TOKEN not in repr(CLOSED_DOOR)


async def test_langgraphs_own_door_asks_for_the_same_token(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await access.authenticate(None))["identity"] == "owner"
    monkeypatch.setattr(access, "DOOR", CLOSED_DOOR)
    assert access.token_required()
    assert (await access.authenticate(f"Bearer {TOKEN}"))["identity"] == "owner"
    for shown in (None, "", "Bearer x", TOKEN):
        with pytest.raises(Auth.exceptions.HTTPException) as refused:
            await access.authenticate(shown)
        assert refused.value.status_code == 401


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    (tmp_path / "assets" / "index-B1x_9-Qz.js").write_text("1", "utf-8")
    (tmp_path / "assets" / "logo.svg").write_text("<svg/>", "utf-8")
    yield tmp_path


async def page(static: Path, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(Starlette(routes=routes_of(static)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.get(path)


async def test_the_page_is_served_with_headers_that_keep_strangers_out(built: Path) -> None:
    assert (await page(built, "/console")).headers["location"] == "/console/"
    for path, kept in (
        ("/console/", False),
        ("/console/assets/index-B1x_9-Qz.js", True),
        ("/console/assets/logo.svg", False),
    ):
        answer = await page(built, path)
        assert answer.status_code == 200
        assert ("immutable" in answer.headers["cache-control"]) is kept
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy


async def test_a_page_that_was_never_built_says_so(tmp_path: Path) -> None:
    for static in (tmp_path, tmp_path / "nowhere"):
        answer = await page(static, "/console/")
        assert answer.status_code == 503 and "not built" in answer.text and "Traceback" not in answer.text
        assert (await page(static, "/console/assets/x-12345678.js")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/console/../access.py",
        "/console/%2e%2e/access.py",
        "/console//etc/passwd",
        "/console/api/nothing",
        "/console/x",
    ],
)
async def test_nothing_else_is_served(built: Path, path: str) -> None:
    (built.parent / "access.py").write_text("secret", "utf-8")
    answer = await page(built, path)
    assert answer.status_code == 404 and "secret" not in answer.text


def test_the_application_stands_behind_the_guard() -> None:
    assert [one.cls for one in app.user_middleware] == [Guard]
