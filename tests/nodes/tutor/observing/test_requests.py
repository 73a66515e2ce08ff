"""What is run for a request, and what is refused before anything has run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nodes.tutor.moves import Request
from nodes.tutor.observing.footprints import first_look
from nodes.tutor.observing.meaning.pipelines import meaning_of
from nodes.tutor.observing.reading import facts_of, shown
from nodes.tutor.observing.requests import stages_of
from tests.nodes.tutor.observing.conftest import Sandbox
from tools.errors import ToolError
from tools.stages import stage_vector

WRONG: list[tuple[str, dict[str, Any]]] = [
    ("cat", {}),
    ("cat", {"path": "a", "number": "yes"}),
    ("cat", {"path": "a", "number": 1}),
    ("cat", {"path": ["a"]}),
    ("cat", {"path": None}),
    ("cat", {"path": ""}),
    ("cat", {"path": "a", "paths": ["b"]}),
    ("head", {"path": "a", "lines": "3"}),
    ("head", {"path": "a", "lines": True}),
    ("head", {"path": "a", "lines": 3.0}),
    ("tail", {"path": "a", "lines": -1}),
    ("tail", {"path": "a", "from_line": 3}),
    ("grep", {"path": "a"}),
    ("grep", {"pattern": "x"}),
    ("grep", {"pattern": 3, "path": "a"}),
    ("grep", {"pattern": "x", "path": "a", "extended": True}),
    ("grep", {"pattern": "x\0", "path": "a"}),
    ("wc", {}),
    ("wc", {"paths": []}),
    ("wc", {"path": "a", "paths": ["a"]}),
    ("wc", {"path": "a", "chars": True}),
    ("ls", {"path": "a", "human": True}),
    ("find", {"type": "file"}),
    ("find", {"maxdepth": "2"}),
    ("find", {"maxdepth": -2}),
    ("find", {"printf": "%p"}),
    ("stat", {}),
    ("stat", {"path": "a", "format": "%n"}),
    ("diff", {"paths": ["a"]}),
    ("diff", {"paths": "a"}),
    ("diff", {"paths": ["a", "a", "a"]}),
    ("sort", {"path": "a"}),
    ("command", {"command": "ls"}),
    ("pipeline", {"stages": []}),
    ("write_file", {"path": "a", "text": ""}),
    ("", {}),
    ("cat", {"path": "../a"}),
    ("cat", {"path": "/etc/passwd"}),
    ("ls", {"path": "out"}),
    ("find", {"path": "out"}),
    ("stat", {"path": "out/passwd"}),
]


@pytest.mark.parametrize(("tool", "args"), WRONG)
def test_calls_of_another_form_are_refused(tool: str, args: dict[str, Any], sandbox: Sandbox) -> None:
    sandbox.write(a="1\n")
    (sandbox.root / "out").symlink_to("/etc")
    with pytest.raises(ToolError):
        sandbox.see(Request(tool=tool, args=args))


@pytest.mark.parametrize(
    "raw",
    [
        "The token is in a.",
        "echo 1 > a",
        "ls; ls",
        "ls && ls",
        "cat a & ls",
        "cat $(ls)",
        "cat `ls`",
        "cat a\nls",
        "printf a | wc -l",
        "python3 -c 1",
        "find . -delete",
        "cat ../a",
        '{"tool": "cat"}',
        '{"tool": "cat", "args": {"path": "a"}, "why": "x"}',
        '{"tool": "cat", "args": ["a"]}',
        '{"name": "cat", "args": {"path": "a"}}',
        '{"tool": "cat", "args": {"path": "a"}} ls',
        '{"tool": "command", "args": {"command": "ls"}}',
        "",
        "   ",
        "|",
        "cat 'a",
        "a" * 9000,
    ],
)
def test_texts_that_are_no_command_are_refused(raw: str, sandbox: Sandbox) -> None:
    sandbox.write(a="1\n")
    with pytest.raises(ToolError):
        sandbox.raw(raw)
    assert [path.name for path in sandbox.root.iterdir()] == ["a"]


def test_a_tool_and_a_command_line_are_refused_together(sandbox: Sandbox) -> None:
    with pytest.raises(ToolError):
        sandbox.see(Request(tool="ls", raw="ls"))


def test_a_call_written_as_json_is_the_call(sandbox: Sandbox) -> None:
    sandbox.write(a="1\n")
    written = sandbox.raw('{"tool": "cat", "args": {"path": "a"}}')
    typed = sandbox.see(Request(tool="cat", args={"path": "a"}))
    assert (written.tool, written.args, facts_of(written)) == ("cat", {"path": "a"}, facts_of(typed))


def test_the_player_sees_what_the_plain_tool_prints(sandbox: Sandbox) -> None:
    sandbox.put("a b", "one\ntwo\n")
    assert shown(sandbox.raw("cat -n 'a b'")) == "     1\tone\n     2\ttwo\n"
    assert shown(sandbox.raw("grep -c o 'a b'")) == "2\n"
    assert shown(sandbox.raw("ls")) == "a b\n"
    seen = sandbox.raw("cat nothing")
    assert (seen.returncode, "No such file" in seen.stderr, seen.command) == (1, True, "cat -- nothing")


def test_a_path_that_begins_like_an_option_is_a_path(tmp_path: Path) -> None:
    for tool, args in (
        ("cat", {"path": "-n"}),
        ("find", {"path": "("}),
        ("grep", {"pattern": "-e", "path": "-"}),
    ):
        _, _, (stage,) = stages_of(Request(tool=tool, args=args), tmp_path)
        assert stage.argv is not None
        assert {"-n", "("} & {*stage.argv} == set() and stage.argv[-1] != "-"


WORDS = st.sampled_from(
    [
        "cat",
        "head",
        "tail",
        "grep",
        "wc",
        "ls",
        "find",
        "stat",
        "diff",
        "sed",
        "sort",
        "nl",
        "sha256sum",
        "git",
    ]
    + ["a", "d", "link", "out", "missing", "a/x", "x" * 300, "''", "-", "--", ".", "..", "/", "*", "'*.py'"]
    + [
        "-n",
        "-e",
        "-r",
        "-c",
        "-l",
        "-w",
        "-5",
        "+2",
        "-name",
        "-type",
        "f",
        "-o",
        "!",
        "'('",
        "')'",
        "-print",
    ]
    + [
        "-maxdepth",
        "1",
        "-prune",
        "-printf",
        "'%p'",
        "2p",
        "--lines=2",
        "--help",
        "| wc -l",
        "| head",
        "| xargs",
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=7))
@example(words=["grep", "--help"])
@example(words=["stat", "x" * 300])
@example(words=["find", "-name"])
def test_any_words_are_refused_or_understood(words: list[str], sandbox: Sandbox) -> None:
    """What is asked about them is itself let through by the policy, and its state can be looked at."""
    sandbox.write(**{"a": "1\n", "d/b.py": "2\n"})
    try:
        _, _, stages = stages_of(Request(raw=" ".join(words)), sandbox.root)
        vectors = [stage_vector(stage, sandbox.root) for stage in stages]
    except ToolError:
        return
    meaning = meaning_of(vectors, sandbox.root)
    assert first_look(sandbox.root, meaning.depends)[0].paths or not meaning.questions
    for question in (*meaning.kinds, *meaning.questions):
        assert all(stage_vector(stage, sandbox.root).argv for stage in question.stages())
