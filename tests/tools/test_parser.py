from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tools.places import Project
from tools.errors import CommandRefused
from tools.parser import MAX_GLOB, parse_command

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
PLAIN = st.text("abcXYZ019_.,:/+=@%^-é中\x7f", min_size=1, max_size=5).filter(lambda text: "=" not in text)
SINGLE = st.text('ab \t\n"\\$`*?[#~!|;&<>(){}é', max_size=6).map(lambda text: f"'{text}'")
DOUBLE = st.lists(
    st.sampled_from(
        ["a", " ", "\t", "\n", "'", "\\\\", '\\"', "\\$", "\\`", "\\n", "*", "?", "|", ";", "#", "~", "é"]
    ),
    max_size=6,
).map(lambda parts: f'"{"".join(parts)}"')
ESCAPED = st.sampled_from([f"\\{sign}" for sign in "ab $`\"'\\*?[#~!|;&<>(){}é"])
WORD = st.lists(st.one_of(PLAIN, SINGLE, DOUBLE, ESCAPED), min_size=1, max_size=4).map("".join)
GAP = st.text(" \t", min_size=1, max_size=3)
SIGNS = st.text("ab '\"\\$`|;&<>(){}#~!*?[]-\t\n2", max_size=14)


def bash_words(text: str, where: Path) -> list[str]:
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {text}"],
        cwd=where,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().split("\0")[:-1]


def words(text: str, root: Path) -> list[str]:
    (stage,) = parse_command(f"cat {text}", root)
    assert stage.tool == "cat" and stage.argv is not None and not stage.from_input
    return stage.argv


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root without names, where a pattern stands for itself."""
    return tmp_path_factory.mktemp("empty")


@settings(max_examples=200, deadline=None)
@given(given_words=st.lists(TEXT, max_size=5))
def test_quoted_words_come_back_as_they_were(given_words: list[str], empty: Path) -> None:
    assert words(shlex.join([*given_words, "end"]), empty) == [*given_words, "end"]


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(WORD, min_size=1, max_size=4), gap=GAP)
def test_quotes_and_escapes_are_read_as_bash_reads_them(parts: list[str], gap: str, empty: Path) -> None:
    text = gap.join([*parts, "end"])
    assert words(text, empty) == bash_words(text, empty)


@settings(max_examples=200, deadline=None)
@given(text=SIGNS)
@example(text='"a\\\nb"')
@example(text="2>/dev/null a")
@example(text="a2>/dev/null")
@example(text="'2>/dev/null'")
@example(text="2>/dev/nullx")
@example(text="} ! a}b")
def test_what_is_understood_is_what_bash_understands(text: str, empty: Path) -> None:
    try:
        found = words(f"start {text} end", empty)
    except (CommandRefused, ValueError):
        return  # refused, or several stages
    assert found == bash_words(f"start {text} end", empty)
    assert list(empty.iterdir()) == [], "bash wrote what the parser took for a plain word"


@settings(max_examples=150, deadline=None)
@given(
    stages=st.lists(
        st.lists(TEXT.filter(lambda text: "=" not in text), min_size=1, max_size=3), min_size=1, max_size=4
    )
)
def test_pipes_divide_stages_and_quoted_pipes_do_not(stages: list[list[str]], empty: Path) -> None:
    text = " | ".join(shlex.join(["cat", *stage]) for stage in stages)
    parsed = parse_command(text, empty)
    assert [(stage.tool, stage.argv) for stage in parsed] == [("cat", stage) for stage in stages]


@settings(max_examples=100, deadline=None)
@given(pattern=st.text("ab.*?-/s", min_size=1, max_size=5).filter(lambda text: set(text) & set("*?")))
def test_patterns_stand_for_the_names_bash_finds(pattern: str, shared: Project) -> None:
    if pattern.startswith(("/", "-")) or ".." in pattern.split("/"):
        return
    expected = sorted(bash_words(pattern, shared.root))
    try:
        assert words(f"start {pattern}", shared.root)[1:] == expected
    except CommandRefused:
        assert any(name.startswith("dirlink/") for name in expected)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("*.py", ["a.py"]),
        ("[an]*.*", ["a.py", "notes.txt"]),
        ("src/*", ["src/b.py", "src/with space.md"]),
        ("src/with\\ s*", ["src/with space.md"]),
        ("'*'.py", ["*.py"]),
        ("\\*.py", ["*.py"]),
        ("nothing*", ["nothing*"]),
        ("-d*", ["-d*"]),
    ],
)
def test_a_pattern_is_expanded_below_the_root_unless_quoted(
    text: str, found: list[str], shared: Project
) -> None:
    assert words(text, shared.root) == found


def test_the_value_of_a_name_test_is_never_expanded(shared: Project) -> None:
    (stage,) = parse_command("find . -name *.py", shared.root)
    assert stage.argv == [".", "-name", "*.py"]


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "src/../../*"])
def test_a_pattern_stays_below_the_root(pattern: str, shared: Project) -> None:
    with pytest.raises(CommandRefused, match="below the root"):
        parse_command(f"cat {pattern}", shared.root)


@pytest.mark.parametrize("pattern", ["dirlink/*", "dirl*/s*", "*/secret.txt"])
def test_a_pattern_tells_no_name_behind_a_link_that_leads_outside(pattern: str, shared: Project) -> None:
    with pytest.raises(CommandRefused) as refusal:
        parse_command(f"basename {pattern}", shared.root)
    assert "dirlink/secret" not in str(refusal.value)


def test_a_pattern_for_too_many_names_is_refused(tmp_path: Path) -> None:
    for number in range(MAX_GLOB + 1):
        (tmp_path / f"f{number}").touch()
    with pytest.raises(CommandRefused, match=f"more than {MAX_GLOB} names"):
        parse_command("cat f*", tmp_path)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ls; pwd", ";"),
        ("ls & pwd", "&"),
        ("ls && pwd", "&"),
        ("ls || pwd", "||"),
        ("ls |& cat", "|&"),
        ("ls > out", ">"),
        ("ls 2> errors", ">"),
        ("ls 2>&1", "2>&1"),
        ("cat <(ls)", "<"),
        ("(ls)", "("),
        ("ls)", ")"),
        ("ls `pwd`", "`"),
        ("ls $HOME", "$"),
        ("ls $(pwd)", "$"),
        ('ls "$HOME"', "$"),
        ('ls "${HOME}"', "$"),
        ('ls "$(pwd)"', "$"),
        ('ls "`pwd`"', "`"),
        ("ls {a,b}", "{"),
        ("ls a}b", "}"),
        ("ls\npwd", "\n"),
        ("ls # all", "#"),
        ("ls ~", "~"),
        ("ls 'a", "'"),
        ('ls "a', '"'),
        ("ls a\\", "\\"),
        ("ls \\\n-l", "\\"),
        ("ls \x07", "\x07"),
        ("ls \0", "NUL"),
        ("| ls", "|"),
        ("ls |", "|"),
        ("ls | | wc", "|"),
        ("A=1 ls", "A=1"),
        ("xargs ls", "xargs"),
        ("ls | xargs", "xargs"),
        ("ls | xargs -I% % a", "xargs %"),
        ("ls | xargs -n 0 cat", "xargs -n 0"),
        ("ls | xargs -d: cat", "xargs -d:"),
        ("ls | xargs -n", "xargs -n"),
        ("ls | xargs -n1 -I% cat %", "xargs"),
        ("ls | wc < a.py", "<"),
        ("ls <<< a", "<"),
        ("wc <", "<"),
        ("wc < | cat", "<"),
        ("wc < *.txt *.py < a.py", "<"),
        ("ls | xargs -P4 cat", "xargs -P4"),
        ("ls | xargs -a list cat", "xargs -a"),
    ],
)
def test_what_a_shell_would_do_is_refused_and_the_part_named(text: str, part: str, shared: Project) -> None:
    with pytest.raises(CommandRefused) as refusal:
        parse_command(text, shared.root)
    assert repr(part) in str(refusal.value) or repr(repr(part)) in str(refusal.value)
    assert refusal.value.remedy


@pytest.mark.parametrize(
    ("options", "null_separated"),
    [("", False), ("-r", False), ("--no-run-if-empty", False), ("--", False)]
    + [(option, True) for option in ("-0", "--null", "-0r", "-r0", "-0 -r", "-r -0 --")],
)
def test_xargs_marks_the_stage_that_takes_names_from_its_input(
    options: str, null_separated: bool, shared: Project
) -> None:
    first, second = parse_command(f"find . | xargs {options} wc -l", shared.root)
    assert not first.from_input
    assert (second.tool, second.argv, second.from_input) == ("wc", ["-l"], True)
    assert second.null_separated == null_separated


def test_the_discarding_of_diagnostics_means_nothing(shared: Project) -> None:
    first, second = parse_command("2>/dev/null find . 2> /dev/null -empty 2>/dev/null| wc", shared.root)
    assert (first.tool, first.argv, second.tool) == ("find", [".", "-empty"], "wc")


@pytest.mark.parametrize(
    ("options", "per_run", "placeholder"),
    [("-n1", 1, None), ("-n 2", 2, None), ("--max-args=3", 3, None), ("-L 1", 1, None), ("-0rn4", 4, None)]
    + [("-I{}", None, "{}"), ("-I %", None, "%"), ("-0I{}", None, "{}"), ("--replace=@", None, "@")]
    + [("-d '\\n' -n1", 1, None)],
)
def test_xargs_says_how_many_names_a_run_takes(
    options: str, per_run: int | None, placeholder: str | None, shared: Project
) -> None:
    stage = parse_command(f"find . | xargs {options} basename", shared.root)[1]
    assert (stage.tool, stage.per_run, stage.placeholder) == ("basename", per_run, placeholder)


async def test_every_run_of_xargs_passes_the_policy_anew(project: Project) -> None:
    (project.root / "-o").write_text("x")
    each = await project.command("find . -name '*.py' | sort | xargs -n1 wc -l")
    assert each.stdout == "2 ./a.py\n4 ./src/b.py\n"
    named = await project.command("find . -name '*.py' | sort | xargs -I{} basename {} .py")
    assert named.stdout == "a\nb\n"
    left = await project.command("ls -1 | xargs -I{} sort {} pwned")
    assert not (project.root / "pwned").exists()
    assert "TOPSECRET" not in left.stdout and "link_out" in left.stderr


def test_a_redirected_input_is_a_file_that_cat_reads_first(shared: Project) -> None:
    first, second = parse_command("wc -l < notes.txt", shared.root)
    assert (first.tool, first.argv, second.tool, second.argv) == ("cat", ["--", "notes.txt"], "wc", ["-l"])
