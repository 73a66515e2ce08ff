from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memory.errors import SessionIdInvalid
from memory.threads import artifact_directory
from memory.trace.session_trace import LONGEST_ID, SessionTrace, checked_session_id


def test_records_are_kept_up_to_the_bound_then_one_line_says_so(tmp_path: Path) -> None:
    kept = [SessionTrace(tmp_path, "s1", 3).append({"number": number}) for number in range(6)]
    lines = [json.loads(line) for line in (tmp_path / "s1.jsonl").read_text().splitlines()]
    assert kept == [True, True, True, False, False, False]
    assert lines == [{"number": 0}, {"number": 1}, {"number": 2}, {"truncated": True, "max_records": 3}]


def test_sessions_have_files_of_their_own_and_no_secrets(tmp_path: Path) -> None:
    for session in ("one", "two"):
        SessionTrace(tmp_path / "deep" / "traces", session).append({"password": "hunter2x"})
    assert "hunter2x" not in (tmp_path / "deep" / "traces" / "one.jsonl").read_text()
    assert SessionTrace(tmp_path / "deep" / "traces", "two").path.is_file()


@pytest.mark.parametrize("session", ["a", "A-1_b.c", "7d1f-22", "-x-", "a" * LONGEST_ID])
def test_names_of_sessions(tmp_path: Path, session: str) -> None:
    assert SessionTrace(tmp_path, session).append({})


@pytest.mark.parametrize(
    "session",
    [
        "",
        ".",
        "..",
        ".a",
        "a.",
        "a/b",
        "../a",
        "a\\b",
        "a b",
        "a\n",
        "a\x00",
        "é",
        "a" * (LONGEST_ID + 1),
        "~",
        "C:",
    ],
)
def test_what_cannot_name_a_file_is_named_by_its_hash(tmp_path: Path, session: str) -> None:
    with pytest.raises(SessionIdInvalid, match="letters, digits"):
        checked_session_id(session)
    trace = SessionTrace(tmp_path, session)
    assert trace.append({"session_id": session})
    assert trace.path.parent == tmp_path and re.fullmatch(r"thread-[0-9a-f]{32}\.jsonl", trace.path.name)
    assert artifact_directory(tmp_path, session).name == trace.path.stem


def test_records_go_in_by_one_write_as_far_as_there_is_room(tmp_path: Path) -> None:
    trace = SessionTrace(tmp_path, "s1", 3)
    assert trace.extend([]) == 0 and not trace.path.exists()
    assert trace.extend([{"number": 0}, {"number": 1}]) == 2
    assert trace.extend([{"number": 2}, {"number": 3}]) == 1
    assert trace.extend([{"number": 4}]) == 0
    lines = [line.record for line in trace.read()]
    assert lines == [{"number": 0}, {"number": 1}, {"number": 2}, {"truncated": True, "max_records": 3}]


def test_a_trace_other_processes_wrote_replaced_or_tore_is_counted_anew(tmp_path: Path) -> None:
    trace = SessionTrace(tmp_path, "s1", 3)
    trace.append({"number": 0})
    with trace.path.open("ab") as stream:
        stream.write(b'{"number": 1}\n{"torn"')
    assert not trace.append({"number": 3})
    assert trace.path.read_bytes().endswith(b'"max_records": 3}\n')
    trace.path.write_bytes(b'{"a longer line than there was before": "' + b"x" * 500 + b'"}\n')
    assert [trace.append({}) for _ in range(3)] == [True, True, False]
    trace.path.unlink()
    assert [trace.append({}) for _ in range(4)] == [True, True, True, False]
