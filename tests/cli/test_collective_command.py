"""Several engines from the command line: shown, resumed, answered, refused."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.collective_command import BY_NAME, TABLE, check_arguments, resume_line, resuming
from cli.collective_live import Children
from cli.main import parser
from configs.errors import UsageError
from tests.cli.conftest import Reflect

PARSER = parser()
LINES = "How many lines does a.txt have?"
SUM = "What is three times three?"
MAKE = "create the file notes.txt with the text hi"
PLAN = {
    "objective": "x",
    "steps": [{"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "hi"}}],
}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}


@pytest.fixture
def root(home: Path) -> Path:
    root = home / "p"
    (root / ".reflect").mkdir(parents=True)
    (root / "a.txt").write_text("x\ny\n")
    section = {"contractive": {"normalize": "code"}}
    (root / ".reflect" / "config.yaml").write_text(yaml.safe_dump(section))
    return root


def model(folder: Path, **roles: list[Any]) -> str:
    path = folder / "script.yaml"
    path.write_text(yaml.safe_dump({"roles": {"worker": ["Answer: 9"], **roles}, "repeat_last": True}))
    return f"scripted:{path}"


def test_an_answer_is_told_with_its_evidence_and_who_says_otherwise(root: Path, reflect: Reflect) -> None:
    ran = reflect("ensemble", LINES, "--root", root, "--model", model(root.parent), "--thread", "t")
    assert ran.code == 0 and ran.out.startswith("a.txt has 2 lines.\n\nEvidence:\n  wc -l -- a.txt\n")
    assert "answered, confidence 0." in ran.out and "direct uncertain" in ran.out
    assert "Note: contractive and direct say otherwise: 9" in ran.err
    assert "go on with: reflect ensemble --resume=t" in ran.err
    shown = {line.split()[0] for line in ran.err.splitlines() if " is asked: " in line}
    assert shown == {"contractive", "reflective", "direct"}
    again = reflect("resume", "t", "--root", root, "--json", "--quiet")
    told = json.loads(again.out)
    assert again.code == 0 and again.err == "" and told["answer"] == "a.txt has 2 lines."
    assert (told["engine"], told["thread_id"], told["chosen"]) == ("ensemble", "t", "reflective")
    assert all(not finding["vector"] for finding in told["findings"])
    assert "ensemble: How many" in reflect("threads", "list", "--root", root).out
    assert "merge" in reflect("history", "t", "--root", root).out
    assert reflect("ask", LINES, "--root", root, "--thread", "t", "--model", "scripted:x").code == 2
    forked = reflect("fork", "t", "--at", "1", "--root", root)
    assert forked.code == 2 and "ensemble" in forked.err
    assert reflect("threads", "delete", "t", "--root", root).code == 0
    places = [
        path for path in (root / ".reflect").rglob("t*") if path.is_file() and "locks" not in path.parts
    ]
    assert not places, places


def test_events_are_lines_of_json_and_the_result_is_the_last(root: Path, reflect: Reflect) -> None:
    ran = reflect(
        "ensemble", LINES, "--root", root, "--model", model(root.parent), "--print-events", "--quiet"
    )
    *events, result = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0 and ran.err == "" and result["type"] == "result"
    assert {event["type"] for event in events} == {"event"}
    by_child = {event["child"] for event in events}
    assert by_child == {"contractive", "reflective", "direct"}
    inner = [event for event in events if event["namespace"]]
    assert {event["event"]["kind"] for event in inner if event["child"] == "contractive"} == {"contractive"}
    assert any(event["event"]["kind"] == "step_done" for event in inner if event["child"] == "reflective")


@pytest.mark.parametrize(
    ("goal", "worker", "code", "status"),
    [
        (SUM, "Answer: 9", 0, "uncertain"),
        ("How many lines does zebra/quokka.csv have?", "Answer: 9", 1, "could_not"),
        (SUM, {"error": "unavailable"}, 2, "error"),
    ],
)
def test_the_exit_code_says_what_came_of_it(
    root: Path, reflect: Reflect, goal: str, worker: Any, code: int, status: str
) -> None:
    every = {role: [worker] for role in ("worker", "classifier", "planner", "critic", "verifier")}
    ran = reflect(
        "ensemble", goal, "--root", root, "--model", model(root.parent, **every), "--json", "--quiet"
    )
    told = json.loads(ran.out)
    assert (ran.code, told["status"]) == (code, status)
    assert (told["failure"] is None) == (code != 2) and (code == 0 or "9" not in told["answer"])


@pytest.mark.parametrize("name", ["ensemble", "hybrid"])
def test_a_change_waits_for_a_person_and_goes_on_with_a_yes(root: Path, reflect: Reflect, name: str) -> None:
    roles: dict[str, list[Any]] = {
        "planner": [{"when": "You turn a request", "reply": {"recommendations": []}}, PLAN],
        "verifier": [PASSED],
    }
    chosen = ("--root", root, "--model", model(root.parent, **roles))
    ran = reflect(name, MAKE, *chosen, "--thread", "t")
    assert ran.code == 3 and not (root / "notes.txt").exists()
    assert "notes.txt" in ran.err and f"reflect {name} --resume=t" in ran.err
    assert "waiting" in reflect("threads", "list", "--root", root).out
    assert reflect("ensemble" if name == "hybrid" else "hybrid", "--resume", "t", *chosen).code == 2
    refused = reflect(name, "--resume", "t", "--reading", "1", *chosen)
    assert refused.code == 2 and "waits for no reading" in refused.err
    done = reflect("resume", "t", *chosen, "--yes", "--json", "--quiet")
    told = json.loads(done.out)
    assert done.code == 0 and told["engine"] == name and (root / "notes.txt").read_text() == "hi"
    assert "write_file notes.txt" in told["answer"]


def test_a_hybrid_tells_what_was_found_for_each_part(root: Path, reflect: Reflect) -> None:
    (root / "b.txt").write_text("x\n")
    parts = [
        {"goal": f"How many lines does {name} have?", "why": "", "needs": "facts"}
        for name in ("a.txt", "b.txt")
    ]
    recommends = [{"when": "You turn a request", "reply": {"recommendations": parts}}, {"question": "x"}]
    ran = reflect(
        "hybrid", "Which of a.txt and b.txt has more lines?", "--root", root,
        "--model", model(root.parent, planner=recommends), "--max-calls", "50",
    )  # fmt: skip
    assert ran.code == 0 and "a.txt has 2 lines." in ran.out and "b.txt has 1 line" in ran.out
    assert "--max-calls=50" in ran.err and "step-2" in ran.err


VALUES: dict[str, st.SearchStrategy[str]] = {
    "--max-tokens": st.integers(1, 10**6).map(str),
    "--max-calls": st.integers(1, 99).map(str),
    "--timeout": st.floats(0.1, 1e4).map(str),
    "--model": st.text(min_size=1, max_size=5),
    "--profile": st.sampled_from(["safe", "dev"]),
    "--root": st.text(min_size=1, max_size=5),
}
FLAGS = st.sets(st.sampled_from(["--print-events", "--json", "--quiet", "--yes"]))


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(BY_NAME)),
    st.fixed_dictionaries({}, optional=VALUES),
    FLAGS,
    st.text(min_size=1, max_size=5),
)
def test_the_line_that_goes_on_names_every_choice_once_more(
    name: str, values: dict[str, str], flags: set[str], thread: str
) -> None:
    begun = PARSER.parse_args(
        [name, "a goal", *(f"{flag}={value}" for flag, value in values.items()), *flags]
    )
    line = shlex.split(resume_line(thread, begun))
    assert line[0] == "reflect" and vars(PARSER.parse_args(line[1:])) == vars(begun) | {
        "goal": [],
        "resume": thread,
    }


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_what_resume_was_given_is_given_on(name: str) -> None:
    words = [
        "resume",
        "--root",
        "/a",
        "--model",
        "m:x",
        "--profile",
        "dev",
        "--json",
        "--dry-run",
        "--",
        "-t",
    ]
    given = resuming(PARSER.parse_args(words), name)
    assert (given.resume, given.root, given.model, given.profile) == ("-t", "/a", "m:x", "dev")
    assert given.json and given.dry_run and not given.yes and given.together == name
    check_arguments(given)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no goal"),
        (("q", "--resume", "t"), "both given"),
        (("--resume", "t", "--thread", "u"), "both given"),
        (("--resume", "t", "--context", "f"), "both given"),
        (("q", "--reading", "1"), "--resume"),
        (("-", "--context", "-"), "standard input"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_run(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        check_arguments(PARSER.parse_args(["ensemble", *words]))


def test_bad_input_is_a_message_and_exit_code_2(root: Path, reflect: Reflect) -> None:
    chosen = ("--root", root, "--model", model(root.parent), "--quiet")
    for words, told in (
        (("  ",), "empty"),
        (("x" * 8001,), "8000"),
        (("--resume", "nowhere"), "nowhere"),
        ((SUM, "--max-calls", "0"), "max_calls"),
        ((SUM, "--timeout", "-1"), "run_timeout_sec"),
        ((SUM, "--context", "/no/such/file"), "cannot be read"),
        ((SUM, "--thread", "a▸b"), "cannot name a thread"),
    ):
        ran = reflect("ensemble", *words, *chosen)
        assert ran.code == 2 and told in ran.err and ran.out == "", words


def test_events_are_told_apart_by_the_innermost_engine() -> None:
    children = Children()
    begun = {"kind": "child", "id": "outer", "namespace": "execute:1"}
    assert children.of((), begun) == "outer"
    assert children.of(("execute:1",), {**begun, "id": "inner", "namespace": "execute:1|leaf:2"}) == "inner"
    assert children.of(("execute:1", "leaf:2"), {"kind": "step"}) == "inner"
    assert children.of(("execute:1", "plan:3"), {"kind": "step"}) == "outer"
    assert (
        children.of(("execute:17",), {"kind": "step"}) == "execute" and children.of((), {"kind": "x"}) == ""
    )


def test_every_line_of_the_table_is_a_command_with_a_graph_that_can_be_drawn() -> None:
    from importlib import import_module

    from cli.graph_command import GRAPHS

    for one in TABLE:
        assert isinstance(PARSER.parse_args([one.name, "g"]), argparse.Namespace) and one.name in GRAPHS
        assert callable(import_module(one.graph).build) and callable(import_module(one.result).result_of)
