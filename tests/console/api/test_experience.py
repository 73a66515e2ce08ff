"""The corpora as a page of records: the newest, or what is like a query; secrets never."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from memory.experience.open_indexes import close_indexes

PROJECT = Path(".reflect/experience/events.jsonl")
NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    close_indexes()


def event(name: str, goal: str, age: timedelta = timedelta(), **more: Any) -> dict[str, Any]:
    return {
        "event_id": name,
        "event_type": "episode",
        "timestamp": (NOW - age).isoformat(),
        "goal": goal,
        "outcome_status": "success",
        "meta": {"lesson": f"lesson of {name}"},
        **more,
    }


def write(path: Path, *records: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def page(client: TestClient, **asked: Any) -> dict[str, Any]:
    answer = client.get("/console/api/experience", params=asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def names(told: dict[str, Any]) -> list[str]:
    return [one["id"] for one in told["records"]]


def test_the_newest_come_first_and_pages_join(client: TestClient, served: Path) -> None:
    write(
        served / PROJECT,
        *(event(f"e{number}", f"goal {number}", timedelta(hours=number)) for number in range(7)),
    )
    write(served / PROJECT, event("undated", "goal", timestamp="never"))
    told = page(client)
    assert names(told) == [*(f"e{number}" for number in range(7)), "undated"]
    assert (told["total"], told["scope"], told["query"]) == (8, "project", "")
    first = told["records"][0]
    assert (first["kind"], first["status"], first["text"], first["score"]) == (
        "episode",
        "success",
        "lesson of e0",
        None,
    )
    assert "score" not in first["facts"] and first["facts"]["event_id"] == "e0"
    joined = [name for at in (0, 3, 6, 9) for name in names(page(client, limit=3, offset=at))]
    assert joined == names(told)


def test_what_a_search_leaves_out_is_counted_and_not_shown(client: TestClient, served: Path) -> None:
    write(
        served / PROJECT,
        event("kept", "a goal"),
        event("old", "a goal of last year", timedelta(days=400)),
        event("foreign", "a goal of others", meta={"lesson": "x", "quarantined": True}),
        event("harmful", "a goal gone wrong"),
        {"event_type": "feedback", "goal": "", "meta": {"of": "harmful", "harmful": 1}, "event_id": "f1"},
        {"event_type": "feedback", "goal": "", "meta": {"of": "kept", "helpful": 1}, "event_id": "f2"},
        {"event_type": "feedback", "goal": "", "meta": {"of": "kept", "helpful": 1}, "event_id": "f3"},
        {"event_type": "feedback", "goal": "", "meta": {"of": "kept", "harmful": 1}, "event_id": "f4"},
    )
    told = page(client)
    [record] = told["records"]
    assert (record["id"], record["shown"], record["helped"], record["harmed"]) == ("kept", 3, 2, 1)
    assert told["total"] == 1
    assert [note.split()[0] for note in told["notes"]] == ["1", "1", "1"] and len(told["notes"]) == 3


def test_both_scopes_are_told_apart(client: TestClient, served: Path, home: Path) -> None:
    write(served / PROJECT, event("mine", "a goal here"))
    write(home / PROJECT, event("ours", "a goal of all projects"))
    assert names(page(client, scope="project")) == ["mine"]
    told = page(client, scope="global")
    assert names(told) == ["ours"] and told["records"][0]["scope"] == "global"


def test_a_query_finds_what_is_like_it_with_a_likeness(client: TestClient, served: Path) -> None:
    write(
        served / PROJECT,
        event("near", "How many python files are there?"),
        event("far", "Translate the poem into French"),
    )
    told = page(client, query="how many python files does this project have")
    assert names(told) == ["near"] and told["total"] == 1
    assert 0 < told["records"][0]["score"] <= 1
    assert told["records"][0]["facts"]["score"] == told["records"][0]["score"]
    assert page(client, query="how many python files does this project have", offset=1)["records"] == []


def test_no_secret_of_a_record_is_told(client: TestClient, served: Path) -> None:
    secret, password = "ghp_" + "a1B2" * 8, "hunter2hunter2"
    write(
        served / PROJECT,
        event(
            "e",
            f"Push with {secret}",
            outcome_status="failure",
            error=f"password={password} was refused",
            meta={"lesson": f"use {secret}", "category": f"token={password}"},
        ),
    )
    for asked in ({}, {"query": f"Push with {secret}"}):
        answer = client.get("/console/api/experience", params=asked)
        [record] = answer.json()["records"]
        text = json.dumps(record)
        assert secret not in text and password not in text and "[redacted]" in text


def test_records_that_come_meanwhile_are_there_next_time(client: TestClient, served: Path) -> None:
    write(served / PROJECT, event("first", "a goal"))
    assert names(page(client)) == ["first"]
    with (served / PROJECT).open("a") as file:
        file.write(json.dumps(event("second", "another", timedelta(minutes=-1))))
        file.flush()
        assert names(page(client))[-1:] == ["first"]
        file.write("\n")
    assert set(names(page(client))) == {"first", "second"}


def test_lines_of_any_program_are_no_failure(client: TestClient, served: Path) -> None:
    path = served / PROJECT
    write(
        path, event("good", "a goal"), event("", "no id"), event("half", "\ud800 half"), {"event_type": ["x"]}
    )
    with path.open("ab") as file:
        file.write(b'\xff\xfe\n[]\n{"goal": {"a": 1}, "event_type": "episode"}\n\n{"torn')
    told = page(client)
    assert told["total"] == 3 and {"good", "half"} < set(names(told))
    assert all(names(told))


def test_a_project_without_a_corpus_has_an_empty_page(client: TestClient, served: Path) -> None:
    for scope in ("project", "global"):
        for query in ("", "anything"):
            told = page(client, scope=scope, query=query)
            assert (told["records"], told["total"]) == ([], 0)


def test_where_both_are_one_the_page_says_so(client: TestClient, home: Path) -> None:
    told = page(client, root=str(home), scope="global")
    assert told["records"] == [] and "no such corpus" in told["notes"][0]
