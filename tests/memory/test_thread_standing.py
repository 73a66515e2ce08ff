"""Where a run stands, by process and checkpoint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.background import BackgroundRun
from memory.thread_history import Moment
from memory.thread_standing import Standing, state_of

RUN = BackgroundRun(thread="t", goal="why?", argv=[], started="2026-01-01")
KILLED, ENDED = RUN, RUN.model_copy(update={"code": 0, "ended": "2026-01-02"})
RUNS = st.sampled_from([None, KILLED, ENDED])


def moment(**fields: Any) -> Moment:
    first = Moment(1, "id", "2026-01-01", "loop", "respond", (), False, {"status": "answered"}, ())
    return replace(first, **fields)


@given(RUNS, st.sampled_from([None, moment(), moment(waiting=True), moment(next=("plan",))]))
def test_a_process_at_work_is_told_as_running_whatever_stands_on_disk(
    run: BackgroundRun | None, newest: Moment | None
) -> None:
    assert state_of(run, newest, at_work=True) == "running"


@given(RUNS, st.sampled_from([("plan",), ("__start__",), ("execute", "reflect")]))
def test_what_is_not_at_its_end_is_never_finished(run: BackgroundRun | None, nodes: tuple[str, ...]) -> None:
    state = state_of(run, moment(next=nodes), at_work=False)
    assert state == ("stopped" if run is ENDED else "died")


@pytest.mark.parametrize("status", [None, "", "running"])
def test_a_state_no_last_node_wrote_is_not_finished_though_nothing_is_next(status: str | None) -> None:
    """After a kill LangGraph may name no next node for a run that is not at its end."""
    assert state_of(KILLED, moment(values={"status": status}), at_work=False) == "died"


@pytest.mark.parametrize(
    "status", ["answered", "partial", "could_not", "won", "lost", "reported", "no_answer"]
)
def test_an_end_is_an_end_whoever_brought_the_run_there(status: str) -> None:
    for run in (None, KILLED, ENDED):
        assert state_of(run, moment(values={"status": status}), at_work=False) == "finished"


def test_an_error_is_told_as_one_and_a_question_as_waiting() -> None:
    assert state_of(ENDED, moment(values={"status": "error"}), at_work=False) == "failed"
    assert state_of(ENDED, moment(waiting=True, next=("execute",)), at_work=False) == "waiting"


def test_without_a_checkpoint_of_its_own_a_run_failed_or_died() -> None:
    assert state_of(KILLED, None, at_work=False) == "died"
    assert state_of(ENDED, None, at_work=False) == "failed"


def test_only_a_run_at_its_end_has_an_answer() -> None:
    newest = moment(values={"status": "answered", "final_answer": "42"})
    finished = Standing("t", "finished", RUN, newest, True)
    assert (finished.answer, finished.status, finished.asked) == ("42", "answered", "why?")
    for told in (replace(finished, state="died"), replace(finished, fresh=False)):
        assert (told.answer, told.status) == ("", "")
    report = moment(values={"status": "reported", "result": [{"description": "It is so [1]."}]})
    assert replace(finished, moment=report).answer == "It is so [1]."
