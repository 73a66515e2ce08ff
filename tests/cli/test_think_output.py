import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.think_live import WORDS, Both, Lines, Progress
from cli.think_output import STOPPED, doubt_of, facts_of, print_result, tell_notes
from cli.think_tree import tree_text
from nodes.contractive.events import ResultLine, read_lines, result_of
from nodes.contractive.state import ClusterSummary, ContractiveState, Metrics
from nodes.reflective.state import Failure
from tests.nodes.contractive.trees import event, question, towers


def test_an_uncertain_answer_says_how_many_samples_say_what(capsys: pytest.CaptureFixture[str]) -> None:
    result = result_of(towers(), "t")
    assert doubt_of(result) == (
        "Uncertain: 3 of 7 samples say this; others say 12 m (2), 15 m (1), that they cannot answer (1)."
    )
    print_result(result, as_json=False, as_line=False)
    assert capsys.readouterr().out == (
        "Tower A is taller by 12.5 m.\n" + doubt_of(result) + "\n\n"
        "entropy 0.64, support 43%, 1 pass, 5 questions, 23 calls, 8123 tokens, 12.3 s; "
        "stopped: fixed_point, the answer came to rest, which does not make it right\n"
    )


def test_doubt_of_a_review_or_a_failure_is_told() -> None:
    clusters = [ClusterSummary(size=4, answer="5")]
    given = ResultLine(short_answer="5", samples=4, confidence=1.0, clusters=clusters, verdict="reject")
    assert doubt_of(given) == "Uncertain: 4 of 4 samples say this; the review says reject."
    broken = given.model_copy(update={"failure": "gone", "verdict": "approved"})
    assert doubt_of(broken) == "Uncertain: 4 of 4 samples say this; the run failed before it was done."
    many = [ClusterSummary(size=1, answer=f"a\x1b[31m{n}" * 50) for n in range(9)]
    told = doubt_of(given.model_copy(update={"clusters": many, "short_answer": many[0].answer, "samples": 9}))
    assert told.startswith("Uncertain: 1 of 9 samples says this; others say ") and "5 more" in told
    assert len(told) < 600


@pytest.mark.parametrize("reason", sorted(STOPPED))
def test_no_reason_to_stop_calls_an_answer_right(reason: str) -> None:
    given = ResultLine(stop_reason=reason, entropy=0.0, confidence=1.0, samples=3, short_answer="4")
    told = facts_of(given).lower()
    assert f"stopped: {reason}, " in told
    assert not any(word in told for word in ("correct", "verified", "true")) and "right" not in told.replace(
        "does not make it right", ""
    )


def test_a_run_that_failed_prints_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    failure = Failure(node="solve", kind="X", what="The server is down.", remedy="Start it.")
    state = ContractiveState(question="q", status="error", stop_reason="error", failure=failure)
    print_result(result_of(state, "t"), as_json=False, as_line=False)
    told = capsys.readouterr()
    assert told.out == "" and told.err == "reflect: The server is down. Start it.\n"
    none = ContractiveState(
        question="q", status="no_answer", stop_reason="no_answer", metrics=Metrics(calls=1)
    )
    print_result(result_of(none, "t"), as_json=False, as_line=False)
    assert capsys.readouterr().out.startswith("No answer.\n\nno samples, 0 passes, 0 questions, 1 call, ")


def test_who_answered_and_what_is_in_doubt_is_told_beside_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell_notes(ResultLine(model="embedded", peer="openai:x", notes=[f"n{n}" for n in range(20)]))
    told = capsys.readouterr()
    first, *notes, last = told.err.splitlines()
    assert first == "Model: embedded, reviewed by openai:x" and told.out == ""
    assert len(notes) == 12 and notes[0] == "Note: n0" and last == "Note: 8 more; --json shows all of them."


def test_samples_without_an_answer_are_no_certainty() -> None:
    refused = ResultLine(status="no_answer", entropy=0.0, samples=4)
    assert facts_of(refused).startswith("no answer in 4 samples, ")
    none = refused.model_copy(update={"samples": 0})
    assert facts_of(none).startswith("no samples, ") and "entropy" not in facts_of(none)


def test_events_are_shown_as_lines_and_as_words() -> None:
    out, err = io.StringIO(), io.StringIO()
    view = Both(Lines(out), Progress(err))
    told = event("sampled", 1, "0.1", of="try", answer="4\x1b[31m\n5", support=0.75, samples=4, entropy=0.25)
    view.show({"kind": "contractive", **told.model_dump()})
    view.show({"kind": "contractive", **event("state_changed", 2, "0.1", before="NEW").model_dump()})
    assert err.getvalue() == "0.1      try: 4\\x1b[31m 5 (75% of 4 samples, entropy 0.25)\n"
    first, second = read_lines(out.getvalue())
    assert first.model_dump() == told.model_dump() and second.type == "state_changed"


@pytest.mark.parametrize("kind", sorted(WORDS))
def test_an_event_without_facts_is_no_failure(kind: str) -> None:
    stream = io.StringIO()
    Progress(stream).show({"type": kind})
    assert stream.getvalue().count("\n") <= 1


@settings(max_examples=40)
@given(st.sampled_from(sorted(WORDS)), st.text())
def test_progress_is_one_line_for_each_event(kind: str, text: str) -> None:
    out = io.StringIO()
    words = ("question", "answer", "part", "why", "reason", "problem", "by")
    Progress(out).show({"type": kind, "node": text, "facts": dict.fromkeys(words, text)})
    shown = out.getvalue()
    assert shown.count("\n") <= 1 and not shown.strip("\n").count("\r") and "\x1b" not in shown


def test_a_result_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    result = result_of(towers(), "t")
    print_result(result, as_json=True, as_line=False)
    assert json.loads(capsys.readouterr().out)["status"] == "uncertain"
    print_result(result, as_json=True, as_line=True)
    assert read_lines(capsys.readouterr().out) == [result]


def test_a_tree_is_shown_as_text() -> None:
    assert tree_text(towers().tree).splitlines() == [
        "0 By how much is tower A taller than tower B?",
        "  = 12.5 m [DONE, entropy 0.64, support 43%]; all of:",
        "  0.1 How tall is tower A?",
        "    = 112.5 m [DONE, entropy 0.25, support 75%, minor revision]",
        "  0.2 How tall is tower B? (needs 0.1)",
        "    = 100 m [DONE, entropy 0.25, support 75%]; any of:",
        "    0.2.1 Who built it?",
        "      = no answer [NEW]",
        "  0.3 What colour is it?",
        "    = no answer [NEW; left out: relevance 0.08 below 0.15]",
    ]
    assert tree_text({}) == "No question has been asked yet."
    circle = {
        "1": question("1", "a", parent="2", children=["2"]),
        "2": question("2", "b", parent="1", children=["1"]),
    }
    assert len(tree_text(circle).splitlines()) == 4
