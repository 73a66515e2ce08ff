"""Whatever a request holds, it is answered in words: never by a failure, never from elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from configs.settings import Settings
from console.api.asked import LONGEST_PATH, LONGEST_THREAD
from memory.trace.session_trace import SessionTrace
from tests.console.api.kept_threads import SERVED, keep

QUERIES = ("models", "settings", "experience", "threads", f"threads/{SERVED}", f"threads/{SERVED}/trace")
NAMED = ("", "/trace", "/report")
SECRET = "nobody may read this"
# One directory for all examples: they only read.
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
HOSTILE = st.sampled_from(
    [
        "..",
        "../..",
        "../outside",
        "/etc",
        "/etc/passwd",
        "/proc/self/environ",
        "/dev/zero",
        "~root",
        "~nobody-of-this-name",
        "file:///etc",
        "\0",
        "a\0b",
        "%00",
        "%2e%2e%2f",
        "\u202e/cte/",
        "\u2024\u2024/\u2044",
        "\uff0e\uff0e\uff0f",
        "-1",
        "1e9",
        "0x10",
        "\u0663",
        "1_000",
        " 1",
        "inf",
        "nan",
        "9" * 400,
        "x" * 5000,
        "' OR 1=1 --",
        "<script>alert(1)</script>",
        "▸step-1",
        "*",
        "project' --",
        "\ufeff",
    ]
)
TEXTS = HOSTILE | st.text(max_size=30)
PERCENT = st.sampled_from(["%ED%A0%80", "%FF%FE", "%C0%AE%C0%AE/", "%", "%zz", "%2F%2E%2E", "+", "%0d%0aX:1"])


def checked(answer: object, status: int, text: str, kind: str) -> None:
    assert status in (200, 400, 404), text[:500]
    assert "Traceback" not in text and SECRET not in text and "root:x:" not in text
    if status != 200:
        assert kind == "application/json" and list(answer) == ["error"]  # type: ignore[call-overload]


def asked(client: TestClient, path: str) -> int:
    answer = client.get(f"/console/api/{path}")
    kind = answer.headers["content-type"].split(";")[0]
    checked(answer.json() if kind == "application/json" else {}, answer.status_code, answer.text, kind)
    return answer.status_code


@pytest.fixture
def watched(served: Path, tmp_path: Path) -> Path:
    """The served directory, with a thread, beside a directory nobody asked about."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    keep(outside, "other", {"goal": SECRET})
    SessionTrace(outside / Settings().traces.path, "other").append({"event_type": "respond", "goal": SECRET})
    keep(served, SERVED, {"goal": "g", "final_answer": "a", "status": "answered"}, served)
    return served


@SHARED
@given(
    route=st.sampled_from(QUERIES),
    given=st.dictionaries(
        st.sampled_from(["root", "scope", "query", "limit", "offset"]), TEXTS, min_size=1, max_size=4
    ),
)
def test_no_query_breaks_a_route(
    client: TestClient, watched: Path, route: str, given: dict[str, str]
) -> None:
    # Half a character has no percent-encoding a client could send; a broken encoding comes below.
    words = "&".join(f"{name}={quote(text, errors='replace')}" for name, text in given.items())
    asked(client, f"{route}?{words}")


@SHARED
@given(route=st.sampled_from(QUERIES), name=st.sampled_from(["root", "query", "limit"]), raw=PERCENT)
def test_no_broken_encoding_breaks_a_route(
    client: TestClient, watched: Path, route: str, name: str, raw: str
) -> None:
    asked(client, f"{route}?{name}={raw}")


@SHARED
@given(thread=TEXTS, what=st.sampled_from(NAMED))
@example("../outside/.reflect/reasoning_traces/other", "/trace")
@example("..\\outside", "/report")
@example("x" * (LONGEST_THREAD + 1), "")
@example("other", "/trace")
@example("\n0", "")
@example("0\r\n", "/report")
def test_no_name_of_a_thread_leads_elsewhere(
    client: TestClient, watched: Path, thread: str, what: str
) -> None:
    status = asked(client, f"threads/{quote(thread, safe='', errors='replace')}{what}")
    assert status in (400, 404)


@pytest.mark.parametrize(
    ("root", "status"),
    [
        ("missing", 404),
        ("file.txt", 400),
        ("file.txt/below", 404),
        ("\0", 400),
        ("x" * 300, 400),
        ("x" * (LONGEST_PATH + 1), 400),
        ("~nobody-of-this-name", 400),
        ("circle", 400),
    ],
)
def test_a_root_that_is_none_is_told_apart(client: TestClient, served: Path, root: str, status: int) -> None:
    (served / "file.txt").write_text("")
    (served / "circle").symlink_to("circle")
    for route in (*QUERIES, "checks"):
        assert asked(client, f"{route}?root={quote(root)}") == status, route


@pytest.mark.parametrize("text", ["0", "-1", "1001", "1e3", "1_0", "\u0663", " 7", "7.0", "9" * 30, "seven"])
def test_a_limit_that_is_none_is_refused(client: TestClient, served: Path, text: str) -> None:
    answer = client.get("/console/api/threads", params={"limit": text})
    assert answer.status_code == 400 and "from 1 to 1000" in answer.json()["error"]


def test_nothing_given_twice_is_guessed_at(client: TestClient, served: Path) -> None:
    assert asked(client, "threads?limit=1&limit=2") == 400


def test_only_reading_is_allowed(client: TestClient) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, "/console/api/threads").status_code == 405


def test_looking_makes_nothing(client: TestClient, served: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for route in (*QUERIES, "checks", f"threads/{SERVED}/report"):
        asked(client, f"{route}?root={bare}")
    assert os.listdir(bare) == []
    assert os.listdir(served) == []


@pytest.mark.parametrize("linked", [".reflect", ".reflect/reasoning_traces", ".reflect/experience", "file"])
def test_no_link_leads_out_of_a_project(
    client: TestClient, watched: Path, tmp_path: Path, linked: str
) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    traces = f"{Settings().traces.path}/other.jsonl"
    events = outside / ".reflect" / "experience" / "events.jsonl"
    events.parent.mkdir()
    events.write_text(f'{{"event_type": "episode", "goal": "{SECRET}", "outcome_status": "success"}}\n')
    links = [traces, ".reflect/experience/events.jsonl", ".reflect/checkpoints.sqlite"]
    for one in links if linked == "file" else [linked]:
        (project / one).parent.mkdir(parents=True, exist_ok=True)
        (project / one).symlink_to(outside / one)
    for route in ("threads", "experience", "threads/other", "threads/other/trace", "threads/other/report"):
        for scope in ("project", "global"):
            asked(client, f"{route}?root={project}&scope={scope}")
    assert asked(client, f"threads/other/trace?root={project}") in (400, 404)
