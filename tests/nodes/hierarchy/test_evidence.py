"""What a finding is worth: support 1 for evidence that is stood by, less for less, nothing without any."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import START, StateGraph

from nodes.collective.exchange import Cited, Finding, FindingStatus
from nodes.contractive.state import Question
from nodes.hierarchy.evidence import RELIED_ON, joined, shortened, support_of, take
from nodes.reflective.state import Failure

SEEN = Cited(kind="tool", where="wc -l a.py", text="3 a.py")


def finding(status: FindingStatus, confidence: float | None = 0.99, **more: Any) -> Finding:
    usual = {
        "answer": "a.py has 3 lines.",
        "grounded": True,
        "evidence": [SEEN],
        "figures": {"needs_files": 1.0},
    }
    named = {"id": "0.1", "worker": "reflective", "question": "?", "status": status, "confidence": confidence}
    return Finding.model_validate({**named, **usual, **more})


def taken(brought: Finding) -> Question:
    question = Question(id="0.1", text="How many lines has a.py?", stage="NORMALIZE", facts_from="files")

    def node(_: dict[str, Any]) -> dict[str, Any]:
        take(question, brought)
        return {}

    # What happens to a question is streamed, which only a node of a graph can do.
    graph = StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.compile().invoke({})
    return question


@given(st.floats(0, 1), st.sampled_from(["answered", "partial", "uncertain", "could_not", "error"]))
def test_support_is_whole_only_for_an_answer_that_is_stood_by(
    confidence: float, status: FindingStatus
) -> None:
    support = support_of(finding(status, confidence))
    assert (support == 1.0) == (status == "answered" and confidence >= RELIED_ON)
    assert support <= 1.0 and (status == "answered" or support <= 0.5)
    assert support_of(finding(status, confidence, grounded=False)) == 0.0


def test_an_answer_goes_onto_its_question_with_its_evidence() -> None:
    question = taken(finding("answered"))
    assert question.stage == "DONE" and question.best is not None and not question.pruned
    assert question.best.source == "work" and question.best.evidence == [SEEN]
    measured = question.best.measured
    assert (measured.support, measured.entropy, measured.uncertainty) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("brought", "why"),
    [
        (
            finding("could_not", answer="I could not answer this. a.py is not there.\nSay it."),
            "a.py is not there.",
        ),
        (finding("answered", grounded=False), "nothing that was read speaks for the answer"),
        (
            finding("error", answer="", failure=Failure(node="plan", kind="ModelFailed", what="It broke.")),
            "It broke.",
        ),
        (finding("could_not", answer=""), "the worker brought no answer"),
    ],
)
def test_an_absence_says_why(brought: Finding, why: str) -> None:
    question = taken(brought)
    assert (question.stage, question.best, question.pruned) == ("DONE", None, why)


def test_what_no_file_tells_goes_on_to_the_models_samples() -> None:
    question = taken(finding("answered", grounded=False, figures={"needs_files": 0.0}))
    assert (question.stage, question.facts_from, question.best) == ("NORMALIZE", "samples", None)


@given(st.text(alphabet="ab \n", max_size=2000))
def test_a_short_form_is_the_beginning_of_the_text(text: str) -> None:
    short = shortened(text)
    assert short == text or (short.endswith(" ...") and text.startswith(short.removesuffix(" ...")))


@given(st.lists(st.lists(st.integers(0, 9), max_size=40), max_size=8))
def test_joined_evidence_has_something_of_each(numbers: list[list[int]]) -> None:
    pieces = [[SEEN.model_copy(update={"text": f"{number}"}) for number in some] for some in numbers]
    every = joined(pieces)
    assert len({one.text for one in every}) == len(every) <= 24
    assert all(some[0] in every for some in pieces if some)
