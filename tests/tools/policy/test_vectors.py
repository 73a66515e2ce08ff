from __future__ import annotations

import getopt
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import CommandRefused
from tools.policy.options import ALLOWED, COUNT, Allowed, anything
from tools.policy.vectors import MAX_ARGUMENTS, MAX_CHARACTERS, check_size, normalise

VALUES = st.sampled_from(["", "1", "-1", "+5", "x", "a b", "=", "-o", "--", "--output=f", "é"])


def written_options(allowed: Allowed) -> st.SearchStrategy[list[str]]:
    """Words that look like options of a tool: listed, unlisted, shortened, joined, with and without value."""
    letters = "".join(sorted(set(allowed.flags) | set(allowed.valued))) + "oO0fXJ"
    names = sorted({*allowed.long, *allowed.optional}) + ["output", "files0-from", "compress-program", "help"]
    short = st.text(letters, min_size=1, max_size=3).map(lambda text: f"-{text}")
    long = st.tuples(st.sampled_from(names), st.integers(1, 30)).map(lambda pair: f"--{pair[0][: pair[1]]}")
    valued = st.tuples(st.one_of(short, long), VALUES).map(lambda pair: f"{pair[0]}={pair[1]}")
    word = st.one_of(short, long, valued, VALUES, st.sampled_from(["--", "-", "-5", "file", "./-x"]))
    return st.lists(word, max_size=6)


def read_by_getopt(argv: Sequence[str], allowed: Allowed) -> tuple[list[tuple[str, str]], list[str]]:
    """The same vector through the standard library's reading of GNU options."""
    short = allowed.flags + "".join(f"{letter}:" for letter in allowed.valued)
    long = [name if check is None else f"{name}=" for name, check in allowed.long.items()]
    return getopt.gnu_getopt(list(argv), short, long)


@st.composite
def vectors(draw: st.DrawFn) -> tuple[str, list[str]]:
    tool = draw(st.sampled_from(sorted(ALLOWED)))
    return tool, draw(written_options(ALLOWED[tool]))


@settings(max_examples=250, deadline=None)
@given(vectors())
def test_what_passes_is_written_back_so_that_it_reads_the_same_and_only_listed_options(
    vector: tuple[str, list[str]],
) -> None:
    tool, argv = vector
    allowed = ALLOWED[tool]
    try:
        options, operands = normalise(tool, argv, allowed)
    except CommandRefused:
        return
    for option in options:
        if option.startswith("--"):
            name = option[2:].partition("=")[0]
            assert name in allowed.long or name in allowed.optional
        elif option:
            assert option[1] in allowed.flags or option[1] in allowed.valued or allowed.counts
    assert normalise(tool, [*options, "--", *operands], allowed) == (options, operands)


@settings(max_examples=250, deadline=None)
@given(vectors())
def test_vectors_are_read_as_getopt_reads_them(vector: tuple[str, list[str]]) -> None:
    tool, argv = vector
    allowed = ALLOWED[tool]
    try:
        options, operands = normalise(tool, argv, allowed)
    except CommandRefused:
        return
    if allowed.counts or any(option[2:].partition("=")[0] in allowed.optional for option in options):
        return  # the standard library knows neither -5 nor values that may be left out
    pairs, rest = read_by_getopt(argv, allowed)
    assert rest == operands
    again, none = read_by_getopt([*options, "--"], allowed)
    assert (again, none) == (pairs, [])


SOME = Allowed(
    "ab", {"n": COUNT, "s": anything},
    {"lines": COUNT, "long": None, "lone": None, "exact": None, "exactly": None},
    optional={"color": lambda value: value == "auto"}, most=2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("argv", "options", "operands"),
    [
        (["-ab", "x"], ["-a", "-b"], ["x"]),
        (["x", "-a", "y"], ["-a"], ["x", "y"]),
        (["-an5"], ["-a", "-n5"], []),
        (["-n", "5"], ["-n5"], []),
        (["-s", ""], ["-s", ""], []),
        (["-s", "-o"], ["-s-o"], []),
        (["--li=3"], ["--lines=3"], []),
        (["--lines", "3"], ["--lines=3"], []),
        (["--exact"], ["--exact"], []),
        (["--exactl"], ["--exactly"], []),
        (["--color"], ["--color"], []),
        (["--col=auto"], ["--color=auto"], []),
        (["--", "-a", "--"], [], ["-a", "--"]),
        (["-", "-a"], ["-a"], ["-"]),
    ],
)
def test_options_are_told_from_operands(argv: list[str], options: list[str], operands: list[str]) -> None:
    assert normalise("tool", argv, SOME) == (options, operands)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["-o"], "not a read-only option"),
        (["-ao"], "not a read-only option"),
        (["--output=x"], "not a read-only option"),
        (["--=x"], "may mean"),
        (["--lo"], "may mean long or lone"),
        (["--exa"], "may mean exact or exactly"),
        (["--lines"], "the value is missing"),
        (["-n"], "the value is missing"),
        (["-nx"], "the value is not accepted"),
        (["--lines=x"], "the value is not accepted"),
        (["--color=x"], "the value is not accepted"),
        (["--long=x"], "takes no value"),
        (["a", "b", "c"], "at most 2 operands"),
        (["--", "a", "b", "-a"], "at most 2 operands"),
    ],
)
def test_what_is_not_listed_is_refused_and_said_why(argv: list[str], why: str) -> None:
    with pytest.raises(CommandRefused, match=why) as refusal:
        normalise("tool", argv, SOME)
    assert refusal.value.remedy


def test_a_tool_that_takes_options_in_full_only_takes_no_other() -> None:
    strict = Allowed(long={"lines": COUNT}, abbreviates=False)
    assert normalise("tool", ["--lines=1"], strict) == (["--lines=1"], [])
    with pytest.raises(CommandRefused):
        normalise("tool", ["--line=1"], strict)


def test_a_number_is_a_count_only_where_the_tool_says_so() -> None:
    assert normalise("head", ["-5", "f"], ALLOWED["head"]) == (["-n5"], ["f"])
    with pytest.raises(CommandRefused):
        normalise("cat", ["-5"], ALLOWED["cat"])
    with pytest.raises(CommandRefused, match="takes no operand"):
        normalise("pwd", ["x"], ALLOWED["pwd"])


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["x"] * (MAX_ARGUMENTS + 1), "too many or too long"),
        (["x" * (MAX_CHARACTERS + 1)], "too many or too long"),
        (["a\0b"], "NUL"),
    ],
)
def test_vectors_no_person_writes_are_refused(argv: list[str], why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        check_size("cat", argv)


def test_a_vector_at_the_limits_passes() -> None:
    check_size("cat", ["x"] * MAX_ARGUMENTS)
    check_size("cat", ["x" * MAX_CHARACTERS])
