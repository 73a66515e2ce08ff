"""Calls that are the same call, however they are written."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from tools.protocol import ToolCall
from tools.toolbox import Toolbox


@pytest.fixture(scope="module")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    root = tmp_path_factory.mktemp("sameness")
    (root / "a").mkdir()
    (root / "a" / "b.txt").write_text("x\n")
    return Toolbox(root, ToolSettings(sandbox="policy"))


def command(text: str) -> ToolCall:
    return ToolCall(tool="command", args={"command": text})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("grep -rl 'x' .", "grep -l -r x ./"),
        ("grep -rl x", 'grep --recursive --files-with-matches "x" .'),
        ("head -5 a/b.txt", "head -n 5 ./a/b.txt"),
        ("head --lines=5 a/b.txt", "head   -n5 a//b.txt"),
        ("find ./a -name x", "find a/ -name 'x'"),
        ("git log -1 --oneline -- a", "git log --oneline -1 -- ./a"),
        ("sort -r -n a/b.txt | cat", "sort -nr a/b.txt"),
        ("ls -a a", "ls --all ./a"),
        ("wc -l < a/b.txt", "cat -- ./a/b.txt|wc --lines"),
    ],
)
def test_spelling_makes_no_other_call(toolbox: Toolbox, one: str, other: str) -> None:
    assert toolbox.signature(command(one)) == toolbox.signature(command(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ls -t -S", "ls -S -t"),
        ("sort -k1 -k2 a/b.txt", "sort -k2 -k1 a/b.txt"),
        ("grep x a/b.txt", "grep X a/b.txt"),
        ("grep x a/b.txt", "grep -v x a/b.txt"),
        ("head -n 5 a/b.txt", "head -n 6 a/b.txt"),
        ("find a -name x", "find a -iname x"),
        ("cat a/b.txt | sort", "cat a/b.txt | sort -u"),
        ("grep a b.txt", "grep b.txt a"),
    ],
)
def test_what_may_print_something_else_is_another_call(toolbox: Toolbox, one: str, other: str) -> None:
    assert toolbox.signature(command(one)) != toolbox.signature(command(other))


def test_an_absolute_path_below_the_root_is_the_relative_one(toolbox: Toolbox) -> None:
    absolute = command(f"cat {toolbox.root}/a/b.txt")
    assert toolbox.signature(absolute) == toolbox.signature(command("cat a/b.txt"))


def test_a_typed_call_is_the_command_that_says_the_same(toolbox: Toolbox) -> None:
    typed = ToolCall(tool="ls", args={"path": "./a", "all": True})
    assert toolbox.signature(typed) == toolbox.signature(command("ls -A a")) or toolbox.signature(
        typed
    ) == toolbox.signature(command("ls -a a"))


def test_a_change_of_a_file_is_known_by_its_path(toolbox: Toolbox) -> None:
    one, other = (
        ToolCall(tool="write_file", args={"path": path, "content": "x"}) for path in ("n.txt", "./n.txt")
    )
    assert toolbox.signature(one) == toolbox.signature(other)
    third = ToolCall(tool="write_file", args={"path": "n.txt", "content": "y"})
    assert toolbox.signature(one) != toolbox.signature(third)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("grep cat|'\"\\-./a$;\n", max_size=30))
def test_any_text_has_a_signature(toolbox: Toolbox, text: str) -> None:
    assert toolbox.signature(command(text)) == toolbox.signature(command(text))
