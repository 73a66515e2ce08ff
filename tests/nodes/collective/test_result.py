"""What runs come to, from the values of their states as checkpoints hold them."""

from __future__ import annotations

import pytest

from nodes.collective import tree_result
from nodes.collective.exchange import Assignment
from nodes.collective.result import result_of
from nodes.collective.state import CollectiveState
from nodes.contractive.state import ContractiveState
from nodes.reflective.state import Failure
from tests.nodes.collective.findings import found

FAILURE = Failure(node="begin", kind="GoalError", what="The goal is empty.", remedy="Say something.")


def test_findings_come_in_the_order_they_were_asked_for_and_without_vectors() -> None:
    asked = [Assignment(id=name, worker="direct", question="q") for name in ("b", "a", "late")]
    state = CollectiveState(
        goal="g", assignments=asked, findings={name: found(name, "x", vector=[1.0]) for name in "ab"}
    )
    result = result_of(state.model_dump(mode="json"), "t", [{"summary": "May I?"}])
    assert [one.id for one in result.findings] == ["b", "a"] and not result.findings[0].vector
    assert (result.status, result.thread_id, result.waiting_for) == ("running", "t", [{"summary": "May I?"}])
    failed = CollectiveState(status="error", failure=FAILURE)
    assert result_of(failed.model_dump(mode="json"), "t").failure == "The goal is empty. Say something."


@pytest.mark.parametrize(
    ("status", "told"),
    [("answered", "answered"), ("uncertain", "uncertain"), ("no_answer", "could_not"), ("error", "error")],
)
def test_a_tree_is_told_in_the_same_words(status: str, told: str) -> None:
    state = ContractiveState.model_validate(
        {
            "question": "q",
            "status": status,
            "final_answer": "" if status in ("no_answer", "error") else "an answer",
            "confidence": 0.0,
            "failure": FAILURE if status == "error" else None,
        }
    )
    findings = {"0.1": found("0.1", "x", vector=[1.0]).model_dump(mode="json")}
    result = tree_result.result_of({**state.model_dump(mode="json"), "findings": findings}, "t")
    assert (result.engine, result.goal, result.status) == ("hierarchy", "q", told)
    assert (result.failure is not None) == (status == "error") and result.findings[0].id == "0.1"
    assert (result.confidence is None) == (not result.answer)
