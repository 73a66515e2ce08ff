import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reuse.refill import refill
from memory.reuse.skeleton import Slot, skeleton_of

PLACES = {
    "src": "src",
    "tests": "tests",
    "docs": "docs",
    "harbour": "src/harbour",
    "net": "src/harbour/net",
    "models.py": "src/harbour/models.py",
    "cli.py": "src/harbour/cli.py",
}


def refilled(learned: str, commands: list[str], asked: str) -> list[str] | None:
    old, new = skeleton_of(learned, PLACES), skeleton_of(asked, PLACES)
    assert old.key == new.key
    return refill(commands, old.slots, new.slots)


@pytest.mark.parametrize(
    ("learned", "command", "asked", "right"),
    [
        ("files with TODO", "grep -rl TODO .", "files with FIXME", "grep -rl FIXME ."),
        ("files with TODO", r"grep -rlE '\bTODO\b:' .", "files with HACK", r"grep -rlE '\bHACK\b:' ."),
        ("5 longest in src", "wc -l src | head -n 5", "7 longest in docs", "wc -l docs | head -n 7"),
        ("with TODO in net", "grep -rn TODO src/harbour/net", "with TODO in src", "grep -rn TODO src"),
        ("in src, not in tests", "diff -rq src tests", "in tests, not in src", "diff -rq tests src"),
        ("*.py files", "find . -name '*.py'", "*.md files", "find . -name '*.md'"),
        ("changed in 7 days", "find . -mtime -7", "changed in 30 days", "find . -mtime -30"),
        ("directories 2 levels down", "find . -mindepth 2 -maxdepth 2", "directories 3 levels down",
         "find . -mindepth 3 -maxdepth 3"),
        ('with "a b"', "grep -rn 'a b' .", 'with "c d"', "grep -rn 'c d' ."),
        ('with "[x]"', "grep -rnF '[x]' .", 'with "$y"', "grep -rnF '$y' ."),
        ("files over 100 bytes", "find . -size +100c", "files over 200 bytes", "find . -size +200c"),
    ],
)  # fmt: skip
def test_values_are_exchanged(learned: str, command: str, asked: str, right: str) -> None:
    result = refilled(learned, [command], asked)
    assert result is not None
    assert shlex.split(result[0]) == shlex.split(right)


@pytest.mark.parametrize(
    ("why", "learned", "command", "asked"),
    [
        ("the value is not in the command", "files with TODO", "grep -rl '[T]ODO' .", "files with FIXME"),
        ("part of a longer word", "files with TODO", "grep -rl MYTODO .", "files with FIXME"),
        ("in other letters", "files with TODO", "grep -rli todo .", "files with FIXME"),
        ("the name of a tool", 'uses of "sort"', "grep -rl sort . | sort", 'uses of "uniq"'),
        ("a subcommand of git", 'commits about "log"', "git log --grep=log", 'commits about "show"'),
        ("a deeper path", "files in src", "find src/harbour -type f", "files in docs"),
        ("a column, not a count", "3 largest", "du -a | sort -k 3", "4 largest"),
        ("twice in the command", "3 largest", "du -a | sort -k 3 | head -n 3", "4 largest"),
        ("a limit", "files with more than 3 lines", "wc -l * | head -n 3", "files with more than 5 lines"),
        ("one number made from two", "lines 10 to 20", "head -n 20 a | tail -n 11", "lines 10 to 30"),
        ("other units", "files over 100 kB", "find . -size +100k", "files over 200 kB"),
        ("signs that mean something", 'with "ab"', "grep -rn ab .", 'with "a+b"'),
        ("an option", 'with "ab"', "grep -rn ab .", 'with "-v"'),
        ("weeks are not days", "changed in 2 weeks", "find . -mtime -2", "changed in 3 weeks"),
        ("no lines at all", "3 largest", "du -a | head -n 3", "0 largest"),
        ("a secret was hidden", "files with TODO", "grep -rl TODO . [redacted]", "files with FIXME"),
        ("a quote that does not close", "files with TODO", "grep -rl 'TODO .", "files with FIXME"),
        ("a set of letters", 'how many "a"', "tr -cd a < b.txt | wc -c", 'how many "ab"'),
        (
            "an option's own value",
            'commits about "short"',
            "git log --grep=short --date=short",
            'commits about "iso"',
        ),
        (
            "a line that was worked out",
            "line 3 and two more",
            "head -n 5 a | tail -n 3",
            "line 6 and two more",
        ),
        ("a package is imported by dots", "uses of harbour", "grep -rn harbour src/harbour", "uses of net"),
        ("a language", "functions in src", "grep -rn 'def ' src", "functions in docs"),
        ("a kind of file", "sources in src", "find src -name '*.py'", "sources in docs"),
        ("a count that is a line too", "lines 3 to 5", "head -n 5 a | tail -n 3", "lines 3 to 9"),
        ("a name without slashes", "not in docs", "grep -rl --exclude-dir=docs a .", "not in net"),
        ("one level", "longest in src", "wc -l src/* | head", "longest in docs"),
        ("no whole word", 'with "ab"', "grep -rnw ab .", 'with "ab "'),
        (
            "a day that was worked out",
            "on 2024-05-20",
            "git log --since=2024-05-20 --until=2024-05-21",
            "on 2024-01-01",
        ),
        ("both sides of a choice", "has TODO or TODO", "grep -rlE 'TODO|TODO' .", "has HACK or XXX"),
    ],
)
def test_what_is_doubtful_is_refused(why: str, learned: str, command: str, asked: str) -> None:
    assert refilled(learned, [command], asked) is None, why


@pytest.mark.parametrize(
    "slot",
    [Slot(kind="number", text="many"), Slot(kind="date", text=""), Slot(kind="extension", text="")],
)
def test_values_that_no_goal_states_are_refused(slot: Slot) -> None:
    new = {"number": "3", "date": "2024-01-01", "extension": ".py"}
    assert refill(["head -n 2 a"], [slot], [Slot(kind=slot.kind, text=new[slot.kind])]) is None
    assert refill(["head -n 2 " + "a" * 5000], [slot], [slot]) is None


def test_values_of_other_kinds_are_refused() -> None:
    assert refill(["grep -rl a ."], [Slot(kind="name", text="a")], [Slot(kind="text", text="a")]) is None
    assert refill(["grep -rl a ."], [Slot(kind="name", text="a")], []) is None


def test_a_place_is_not_exchanged_for_one_that_does_not_exist() -> None:
    assert refilled("files in src/", ["find src -type f"], "files in nowhere/") is not None
    assert refilled("files in harbour", ["find src/harbour"], "files in net") == ["find src/harbour/net"]
    old, new = Slot(kind="path", text="src", path="src"), Slot(kind="path", text="lib")
    assert refill(["find src -type f"], [old], [new]) is None


WORDS = st.from_regex(r"[A-Za-z]{3,10}", fullmatch=True).filter(lambda word: word not in ("grep", "src"))


@given(WORDS, WORDS, st.booleans())
def test_a_refilled_plan_holds_the_new_value_wherever_the_old_one_was(
    old: str, new: str, quoted: bool
) -> None:
    word = f"'{old}'" if quoted else old
    before, after = Slot(kind="name", text=old), Slot(kind="name", text=new)
    result = refill([f"grep -rnw {word} src"], [before], [after])
    if result is None:
        assert old.lower() in "grep -rnw src"
    else:
        assert shlex.split(result[0]) == ["grep", "-rnw", new, "src"]
        back = refill(result, [after], [before])
        assert back is None or shlex.split(back[0]) == ["grep", "-rnw", old, "src"]


@given(st.text(max_size=60), st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
def test_no_text_makes_a_command_of_more_words(rest: str, old: str, new: str) -> None:
    """Whatever a goal quotes stays one word of a command: nothing it holds can add an option or a stage."""
    commands = [f"grep -rnF -e {shlex.quote(old)} {shlex.quote(rest)} ."]
    result = refill(commands, [Slot(kind="text", text=old)], [Slot(kind="text", text=new)])
    if result is not None:
        assert len(shlex.split(result[0])) == 6
        assert shlex.split(result[0])[3] == new or old == new
