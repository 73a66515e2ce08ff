"""Final states of engines as findings."""

from __future__ import annotations

import pytest

from nodes.collective.exchange import Assignment, Cited, Finding
from nodes.routing.engine_reading import claim_line, of_research, of_together, of_tutor

FAILURE = {"node": "begin", "kind": "ModelUnavailable", "what": "no server", "remedy": "start it"}


def given_to(worker: str) -> Assignment:
    return Assignment.model_validate({"id": worker, "worker": worker, "question": "why?"})


def test_a_report_rests_on_its_sources() -> None:
    values = {
        "status": "reported",
        "result": [{"description": "Because [1]."}],
        "sources": [{"url": "file:a.md", "name": "A"}],
    }
    found = of_research(given_to("research"), values)
    assert (found.status, found.answer, found.grounded) == ("answered", "Because [1].", True)
    assert [one.where for one in found.evidence] == ["file:a.md"]


def test_a_report_of_nothing_is_no_answer_and_rests_on_nothing() -> None:
    values = {"status": "no_data", "result": [{"description": "Nothing found."}], "sources": [{"url": "x"}]}
    found = of_research(given_to("research"), values)
    assert (found.status, found.grounded, found.evidence) == ("could_not", False, [])


def test_a_game_that_was_won_answers_with_its_claims() -> None:
    claim = {"predicate": "count", "subject": "*.py", "unit": "lines", "value": 12, "scope": None}
    values = {"status": "won", "answer": ["C1"], "nodes": {"C1": {"data": claim}}, "score": 3, "turns": [1]}
    found = of_tutor(given_to("tutor"), values)
    assert (found.status, found.answer, found.grounded) == ("answered", "count *.py lines 12", True)
    assert found.data["claims"] == [claim] and found.evidence[0].kind == "proof"


def test_a_game_that_was_lost_claims_nothing() -> None:
    found = of_tutor(given_to("tutor"), {"status": "lost", "answer": [], "nodes": {}})
    assert (found.status, found.answer, found.grounded) == ("could_not", "", False)


def test_engines_together_hand_on_their_evidence() -> None:
    cited = Cited(kind="tool", where="ls", text="a")
    own = Finding(
        id="r", worker="reflective", question="why?", status="answered", grounded=True, evidence=[cited]
    )
    values = {"status": "answered", "final_answer": "a", "findings": {"r": own.model_dump(mode="json")}}
    found = of_together(given_to("ensemble"), values)
    assert found.grounded and found.evidence == [cited] and found.answer == "a"


@pytest.mark.parametrize("read", [of_research, of_tutor, of_together])
def test_a_state_of_no_known_end_is_an_error_and_failures_are_handed_on(read: object) -> None:
    assert callable(read)
    found = read(given_to("ensemble"), {"status": "running", "failure": FAILURE})
    assert found.status == "error" and not found.grounded and found.failure.what == "no server"


def test_a_claim_without_value_leaves_it_out() -> None:
    assert claim_line({"predicate": "absent", "subject": "x.py", "value": None}) == "absent x.py"
