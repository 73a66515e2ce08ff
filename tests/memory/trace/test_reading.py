from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.events import ReasoningEvent
from memory.json_lines import Line
from memory.session_memory import SessionMemory
from memory.trace.reading import as_json, read_session, read_sessions, session_of
from memory.trace.session_trace import SessionTrace

VALUES = st.none() | st.integers() | st.text(max_size=10) | st.lists(st.integers(), max_size=2)
KINDS = ["planning", "execution", "reflection", "verification", "respond", "episode", "feedback", "other"]
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "event_type": st.sampled_from(KINDS) | VALUES,
        "event_id": VALUES,
        "goal": VALUES,
        "timestamp": st.sampled_from(["2026-11-21T10:00:00+00:00", "2026-11-21", "x", 1e12]) | VALUES,
        "session_id": VALUES,
        "meta": VALUES | st.dictionaries(st.sampled_from(["of", "helpful", "used", "answer"]), VALUES),
        "record": st.sampled_from(["interaction", "reasoning"]) | VALUES,
        "interaction_id": VALUES,
        "entry_id": VALUES,
        "stage": st.sampled_from(["planning", "execution"]) | VALUES,
        "thought": VALUES,
        "truncated": st.booleans(),
    },
)


@settings(max_examples=40)
@given(st.lists(st.none() | RECORDS, max_size=8))
def test_any_lines_are_a_session(records: list[dict[str, Any] | None]) -> None:
    session = session_of((Line(0, 0, record) for record in records), "s")
    assert session.records == len(records)
    for run in session.runs:
        assert len(run.moments()) >= len(run.events)
    json.dumps(as_json(session))


def event(kind: str, goal: str, **values: Any) -> dict[str, Any]:
    given = {"timestamp": "2026-11-21T10:00:00+00:00", "session_id": "s 1", "event_type": kind, "goal": goal}
    return ReasoningEvent.model_validate({**given, **values}).model_dump(mode="json")


def test_runs_events_and_entries_find_together(tmp_path: Path) -> None:
    trace = SessionTrace(tmp_path, "s 1")
    memory = SessionMemory(enable_reasoning_trace=True, trace=trace)
    for goal in ("first", "second"):
        trace.append(event("planning", goal))
        memory.start_reasoning_trace(memory.add_interaction(goal, interaction_id=goal))
        memory.add_reasoning_entry("planning", f"plan of {goal}")
        memory.flush()
        done = event("execution", goal, step_num=1)
        trace.extend([done, done])
        memory.add_reasoning_entry("execution", f"step of {goal}")
        memory.add_reasoning_entry("execution", "raised", outcome="failed")
        memory.flush()
        trace.append(event("episode", goal))
        trace.append(event("respond", goal))
        memory.add_reasoning_entry("finalization", "answered: success")
        memory.flush()
    trace.append(event("feedback", "", meta={"of": "e1", "helpful": 1}))
    trace.append(event("feedback", "", meta={"of": "e2", "helpful": 1}))
    trace.append(event("feedback", "", meta={"of": "e2", "harmful": 1}))
    ((path, session),) = read_sessions(tmp_path)
    assert session.session_id == "s 1" and path == trace.path and session.unreadable == 0
    assert [run.goal for run in session.runs] == ["first", "second"]
    for run in session.runs:
        assert [record["event_type"] for record in run.events] == ["planning", "execution", "respond"]
        assert run.ended and run.episode["event_type"] == "episode" and len(run.trace.entries) == 4
        matched = [
            (moment.kind, moment.entry and moment.entry.thought) for moment in run.moments() if moment.event
        ]
        assert matched == [
            ("planning", f"plan of {run.goal}"),
            ("execution", f"step of {run.goal}"),
            ("respond", "answered: success"),
        ]
        assert [m.entry.thought for m in run.moments() if not m.event and m.entry] == ["raised"]
    assert [session.verdict(name) for name in ("e1", "e2", "e3")] == ["helpful", "mixed", ""]


def test_what_has_no_readable_time_stays_behind_what_it_came_after(tmp_path: Path) -> None:
    trace = SessionTrace(tmp_path, "s")
    for kind, time in (("planning", "10:00:02"), ("execution", "10:00:61"), ("respond", "10:00:03")):
        trace.append(event(kind, "g", timestamp=f"2026-11-21T{time}+00:00"))
    (run,) = read_session(trace.path).runs
    assert [moment.kind for moment in run.moments()] == ["planning", "execution", "respond"]


def test_a_full_trace_and_bad_lines_are_told(tmp_path: Path) -> None:
    trace = SessionTrace(tmp_path, "s", 2)
    for _ in range(4):
        trace.append(event("planning", "g"))
    with trace.path.open("ab") as stream:
        stream.write(b"garbage\n[]\n{}\n")
    session = read_session(trace.path)
    assert session.truncated and session.unreadable == 3 and len(session.runs) == 1
    assert list(read_sessions(tmp_path / "nowhere")) == []


def test_what_is_no_file_is_no_session(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("{}\n")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert [path.name for path, _ in read_sessions(tmp_path)] == ["s.jsonl"]
