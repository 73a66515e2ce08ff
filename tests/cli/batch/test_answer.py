from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cli.batch.answer import died, failed, overdue, told

RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "status": st.sampled_from(["answered", "partial", "could_not", "error", "running"]),
        "answer": st.none() | st.text(),
        "stop_reason": st.sampled_from([None, "done", "dry_run"]),
        "failure": st.none() | st.text(),
        "notes": st.lists(st.text(), max_size=2),
        "evidence": st.just([{"text": "x"}]),
    },
)


@given(record=RECORDS, code=st.integers(0, 5))
def test_whatever_failed_has_an_error_and_nothing_else_has(record: dict[str, Any], code: int) -> None:
    answer = told(record, code)
    undone = code == 3 or record.get("stop_reason") == "dry_run"
    assert answer.outcome == ("succeeded" if code == 0 else "refused" if undone else "failed")
    assert (answer.record["error"] is not None) == (answer.outcome == "failed")
    if answer.outcome == "failed":
        assert answer.record["error"]["kind"] and answer.record["error"]["what"].strip()
    assert {name: answer.record[name] for name in record} == record
    assert {"status", "answer", "confidence", "evidence", "thread_id", "waiting_for"} <= set(answer.record)


def test_an_error_of_its_own_stays_the_reason() -> None:
    for record in (failed("GoalError", "It is empty."), overdue(3.0), died(2, "SIGKILL")):
        answer = told(record, 2)
        assert answer.record["error"] == record["error"] and answer.record["status"] == "error"
        assert answer.record["answer"] is None and answer.record["evidence"] == []
