from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessageChunk
from rich.console import Console

from cli.live import (
    CONTROL,
    EVIDENCE_LINES,
    NODE_WORDS,
    WORDS_BY_EVENT,
    LiveView,
    print_report,
    printable,
)
from cli.passing_text import PassingText
from graph.reflective import workflow
from nodes.reflective.progress_events import EVENTS

# What a hostile file name or output may hold: rich's markup, and a terminal's own orders.
MARKUP = "[red]x[/] [/nothing] \\"
ESCAPE = "\x1b]0;title\x07\x9b2J"


def shown(mode: str, chunk: dict[str, Any]) -> str:
    stream = io.StringIO()
    LiveView(stream).show(mode, chunk)
    return stream.getvalue()


def event(kind: str, **values: Any) -> str:
    return shown("custom", {"kind": kind, **values})


def evidence(text: str, **values: Any) -> dict[str, Any]:
    return {"source": "tool", "command": "grep x y", "returncode": 0, "text": text, **values}


def printed(**values: Any) -> str:
    report: dict[str, Any] = {
        "answer": "Ten.",
        "status": "answered",
        "stop_reason": "success",
        "confidence": 0.954,
        "evidence": [],
        "notes": [],
        "waiting_for": [],
        "usage": {"calls": 3},
        "model": "ollama:a",
        "sandbox_level": "bwrap",
        "thread_id": "t-1",
    }
    stream = io.StringIO()
    print_report({**report, **values}, stream)
    return stream.getvalue()


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["Cc", "L", "N"]) | st.just("\0")))
def test_nothing_printable_can_drive_the_terminal(text: str) -> None:
    assert CONTROL.search(printable(text)) is None


def test_tabs_and_line_ends_stay_and_escapes_are_shown() -> None:
    assert printable("a\tb\nc") == "a\tb\nc"
    assert printable("\x1b[2J\r\x9b") == "\\x1b[2J\\x0d\\x9b"


def test_a_nul_ends_a_file_name() -> None:
    assert printable("./a.py\x0012:def main\n./b.py\x00./c.py\x00") == "./a.py:12:def main\n./b.py\n./c.py\n"


def test_every_node_of_the_graph_has_a_word() -> None:
    nodes = {name for name in workflow.get_graph().nodes if not name.startswith("__")}
    assert nodes == set(NODE_WORDS)


@pytest.mark.parametrize("node", sorted(NODE_WORDS))
def test_a_node_that_starts_is_named(node: str) -> None:
    assert shown("tasks", {"name": node, "input": {}}) == f"{NODE_WORDS[node]}\n"


def test_what_is_no_node_is_not_shown() -> None:
    assert shown("tasks", {"name": "__error_handler__", "input": {}}) == ""
    assert shown("tasks", {"name": "__error_handler__", "result": {"last_error": "x"}}) == ""
    assert shown("debug", {"name": "plan", "input": {}}) == ""
    assert event("something new") == ""


@pytest.mark.parametrize(
    ("node", "result", "line"),
    [
        ("classify", {"complexity": "simple", "complexity_source": "recipe"}, "  simple (by recipe)\n"),
        ("respond", {"status": "partial", "stop_reason": "max_iterations"}, "  partial (max_iterations)\n"),
        ("execute", {"last_error": f"exit 1 {MARKUP}{ESCAPE}"}, f"  exit 1 {MARKUP}{printable(ESCAPE)}\n"),
        ("execute", {"last_error": None}, ""),
        ("classify", None, ""),
    ],
)
def test_a_node_that_ends_says_what_came_of_it(node: str, result: Any, line: str) -> None:
    assert shown("tasks", {"name": node, "result": result}) == line


@pytest.mark.parametrize(
    ("kind", "values", "line"),
    [
        ("model", {"model": "ollama:a", "reason": "as set"}, "model        ollama:a (as set)"),
        (
            "plan",
            {"source": "recipe", "recipe": "count-files", "steps": ["Find", "Sort"]},
            "  plan from recipe count-files\n    1. Find\n    2. Sort",
        ),
        ("plan", {"source": "model", "recipe": None, "steps": ["Look"]}, "  plan from model\n    1. Look"),
        ("step", {"num": 1, "of": 2, "description": "Find"}, "  step 1/2 Find"),
        ("step_done", {"status": "success", "command": "ls"}, "    ok $ ls"),
        ("step_done", {"status": "failed", "command": "ls"}, "    failed $ ls"),
        (
            "follow_up",
            {"said": "and b?", "read_as": "how long is b?", "by": "code"},
            "  read as: how long is b?",
        ),
        ("probe", {"command": "ls"}, "    probe $ ls"),
        (
            "thinking",
            {"role": "planner", "text": "hm", "chars": 2},
            "    the planner thought 2 characters",
        ),
        ("model_call", {"role": "planner", "attempt": 2}, "    asking the planner (attempt 2)"),
        ("plan_refused", {"error": "rm is not read-only"}, "    plan refused: rm is not read-only"),
        ("reflection", {"diagnosis": "No such file."}, "    diagnosis: No such file."),
        ("research", {"node": "analyst", "iteration": 1, "what": "drafted"}, "    drafted"),
        ("verified", {"passed": True, "findings": []}, "    verified"),
        ("verified", {"passed": False, "findings": ["a", "b"]}, "    not verified: a; b"),
    ],
)
def test_an_event_is_one_entry(kind: str, values: dict[str, Any], line: str) -> None:
    assert event(kind, **values) == f"{line}\n"


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("model", {"model": MARKUP, "reason": MARKUP}),
        ("plan", {"source": "model", "steps": [MARKUP + ESCAPE]}),
        ("step", {"num": 1, "of": 1, "description": MARKUP + ESCAPE}),
        ("step_done", {"status": "success", "command": MARKUP + ESCAPE}),
        ("probe", {"command": MARKUP + ESCAPE}),
        ("follow_up", {"read_as": MARKUP + ESCAPE}),
        ("plan_refused", {"error": MARKUP + ESCAPE}),
        ("reflection", {"diagnosis": MARKUP + ESCAPE}),
        ("research", {"node": "analyst", "iteration": 1, "what": MARKUP + ESCAPE}),
        ("verified", {"passed": False, "findings": [MARKUP + ESCAPE]}),
    ],
)
def test_text_in_an_event_is_neither_markup_nor_an_order(kind: str, values: dict[str, Any]) -> None:
    line = event(kind, **values)
    assert MARKUP in line
    assert CONTROL.search(line) is None


def test_every_event_but_the_last_has_words() -> None:
    assert set(WORDS_BY_EVENT) == set(EVENTS) - {"answer"}


class Screen:
    """What a terminal shows that understands line ends, upward moves and clearing a line."""

    def __init__(self, **terminal: Any) -> None:
        self.stream = io.StringIO()
        self.view = LiveView(self.stream)
        self.view._console = Console(
            file=self.stream, force_terminal=True, color_system=None, width=40, soft_wrap=True, **terminal
        )
        self.view._passing = PassingText(self.view._console)

    def say(self, *words: str, node: str = "direct_exec", name: str = "m", **kwargs: Any) -> None:
        for word in words:
            piece = AIMessageChunk(content=word, id=name, additional_kwargs=kwargs)
            # As if time had passed: each word is to be drawn.
            self.view._passing._at = 0.0
            self.view.show(
                "messages", (piece, {"langgraph_node": node, "role": "worker", "structured": False})
            )

    def lines(self) -> list[str]:
        rows, row = [""], 0
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", self.stream.getvalue()):
            if part == "\n":
                row += 1
                rows += [""] * (row + 1 - len(rows))
            elif part.endswith("A") and part[0] == "\x1b":
                row -= int(part[2:-1] or 1)
            elif part == "\x1b[2K":
                rows[row] = ""
            elif part[0] not in "\r\x1b":
                rows[row] += part
        return [line for line in rows if line.strip()]


def classified(complexity: str) -> tuple[str, dict[str, Any]]:
    return "tasks", {"name": "classify", "result": {"complexity": complexity, "complexity_source": "x"}}


def test_words_of_an_answer_from_knowledge_are_shown_as_they_come_and_then_taken_away() -> None:
    screen = Screen()
    screen.view.show(*classified("bypass"))
    screen.say("Good", " day", " to you.")
    assert screen.lines()[-1] == "answering | Good day to you."
    screen.view.stop()
    assert screen.lines() == ["  bypass (by x)"]


@pytest.mark.parametrize(
    ("complexity", "node"), [("moderate", "execute"), ("simple", "direct_exec"), ("bypass", "execute")]
)
def test_a_draft_never_looks_like_the_answer(complexity: str, node: str) -> None:
    screen = Screen()
    screen.view.show(*classified(complexity))
    screen.say("There are", " ten files.\nAnd " + "more " * 20, node=node)
    drawn = screen.lines()[1:]
    assert len(drawn) > 2 and all(line.startswith("draft, unchecked | ") for line in drawn)
    screen.view.show("custom", {"kind": "verified", "passed": True, "findings": []})
    assert screen.lines()[1:] == ["    verified"]


def test_thinking_is_shown_as_such_and_gives_way_to_the_answer() -> None:
    screen = Screen()
    screen.view.show(*classified("bypass"))
    screen.say("", reasoning_content="Let me see.")
    assert screen.lines()[-1] == "thinking | Let me see."
    screen.say("<think>so", " it is", name="n")
    assert screen.lines()[-1] == "thinking | so it is"
    screen.say("</think>Yes.", name="n")
    assert screen.lines()[-1] == "answering | Yes."


@given(st.lists(st.text(), max_size=6), st.integers(12, 90))
def test_what_passes_leaves_nothing_behind_and_cannot_drive_the_terminal(
    words: list[str], width: int
) -> None:
    screen = Screen()
    screen.view._console.width = width
    screen.view._console.print("before")
    screen.say(*words, node="execute")
    assert CONTROL.search(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", screen.stream.getvalue())) is None
    screen.view.stop()
    screen.view._console.print("after")
    assert screen.lines() == ["before", "after"]


def test_tokens_are_wanted_only_where_they_can_be_taken_away_again() -> None:
    assert LiveView(io.StringIO()).modes == ["tasks", "custom"]
    screen = Screen()
    assert screen.view.modes == ["tasks", "custom", "messages"]
    dumb = PassingText(Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"}))
    assert not dumb.possible


def test_values_are_not_shown_as_words() -> None:
    screen = Screen()
    piece = AIMessageChunk(content='{"steps": []}', id="m")
    screen.view.show("messages", (piece, {"langgraph_node": "plan", "role": "planner", "structured": True}))
    assert screen.lines() == []


def test_an_event_of_any_length_is_cut() -> None:
    assert len(event("step_done", status="failed", command="x" * 10_000)) < 500
    assert len(shown("tasks", {"name": "plan", "result": {"last_error": "x" * 10_000}})) < 500


def test_the_goal_stands_first_and_a_blank_line_last() -> None:
    stream = io.StringIO()
    view = LiveView(stream)
    view.start(f"count {MARKUP}{ESCAPE}" + "x" * 1000)
    view.stop()
    first, rest = stream.getvalue().split("\n", 1)
    assert first.startswith(f"Goal count {MARKUP}{printable(ESCAPE)}x") and len(first) < 400
    assert rest == "\n"


def test_a_stream_that_is_no_terminal_gets_no_colour() -> None:
    assert "\x1b" not in event("step_done", status="success", command="ls") + printed()


def test_the_report_is_the_answer_then_how_it_came_about() -> None:
    assert printed() == (
        "Ten.\n\nanswered (success), confidence 0.95, model ollama:a, 3 model calls, "
        "sandbox bwrap, thread t-1\n"
    )


def test_a_run_without_an_answer_says_so() -> None:
    text = printed(answer=None, status="error", stop_reason="error", confidence=None)
    assert text.startswith("(no answer)\n") and "confidence unknown" in text


def test_evidence_of_tools_is_shown_with_command_and_exit_code() -> None:
    text = printed(
        evidence=[
            evidence("a:1\na:2", returncode=1),
            evidence("derived by code", source="computed", command="count"),
        ]
    )
    assert "\nEvidence:\n  $ grep x y  (exit 1)\n    a:1\n    a:2\n" in text
    assert "derived by code" not in text


def test_computed_evidence_alone_needs_no_heading() -> None:
    assert "Evidence" not in printed(evidence=[evidence("x", source="computed")])


@pytest.mark.parametrize("more", [0, 1, 5])
def test_long_evidence_says_how_much_is_not_shown(more: int) -> None:
    text = printed(evidence=[evidence("\n".join(f"line {n}" for n in range(EVIDENCE_LINES + more)))])
    assert f"line {EVIDENCE_LINES - 1}\n" in text and f"line {EVIDENCE_LINES}\n" not in text
    assert (f"... {more} more lines" in text) == (more > 0)


def test_a_line_of_evidence_is_cut_but_not_wrapped() -> None:
    text = printed(evidence=[evidence("y" * 5000)])
    assert f"    {'y' * 300}\n" in text and "y" * 301 not in text


def test_nothing_in_a_report_is_markup_or_an_order() -> None:
    hostile = MARKUP + ESCAPE
    text = printed(
        answer=hostile, evidence=[evidence(hostile, command=hostile)], notes=[hostile], model=MARKUP
    )
    assert text.count(MARKUP) == 5
    assert CONTROL.search(text) is None


def test_notes_are_shown() -> None:
    assert "\nNote: Searches left out .git.\n" in printed(notes=["Searches left out .git."])
