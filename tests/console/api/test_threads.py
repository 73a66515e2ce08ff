"""Threads of the server, the command line and other projects: what is listed, and what is told of one."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from configs.settings import Settings
from memory.trace.session_trace import BELOW, SessionTrace
from tests.console.api.kept_threads import SERVED, keep

OTHER = f"{SERVED[:-1]}0"


def listed(client: TestClient, **asked: Any) -> dict[str, Any]:
    answer = client.get("/console/api/threads", params=asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def named(told: dict[str, Any]) -> list[str]:
    return [one["id"] for one in told["threads"]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    return project


def test_a_root_has_its_own_threads_and_the_servers_about_it(
    client: TestClient, served: Path, project: Path
) -> None:
    keep(project, "by-hand", {"goal": "count"})
    keep(served, SERVED, {"goal": "elsewhere"}, project)
    keep(served, OTHER, {"goal": "here"}, ".")
    keep(project, "later", {"question": "why?"})
    told = listed(client, root=str(project))
    assert named(told) == ["later", SERVED, "by-hand"]
    assert [one["served"] for one in told["threads"]] == [False, True, False]
    assert {one["root"] for one in told["threads"]} == {str(project)}
    assert [one["graph"] for one in told["threads"]] == ["contractive", "reflective", "reflective"]
    own = listed(client)
    assert (own["root"], own["total"]) == (str(served), 2)
    assert [(one["id"], one["root"]) for one in own["threads"]] == [
        (OTHER, str(served)),
        (SERVED, str(project)),
    ]


@pytest.mark.parametrize(
    ("values", "graph"),
    [
        ({"goal": "g"}, "reflective"),
        ({"query": "g"}, "research"),
        ({"question": "g"}, "contractive"),
        ({"game": "free", "goal": "g"}, "tutor"),
        *(({"goal": "g", "engine": name}, name) for name in ("ensemble", "hybrid", "specialists", "auto")),
        ({"question": "g", "engine": "hierarchy"}, "hierarchy"),
    ],
)
def test_a_thread_tells_its_graph_and_what_was_asked(
    client: TestClient, served: Path, values: dict[str, Any], graph: str
) -> None:
    keep(served, SERVED, values | {"status": "answered"})
    [one] = listed(client)["threads"]
    assert (one["graph"], one["goal"], one["standing"], one["step"]) == (graph, "g", "answered", 3)
    assert not one["waiting"] and one["at"]


def test_a_thread_that_waits_says_so(client: TestClient, served: Path) -> None:
    keep(served, SERVED, {"goal": "g"}, waits=True)
    [one] = listed(client)["threads"]
    assert one["waiting"] and one["standing"] == "waiting for an approval"


def test_pages_of_the_list_join_without_gap_or_double(
    client: TestClient, served: Path, project: Path
) -> None:
    for number in range(5):
        keep(project, f"own-{number}", {"goal": "g"})
        keep(served, f"{SERVED[:-1]}{number}", {"goal": "g"}, project)
    whole = named(listed(client, root=str(project)))
    assert len(set(whole)) == 10
    pages = [listed(client, root=str(project), limit=3, offset=at) for at in (0, 3, 6, 9, 12)]
    assert [name for page in pages for name in named(page)] == whole
    assert {page["total"] for page in pages} == {10}


def test_one_database_of_several_projects_is_listed_once(
    client: TestClient, served: Path, project: Path, home: Path, tmp_path: Path
) -> None:
    (home / ".reflect").mkdir()
    (home / ".reflect" / "config.yaml").write_text(f"checkpoints: {{path: {tmp_path}/shared.sqlite}}\n")
    database = tmp_path / "shared.sqlite"
    keep(project, SERVED, {"goal": "g"}, project)
    (project / ".reflect" / "checkpoints.sqlite").rename(database)
    told = listed(client, root=str(project))
    assert (named(told), told["total"]) == ([SERVED], 1)


def test_a_locked_file_is_read_beside_its_writer(client: TestClient, served: Path) -> None:
    keep(served, SERVED, {"goal": "g"})
    with sqlite3.connect(served / Settings().checkpoints.path, isolation_level=None) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM checkpoints")
        assert named(listed(client)) == [SERVED]
        writer.execute("ROLLBACK")
    writer.close()


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_file_is_told(client: TestClient, served: Path, content: bytes) -> None:
    path = served / Settings().checkpoints.path
    path.parent.mkdir()
    path.write_bytes(content)
    answer = client.get("/console/api/threads")
    assert answer.status_code == (400 if content else 200)
    assert not content or "checkpoints.sqlite" in answer.json()["error"]


@pytest.mark.parametrize("column", ["checkpoint", "metadata"])
@pytest.mark.parametrize("content", [b"\xff\xfe{", b"[]", b'{"root": 3, "step": "x"}', b""])
def test_a_damaged_row_is_no_failure_of_the_server(
    client: TestClient, served: Path, column: str, content: bytes
) -> None:
    keep(served, SERVED, {"goal": "g"})
    with sqlite3.connect(served / Settings().checkpoints.path) as database:
        database.execute(f"UPDATE checkpoints SET {column} = ?", (content,))
    database.close()
    for path in ("about", "threads", f"threads/{SERVED}", f"threads/{SERVED}/report"):
        answer = client.get(f"/console/api/{path}")
        assert answer.status_code in (200, 400, 404), answer.text


def test_what_a_thread_was_reminded_of_is_told_with_what_came_of_it(client: TestClient, served: Path) -> None:
    used = [
        {"event_id": "good", "goal": "like it", "scope": "global", "score": 0.9, "use": "reused"},
        {"event_id": "bad", "goal": "unlike it", "score": float("nan"), "use": "example"},
        {"event_id": "new", "goal": "<b>", "score": "high", "use": ["lesson"]},
    ]
    trace = SessionTrace(served / Settings().traces.path, SERVED)
    trace.append({"event_type": "planning", "goal": "g", "session_id": SERVED, "meta": {"used": used}})
    for event, word in (("good", "helpful"), ("bad", "harmful")):
        trace.append({"event_type": "feedback", "goal": "", "meta": {"of": event, word: 1}})
    keep(served, SERVED, {"goal": "g", "status": "answered"}, served)
    told = client.get(f"/console/api/threads/{SERVED}").json()
    hits = [(one["id"], one["scope"], one["score"], one["use"], one["outcome"]) for one in told["memory"]]
    assert hits == [
        ("good", "global", 0.9, "reused", "helpful"),
        ("bad", "project", None, "example", "harmful"),
        ("new", "project", None, "", "not judged"),
    ]
    assert told["memory"][0]["why"] == "its plan was run again; the run succeeded with it"
    assert {one["run"] for one in told["memory"]} == {1}
    assert (told["has_trace"], told["has_report"], told["graph"]) == (True, True, "reflective")


def test_a_trace_holds_what_runs_below_the_thread_did(client: TestClient, served: Path) -> None:
    directory = served / Settings().traces.path
    below = f"{SERVED}{BELOW}step-1"
    SessionTrace(directory, below).append({"event_type": "respond", "goal": "a part", "session_id": below})
    page = client.get(f"/console/api/threads/{SERVED}/trace")
    assert page.status_code == 200 and "a part" in page.text
    assert f"<h1>{SERVED}</h1>" in page.text
    assert client.get(f"/console/api/threads/{OTHER}/trace").status_code == 404


def test_any_name_of_a_thread_can_be_asked_for(client: TestClient, served: Path) -> None:
    for name in ("a/b", "../up", "trace", "x/trace", "été 1", "100%", "▸"):
        keep(served, name, {"goal": name, "status": "answered"})
        told = client.get(f"/console/api/threads/{name.replace('%', '%25')}".replace("../", "..%2F"))
        if name != "x/trace":
            assert told.json().get("thread") == name, name
