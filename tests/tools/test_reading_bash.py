"""The reader of commands and bash never disagree about where a command ends and what its words are.

Bash reads the same text in an empty environment where every program name leads to one that writes down its
words, in a directory with the same names, so that patterns agree as well.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.tools.places import Project
from tools.arguments import Stage
from tools.errors import CommandRefused
from tools.parser import parse_command

TOOLS = ("cat", "grep", "find", "wc", "ls")
PIECES = st.sampled_from(
    [*TOOLS, " ", " ", " ", "\t", "\n", "|", "|", "||", "|&", "&", "&&", ";", "<", ">", ">>", "2>/dev/null"]
    + [
        "2>&1",
        "'",
        '"',
        "\\",
        "`",
        "$",
        "$'",
        "$(",
        "$x",
        "${x}",
        "(",
        ")",
        "{",
        "}",
        "{}",
        "{a,b}",
        "{1..2}",
    ]
    + [
        "*",
        "?",
        "[a]",
        "[!a]",
        "[^n]",
        "[[:alpha:]]",
        "[",
        "]",
        "~",
        "#",
        "!",
        "=",
        "x=1 ",
        "-n",
        "--",
        "src",
    ]
    + ["a.py", "notes.txt", "src/", "/", ".", ",", "é", "2", "if", "time", "then", "\\n", "\\;", "''", "a b"]
)
TEXT = st.builds(
    lambda tool, pieces: f"{tool} {''.join(pieces)}", st.sampled_from(TOOLS), st.lists(PIECES, max_size=9)
)


# Every tool becomes a function that writes down its words: nothing but the reading is bash's.
PRINTER = """{tool}() {{ printf '%s\\0' {tool} "$@" > "$WORDS/$BASHPID.$EPOCHREALTIME"; }}\n"""


def run_bash(script: str, root: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["/bin/bash", "--norc", "--noprofile", *options, "-c", script],
        cwd=root,
        env={"LC_ALL": "C.UTF-8", "PATH": "/nonexistent", **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )


def bash_stages(text: str, root: Path, place: Path) -> list[list[str]]:
    """The words of every program bash starts, sorted, for those of a pipeline start side by side."""
    for old in place.iterdir():
        old.unlink()
    functions = "".join(PRINTER.format(tool=tool) for tool in TOOLS)
    run_bash(functions + text, root, WORDS=str(place))
    return sorted(file.read_bytes().decode().split("\0")[:-1] for file in place.iterdir())


def parsed(text: str, root: Path) -> list[Stage] | None:
    """The stages of a text, or None if it is refused here or as soon as its tools are looked at."""
    try:
        stages = parse_command(text, root)
    except CommandRefused:
        return None
    return stages if all(stage.tool in TOOLS for stage in stages) else None


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.mark.integration  # it starts bash for each text
@settings(max_examples=250, deadline=None)
@given(text=TEXT)
@example(text="cat a.py | grep [[:lower:]].py")
@example(text="wc < a.py | cat -n")
@example(text="cat {} {}{a} a{b}c x$ $'a\\tb'")
@example(text="ls src/[!a]*.py '*'.py")
@example(text="cat 2>/dev/null a|wc")
def test_what_is_accepted_is_one_pipeline_with_the_words_bash_reads(
    text: str, shared: Project, written: Path
) -> None:
    stages = parsed(text, shared.root)
    assume(stages is not None)
    assert stages is not None
    ours = [[stage.tool, *(stage.argv or [])] for stage in stages]
    before = shared.snapshot()
    theirs = bash_stages(text, shared.root, written)
    assert shared.snapshot() == before, "bash did what the reader took for plain words"
    if theirs != sorted(ours):  # `tool < FILE` is `cat -- FILE | tool`
        first, *ours = ours
        assert "<" in text and first[:2] == ["cat", "--"], (theirs, first, ours)
        assume((shared.root / first[2]).is_file())  # else bash does not start the tool
    assert theirs == sorted(ours)


@pytest.mark.integration  # it starts bash for each text
@settings(max_examples=250, deadline=None)
@given(text=TEXT)
@example(text="cat | if")
@example(text="cat | | wc")
@example(text="cat 'a")
@example(text="cat <")
@example(text="ls |")
def test_what_bash_cannot_read_is_refused(text: str, shared: Project) -> None:
    try:
        parse_command(text, shared.root)
    except CommandRefused:
        return
    done = run_bash(text, shared.root, "-n")
    assert done.returncode == 0, (text, done.stderr)


@pytest.mark.parametrize("word", ["if", "time", "!", "{", "[[", "coproc", "function"])
def test_a_word_of_the_shells_own_is_no_command_unless_quoted(word: str, shared: Project) -> None:
    with pytest.raises(CommandRefused, match="shell's own|braces|a pattern"):
        parse_command(f"cat | {word} x", shared.root)
    assert parse_command(f"cat | '{word}' x", shared.root)[1].tool == word
